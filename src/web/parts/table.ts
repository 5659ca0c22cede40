import { mapHtml, Html, html, emptyHtml } from "../html.ts";
import { ifAllowed } from "./if-allowed.ts";

export type ColumnHead = string | { number: string } | { action: string };

/** `label` is the accessible name. `stacked` cells have no headers on narrow screens; set `data-label` on cells that need one. */
export type TableFrame = { label: string; caption?: string; heads: readonly ColumnHead[]; narrow?: "stacked" };

export function scrollTable({ label, caption, heads, narrow }: TableFrame, rows: Html): Html {
  return html`<div class="${narrow === "stacked" ? "scroll stacked" : "scroll"}" role="region" aria-label="${label}" tabindex="0">
    <table class="table">
      ${
        caption === undefined
          ? emptyHtml
          : html`<caption>
              ${caption}
            </caption>`
      }
      <thead>
        <tr>
          ${mapHtml(heads, headCell)}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`;
}

function headCell(head: ColumnHead): Html {
  if (typeof head === "string") return html`<th scope="col">${head}</th>`;
  if ("action" in head) return ifAllowed(html`<th scope="col" class="act">${head.action}</th>`);
  return html`<th scope="col" class="number">${head.number}</th>`;
}

export const emptyCell = html`<td class="none">–</td>`;

/** Renders a row in `<dl class="facts">`, or nothing if there is no value. Text keeps its line breaks. */
export function factRow(name: string, value: string | Html | null | undefined): Html {
  if (value === undefined || value === null || value === "") return emptyHtml;
  return html`<dt>${name}</dt>
    ${value instanceof Html ? html`<dd>${value}</dd>` : html`<dd class="text">${value}</dd>`}`;
}
