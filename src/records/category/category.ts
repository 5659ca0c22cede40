import { z } from "zod";
import type { RowOf } from "../../db/rows.ts";
import type { WithSortName } from "../../db/schema.ts";
import { type Choices, characterCount, normalCode, quote } from "../../text.ts";
import { isPropertyCode } from "../property/property.ts";
import {
  createMembershipTest,
  crossFieldRule,
  choiceRule,
  flagField,
  flagNames,
  isWebAddress,
  optionalDecimalRule,
  optionalLineRule,
  optionalListRule,
  optionalTextRule,
  optionalIntegerRule,
  requiredLineRule,
  rulesByField,
  toNumber,
  integerRule,
  fieldWords,
} from "../rules.ts";

/** The same kinds as in AlpineBits and in OpenTravel code list GRI (guest room info). */
export const CATEGORY_KINDS: Choices = [
  ["room", "Room"],
  ["apartment", "Apartment"],
  ["suite", "Suite"],
  ["dorm", "Dorm"],
  ["villa", "Villa"],
  ["pitch", "Pitch"],
  ["other", "Other"],
];
export const isKind = createMembershipTest(() => CATEGORY_KINDS);

/** Messages for inactive categories are refused. */
export const CATEGORY_STATUSES: Choices = [
  ["active", "Active"],
  ["inactive", "Inactive"],
];
export const isCategoryStatus = createMembershipTest(() => CATEGORY_STATUSES);

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

const PHOTOS_HINT = `Enter up to ${MAX_PHOTOS} URLs starting with http:// or https://, one per line`;
const MIN_OCCUPANCY_HINT = "Enter a minimum occupancy from 1 to the standard occupancy";
const MAX_OCCUPANCY_HINT = `Enter a maximum occupancy from the standard occupancy to ${MAX_GUESTS}`;
const SIZE_HINT = `Enter a size from 1 to ${CATEGORY_LIMITS.size} square metres with up to 2 decimals, such as 24.5`;

const AMENITIES_HINT = `Enter OpenTravel room amenity codes (RMA) from 1 to ${CATEGORY_LIMITS.amenity}, separated by commas, such as 2, 13, 123`;

const limitMessage = (guests: string) => `Enter a maximum number of ${guests} from 0 to the maximum occupancy`;
const guestLimit = (guests: string) => optionalIntegerRule({ min: 0, max: MAX_GUESTS, message: limitMessage(guests) });

/** Defines the order in forms, exports and the history. */
const CATEGORY_FIELD_RULES = {
  name: { label: "Name", rule: requiredLineRule(CATEGORY_LIMITS.name, `Enter a name of up to ${CATEGORY_LIMITS.name} characters`) },
  kind: {
    label: "Type",
    rule: choiceRule(isKind, "room", "Choose a type: room, apartment, suite, dorm, villa, pitch or other"),
    choices: () => CATEGORY_KINDS,
  },
  status: {
    label: "Status",
    rule: choiceRule(isCategoryStatus, "active", "Choose a status: active or inactive"),
    choices: () => CATEGORY_STATUSES,
  },
  standardOccupancy: {
    label: "Standard occupancy",
    rule: integerRule(2, { min: 1, max: MAX_GUESTS, message: `Enter a standard occupancy from 1 to ${MAX_GUESTS}` }),
  },
  minOccupancy: { label: "Minimum occupancy", rule: integerRule(1, { min: 1, max: MAX_GUESTS, message: MIN_OCCUPANCY_HINT }) },
  maxOccupancy: { label: "Maximum occupancy", rule: optionalIntegerRule({ min: 1, max: MAX_GUESTS, message: MAX_OCCUPANCY_HINT }) },
  maxAdults: { label: "Maximum adults", rule: guestLimit("adults") },
  maxChildren: { label: "Maximum children", rule: guestLimit("children") },
  maxInfants: { label: "Maximum infants", rule: guestLimit("infants") },
  rooms: {
    label: "Number of rooms",
    rule: integerRule(1, { min: 0, max: 9999, message: "Enter the number of rooms as a whole number from 0 to 9999" }),
  },
  size: { label: "Size (m²)", rule: optionalDecimalRule(SIZE_HINT, isRoomSize).transform(toNumber) },
  beds: { label: "Beds", rule: optionalLineRule(255, "Describe the beds in up to 255 characters, such as 1 double, 1 sofa bed") },
  smoking: flagField("Smoking allowed", false),
  accessible: flagField("Accessible", false),
  roomNames: {
    label: "Room names",
    rule: optionalListRule(CATEGORY_LIMITS.roomNames, "Enter room names of up to 64 characters each, separated by commas", (name) =>
      characterCount(name) <= 64 ? name : undefined,
    ),
  },
  sortOrder: {
    label: "Sort order",
    rule: integerRule(0, {
      min: -999_999_999,
      max: 999_999_999,
      message: "Enter a sort order as a whole number of up to 9 digits",
    }),
  },
  description: {
    label: "Description",
    rule: optionalTextRule(CATEGORY_LIMITS.description, "Enter a description of up to 10,000 characters"),
  },
  photos: { label: "Photos", rule: optionalTextRule(70_000, PHOTOS_HINT).pipe(z.string().optional().transform(toPhotos)) },
  amenities: { label: "Amenities", rule: optionalListRule(2000, AMENITIES_HINT, toAmenity) },
};
const fieldRules = rulesByField(CATEGORY_FIELD_RULES);

const MAX_CODE_LENGTH = 64;

export const CATEGORY_CODE_FORMAT = `up to ${MAX_CODE_LENGTH} visible characters, except / and \\ (which many web servers reject in URLs), and not just . or ..`;

/**
 * A code is one segment of a URL path. Excludes invisible characters and those that look like a space, so that different codes also look
 * different.
 */
const NOT_IN_CODE_PATTERN = /[/\\\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\ufffd]|(?! )\p{Zs}|^ | $/u;

/** Returns whether a code is valid for a category. `code` must be the result of `normalCode`. */
export function isCategoryCode(code: string): boolean {
  return code !== "" && code.length <= MAX_CODE_LENGTH && !NOT_IN_CODE_PATTERN.test(code) && code !== "." && code !== "..";
}

const codeRule = z.string().default("").transform(normalCode).refine(isCategoryCode, `Enter a code of ${CATEGORY_CODE_FORMAT}`);

export const categoryForm = withCrossFieldRules(z.object(fieldRules));

export const newCategoryForm = withCrossFieldRules(
  z.object({
    hotelCode: z.string().default("").refine(isPropertyCode, "Enter the code of an existing property"),
    code: codeRule,
    ...fieldRules,
  }),
);

export type CategoryFields = z.infer<typeof categoryForm>;

/** A room type. Times are in milliseconds since 1970. Each edit adds 1 to `version`. */
export type Category = { hotelCode: string; code: string } & CategoryFields & { version: number; createdAt: number; updatedAt: number };

export const CATEGORY_FIELDS = Object.keys(CATEGORY_FIELD_RULES) as readonly (keyof CategoryFields)[];
export const CATEGORY_FLAGS = flagNames(CATEGORY_FIELD_RULES);

/** Labels for fields and values in forms, the history and edit conflicts. */
export const CATEGORY_WORDS = fieldWords(CATEGORY_FIELD_RULES);

declare module "../../db/schema.ts" {
  interface Tables {
    category: WithSortName<{ property: string } & RowOf<Omit<Category, "hotelCode">>>;
  }
}

/** Maximum length in AlpineBits 2024-10. OpenTravel allows 16 characters. */
export const ALPINEBITS_MAX_CODE_LENGTH = 8;

export function codeWarnings(code: string): string[] {
  if (code.length <= ALPINEBITS_MAX_CODE_LENGTH) return [];
  const openTravel = code.length > 16 ? "OpenTravel allows 16 and " : "";
  return [
    `The code ${code} has ${code.length} characters. ${openTravel}AlpineBits allows ${ALPINEBITS_MAX_CODE_LENGTH}, so some systems may reject it.`,
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
    (fields[name] ?? 0) <= effectiveMaxOccupancy(fields);
  const limitRule = (name: string, guests: string) =>
    crossFieldRule(["standardOccupancy", "maxOccupancy", name], name, limitMessage(guests));
  return form
    .refine(
      ({ minOccupancy, standardOccupancy }) => minOccupancy <= standardOccupancy,
      crossFieldRule(["minOccupancy", "standardOccupancy"], "minOccupancy", MIN_OCCUPANCY_HINT),
    )
    .refine(
      (fields) => effectiveMaxOccupancy(fields) >= fields.standardOccupancy,
      crossFieldRule(["maxOccupancy", "standardOccupancy"], "maxOccupancy", MAX_OCCUPANCY_HINT),
    )
    .refine(fits("maxAdults"), limitRule("maxAdults", "adults"))
    .refine(fits("maxChildren"), limitRule("maxChildren", "children"))
    .refine(fits("maxInfants"), limitRule("maxInfants", "infants"))
    .transform((fields) => ({ ...fields, maxOccupancy: effectiveMaxOccupancy(fields) }));
}

function effectiveMaxOccupancy({ maxOccupancy, standardOccupancy }: CrossCheckedFields): number {
  return maxOccupancy ?? standardOccupancy;
}

function isRoomSize(text: string): boolean {
  return /^\d{1,5}(\.\d{1,2})?$/.test(text) && Number(text) >= 1 && Number(text) <= CATEGORY_LIMITS.size;
}

function toAmenity(word: string): string | undefined {
  return /^0*[1-9]\d{0,2}$/.test(word) && Number(word) <= CATEGORY_LIMITS.amenity ? String(Number(word)) : undefined;
}

export function isPhotoUrl(url: string): boolean {
  return isWebAddress(url) && url.length <= CATEGORY_LIMITS.photo;
}

function toPhotos(text: string | undefined, context: z.RefinementCtx): string | undefined {
  if (text === undefined) return undefined;
  const lines = text.split("\n").map((line) => line.trim());
  const photos = lines.filter(Boolean);
  const invalidLineIndex = lines.findIndex((line) => line !== "" && !isPhotoUrl(line));
  if (invalidLineIndex === -1 && photos.length <= MAX_PHOTOS) return photos.join("\n") || undefined;
  const problem =
    invalidLineIndex === -1
      ? `You entered ${photos.length}`
      : `Line ${invalidLineIndex + 1} is not valid: “${quote(lines[invalidLineIndex]!)}”`;
  context.addIssue({ code: "custom", message: `${PHOTOS_HINT}. ${problem}` });
  return z.NEVER;
}
