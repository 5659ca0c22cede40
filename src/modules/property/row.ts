import { rowsOf } from "../../db/rows.ts";
import { PROPERTY_FIELDS, type Property } from "./property.ts";

/** A property as it is stored, and the property that a row holds. */
export const { toRow, fromRow } = rowsOf<Property>(
  ["code", ...PROPERTY_FIELDS, "version", "createdAt", "updatedAt"],
  ["pricesIncludeTax", "assumeOpen", "knownPlansOnly"],
);
