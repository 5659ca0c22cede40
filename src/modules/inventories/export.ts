import { attributesIn, type AttributeOf } from "../../calendar/attributes.ts";
import type { CountNight } from "../../calendar/night-values.ts";
import { type GridContext, gridJson } from "../../grid/context.ts";
import { type SaleJson, saleColumns, saleJson } from "../../grid/sale-export.ts";
import type { CsvColumn } from "../../web/csv.ts";
import type { InventoryRow } from "./row.ts";

/**
 * One night of one row in JSON. Absent values were not received. `message` set the counts or the allotment, `closedMessage` closed the
 * property, and `stopSellMessage` set the category's stop sell.
 */
type NightJson = Partial<Omit<CountNight, "setters">> & {
  allotment?: number | undefined;
  message?: number | undefined;
  closedMessage?: number | undefined;
  stopSellMessage?: number | undefined;
} & SaleJson;

/** One night of one row in CSV. `rooms` is the category's room count. */
export type InventoryLine = NightJson & {
  property: string;
  category: string;
  night: string;
  room?: string;
  plan?: string;
  rooms?: number;
};

export function inventoryLines({ property, days }: GridContext, rows: readonly InventoryRow[]): InventoryLine[] {
  return rows.flatMap((row) =>
    days.map((day, index) => ({
      property: property.code,
      category: row.category.code,
      night: day.iso,
      ...lineHead(row),
      ...nightJson(row, index),
    })),
  );
}

function lineHead({ type, category, code }: InventoryRow): Pick<InventoryLine, "rooms" | "room" | "plan"> {
  if (type === "category") return { rooms: category.rooms };
  return type === "room" ? { room: code } : { plan: code };
}

function nightJson(row: InventoryRow, index: number): NightJson {
  if (row.type === "allotment") {
    const { rate, verdict } = row.nights[index]!;
    return { allotment: rate.allotment, ...saleJson(verdict), message: rate.setters.allotment };
  }
  const { counts, verdict } = row.nights[index]!;
  const { setters, ...values } = counts;
  return {
    ...values,
    ...saleJson(verdict),
    message: setters.counts,
    closedMessage: setters.closed,
    stopSellMessage: setters.restrictions,
  };
}

const COLUMN_HEADS: readonly (Exclude<keyof InventoryLine, "reasons"> | AttributeOf<"inventory">)[] = [
  ...(["property", "category", "room", "plan", "night", "rooms"] as const),
  ...attributesIn("counts"),
  "summed",
  ...attributesIn("closed"),
  ...attributesIn("allotment"),
  ...(["message", "closedMessage", "stopSell", "stopSellMessage"] as const),
];

/** An empty cell means that nothing was received. */
export const inventoryColumns: readonly CsvColumn<InventoryLine>[] = [
  ...COLUMN_HEADS.map((head) => ({ head, cell: (row: InventoryLine) => row[head] })),
  ...saleColumns,
];

export function inventoryJson(context: GridContext, all: readonly InventoryRow[]): object {
  return gridJson(context, all, ({ rooms }, rows) => {
    const jsonNights = (row: InventoryRow) => context.days.map((day, index) => ({ night: day.iso, ...nightJson(row, index) }));
    return {
      rooms,
      nights: rows.filter(({ type }) => type === "category").flatMap(jsonNights),
      singleRooms: rows.filter(({ type }) => type === "room").map((row) => ({ room: row.code, nights: jsonNights(row) })),
      allotments: rows.filter(({ type }) => type === "allotment").map((row) => ({ plan: row.code, nights: jsonNights(row) })),
    };
  });
}
