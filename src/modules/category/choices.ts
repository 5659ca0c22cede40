import { oneOf } from "../../web/parts/choices.ts";
import type { Choices } from "../../web/parts/field.ts";

/** What kind of thing is sold; AlpineBits room types and OpenTravel's guest room info (GRI) know the same ones. */
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

/** An inactive category takes no messages. */
export const CATEGORY_STATUSES: Choices = [
  ["active", "Active"],
  ["inactive", "Inactive"],
];
export const isCategoryStatus = oneOf(() => CATEGORY_STATUSES);
