import type { NightChange } from "../../../calendar/change.ts";
import { formatNight } from "../../../calendar/night.ts";
import { attributeLabel, changeTexts } from "../../../grid/changes.ts";
import { each, type Html, html, nothing, type Path } from "../../../web/html.ts";
import { counted } from "../../../web/parts/amount.ts";
import { noneCell, scrollTable } from "../../../web/parts/table.ts";
import { path, withQuery } from "../../../web/path.ts";

const MAX_SHOWN = 200;

export type ChangeSet = { property: string | undefined; nights: number; changes: readonly NightChange[] };

export function changesTable({ property, nights, changes }: ChangeSet): Html {
  if (changes.length === 0) return html`<p>${nights === 0 ? "No nights changed." : "The changed nights are no longer on record."}</p>`;
  return html`${scrollTable(
    {
      label: "Changes",
      narrow: "stacked",
      caption: counted(nights, "changed night"),
      heads: ["Category", "Rate plan or room", "Nights", "Field", "Old", "New"],
    },
    each(changes.slice(0, MAX_SHOWN), (run) => changeRow(run, property)),
  )}
  ${changes.length > MAX_SHOWN ? html`<p class="hint">First ${MAX_SHOWN} of ${changes.length === 1_000 ? "1,000 or more" : changes.length} changes</p>` : nothing}`;
}

function changeRow(run: NightChange, property: string | undefined): Html {
  const nights = run.first === run.last ? formatNight(run.first) : `${formatNight(run.first)} to ${formatNight(run.last)}`;
  const { from, to } = changeTexts(run);
  return html`<tr>
    <td>${run.category}</td>
    ${run.lane === "" ? noneCell : html`<td>${run.lane}</td>`}
    <td class="nowrap">${property === undefined ? nights : html`<a href="${nightLink(run, property)}">${nights}</a>`}</td>
    <td>${attributeLabel(run.column)}</td>
    <td data-label="Old">${from}</td>
    <td data-label="New"><b>${to}</b></td>
  </tr>`;
}

function nightLink({ kind, category, lane, first }: NightChange, property: string): Path {
  const night = formatNight(first);
  if (kind === "rate") return withQuery(path`/rates`, { property, category, plan: lane, from: night, night });
  return withQuery(path`/inventories`, { property, category, room: lane, from: night, night });
}
