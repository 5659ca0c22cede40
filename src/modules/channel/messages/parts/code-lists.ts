import { CATEGORY_LIMITS } from "../../../../records/category/category.ts";
import { parseInteger } from "./values.ts";

/** The highest codes in OpenTravel code lists PIC (pictures) and GRI (guest room info), release 2024A. Neither list has gaps. */
const LAST_PICTURE_CATEGORY = 29;
export const LAST_CLASSIFICATION = 91;

export const AMENITIES_TEXT = `1 to ${CATEGORY_LIMITS.amenity}, or a code such as 101.ABR`;
export const PICTURE_CATEGORIES_TEXT = `1 to ${LAST_PICTURE_CATEGORY}`;

/** Whether a code is an amenity. AlpineBits adds its own codes, which have a suffix, such as `101.ABR`. */
export function isAmenity(code: string): boolean {
  return isOpenTravelAmenity(code) || /^\d{1,3}\.[A-Z]{3}$/.test(code);
}

/** Whether a code is in OpenTravel code list RMA. */
export function isOpenTravelAmenity(code: string): boolean {
  return isInList(code, CATEGORY_LIMITS.amenity);
}

export function isPictureCategory(code: string): boolean {
  return isInList(code, LAST_PICTURE_CATEGORY);
}

function isInList(code: string, last: number): boolean {
  return (parseInteger(code, last) ?? 0) > 0;
}

/** OpenTravel information types (INF) for a category's descriptions and pictures. */
export const InfoCode = { description: "1", pictures: "23", longName: "25" } as const;

/** Kinds of categories by guest room info (GRI). With any other code, the kind is `room`. */
const CODES_BY_KIND: readonly (readonly [kind: string, codes: readonly number[]])[] = [
  ["suite", [3, 9, 60, 61, 63, 64, 65, 66, 78, 89]],
  ["apartment", [13, 15, 16, 25, 46, 52, 53, 54, 55, 56]],
  ["villa", [4, 22, 38, 39, 44, 45, 57, 58, 59, 67, 68, 69, 70, 71, 85, 86, 87, 88, 91]],
  ["dorm", [84]],
  ["pitch", [90]],
];

/** Code for a room type that exists only in AlpineBits. */
const CAMPING_PITCH_CODE = "8";

export function kindFromCodes(classification: number, roomType: string | undefined): string {
  if (roomType === CAMPING_PITCH_CODE) return "pitch";
  return CODES_BY_KIND.find(([, codes]) => codes.includes(classification))?.[0] ?? "room";
}

type Classification = { classification: number; roomType?: string };

const CLASSIFICATION_BY_KIND: Readonly<Record<string, Classification>> = {
  suite: { classification: 3 },
  apartment: { classification: 13 },
  villa: { classification: 45 },
  dorm: { classification: 84 },
  pitch: { classification: 5, roomType: CAMPING_PITCH_CODE },
};

/** Returns the guest room info code for a category kind, and AlpineBits' room type if the code is not specific enough. */
export function classifyKind(kind: string): Classification {
  return CLASSIFICATION_BY_KIND[kind] ?? { classification: 42 };
}
