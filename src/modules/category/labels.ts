import { type CategoryFields, CATEGORY_STATUSES, KINDS } from "../../records/category/category.ts";
import { type FieldWords, TICKED } from "../../web/parts/field-words.ts";

export const CATEGORY_LABELS: Readonly<Record<keyof CategoryFields, string>> = {
  name: "Name",
  kind: "Type",
  status: "Status",
  standardOccupancy: "Standard occupancy",
  minOccupancy: "Minimum occupancy",
  maxOccupancy: "Maximum occupancy",
  maxAdults: "Maximum adults",
  maxChildren: "Maximum children",
  maxInfants: "Maximum infants",
  rooms: "Number of rooms",
  size: "Size (m²)",
  beds: "Beds",
  smoking: "Smoking allowed",
  accessible: "Accessible",
  roomNames: "Room names",
  sortOrder: "Sort order",
  description: "Description",
  photos: "Photos",
  amenities: "Amenities",
};

/** Names fields and values in the history and in edit conflicts. */
export const CATEGORY_WORDS: FieldWords = {
  labels: CATEGORY_LABELS,
  choices: { kind: KINDS, status: CATEGORY_STATUSES, smoking: TICKED, accessible: TICKED },
};

export const NEW_CATEGORY_WORDS: FieldWords = { ...CATEGORY_WORDS, labels: { hotelCode: "Property", code: "Code", ...CATEGORY_LABELS } };
