import type { MessageRow } from "../../../db/schema.ts";
import { excerpt } from "../../../web/excerpt.ts";
import { type Html, html } from "../../../web/html.ts";
import { noneCell } from "../../../web/parts/table.ts";
import { path, withQuery } from "../../../web/path.ts";

/** What the message log is narrowed to, as it was typed. */
export type Asked = Readonly<Record<string, string | undefined>>;

/** As long as the code of a property; strangers write anything. */
const LONGEST_CODE = 64;

/** The property as the message names it, there may be none; the link shows its messages alone. */
export function propertyCell({ property }: MessageRow, asked: Asked = {}): Html {
  if (property === null) return noneCell;
  const code = html`<code>${excerpt(property, 0, LONGEST_CODE)}</code>`;
  const alone = html`<a href="${withQuery(path`/dev/logs`, { ...asked, property })}" title="Messages of this property">${code}</a>`;
  return html`<td class="name" data-label="Property">${asked.property === property ? code : alone}</td>`;
}
