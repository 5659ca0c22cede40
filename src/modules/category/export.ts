import type { CsvColumn } from "../../web/export.ts";
import { CATEGORY_FIELDS, type Category } from "./category.ts";

/** A category as JSON: the names of the form, times as ISO 8601 in UTC. */
export function toData({ createdAt, updatedAt, ...category }: Category) {
  return { ...category, createdAt: new Date(createdAt).toISOString(), updatedAt: new Date(updatedAt).toISOString() };
}

/** A category as a line of CSV. */
export const CATEGORY_COLUMNS: readonly CsvColumn<Category>[] = [
  { head: "hotelCode", cell: ({ hotelCode }) => hotelCode },
  { head: "code", cell: ({ code }) => code },
  ...CATEGORY_FIELDS.map((name) => ({ head: name, cell: (category: Category) => cellOf(category[name]) })),
  { head: "createdAt", cell: ({ createdAt }) => new Date(createdAt).toISOString() },
  { head: "updatedAt", cell: ({ updatedAt }) => new Date(updatedAt).toISOString() },
];

function cellOf(value: string | number | boolean | undefined): string | number | undefined {
  return typeof value === "boolean" ? String(value) : value;
}
