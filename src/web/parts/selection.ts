import { quote } from "../../text.ts";
import { readTypedFields } from "../form.ts";
import { type Html, html, emptyHtml, Path } from "../html.ts";
import { path, withQuery } from "../path.ts";
import { formatNumber } from "./amount.ts";
import { hiddenFields } from "./fields.ts";
import { ifAllowed } from "./if-allowed.ts";
import { currentPage, type ListQuery } from "./list.ts";

/** Name of the checkboxes. A hidden field with this name distinguishes an empty selection from no selection. */
const CHOSEN_FIELD = "chosen";

/** The largest page size. Also limits the length of URLs. */
const MAX_SELECTED = 100;

export function readSelection(query: unknown): readonly string[] | undefined {
  const sentFields = readTypedFields(query).filter(([name]) => name === CHOSEN_FIELD);
  return sentFields.length === 0 ? undefined : [...new Set(sentFields.map(([, key]) => key).filter(Boolean))];
}

export function selectionFault(selected: readonly string[], found: readonly string[]): string | undefined {
  if (selected.length === 0) return "Select at least one row";
  if (selected.length > MAX_SELECTED) return `Select at most ${MAX_SELECTED} rows, not ${formatNumber(selected.length)}`;
  const missingKey = selected.find((key) => !found.includes(key));
  return missingKey === undefined ? undefined : `Select rows in this list; it has no “${quote(missingKey)}”`;
}

/** `kind` is the record type of a bulk edit, and `address` is this page's path. */
type SelectionTable = { label: string; kind: string; address: Path; heads: Html };

const BULK_EDIT_PATH = path`/tools/import/edit`;

/** Links to the bulk edit of all rows that match the filters of `base`. */
export function bulkEditLink(kind: string, base: Path, q: string): Html {
  const [, filters = ""] = base.text.split("?", 2);
  const to = withQuery(BULK_EDIT_PATH, { kind, q, ...Object.fromEntries(new URLSearchParams(filters)) });
  return ifAllowed(html`<a class="button" href="${to}">Bulk edit</a>`);
}

/**
 * A table with a checkbox in each row, and buttons that export selected rows. The style sheet shows the buttons and the number of selected
 * rows.
 */
export function selectionTable({ label, kind, address, heads }: SelectionTable, rows: Html): Html {
  const [list = "", query] = address.text.split("?", 2);
  return html`<form class="selection" method="get" action="${new Path(list)}">
    ${hiddenFields(Object.fromEntries(new URLSearchParams(query)))}
    <input type="hidden" name="${CHOSEN_FIELD}" value="" />
    <div class="scroll list stacked">
      <table class="table" aria-label="${label}">
        <thead>
          <tr>
            ${heads}
          </tr>
        </thead>
        <tbody>
          ${rows}
        </tbody>
      </table>
    </div>
    <p class="actions chosen">
      <button type="submit" name="format" value="csv">CSV<span class="visually-hidden"> of the selected rows</span></button>
      <button type="submit" name="format" value="json">JSON<span class="visually-hidden"> of the selected rows</span></button>
      ${ifAllowed(html`<button type="submit" name="kind" value="${kind}" formaction="${BULK_EDIT_PATH}">Edit selected</button>`)}
    </p>
  </form>`;
}

export function selectionHead(base: Path, query: ListQuery): Html {
  const to = currentPage(base, query, query.all ? undefined : 1);
  return html`<th scope="col" class="pick">
    <a id="f-${CHOSEN_FIELD}" href="${to}">${query.all ? "None" : "All"}<span class="visually-hidden"> of this page</span></a>
  </th>`;
}

export function selectionBox({ all, selected }: ListQuery, key: string, name: string): Html {
  const isTicked = all || selected?.includes(key);
  return html`<td class="pick">
    <input type="checkbox" name="${CHOSEN_FIELD}" value="${key}" aria-label="${name}" ${isTicked ? html`checked ` : emptyHtml} />
  </td>`;
}
