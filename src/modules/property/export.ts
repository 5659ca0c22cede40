import { columnsOf } from "../../web/record-export.ts";
import { toNumber } from "../../web/rules.ts";
import { PROPERTY_FIELDS, type Property } from "./property.ts";

/** A property as data: its degrees are numbers, while the record keeps them as they were typed. */
export type ExportedProperty = Omit<Property, "latitude" | "longitude"> & { latitude: number | undefined; longitude: number | undefined };

/** The columns of properties as CSV. */
export const propertyColumns = columnsOf(["code", ...PROPERTY_FIELDS]);

export function toExported({ latitude, longitude, ...property }: Property): ExportedProperty {
  return { ...property, latitude: toNumber(latitude), longitude: toNumber(longitude) };
}
