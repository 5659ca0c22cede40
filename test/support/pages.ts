import type { Visitor } from "./app.ts";

/** Follows the links of a list with the given label, starting at `url`. Returns the keys of all rows in the order of the visits, and the last page. */
export async function followPages(visitor: Visitor, url: string, label: string): Promise<{ pages: string[][]; body: string }> {
  const pages: string[][] = [];
  let body = "";
  for (let next: string | undefined = url; next !== undefined; next = linkOf(body, label)) {
    ({ body } = await visitor.get(next));
    pages.push(rowsOf(body));
  }
  return { pages, body };
}

export function linkOf(body: string, label: string): string | undefined {
  return new RegExp(`href="([^"]*)"[^>]*>${label}<`).exec(body)?.[1]?.replaceAll("&amp;", "&");
}

/** Returns the keys of the rows that can be selected. */
export function rowsOf(body: string): string[] {
  return [...body.matchAll(/name="chosen" value="([^"]+)"/g)].map(([, key]) => key!);
}

/** Returns the text next to the links, such as "1–25 of 90". */
export function rangeOf(body: string): string | undefined {
  return /<nav class="pager"[^>]*>\s*<p>([^<]*)</.exec(body)?.[1];
}
