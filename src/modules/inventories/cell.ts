import { type CountNight, EMPTY_NIGHT } from "../../calendar/night-values.ts";
import { type CountedNight, type PricedNight, roomsLeft, totalRoomsLeft } from "../../calendar/sale.ts";
import { isClosedState, type SaleState, type Verdict, decideVerdict } from "../../calendar/verdict.ts";
import type { ComparedRows } from "../../grid/compare.ts";
import type { GridContext } from "../../grid/context.ts";
import { nightBadges, nightSymbol, saleBadge } from "../../grid/legend.ts";
import { isDense } from "../../grid/query.ts";
import type { SaleNight } from "../../grid/selection-summary.ts";
import { codeBadge, gapContent, type GridCell, type GridTotal, type NightState } from "../../grid/table.ts";
import { freeRoomsTotal, soldOutTotal } from "../../grid/totals.ts";
import { type Html, html, emptyHtml } from "../../web/html.ts";
import { formatNumber } from "../../web/parts/amount.ts";
import type { InventoryRow } from "./row.ts";

/** A missing count is a gap, unless the night is closed. */
const CELL_STATES: Readonly<Record<SaleState, NightState>> = {
  sellable: "open",
  "not active": "closed",
  "hotel closed": "closed",
  "stop sell": "closed",
  "not opened": "closed",
  "no count": "gap",
  "sold out": "zero",
  "no price": "open",
  "beyond horizon": "open",
  past: "open",
};

/** An ordinary night shows only its count. `rooms` is the total for the bar if there is no physical count. */
export function inventoryCell({ counts, verdict }: CountedNight, rooms: number | undefined): GridCell {
  const state = CELL_STATES[verdict.state];
  const leftInTenths = state === "open" && counts.available ? tenthsLeft(counts.available, counts.physical ?? rooms) : undefined;
  return { state, content: html`${countsText(counts)}${closingBadge(verdict)}`, ...(leftInTenths !== undefined && { left: leftInTenths }) };
}

/** Rounds to tenths, but returns at least 1 if any room is left. */
function tenthsLeft(available: number, total: number | undefined): number | undefined {
  return total ? Math.min(10, Math.max(1, Math.round((10 * available) / total))) : undefined;
}

function countsText(night: CountNight): Html {
  const available = night.available === undefined ? gapContent : html`<b>${formatNumber(night.available)}</b>`;
  return html`${available}${nightBadges(["counts"], night)}${night.summed ? codeBadge("SUM") : emptyHtml}`;
}

/** Returns the badge for a closed night. Sold-out nights and nights without a count have none, because the cell already shows this. */
function closingBadge(verdict: Verdict): Html {
  return isClosedState(verdict.state) ? saleBadge(verdict) : emptyHtml;
}

/** Used in narrow columns. Shows the count, and one symbol that represents everything else. */
export function inventorySymbol(night: CountedNight, rooms: number | undefined): GridCell {
  const { counts, verdict } = night;
  const available = counts.available === undefined ? gapContent : html`<b>${formatNumber(counts.available)}</b>`;
  const reason = isClosedState(verdict.state) ? verdict : SELLABLE_VERDICT;
  return { ...inventoryCell(night, rooms), content: html`${available}${nightSymbol(reason, ["counts"], counts)}` };
}

/** Used for sold-out nights and nights without a count, which need no symbol, because the cell already shows this. */
const SELLABLE_VERDICT: Verdict = { state: "sellable", reasons: [] };

export function allotmentCell({ rate: { allotment }, verdict }: PricedNight): GridCell {
  if (allotment === undefined) return { state: "gap", content: gapContent };
  return { state: CELL_STATES[verdict.state], content: html`<b>${formatNumber(allotment)}</b>${closingBadge(verdict)}` };
}

export function allotmentSymbol(night: PricedNight): GridCell {
  const { allotment } = night.rate;
  if (allotment === undefined) return { state: "gap", content: gapContent };
  const reason = isClosedState(night.verdict.state) ? night.verdict : SELLABLE_VERDICT;
  return { state: CELL_STATES[night.verdict.state], content: html`<b>${formatNumber(allotment)}</b>${nightSymbol(reason, [], {})}` };
}

export const comparedRooms: ComparedRows<InventoryRow> = {
  nightOf: (row, index) => {
    const state = CELL_STATES[row.nights[index]!.verdict.state];
    if (row.type !== "allotment") return { value: row.nights[index]!.counts.available, unit: "", state };
    const { allotment } = row.nights[index]!.rate;
    return { value: allotment, unit: "", state: allotment === undefined ? "gap" : state };
  },
  format: formatNumber,
  json: Number,
};

export function saleOfRooms(row: InventoryRow, index: number): SaleNight {
  const rooms = row.type === "category" ? roomsLeft(row.nights[index]!) : undefined;
  return { verdict: row.nights[index]!.verdict, rooms, price: undefined };
}

type CountedRow = Exclude<InventoryRow, { type: "allotment" }>;

/** Returns totals for the whole property. Empty if the grid is filtered or fewer than two categories are active. */
export function inventoryTotals({ query, days }: GridContext, rows: readonly InventoryRow[]): GridTotal[] {
  const activeCategoryRows = activeRows(rows);
  if (activeCategoryRows.length < 2 || query.only !== undefined) return [];
  const categories = activeCategoryRows.map(({ nights }) => nights);
  if (isDense(query)) return [freeRoomsTotal(days.length, categories), soldOutTotal(days.length, categories)];
  const rooms = { head: html`<b>All categories</b>`, cells: days.map((_, index) => totalCell(activeCategoryRows, index)) };
  return [rooms, soldOutTotal(days.length, categories)];
}

function activeRows(rows: readonly InventoryRow[]): CountedRow[] {
  return rows.filter((row): row is CountedRow => row.type === "category" && row.category.inactive === undefined);
}

function totalCell(activeCategoryRows: readonly CountedRow[], index: number): GridCell {
  const available = totalRoomsLeft(activeCategoryRows.map(({ nights }) => nights[index]!));
  const rooms = activeCategoryRows.map(({ category, nights }) => nights[index]!.counts.physical ?? category.rooms);
  const hasAllRooms = available !== undefined && rooms.every((count) => count > 0);
  const counts = { ...EMPTY_NIGHT, available };
  const verdict = decideVerdict({ inactive: undefined, isPast: false, isBeyondHorizon: false, counts, counted: "category" });
  const total = hasAllRooms ? rooms.reduce((sum, count) => sum + count, 0) : undefined;
  const cell = inventoryCell({ counts, verdict }, total);
  return total === undefined ? cell : { ...cell, content: html`${cell.content}<small> / ${formatNumber(total)}</small>` };
}
