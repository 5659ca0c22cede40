import { domainToASCII } from "node:url";
import { z } from "zod";
import type { RowOf } from "../../db/rows.ts";
import type { Sorted } from "../../db/schema.ts";
import {
  oneOf,
  across,
  choice,
  flag,
  flagsOf,
  isWebAddress,
  optionalChoice,
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
import { countries, currencies, isLanguage, isStatus, PROPERTY_TYPES, STARS, STATUSES, TIME_ZONES } from "./choices.ts";

const CODE = /^[A-Za-z0-9_][A-Za-z0-9_.~:-]{0,63}$/;

export const CODE_FORMAT = "up to 64 letters, digits or _ . ~ : -, starting with a letter, digit or _";

export function isCode(text: string): boolean {
  return CODE.test(text);
}

export const codeRule = z.string().default("").refine(isCode, `Enter a code of ${CODE_FORMAT}`);

const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;

const time = (what: string) => optionalLine(5, `Enter the ${what} as a time from 00:00 to 23:59`, (text) => TIME.test(text));
const degrees = (what: string, max: number) =>
  optionalDecimal(`Enter a ${what} from -${max} to ${max} with up to 7 decimals, such as 46.6713`, (text) => isDegrees(text, max));
const age = (limit: string) => optionalWhole({ min: 0, max: 17, message: `Enter a ${limit} child age from 0 to 17` });

export const PROPERTY_LENGTHS = { name: 128, description: 10_000 } as const;

/** Defines the order in forms, exports and the history. */
const FIELDS = {
  name: { label: "Name", rule: requiredLine(PROPERTY_LENGTHS.name, "Enter a name of up to 128 characters") },
  status: {
    label: "Status",
    rule: choice(isStatus, "active", "Choose a status: active, inactive, test or archived"),
    choices: () => STATUSES,
  },
  propertyType: {
    label: "Type",
    rule: choice(
      oneOf(() => PROPERTY_TYPES),
      "20",
      "Choose a type from the list",
    ),
    choices: () => PROPERTY_TYPES,
  },
  stars: {
    label: "Stars",
    rule: optionalChoice(
      oneOf(() => STARS),
      "Choose 0 to 5 stars, in half-star steps",
    ).transform(toNumber),
    choices: () => STARS,
  },
  street: { label: "Street", rule: optionalLine(255, "Enter a street of up to 255 characters") },
  postalCode: { label: "Postal code", rule: optionalLine(32, "Enter a postal code of up to 32 characters") },
  city: { label: "City", rule: optionalLine(255, "Enter a city of up to 255 characters") },
  country: {
    label: "Country",
    rule: optionalChoice(oneOf(countries), "Enter a two-letter country code, such as IT"),
    choices: countries,
  },
  timeZone: { label: "Time zone", rule: z.string().default("").transform(toTimeZone) },
  region: { label: "Region", rule: optionalLine(255, "Enter a region of up to 255 characters") },
  latitude: { label: "Latitude", rule: degrees("latitude", 90) },
  longitude: { label: "Longitude", rule: degrees("longitude", 180) },
  currency: {
    label: "Currency",
    rule: choice(oneOf(currencies), "EUR", "Enter a three-letter currency code, such as EUR"),
    choices: currencies,
  },
  pricesIncludeTax: flag("Prices include tax", true),
  assumeOpen: flag("Treat nights as open by default", true),
  horizonDays: {
    label: "Booking horizon (days)",
    rule: wholeNumber(750, {
      min: 100,
      max: 1100,
      message: "Enter a booking horizon from 100 to 1100 days",
    }),
  },
  knownPlansOnly: flag("Accept known rate plans only", false),
  checkInFrom: { label: "Check-in from", rule: time("start of check-in") },
  checkInUntil: { label: "Check-in until", rule: time("end of check-in") },
  checkOutUntil: { label: "Check-out until", rule: time("end of check-out") },
  minChildAge: { label: "Minimum child age", rule: age("minimum") },
  maxChildAge: { label: "Maximum child age", rule: age("maximum") },
  languages: {
    label: "Languages spoken",
    rule: optionalList(600, "Enter two-letter language codes separated by commas, such as de, it, en", toLanguage),
  },
  contactName: { label: "Contact", rule: optionalLine(128, "Enter a contact name of up to 128 characters") },
  phone: { label: "Phone", rule: optionalLine(32, "Enter a phone number of up to 32 characters") },
  email: { label: "Email", rule: optionalLine(254, "Enter an email address such as desk@example.com", isEmail) },
  website: {
    label: "Website",
    rule: optionalLine(2000, "Enter a URL of up to 2,000 characters, starting with http:// or https://", isWebAddress),
  },
  description: { label: "Description", rule: optionalText(PROPERTY_LENGTHS.description, "Enter a description of up to 10,000 characters") },
  notes: { label: "Notes", rule: optionalText(10_000, "Enter notes of up to 10,000 characters") },
  groupName: { label: "Group", rule: optionalLine(64, "Enter a group name of up to 64 characters") },
  externalId: { label: "External ID", rule: optionalLine(128, "Enter an external ID of up to 128 characters") },
};
const fieldRules = rulesOf(FIELDS);

const newCode = codeRule.refine((code) => code !== "new", "Choose another code; “new” is reserved");

export const propertyForm = withCrossFieldRules(z.object(fieldRules));

export const newPropertyForm = withCrossFieldRules(z.object({ code: newCode, ...fieldRules }));

/** The fields of a copy that differ from the original. */
export const duplicateForm = z.object({ code: newCode, name: fieldRules.name });

export type PropertyFields = z.infer<typeof propertyForm>;

/** Times are in milliseconds since 1970. Each edit adds 1 to `version`. */
export type Property = { code: string } & PropertyFields & { version: number; createdAt: number; updatedAt: number };

export const PROPERTY_FIELDS = Object.keys(FIELDS) as readonly (keyof PropertyFields)[];
export const PROPERTY_FLAGS = flagsOf(FIELDS);

/** Labels for fields and values in forms, the history and edit conflicts. */
export const PROPERTY_WORDS = wordsOf(FIELDS);

declare module "../../db/schema.ts" {
  interface Tables {
    property: Sorted<RowOf<Property>>;
  }
}

/** Validates one field with the form's rule. `problem` describes what is allowed, such as `a postal code of up to 32 characters`. */
export function readPropertyField<Field extends keyof PropertyFields>(
  field: Field,
  text: string,
): { value: PropertyFields[Field] | undefined; problem?: string } {
  const { data, error } = fieldRules[field].safeParse(text);
  if (!error) return { value: data as PropertyFields[Field] };
  return { value: undefined, problem: error.issues[0]!.message.replace(/^(Enter|Choose) /, "") };
}

export const OPENTRAVEL_LONGEST_CODE = 16;

export function warningsOf(code: string): string[] {
  if (code.length <= OPENTRAVEL_LONGEST_CODE) return [];
  return [`The code ${code} has ${code.length} characters. OpenTravel allows ${OPENTRAVEL_LONGEST_CODE}, so some systems may reject it.`];
}

type CrossCheckedFields = {
  latitude: string | undefined;
  longitude: string | undefined;
  minChildAge: number | undefined;
  maxChildAge: number | undefined;
};

function withCrossFieldRules<T extends CrossCheckedFields>(form: z.ZodType<T>): z.ZodType<T> {
  return form
    .refine(
      ({ latitude, longitude }) => latitude !== undefined || longitude === undefined,
      across(["latitude", "longitude"], "latitude", "Enter a latitude, or clear the longitude"),
    )
    .refine(
      ({ latitude, longitude }) => latitude === undefined || longitude !== undefined,
      across(["latitude", "longitude"], "longitude", "Enter a longitude, or clear the latitude"),
    )
    .refine(
      ({ minChildAge, maxChildAge }) => minChildAge === undefined || maxChildAge === undefined || minChildAge <= maxChildAge,
      across(["minChildAge", "maxChildAge"], "maxChildAge", "Enter a maximum child age that is not below the minimum"),
    );
}

/** Allows internationalized domains (RFC 5891). zod rejects top-level domains in Punycode, so they are replaced by `.idn`. */
function isEmail(text: string): boolean {
  const at = text.lastIndexOf("@") + 1;
  const domain = text.slice(at);
  const ascii = domainToASCII(domain).replace(/\.xn--[a-z\d-]+$/, ".idn");
  return /^[\p{L}\p{M}\p{N}.-]+$/u.test(domain) && z.email().safeParse(text.slice(0, at) + ascii).success;
}

function isDegrees(text: string, max: number): boolean {
  return /^-?\d{1,3}(\.\d{1,7})?$/.test(text) && Math.abs(Number(text)) <= max;
}

function toLanguage(word: string): string | undefined {
  const code = word.toLowerCase();
  return isLanguage(code) ? code : undefined;
}

function toTimeZone(text: string, context: z.core.$RefinementCtx): string {
  if (text === "") return "UTC";
  const found = findTimeZone(text);
  if (found !== undefined) return found;
  context.addIssue({ code: "custom", message: "Choose a time zone, such as Europe/Rome" });
  return z.NEVER;
}

/** Looking up a zone in the engine takes a hundred times as long. */
const isListedZone = oneOf(() => TIME_ZONES);

/** Corrects the case but keeps aliases such as Asia/Calcutta. Offsets such as +01:00 are not time zones. */
function findTimeZone(name: string): string | undefined {
  if (isListedZone(name)) return name;
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/.test(name)) return undefined;
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).timeZoneId;
  } catch {
    return undefined;
  }
}
