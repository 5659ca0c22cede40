import { z } from "zod";
import type { RowOf } from "../../db/rows.ts";
import type { Sorted } from "../../db/schema.ts";
import { type Choices, lengthOf, normalCode, quoted } from "../../text.ts";
import { isCode } from "../property/property.ts";
import {
  oneOf,
  across,
  choice,
  flag,
  flagsOf,
  isWebAddress,
  optionalDecimal,
  optionalLine,
  optionalList,
  optionalText,
  optionalWhole,
  requiredLine,
  rulesOf,
  toNumber,
  wholeNumber,
  wordsOf,
} from "../rules.ts";

/** The same kinds as in AlpineBits and in OpenTravel code list GRI (guest room info). */
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

/** Text limits in characters, `size` in square metres. `amenity` is the last code in OpenTravel code list RMA, release 2024A. */
export const CATEGORY_LIMITS = {
  name: 255,
  description: 10_000,
  guests: 99,
  size: 10_000,
  roomNames: 20_000,
  photos: 30,
  photo: 2_000,
  amenity: 378,
} as const;
const { guests: MAX_GUESTS, photos: MAX_PHOTOS } = CATEGORY_LIMITS;

const PHOTOS = `Enter up to ${MAX_PHOTOS} URLs starting with http:// or https://, one per line`;
const MIN_OCCUPANCY = "Enter a minimum occupancy from 1 to the standard occupancy";
const MAX_OCCUPANCY = `Enter a maximum occupancy from the standard occupancy to ${MAX_GUESTS}`;
const SIZE = `Enter a size from 1 to ${CATEGORY_LIMITS.size} square metres with up to 2 decimals, such as 24.5`;

const AMENITIES = `Enter OpenTravel room amenity codes (RMA) from 1 to ${CATEGORY_LIMITS.amenity}, separated by commas, such as 2, 13, 123`;

const limitMessage = (guests: string) => `Enter a maximum number of ${guests} from 0 to the maximum occupancy`;
const guestLimit = (guests: string) => optionalWhole({ min: 0, max: MAX_GUESTS, message: limitMessage(guests) });

/** Defines the order in forms, exports and the history. */
const FIELDS = {
  name: { label: "Name", rule: requiredLine(CATEGORY_LIMITS.name, `Enter a name of up to ${CATEGORY_LIMITS.name} characters`) },
  kind: {
    label: "Type",
    rule: choice(isKind, "room", "Choose a type: room, apartment, suite, dorm, villa, pitch or other"),
    choices: () => KINDS,
  },
  status: {
    label: "Status",
    rule: choice(isCategoryStatus, "active", "Choose a status: active or inactive"),
    choices: () => CATEGORY_STATUSES,
  },
  standardOccupancy: {
    label: "Standard occupancy",
    rule: wholeNumber(2, { min: 1, max: MAX_GUESTS, message: `Enter a standard occupancy from 1 to ${MAX_GUESTS}` }),
  },
  minOccupancy: { label: "Minimum occupancy", rule: wholeNumber(1, { min: 1, max: MAX_GUESTS, message: MIN_OCCUPANCY }) },
  maxOccupancy: { label: "Maximum occupancy", rule: optionalWhole({ min: 1, max: MAX_GUESTS, message: MAX_OCCUPANCY }) },
  maxAdults: { label: "Maximum adults", rule: guestLimit("adults") },
  maxChildren: { label: "Maximum children", rule: guestLimit("children") },
  maxInfants: { label: "Maximum infants", rule: guestLimit("infants") },
  rooms: {
    label: "Number of rooms",
    rule: wholeNumber(1, { min: 0, max: 9999, message: "Enter the number of rooms as a whole number from 0 to 9999" }),
  },
  size: { label: "Size (m²)", rule: optionalDecimal(SIZE, isSize).transform(toNumber) },
  beds: { label: "Beds", rule: optionalLine(255, "Describe the beds in up to 255 characters, such as 1 double, 1 sofa bed") },
  smoking: flag("Smoking allowed", false),
  accessible: flag("Accessible", false),
  roomNames: {
    label: "Room names",
    rule: optionalList(CATEGORY_LIMITS.roomNames, "Enter room names of up to 64 characters each, separated by commas", (name) =>
      lengthOf(name) <= 64 ? name : undefined,
    ),
  },
  sortOrder: {
    label: "Sort order",
    rule: wholeNumber(0, {
      min: -999_999_999,
      max: 999_999_999,
      message: "Enter a sort order as a whole number of up to 9 digits",
    }),
  },
  description: { label: "Description", rule: optionalText(CATEGORY_LIMITS.description, "Enter a description of up to 10,000 characters") },
  photos: { label: "Photos", rule: optionalText(70_000, PHOTOS).pipe(z.string().optional().transform(toPhotos)) },
  amenities: { label: "Amenities", rule: optionalList(2000, AMENITIES, toAmenity) },
};
const fieldRules = rulesOf(FIELDS);

const LONGEST_CODE = 64;

export const CATEGORY_CODE_FORMAT = `up to ${LONGEST_CODE} visible characters, except / and \\ (which many web servers reject in URLs), and not just . or ..`;

/** A code is one segment of a URL path. Excludes invisible characters and those that look like a space, so that codes look different. */
const NOT_IN_CODE = /[/\\\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\ufffd]|(?! )\p{Zs}|^ | $/u;

/** `code` must be the result of `normalCode`. */
export function isCategoryCode(code: string): boolean {
  return code !== "" && code.length <= LONGEST_CODE && !NOT_IN_CODE.test(code) && code !== "." && code !== "..";
}

const codeRule = z.string().default("").transform(normalCode).refine(isCategoryCode, `Enter a code of ${CATEGORY_CODE_FORMAT}`);

export const categoryForm = withCrossFieldRules(z.object(fieldRules));

export const newCategoryForm = withCrossFieldRules(
  z.object({ hotelCode: z.string().default("").refine(isCode, "Enter the code of an existing property"), code: codeRule, ...fieldRules }),
);

export type CategoryFields = z.infer<typeof categoryForm>;

/** A room type. Times are in milliseconds since 1970. Each edit adds 1 to `version`. */
export type Category = { hotelCode: string; code: string } & CategoryFields & { version: number; createdAt: number; updatedAt: number };

export const CATEGORY_FIELDS = Object.keys(FIELDS) as readonly (keyof CategoryFields)[];
export const CATEGORY_FLAGS = flagsOf(FIELDS);

/** Labels for fields and values in forms, the history and edit conflicts. */
export const CATEGORY_WORDS = wordsOf(FIELDS);

declare module "../../db/schema.ts" {
  interface Tables {
    category: Sorted<{ property: string } & RowOf<Omit<Category, "hotelCode">>>;
  }
}

/** Limit in AlpineBits 2024-10. OpenTravel allows 16. */
export const ALPINEBITS_LONGEST_CODE = 8;

export function warningsOf(code: string): string[] {
  if (code.length <= ALPINEBITS_LONGEST_CODE) return [];
  const openTravel = code.length > 16 ? "OpenTravel allows 16 and " : "";
  return [
    `The code ${code} has ${code.length} characters. ${openTravel}AlpineBits allows ${ALPINEBITS_LONGEST_CODE}, so some systems may reject it.`,
  ];
}

type CrossCheckedFields = {
  standardOccupancy: number;
  minOccupancy: number;
  maxOccupancy: number | undefined;
  maxAdults: number | undefined;
  maxChildren: number | undefined;
  maxInfants: number | undefined;
};

function withCrossFieldRules<T extends CrossCheckedFields>(form: z.ZodType<T>) {
  const fits = (name: "maxAdults" | "maxChildren" | "maxInfants") => (fields: CrossCheckedFields) =>
    (fields[name] ?? 0) <= maxOccupancyOf(fields);
  const limitRule = (name: string, guests: string) => across(["standardOccupancy", "maxOccupancy", name], name, limitMessage(guests));
  return form
    .refine(
      ({ minOccupancy, standardOccupancy }) => minOccupancy <= standardOccupancy,
      across(["minOccupancy", "standardOccupancy"], "minOccupancy", MIN_OCCUPANCY),
    )
    .refine(
      (fields) => maxOccupancyOf(fields) >= fields.standardOccupancy,
      across(["maxOccupancy", "standardOccupancy"], "maxOccupancy", MAX_OCCUPANCY),
    )
    .refine(fits("maxAdults"), limitRule("maxAdults", "adults"))
    .refine(fits("maxChildren"), limitRule("maxChildren", "children"))
    .refine(fits("maxInfants"), limitRule("maxInfants", "infants"))
    .transform((fields) => ({ ...fields, maxOccupancy: maxOccupancyOf(fields) }));
}

function maxOccupancyOf({ maxOccupancy, standardOccupancy }: CrossCheckedFields): number {
  return maxOccupancy ?? standardOccupancy;
}

function isSize(text: string): boolean {
  return /^\d{1,5}(\.\d{1,2})?$/.test(text) && Number(text) >= 1 && Number(text) <= CATEGORY_LIMITS.size;
}

function toAmenity(word: string): string | undefined {
  return /^0*[1-9]\d{0,2}$/.test(word) && Number(word) <= CATEGORY_LIMITS.amenity ? String(Number(word)) : undefined;
}

export function isPhoto(url: string): boolean {
  return isWebAddress(url) && url.length <= CATEGORY_LIMITS.photo;
}

function toPhotos(text: string | undefined, context: z.RefinementCtx): string | undefined {
  if (text === undefined) return undefined;
  const lines = text.split("\n").map((line) => line.trim());
  const photos = lines.filter(Boolean);
  const wrong = lines.findIndex((line) => line !== "" && !isPhoto(line));
  if (wrong === -1 && photos.length <= MAX_PHOTOS) return photos.join("\n") || undefined;
  const problem = wrong === -1 ? `You entered ${photos.length}` : `Line ${wrong + 1} is not valid: “${quoted(lines[wrong]!)}”`;
  context.addIssue({ code: "custom", message: `${PHOTOS}. ${problem}` });
  return z.NEVER;
}
