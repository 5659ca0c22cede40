import { domainToASCII } from "node:url";
import { z } from "zod";
import type { RowOf } from "../../db/rows.ts";
import type { WithSortName } from "../../db/schema.ts";
import {
  createMembershipTest,
  crossFieldRule,
  choiceRule,
  flagField,
  flagNames,
  isWebAddress,
  optionalChoiceRule,
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
import {
  countries,
  currencies,
  isLanguage,
  isPropertyStatus,
  PROPERTY_TYPES,
  STAR_CHOICES,
  PROPERTY_STATUSES,
  TIME_ZONES,
} from "./choices.ts";

const CODE_PATTERN = /^[A-Za-z0-9_][A-Za-z0-9_.~:-]{0,63}$/;

export const CODE_FORMAT = "up to 64 letters, digits or _ . ~ : -, starting with a letter, digit or _";

export function isPropertyCode(text: string): boolean {
  return CODE_PATTERN.test(text);
}

export const codeRule = z.string().default("").refine(isPropertyCode, `Enter a code of ${CODE_FORMAT}`);

const TIME_PATTERN = /^([01]\d|2[0-3]):[0-5]\d$/;

const timeRule = (what: string) =>
  optionalLineRule(5, `Enter the ${what} as a time from 00:00 to 23:59`, (text) => TIME_PATTERN.test(text));
const degreesRule = (what: string, max: number) =>
  optionalDecimalRule(`Enter a ${what} from -${max} to ${max} with up to 7 decimals, such as 46.6713`, (text) => isDegrees(text, max));
const age = (limit: string) => optionalIntegerRule({ min: 0, max: 17, message: `Enter a ${limit} child age from 0 to 17` });

export const PROPERTY_LENGTHS = { name: 128, description: 10_000 } as const;

/** Defines the order in forms, exports and the history. */
const PROPERTY_FIELD_RULES = {
  name: { label: "Name", rule: requiredLineRule(PROPERTY_LENGTHS.name, "Enter a name of up to 128 characters") },
  status: {
    label: "Status",
    rule: choiceRule(isPropertyStatus, "active", "Choose a status: active, inactive, test or archived"),
    choices: () => PROPERTY_STATUSES,
  },
  propertyType: {
    label: "Type",
    rule: choiceRule(
      createMembershipTest(() => PROPERTY_TYPES),
      "20",
      "Choose a type from the list",
    ),
    choices: () => PROPERTY_TYPES,
  },
  stars: {
    label: "Stars",
    rule: optionalChoiceRule(
      createMembershipTest(() => STAR_CHOICES),
      "Choose 0 to 5 stars, in half-star steps",
    ).transform(toNumber),
    choices: () => STAR_CHOICES,
  },
  street: { label: "Street", rule: optionalLineRule(255, "Enter a street of up to 255 characters") },
  postalCode: { label: "Postal code", rule: optionalLineRule(32, "Enter a postal code of up to 32 characters") },
  city: { label: "City", rule: optionalLineRule(255, "Enter a city of up to 255 characters") },
  country: {
    label: "Country",
    rule: optionalChoiceRule(createMembershipTest(countries), "Enter a two-letter country code, such as IT"),
    choices: countries,
  },
  timeZone: { label: "Time zone", rule: z.string().default("").transform(toTimeZone) },
  region: { label: "Region", rule: optionalLineRule(255, "Enter a region of up to 255 characters") },
  latitude: { label: "Latitude", rule: degreesRule("latitude", 90) },
  longitude: { label: "Longitude", rule: degreesRule("longitude", 180) },
  currency: {
    label: "Currency",
    rule: choiceRule(createMembershipTest(currencies), "EUR", "Enter a three-letter currency code, such as EUR"),
    choices: currencies,
  },
  pricesIncludeTax: flagField("Prices include tax", true),
  assumeOpen: flagField("Treat nights as open by default", true),
  horizonDays: {
    label: "Booking horizon (days)",
    rule: integerRule(750, {
      min: 100,
      max: 1100,
      message: "Enter a booking horizon from 100 to 1100 days",
    }),
  },
  knownPlansOnly: flagField("Accept known rate plans only", false),
  checkInFrom: { label: "Check-in from", rule: timeRule("start of check-in") },
  checkInUntil: { label: "Check-in until", rule: timeRule("end of check-in") },
  checkOutUntil: { label: "Check-out until", rule: timeRule("end of check-out") },
  minChildAge: { label: "Minimum child age", rule: age("minimum") },
  maxChildAge: { label: "Maximum child age", rule: age("maximum") },
  languages: {
    label: "Languages spoken",
    rule: optionalListRule(600, "Enter two-letter language codes separated by commas, such as de, it, en", toLanguage),
  },
  contactName: { label: "Contact", rule: optionalLineRule(128, "Enter a contact name of up to 128 characters") },
  phone: { label: "Phone", rule: optionalLineRule(32, "Enter a phone number of up to 32 characters") },
  email: { label: "Email", rule: optionalLineRule(254, "Enter an email address such as desk@example.com", isEmail) },
  website: {
    label: "Website",
    rule: optionalLineRule(2000, "Enter a URL of up to 2,000 characters, starting with http:// or https://", isWebAddress),
  },
  description: {
    label: "Description",
    rule: optionalTextRule(PROPERTY_LENGTHS.description, "Enter a description of up to 10,000 characters"),
  },
  notes: { label: "Notes", rule: optionalTextRule(10_000, "Enter notes of up to 10,000 characters") },
  groupName: { label: "Group", rule: optionalLineRule(64, "Enter a group name of up to 64 characters") },
  externalId: { label: "External ID", rule: optionalLineRule(128, "Enter an external ID of up to 128 characters") },
};
const fieldRules = rulesByField(PROPERTY_FIELD_RULES);

const newCodeRule = codeRule.refine((code) => code !== "new", "Choose another code; “new” is reserved");

export const propertyForm = withCrossFieldRules(z.object(fieldRules));

export const newPropertyForm = withCrossFieldRules(z.object({ code: newCodeRule, ...fieldRules }));

/** The fields of a copy that differ from the original. */
export const duplicateForm = z.object({ code: newCodeRule, name: fieldRules.name });

export type PropertyFields = z.infer<typeof propertyForm>;

/** Times are in milliseconds since 1970. Each edit adds 1 to `version`. */
export type Property = { code: string } & PropertyFields & { version: number; createdAt: number; updatedAt: number };

export const PROPERTY_FIELDS = Object.keys(PROPERTY_FIELD_RULES) as readonly (keyof PropertyFields)[];
export const PROPERTY_FLAGS = flagNames(PROPERTY_FIELD_RULES);

/** Labels for fields and values in forms, the history and edit conflicts. */
export const PROPERTY_WORDS = fieldWords(PROPERTY_FIELD_RULES);

declare module "../../db/schema.ts" {
  interface Tables {
    property: WithSortName<RowOf<Property>>;
  }
}

/**
 * Validates one field with the form's rule. If the value is invalid, `problem` is the error message without its verb, such as `a postal
 * code of up to 32 characters`.
 */
export function readPropertyField<Field extends keyof PropertyFields>(
  field: Field,
  text: string,
): { value: PropertyFields[Field] | undefined; problem?: string } {
  const { data, error } = fieldRules[field].safeParse(text);
  if (!error) return { value: data as PropertyFields[Field] };
  return { value: undefined, problem: error.issues[0]!.message.replace(/^(Enter|Choose) /, "") };
}

export const OPENTRAVEL_MAX_CODE_LENGTH = 16;

export function codeWarnings(code: string): string[] {
  if (code.length <= OPENTRAVEL_MAX_CODE_LENGTH) return [];
  return [
    `The code ${code} has ${code.length} characters. OpenTravel allows ${OPENTRAVEL_MAX_CODE_LENGTH}, so some systems may reject it.`,
  ];
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
      crossFieldRule(["latitude", "longitude"], "latitude", "Enter a latitude, or clear the longitude"),
    )
    .refine(
      ({ latitude, longitude }) => latitude === undefined || longitude !== undefined,
      crossFieldRule(["latitude", "longitude"], "longitude", "Enter a longitude, or clear the latitude"),
    )
    .refine(
      ({ minChildAge, maxChildAge }) => minChildAge === undefined || maxChildAge === undefined || minChildAge <= maxChildAge,
      crossFieldRule(["minChildAge", "maxChildAge"], "maxChildAge", "Enter a maximum child age that is not below the minimum"),
    );
}

/** Allows internationalized domains (RFC 5891). zod rejects top-level domains in Punycode, so they are replaced by `.idn`. */
function isEmail(text: string): boolean {
  const at = text.lastIndexOf("@") + 1;
  const domain = text.slice(at);
  const asciiDomain = domainToASCII(domain).replace(/\.xn--[a-z\d-]+$/, ".idn");
  return /^[\p{L}\p{M}\p{N}.-]+$/u.test(domain) && z.email().safeParse(text.slice(0, at) + asciiDomain).success;
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
  const canonicalZone = findTimeZone(text);
  if (canonicalZone !== undefined) return canonicalZone;
  context.addIssue({ code: "custom", message: "Choose a time zone, such as Europe/Rome" });
  return z.NEVER;
}

/** Returns whether the list contains a zone. Looking it up in the engine would take a hundred times as long. */
const isListedZone = createMembershipTest(() => TIME_ZONES);

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
