import type { CountNight } from "../../grid/count-night.ts";
import { gapContent, type GridCell, type NightState, tag } from "../../grid/table.ts";
import { type Html, html, nothing } from "../../web/html.ts";
import { amount } from "../../web/parts/amount.ts";
import type { AllotmentNight } from "./row.ts";

/** How a night of counts stands. */
function inventoryState(night: CountNight): NightState {
  if (night.closed) return "closed";
  if (night.available === undefined) return "gap";
  return night.available === 0 ? "zero" : "open";
}

/** A night as its cell: available of all rooms, then what else was received, as short codes. `rooms` is the category's number of rooms. */
export function inventoryCell(night: CountNight, rooms: number | undefined): GridCell {
  const state = inventoryState(night);
  const content = state === "gap" && !hasMore(night) ? gapContent : counts(night, rooms);
  const left = state === "open" ? tenthsLeft(night.available!, night.physical ?? rooms) : undefined;
  return left === undefined ? { state, content } : { state, content, left };
}

/** At least one where there is a room. */
function tenthsLeft(available: number, total: number | undefined): number | undefined {
  return total ? Math.min(10, Math.max(1, Math.round((10 * available) / total))) : undefined;
}

/** The cell of a night of an allotment. */
export function allotmentCell({ allotment }: AllotmentNight): GridCell {
  if (allotment === undefined) return { state: "gap", content: gapContent };
  return { state: allotment === 0 ? "zero" : "open", content: html`<b>${amount(allotment)}</b>` };
}

function hasMore({ physical, outOfOrder, offMarket }: CountNight): boolean {
  return physical !== undefined || outOfOrder !== undefined || offMarket !== undefined;
}

function counts(night: CountNight, rooms: number | undefined): Html {
  const total = night.physical ?? rooms;
  const available = night.available === undefined ? gapContent : html`<b>${amount(night.available)}</b>`;
  return html`${available}${total === undefined ? nothing : html`<small> / ${amount(total)}</small>`}${codes(night)}`;
}

function codes(night: CountNight): Html {
  const { closed, outOfOrder, offMarket, threshold, derived, summed } = night;
  return html`${closed ? tag("CLOSED") : nothing}${outOfOrder ? tag(`OOO ${outOfOrder}`) : nothing}${
    offMarket ? tag(`OFF ${offMarket}`) : nothing
  }${threshold ? tag(`REQ ${threshold}`) : nothing}${derived ? tag("CALC") : nothing}${summed === true ? tag("SUM") : nothing}`;
}
