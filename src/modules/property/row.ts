import { rowsOf } from "../../db/rows.ts";
import { columnsOf } from "../../web/record-list.ts";
import { toNumber } from "../../web/rules.ts";
import { PROPERTY_FIELDS, type Property } from "./property.ts";

export const { toRow, fromRow } = rowsOf<Property>(
  ["code", ...PROPERTY_FIELDS, "version", "createdAt", "updatedAt"],
  ["pricesIncludeTax", "assumeOpen", "knownPlansOnly"],
);

/** A property in JSON and CSV. Its coordinates are numbers; the record keeps them as typed. */
export type ExportedProperty = Omit<Property, "latitude" | "longitude"> & { latitude: number | undefined; longitude: number | undefined };

export const propertyColumns = columnsOf(["code", ...PROPERTY_FIELDS]);

export function toExported({ latitude, longitude, ...property }: Property): ExportedProperty {
  return { ...property, latitude: toNumber(latitude), longitude: toNumber(longitude) };
}
