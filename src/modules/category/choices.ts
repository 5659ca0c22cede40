import { oneOf } from "../../web/parts/field-words.ts";
import type { Choices } from "../../web/parts/fields.ts";

/** The same types as in AlpineBits and in OpenTravel's code list GRI (guest room info). */
export const KINDS: Choices = [
  ["room", "Room"],
  ["apartment", "Apartment"],
  ["suite", "Suite"],
  ["dorm", "Dorm"],
  ["villa", "Villa"],
  ["pitch", "Pitch"],
  ["other", "Other"],
];
export const isKind = oneOf(() => KINDS);

/** Inactive categories reject messages. */
export const CATEGORY_STATUSES: Choices = [
  ["active", "Active"],
  ["inactive", "Inactive"],
];
export const isCategoryStatus = oneOf(() => CATEGORY_STATUSES);
