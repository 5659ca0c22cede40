import { type FieldWords, TICKED } from "../../web/parts/field-words.ts";
import type { CategoryFields } from "./category.ts";
import { CATEGORY_STATUSES, KINDS } from "./choices.ts";

/** What people call each field of a category. */
export const CATEGORY_LABELS: Readonly<Record<keyof CategoryFields, string>> = {
  name: "Name",
  kind: "Kind",
  status: "Status",
  standardOccupancy: "Standard occupancy",
  minOccupancy: "Minimum occupancy",
  maxOccupancy: "Maximum occupancy",
  maxAdults: "Most adults",
  maxChildren: "Most children",
  maxInfants: "Most infants",
  rooms: "Number of rooms",
  size: "Size in m²",
  beds: "Beds",
  smoking: "Smoking allowed",
  accessible: "Accessible",
  roomNames: "Names of single rooms",
  sortOrder: "Place in lists",
  description: "Description",
  photos: "Photos",
  amenities: "Amenities",
};

/** How the history and a conflict word what is in the fields. */
export const CATEGORY_WORDS: FieldWords = {
  labels: CATEGORY_LABELS,
  choices: { kind: KINDS, status: CATEGORY_STATUSES, smoking: TICKED, accessible: TICKED },
};

/** The same with the keys, which only a new category takes. */
export const NEW_CATEGORY_WORDS: FieldWords = { ...CATEGORY_WORDS, labels: { hotelCode: "Property", code: "Code", ...CATEGORY_LABELS } };
