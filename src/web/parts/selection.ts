import { quoted } from "../../text.ts";
import { readTypedFields } from "../form.ts";
import { type Html, html, nothing, Path } from "../html.ts";
import { amount } from "./amount.ts";
import { hiddenFields } from "./field.ts";
import { type ListQuery, pageAt } from "./list.ts";

/** A box for each row, with its key; one field without a key tells a choice of nothing from no choice. */
const FIELD = "chosen";

/** What the longest page of a list has; with a limit, so has an address that names them. */
const MOST_CHOSEN = 100;

/** The keys of the records that a query names, each once; undefined when it does not choose. */
export function readChosen(query: unknown): readonly string[] | undefined {
  const sent = readTypedFields(query).filter(([name]) => name === FIELD);
  return sent.length === 0 ? undefined : [...new Set(sent.map(([, key]) => key).filter(Boolean))];
}

/** What is wrong with the chosen keys, of which there are records of `known`; undefined when nothing is. */
export function chosenFault(chosen: readonly string[], known: readonly string[]): string | undefined {
  if (chosen.length === 0) return "Choose at least one row by the box at its beginning";
  if (chosen.length > MOST_CHOSEN) return `Choose at most ${MOST_CHOSEN} rows, not ${amount(chosen.length)}`;
  const missing = chosen.find((key) => !known.includes(key));
  return missing === undefined ? undefined : `Choose from the rows of the list; it has no “${quoted(missing)}”`;
}

/** `label` names the table for those who do not see it. */
type SelectionFrame = { label: string; here: Path; heads: Html };

/**
 * The table of the list at `here`, whose rows have boxes, and what is had of those that are ticked: the style sheet shows that then, and
 * counts them. The rest of the address goes along, for the list to be the same when the choice is refused.
 */
export function selectionTable({ label, here, heads }: SelectionFrame, rows: Html): Html {
  const [list = "", query] = here.text.split("?", 2);
  return html`<form class="selection" method="get" action="${new Path(list)}">
    ${hiddenFields(Object.fromEntries(new URLSearchParams(query)))}
    <input type="hidden" name="${FIELD}" value="" />
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
      <button type="submit" name="format" value="csv">CSV<span class="visually-hidden"> of the chosen rows</span></button>
      <button type="submit" name="format" value="json">JSON<span class="visually-hidden"> of the chosen rows</span></button>
    </p>
  </form>`;
}

/** The head of the boxes: a link to the same page with all of them ticked, or none. */
export function selectionHead(base: Path, query: ListQuery): Html {
  const to = pageAt(base, query, { page: query.page, all: query.all ? undefined : 1 });
  return html`<th scope="col" class="pick">
    <a id="f-${FIELD}" href="${to}">${query.all ? "None" : "All"}<span class="visually-hidden"> of this page</span></a>
  </th>`;
}

/** The box of a row. */
export function selectionBox({ all, chosen }: ListQuery, key: string, name: string): Html {
  const ticked = all || chosen?.includes(key);
  return html`<td class="pick">
    <input type="checkbox" name="${FIELD}" value="${key}" aria-label="${name}" ${ticked ? html`checked ` : nothing} />
  </td>`;
}
