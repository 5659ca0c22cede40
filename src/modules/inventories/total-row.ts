import { type GridScene, isActive } from "../../grid/grid-scene.ts";
import type { GridCell, GridTotal } from "../../grid/grid-table.ts";
import { html } from "../../web/html.ts";
import { inventoryCell } from "./inventory-cell.ts";
import type { InventoryRow } from "./inventory-row.ts";

type CategoryRow = Exclude<InventoryRow, { type: "allotment" }>;

/** The rooms left in the whole property on each night; `undefined` unless all categories, at least two, are shown. */
export function totalRow(scene: GridScene, rows: readonly InventoryRow[]): GridTotal | undefined {
  const { query, days } = scene;
  const sold = rows.filter((row): row is CategoryRow => row.type === "category" && isActive(scene, row.category));
  if (sold.length < 2 || query.category !== "" || query.only !== undefined) return undefined;
  return { head: html`<b>All categories</b>`, cells: days.map((_, index) => totalCell(sold, index)) };
}

/** A category that is closed has none left; one of which nothing was received adds its rooms alone. Of no use is a number of rooms that not all have. */
function totalCell(sold: readonly CategoryRow[], index: number): GridCell {
  const nights = sold.map((row) => ({ ...row.nights[index]!, rooms: row.nights[index]!.physical ?? row.category.rooms }));
  const known = nights.filter(({ available, closed }) => closed || available !== undefined);
  const available = known.length === 0 ? undefined : known.reduce((sum, night) => sum + (night.closed ? 0 : night.available!), 0);
  const physical = nights.every(({ rooms }) => rooms > 0) ? nights.reduce((sum, { rooms }) => sum + rooms, 0) : undefined;
  return inventoryCell({ ...NOTHING, available, physical: available === undefined ? undefined : physical }, undefined);
}

const NOTHING = { outOfOrder: undefined, offMarket: undefined, threshold: undefined, derived: false, closed: false, setters: {} };
