import { z } from "zod";
import { quoted } from "../../web/form.ts";
import { amount } from "../../web/parts/amount.ts";
import {
  across,
  choice,
  isWebAddress,
  lengthOf,
  optionalDecimal,
  optionalLine,
  optionalList,
  optionalText,
  optionalWhole,
  requiredLine,
  tick,
  toNumber,
  wholeNumber,
} from "../../web/rules.ts";
import { codeRule, isCode } from "../property/property.ts";
import { isCategoryStatus, isKind } from "./choices.ts";

/**
 * The most that a category holds, whether a person or a message says it; texts in characters, `size` in square metres.
 * `amenity` is the last code of OpenTravel's list RMA (room amenities), release 2024A, which has no gaps.
 */
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
const { guests: MOST_GUESTS, photos: MOST_PHOTOS } = CATEGORY_LIMITS;

const PHOTOS = `Enter at most ${MOST_PHOTOS} addresses that begin with http:// or https://, one a line`;
const MIN_OCCUPANCY = "Enter a minimum occupancy from 1 to the standard occupancy";
const MAX_OCCUPANCY = `Enter a maximum occupancy from the standard occupancy to ${MOST_GUESTS}`;
const SIZE = `Enter a size from 1 to ${CATEGORY_LIMITS.size} square metres with at most 2 decimals, such as 24.5`;

const AMENITIES = `Enter OpenTravel room amenity codes (RMA) from 1 to ${CATEGORY_LIMITS.amenity} between commas, such as 2, 13, 123`;

const mostOf = (what: string) => `Enter the most ${what} as a whole number from 0 to the maximum occupancy`;
const guests = (what: string) => optionalWhole({ min: 0, max: MOST_GUESTS, message: mostOf(what) });

/** The fields that a person may edit, by their names in the form. */
const editable = {
  name: requiredLine(CATEGORY_LIMITS.name, `Enter a name of up to ${CATEGORY_LIMITS.name} characters`),
  kind: choice(isKind, "room", "Choose a kind: room, apartment, suite, dorm, villa, pitch or other"),
  status: choice(isCategoryStatus, "active", "Choose a status: active or inactive"),
  standardOccupancy: wholeNumber(2, { min: 1, max: MOST_GUESTS, message: `Enter a standard occupancy from 1 to ${MOST_GUESTS}` }),
  minOccupancy: wholeNumber(1, { min: 1, max: MOST_GUESTS, message: MIN_OCCUPANCY }),
  maxOccupancy: optionalWhole({ min: 1, max: MOST_GUESTS, message: MAX_OCCUPANCY }),
  maxAdults: guests("adults"),
  maxChildren: guests("children"),
  maxInfants: guests("infants"),
  rooms: wholeNumber(1, { min: 0, max: 9999, message: "Enter the number of rooms as a whole number from 0 to 9999" }),
  size: optionalDecimal(SIZE, isSize).transform(toNumber),
  beds: optionalLine(255, "Enter beds in up to 255 characters, such as 1 double, 1 sofa"),
  smoking: tick(false),
  accessible: tick(false),
  roomNames: optionalList(CATEGORY_LIMITS.roomNames, "Enter room names of up to 64 characters each, between commas", (name) =>
    lengthOf(name) <= 64 ? name : undefined,
  ),
  sortOrder: wholeNumber(0, {
    min: -999_999_999,
    max: 999_999_999,
    message: "Enter a place in lists as a whole number of at most 9 digits",
  }),
  description: optionalText(CATEGORY_LIMITS.description, `Enter a description of up to ${amount(CATEGORY_LIMITS.description)} characters`),
  photos: optionalText(70_000, PHOTOS).pipe(z.string().optional().transform(toPhotos)),
  amenities: optionalList(2000, AMENITIES, toAmenity),
};

/** The form of a category that is edited. */
export const categoryForm = withRules(z.object(editable));

/** The form of a new category. That the property exists is asked of the store. */
export const newCategoryForm = withRules(
  z.object({ hotelCode: z.string().default("").refine(isCode, "Enter the code of a property that exists"), code: codeRule, ...editable }),
);

/** What a form of a category says; absent is undefined. */
export type CategoryFields = z.infer<typeof categoryForm>;

/** A kind of room that a property sells, named by the property's code and its own. Times are milliseconds since 1970 UTC. */
export type Category = { hotelCode: string; code: string } & CategoryFields & { version: number; createdAt: number; updatedAt: number };

/** The names of the editable fields, in the order of the form. */
export const CATEGORY_FIELDS = Object.keys(editable) as readonly (keyof CategoryFields)[];

/** The most characters of a code in AlpineBits 2024-10; OpenTravel has 16. */
export const ALPINEBITS_LONGEST_CODE = 8;

/** What is allowed but may not pass everywhere. */
export function warningsOf(code: string): string[] {
  if (code.length <= ALPINEBITS_LONGEST_CODE) return [];
  const senders = code.length > 16 ? "OpenTravel senders allow at most 16, AlpineBits" : "AlpineBits senders allow";
  return [`The code ${code} has ${code.length} characters; ${senders} at most ${ALPINEBITS_LONGEST_CODE}.`];
}

type Across = {
  standardOccupancy: number;
  minOccupancy: number;
  maxOccupancy: number | undefined;
  maxAdults: number | undefined;
  maxChildren: number | undefined;
  maxInfants: number | undefined;
};

/** A maximum that was left empty is the standard occupancy. */
function withRules<T extends Across>(form: z.ZodType<T>) {
  const within = (name: "maxAdults" | "maxChildren" | "maxInfants") => (fields: Across) => (fields[name] ?? 0) <= most(fields);
  const limits = (name: string, what: string) => across(["standardOccupancy", "maxOccupancy", name], name, mostOf(what));
  return form
    .refine(
      ({ minOccupancy, standardOccupancy }) => minOccupancy <= standardOccupancy,
      across(["minOccupancy", "standardOccupancy"], "minOccupancy", MIN_OCCUPANCY),
    )
    .refine(
      (fields) => most(fields) >= fields.standardOccupancy,
      across(["maxOccupancy", "standardOccupancy"], "maxOccupancy", MAX_OCCUPANCY),
    )
    .refine(within("maxAdults"), limits("maxAdults", "adults"))
    .refine(within("maxChildren"), limits("maxChildren", "children"))
    .refine(within("maxInfants"), limits("maxInfants", "infants"))
    .transform((fields) => ({ ...fields, maxOccupancy: most(fields) }));
}

function most({ maxOccupancy, standardOccupancy }: Across): number {
  return maxOccupancy ?? standardOccupancy;
}

function isSize(text: string): boolean {
  return /^\d{1,5}(\.\d{1,2})?$/.test(text) && Number(text) >= 1 && Number(text) <= CATEGORY_LIMITS.size;
}

function toAmenity(word: string): string | undefined {
  return /^0*[1-9]\d{0,2}$/.test(word) && Number(word) <= CATEGORY_LIMITS.amenity ? String(Number(word)) : undefined;
}

/** Whether the text can be the address of a photo. */
export function isPhoto(address: string): boolean {
  return isWebAddress(address) && address.length <= CATEGORY_LIMITS.photo;
}

function toPhotos(text: string | undefined, context: z.RefinementCtx): string | undefined {
  if (text === undefined) return undefined;
  const lines = text.split("\n").map((line) => line.trim());
  const photos = lines.filter(Boolean);
  const wrong = lines.findIndex((line) => line !== "" && !isPhoto(line));
  if (wrong === -1 && photos.length <= MOST_PHOTOS) return photos.join("\n") || undefined;
  const not = wrong === -1 ? photos.length : `“${quoted(lines[wrong]!)}” in line ${wrong + 1}`;
  context.addIssue({ code: "custom", message: `${PHOTOS}; not ${not}` });
  return z.NEVER;
}
