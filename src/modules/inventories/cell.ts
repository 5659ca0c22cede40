import { attributesIn } from "../../calendar/attributes.ts";
import { type CountNight, EMPTY_NIGHT } from "../../calendar/night-values.ts";
import { type CountState, countState, SALE_STATES, totalRoomsLeft } from "../../calendar/verdict.ts";
import { type GridContext, isActive } from "../../grid/context.ts";
import { nightBadges } from "../../grid/legend.ts";
import type { PropertySparkline } from "../../grid/overview.ts";
import { badge, gapContent, type GridCell, type GridTotal, type NightState } from "../../grid/table.ts";
import { each, type Html, html, nothing } from "../../web/html.ts";
import { amount } from "../../web/parts/amount.ts";
import type { AllotmentNight, InventoryRow } from "./row.ts";

const STOPPED = SALE_STATES["stop sell"].badge;
const STATES: Readonly<Record<CountState, NightState>> = { closed: "closed", open: "open", "sold out": "zero", "no count": "gap" };
const COUNTS = attributesIn("counts").filter((name) => name !== "available");

export function inventoryCell(night: CountNight, rooms: number | undefined): GridCell {
  const state = STATES[countState(night)];
  const isEmpty = state === "gap" && COUNTS.every((name) => night[name] === undefined || night[name] === false);
  const content = isEmpty ? gapContent : counts(night, rooms);
  const left = state === "open" ? tenthsLeft(night.available!, night.physical ?? rooms) : undefined;
  return left === undefined ? { state, content } : { state, content, left };
}

/** Rounds to tenths, but returns at least 1 while a room is left. */
function tenthsLeft(available: number, total: number | undefined): number | undefined {
  return total ? Math.min(10, Math.max(1, Math.round((10 * available) / total))) : undefined;
}

function counts(night: CountNight, rooms: number | undefined): Html {
  const total = night.physical ?? rooms;
  const available = night.available === undefined ? gapContent : html`<b>${amount(night.available)}</b>`;
  const badges = [...nightBadges(["closed", "counts"], night), ...(night.stopSell ? [STOPPED] : []), ...(night.summed ? ["SUM"] : [])];
  return html`${available}${total === undefined ? nothing : html`<small> / ${amount(total)}</small>`}${each(badges, badge)}`;
}

export function allotmentCell({ allotment }: AllotmentNight): GridCell {
  if (allotment === undefined) return { state: "gap", content: gapContent };
  return { state: allotment === 0 ? "zero" : "open", content: html`<b>${amount(allotment)}</b>` };
}

type CategoryRow = Exclude<InventoryRow, { type: "allotment" }>;

/** Returns the rooms left in the whole property, or undefined if the grid is filtered or fewer than two categories are active. */
export function totalRow(context: GridContext, rows: readonly InventoryRow[]): GridTotal | undefined {
  const active = activeRows(context, rows);
  if (active.length < 2 || context.query.only !== undefined) return undefined;
  return { head: html`<b>All categories</b>`, cells: context.days.map((_, index) => totalCell(active, index)) };
}

export function roomsSparkline(context: GridContext, rows: readonly InventoryRow[]): PropertySparkline {
  const active = activeRows(context, rows);
  const values = context.days.map((_, index) => totalRoomsLeft(active.map(({ nights }) => nights[index]!)));
  const emptyText = active.length === 0 ? "no active category" : "no data";
  return { values, baseline: 0, title: `Free rooms, ${context.days.length} nights`, format: amount, json: roomsJson, unit: "", emptyText };
}

/** A separate function, because a closure would keep all rows in memory. */
function roomsJson(available: number): object {
  return { available };
}

function activeRows(context: GridContext, rows: readonly InventoryRow[]): CategoryRow[] {
  return rows.filter((row): row is CategoryRow => row.type === "category" && isActive(context, row.category));
}

function totalCell(active: readonly CategoryRow[], index: number): GridCell {
  const available = totalRoomsLeft(active.map(({ nights }) => nights[index]!));
  const rooms = active.map(({ category, nights }) => nights[index]!.physical ?? category.rooms);
  const hasAll = available !== undefined && rooms.every((count) => count > 0);
  return inventoryCell({ ...EMPTY_NIGHT, available }, hasAll ? rooms.reduce((sum, count) => sum + count, 0) : undefined);
}
