import type { CsvColumn } from "../../web/export.ts";
import { PROPERTY_FIELDS, type Property } from "./property.ts";

/** A property as JSON: the names of the form, times as ISO 8601 in UTC. */
export function toData({ createdAt, updatedAt, ...property }: Property) {
  return { ...property, createdAt: new Date(createdAt).toISOString(), updatedAt: new Date(updatedAt).toISOString() };
}

/** A property as a line of CSV. */
export const PROPERTY_COLUMNS: readonly CsvColumn<Property>[] = [
  { head: "code", cell: ({ code }) => code },
  ...PROPERTY_FIELDS.map((name) => ({ head: name, cell: (property: Property) => cellOf(property[name]) })),
  { head: "createdAt", cell: ({ createdAt }) => new Date(createdAt).toISOString() },
  { head: "updatedAt", cell: ({ updatedAt }) => new Date(updatedAt).toISOString() },
];

function cellOf(value: string | number | boolean | undefined): string | number | undefined {
  return typeof value === "boolean" ? String(value) : value;
}
