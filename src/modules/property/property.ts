import { domainToASCII } from "node:url";
import { z } from "zod";
import { oneOf } from "../../web/parts/field-words.ts";
import {
  across,
  choice,
  isWebAddress,
  optionalChoice,
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
import { countries, currencies, isLanguage, isStatus, PROPERTY_TYPES, STARS } from "./choices.ts";

const CODE = /^[A-Za-z0-9_][A-Za-z0-9_.~:-]{0,63}$/;

/** Completes an error message such as "Enter a code of …". */
export const CODE_FORMAT = "up to 64 letters, digits or _ . ~ : -, starting with a letter, digit or _";

/** Whether the text is a valid property or category code. */
export function isCode(text: string): boolean {
  return CODE.test(text);
}

export const codeRule = z.string().default("").refine(isCode, `Enter a code of ${CODE_FORMAT}`);

const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;

const time = (what: string) => optionalLine(5, `Enter the ${what} as a time from 00:00 to 23:59`, (text) => TIME.test(text));
const degrees = (what: string, max: number) =>
  optionalDecimal(`Enter a ${what} from -${max} to ${max} with up to 7 decimals, such as 46.6713`, (text) => isDegrees(text, max));
const age = (limit: string) => optionalWhole({ min: 0, max: 17, message: `Enter a ${limit} child age from 0 to 17` });

const fieldRules = {
  name: requiredLine(128, "Enter a name of up to 128 characters"),
  status: choice(isStatus, "active", "Choose a status: active, inactive or test"),
  propertyType: choice(
    oneOf(() => PROPERTY_TYPES),
    "20",
    "Choose a type from the list",
  ),
  stars: optionalChoice(
    oneOf(() => STARS),
    "Choose 0 to 5 stars, in half steps",
  ).transform(toNumber),
  street: optionalLine(255, "Enter a street of up to 255 characters"),
  postalCode: optionalLine(32, "Enter a postal code of up to 32 characters"),
  city: optionalLine(255, "Enter a city of up to 255 characters"),
  country: optionalChoice(oneOf(countries), "Choose a country by its two-letter code, such as IT"),
  timeZone: z.string().default("").transform(toTimeZone),
  region: optionalLine(255, "Enter a region of up to 255 characters"),
  latitude: degrees("latitude", 90),
  longitude: degrees("longitude", 180),
  currency: choice(oneOf(currencies), "EUR", "Choose a currency by its three-letter code, such as EUR"),
  pricesIncludeTax: tick(true),
  assumeOpen: tick(true),
  horizonDays: wholeNumber(750, {
    min: 100,
    max: 1100,
    message: "Enter a booking horizon from 100 to 1100 days",
  }),
  knownPlansOnly: tick(false),
  checkInFrom: time("start of check-in"),
  checkInUntil: time("end of check-in"),
  checkOutUntil: time("end of check-out"),
  minChildAge: age("minimum"),
  maxChildAge: age("maximum"),
  languages: optionalList(600, "Enter two-letter language codes separated by commas, such as de, it, en", toLanguage),
  contactName: optionalLine(128, "Enter a contact name of up to 128 characters"),
  phone: optionalLine(32, "Enter a phone number of up to 32 characters"),
  email: optionalLine(254, "Enter an email address such as desk@example.com", isEmail),
  website: optionalLine(2000, "Enter a URL of up to 2,000 characters, starting with http:// or https://", isWebAddress),
  description: optionalText(10_000, "Enter a description of up to 10,000 characters"),
  notes: optionalText(10_000, "Enter notes of up to 10,000 characters"),
  groupName: optionalLine(64, "Enter a group name of up to 64 characters"),
  externalId: optionalLine(128, "Enter an external ID of up to 128 characters"),
};

export const propertyForm = withCrossFieldRules(z.object(fieldRules));

export const newPropertyForm = withCrossFieldRules(
  z.object({ code: codeRule.refine((code) => code !== "new", "Choose another code; “new” is reserved"), ...fieldRules }),
);

export type PropertyFields = z.infer<typeof propertyForm>;

/** Times are in milliseconds since 1970. Each edit adds 1 to `version`. */
export type Property = { code: string } & PropertyFields & { version: number; createdAt: number; updatedAt: number };

export const PROPERTY_FIELDS = Object.keys(fieldRules) as readonly (keyof PropertyFields)[];

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
      across(["latitude", "longitude"], "latitude", "Enter a latitude too, or clear the longitude"),
    )
    .refine(
      ({ latitude, longitude }) => latitude === undefined || longitude !== undefined,
      across(["latitude", "longitude"], "longitude", "Enter a longitude too, or clear the latitude"),
    )
    .refine(
      ({ minChildAge, maxChildAge }) => minChildAge === undefined || maxChildAge === undefined || minChildAge <= maxChildAge,
      across(["minChildAge", "maxChildAge"], "maxChildAge", "Enter a maximum child age that is not below the minimum"),
    );
}

/** Allows internationalized domains (RFC 5891). zod rejects top-level domains in Punycode, so `.idn` stands in for them. */
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

/** Corrects the case but keeps aliases such as Asia/Calcutta. Offsets such as +01:00 are not time zones. */
function findTimeZone(name: string): string | undefined {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/.test(name)) return undefined;
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).timeZoneId;
  } catch {
    return undefined;
  }
}
