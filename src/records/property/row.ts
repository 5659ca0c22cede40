import { rowsOf } from "../../db/rows.ts";
import { toNumber } from "../rules.ts";
import { PROPERTY_FIELDS, type Property } from "./property.ts";

export const { toRow, fromRow } = rowsOf<Property>(
  ["code", ...PROPERTY_FIELDS, "version", "createdAt", "updatedAt"],
  ["pricesIncludeTax", "assumeOpen", "knownPlansOnly"],
);

/** A property in JSON and CSV. Its coordinates are numbers; the record keeps them as typed. */
export type ExportedProperty = Omit<Property, "latitude" | "longitude"> & { latitude: number | undefined; longitude: number | undefined };

export function toExported({ latitude, longitude, ...property }: Property): ExportedProperty {
  return { ...property, latitude: toNumber(latitude), longitude: toNumber(longitude) };
}
