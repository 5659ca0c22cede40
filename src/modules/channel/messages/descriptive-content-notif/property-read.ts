import type { PropertyFields } from "../../../../records/property/property.ts";
import type { SourceLocation } from "../../report.ts";

/** Property fields that a message can change. */
export type PropertyField = Extract<
  keyof PropertyFields,
  | "name"
  | "description"
  | "stars"
  | "street"
  | "postalCode"
  | "city"
  | "region"
  | "country"
  | "latitude"
  | "longitude"
  | "checkInFrom"
  | "checkInUntil"
  | "checkOutUntil"
  | "contactName"
  | "phone"
  | "email"
  | "website"
>;

/** `source` is the name of the element or attribute, for error messages. */
export type SentValue = { field: PropertyField; source: string; text: string; at: SourceLocation };

/** Values that belong together, such as the lines of an address. For each kind, the first of the groups with the lowest rank is used. */
export type SentGroup = {
  kind: PropertyField | "address" | "position";
  rank: number;
  language?: string | undefined;
  format?: string | undefined;
  values: SentValue[];
};

export type ParsedProperty = { groups: SentGroup[] };
