import { each, type Html, html, nothing } from "../html.ts";
import { forAdmins } from "./for-admins.ts";

/** The head of a column; that of numbers stands on the right, as they do, and that of actions, like its cells, is for administrators. */
export type Head = string | { number: string } | { action: string };

/**
 * The frame of a table; `label` names it for those who do not see it. `narrow: "stacked"` stacks the cells of a row on a narrow
 * screen, without heads: cells that say little without theirs have `data-label`.
 */
export type TableFrame = { label: string; caption?: string; heads: readonly Head[]; narrow?: "stacked" };

/** A table that scrolls by itself where it is wider than the page. */
export function scrollTable({ label, caption, heads, narrow }: TableFrame, rows: Html): Html {
  return html`<div class="${narrow === "stacked" ? "scroll stacked" : "scroll"}" role="region" aria-label="${label}" tabindex="0">
    <table class="table">
      ${
        caption === undefined
          ? nothing
          : html`<caption>
              ${caption}
            </caption>`
      }
      <thead>
        <tr>
          ${each(heads, headCell)}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`;
}

function headCell(head: Head): Html {
  if (typeof head === "string") return html`<th scope="col">${head}</th>`;
  if ("action" in head) return forAdmins(html`<th scope="col" class="act">${head.action}</th>`);
  return html`<th scope="col" class="number">${head.number}</th>`;
}

/** A cell without a value; narrow screens leave it out. */
export const noneCell = html`<td class="none">–</td>`;
