import { type SaleState, type Verdict } from "../calendar/verdict.ts";
import type { CsvColumn } from "../web/csv.ts";

/** A night's verdict in JSON. In `/inventories`, prices don't matter. */
export type SaleJson = { sellable: boolean; sale: SaleState; reasons: Verdict["reasons"] };

export function saleJson({ state, reasons }: Verdict): SaleJson {
  return { sellable: state === "sellable", sale: state, reasons };
}

/** The verdict in CSV, with only the first reason's message. */
export const saleColumns: readonly CsvColumn<SaleJson>[] = [
  { head: "sellable", cell: ({ sellable }) => sellable },
  { head: "sale", cell: ({ sale }) => sale },
  { head: "saleMessage", cell: ({ reasons }) => reasons[0]?.message },
];
