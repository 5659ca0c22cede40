import type { CountNight } from "../../grid/count-night.ts";
import { gridJson } from "../../grid/json.ts";
import { type GridScene, shownCategories } from "../../grid/scene.ts";
import type { CsvColumn } from "../../web/csv.ts";
import type { AllotmentNight, InventoryRow } from "./row.ts";

/** One night of one row of inventory, with the names of the fields that are written; what is absent was not received. */
export type InventoryLine = {
  property: string;
  category: string;
  night: string;
  /** The single room. */
  room?: string;
  /** The rate plan of an allotment. */
  plan?: string;
  /** Rooms of the category. */
  rooms?: number;
  /** The message that set the counts, or the allotment. */
  message?: number | undefined;
  /** The message that closed the hotel. */
  closedMessage?: number | undefined;
} & Partial<NightFields> &
  Partial<AllotmentNight>;

type NightFields = Omit<CountNight, "setters">;

/** Every night of every row. */
export function inventoryLines({ property, days }: GridScene, rows: readonly InventoryRow[]): InventoryLine[] {
  return rows.flatMap((row) =>
    days.map((day, index) => ({ property: property.code, category: row.category.code, night: day.iso, ...lineOf(row, index) })),
  );
}

function lineOf(row: InventoryRow, index: number): Omit<InventoryLine, "property" | "category" | "night"> {
  if (row.type === "allotment") return { plan: row.code, ...row.nights[index]! };
  const lane = row.type === "category" ? { rooms: row.category.rooms } : { room: row.code };
  return { ...lane, ...fieldsOf(row.nights[index]!) };
}

function fieldsOf({ setters, ...fields }: CountNight): NightFields & Pick<InventoryLine, "message" | "closedMessage"> {
  return { ...fields, message: setters.counts, closedMessage: setters.closed };
}

const HEADS = [
  "property",
  "category",
  "room",
  "plan",
  "night",
  "rooms",
  "available",
  "physical",
  "outOfOrder",
  "offMarket",
  "threshold",
  "derived",
  "summed",
  "closed",
  "allotment",
  "message",
  "closedMessage",
] as const;

/** An empty cell is nothing received. */
export const inventoryColumns: readonly CsvColumn<InventoryLine>[] = HEADS.map((head) => ({ head, cell: (row) => row[head] }));

/** The grid as one JSON value. */
export function inventoryJson(scene: GridScene, rows: readonly InventoryRow[]): object {
  const ofCategory = Map.groupBy(rows, (row) => row.category.code);
  const shown = shownCategories(scene).filter(({ code }) => ofCategory.has(code));
  return gridJson(
    scene,
    shown.map(({ code, name, rooms }) => ({ code, name, rooms, ...rowsJson(scene, ofCategory.get(code)!) })),
  );
}

function rowsJson({ days }: GridScene, rows: readonly InventoryRow[]): object {
  const nightsOf = (row: InventoryRow) => days.map((day, index) => ({ night: day.iso, ...nightJson(row, index) }));
  return {
    nights: rows.filter((row) => row.type === "category").flatMap(nightsOf),
    singleRooms: rows.filter((row) => row.type === "room").map((row) => ({ room: row.code, nights: nightsOf(row) })),
    allotments: rows.filter((row) => row.type === "allotment").map((row) => ({ plan: row.code, nights: nightsOf(row) })),
  };
}

function nightJson(row: InventoryRow, index: number): object {
  return row.type === "allotment" ? row.nights[index]! : fieldsOf(row.nights[index]!);
}
