import type { GridOutlook } from "../../grid/outlook.ts";
import { type GridScene, isActive } from "../../grid/scene.ts";
import type { GridCell, GridTotal } from "../../grid/table.ts";
import { html } from "../../web/html.ts";
import { amount } from "../../web/parts/amount.ts";
import { inventoryCell } from "./cell.ts";
import type { InventoryRow } from "./row.ts";

type CategoryRow = Exclude<InventoryRow, { type: "allotment" }>;

/** The rooms left in the whole property on each night; `undefined` unless all categories, at least two, are shown. */
export function totalRow(scene: GridScene, rows: readonly InventoryRow[]): GridTotal | undefined {
  const { query, days } = scene;
  const sold = soldRows(scene, rows);
  if (sold.length < 2 || query.only !== undefined) return undefined;
  return { head: html`<b>All categories</b>`, cells: days.map((_, index) => totalCell(sold, index)) };
}

/** The same as a picture, of any number of categories. */
export function roomsOutlook(scene: GridScene, rows: readonly InventoryRow[]): GridOutlook {
  const sold = soldRows(scene, rows);
  const values = scene.days.map((_, index) => roomsLeft(nightsOf(sold, index)));
  const none = sold.length === 0 ? "no category on sale" : "nothing received";
  return { values, foot: 0, title: `Rooms free on ${scene.days.length} nights`, word: amount, json: roomsJson, unit: "", none };
}

/** A function of its own: one made beside the rows would keep them as long as the outlook lives. */
function roomsJson(available: number): object {
  return { available };
}

function soldRows(scene: GridScene, rows: readonly InventoryRow[]): CategoryRow[] {
  return rows.filter((row): row is CategoryRow => row.type === "category" && isActive(scene, row.category));
}

function totalCell(sold: readonly CategoryRow[], index: number): GridCell {
  const nights = nightsOf(sold, index);
  const available = roomsLeft(nights);
  const physical = nights.every(({ rooms }) => rooms > 0) ? nights.reduce((sum, { rooms }) => sum + rooms, 0) : undefined;
  return inventoryCell({ ...NOTHING, available, physical: available === undefined ? undefined : physical }, undefined);
}

type SoldNight = CategoryRow["nights"][number] & { rooms: number };

/** Of no use is a number of rooms that not all have. */
function nightsOf(sold: readonly CategoryRow[], index: number): SoldNight[] {
  return sold.map((row) => ({ ...row.nights[index]!, rooms: row.nights[index]!.physical ?? row.category.rooms }));
}

/** A category that is closed has none left; one of which nothing was received counts for nothing. */
function roomsLeft(nights: readonly SoldNight[]): number | undefined {
  const known = nights.filter(({ available, closed }) => closed || available !== undefined);
  return known.length === 0 ? undefined : known.reduce((sum, night) => sum + (night.closed ? 0 : night.available!), 0);
}

const NOTHING = { outOfOrder: undefined, offMarket: undefined, threshold: undefined, derived: false, closed: false, setters: {} };
