import { Path } from "./html.ts";

/** Creates a path within the service. Encodes each value as one segment: path`/property/${code}/edit`. */
export function path(parts: TemplateStringsArray, ...segments: readonly (string | number)[]): Path {
  let text = parts[0]!;
  for (let i = 0; i < segments.length; i++) text += encodeURIComponent(segments[i]!) + parts[i + 1]!;
  return new Path(text);
}

export function withQuery(base: Path, query: Readonly<Record<string, string | number | undefined>>): Path {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined && value !== "") search.append(name, String(value));
  return search.size === 0 ? base : new Path(`${base.text}${base.text.includes("?") ? "&" : "?"}${search.toString()}`);
}
