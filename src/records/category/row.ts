import { rowsOf } from "../../db/rows.ts";
import type { CategoryRow } from "../../db/schema.ts";
import { CATEGORY_FIELDS, type Category } from "./category.ts";

const rows = rowsOf<Omit<Category, "hotelCode">>(
  ["code", ...CATEGORY_FIELDS, "version", "createdAt", "updatedAt"],
  ["smoking", "accessible"],
);

export function toRow({ hotelCode, ...category }: Category): CategoryRow {
  return { property: hotelCode, ...rows.toRow(category) };
}

export function fromRow({ property, ...row }: CategoryRow): Category {
  return { hotelCode: property, ...rows.fromRow(row) };
}
