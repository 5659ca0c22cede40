import { domainToASCII } from "node:url";
import { z } from "zod";
import { oneOf } from "../../web/parts/choices.ts";
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

/** What a code may be, in words. */
export const CODE_WORDS = "up to 64 letters, digits or _ . ~ : -, the first a letter, a digit or _";

/** Whether the text can be the code of a property or a category, case-sensitive. */
export function isCode(text: string): boolean {
  return CODE.test(text);
}

/** The rule of a code in a form. */
export const codeRule = z.string().default("").refine(isCode, `Enter a code of ${CODE_WORDS}`);

const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;

const time = (what: string) => optionalLine(5, `Enter the ${what} as hours and minutes from 00:00 to 23:59`, (text) => TIME.test(text));
const degrees = (what: string, max: number) =>
  optionalDecimal(`Enter a ${what} from -${max} to ${max} with at most 7 decimals, such as 46.6713`, (text) => isDegrees(text, max));
const age = (what: string) =>
  optionalWhole({ min: 0, max: 17, message: `Enter the ${what} age of children as a whole number from 0 to 17` });

/** The fields that a person may edit, by their names in the form. */
const editable = {
  name: requiredLine(128, "Enter a name of up to 128 characters"),
  status: choice(isStatus, "active", "Choose a status: active, inactive or test"),
  propertyType: choice(
    oneOf(() => PROPERTY_TYPES),
    "20",
    "Choose a type from the list",
  ),
  stars: optionalChoice(
    oneOf(() => STARS),
    "Choose from 0 to 5 stars, in halves",
  ).transform(toNumber),
  street: optionalLine(255, "Enter a street of up to 255 characters"),
  postalCode: optionalLine(32, "Enter a postal code of up to 32 characters"),
  city: optionalLine(255, "Enter a city of up to 255 characters"),
  country: optionalChoice(oneOf(countries), "Choose a country by its code of two letters, such as IT"),
  timeZone: z.string().default("").transform(toTimeZone),
  region: optionalLine(255, "Enter a region of up to 255 characters"),
  latitude: degrees("latitude", 90),
  longitude: degrees("longitude", 180),
  currency: choice(oneOf(currencies), "EUR", "Choose a currency in use by its code of three letters, such as EUR"),
  pricesIncludeTax: tick(true),
  assumeOpen: tick(true),
  horizonDays: wholeNumber(750, {
    min: 100,
    max: 1100,
    message: "Enter the days that can be sold ahead as a whole number from 100 to 1100",
  }),
  knownPlansOnly: tick(false),
  checkInFrom: time("start of check-in"),
  checkInUntil: time("end of check-in"),
  checkOutUntil: time("end of check-out"),
  minChildAge: age("lowest"),
  maxChildAge: age("highest"),
  languages: optionalList(600, "Enter language codes of two letters between commas, such as de, it, en", toLanguage),
  contactName: optionalLine(128, "Enter a contact name of up to 128 characters"),
  phone: optionalLine(32, "Enter a phone number of up to 32 characters"),
  email: optionalLine(254, "Enter an e-mail address such as desk@example.com", isEmail),
  website: optionalLine(2000, "Enter an address of up to 2,000 characters that begins with http:// or https://", isWebAddress),
  description: optionalText(10_000, "Enter a description of up to 10,000 characters"),
  notes: optionalText(10_000, "Enter notes of up to 10,000 characters"),
  groupName: optionalLine(64, "Enter a group of up to 64 characters"),
  externalId: optionalLine(128, "Enter an external id of up to 128 characters"),
};

/** The form of a property that is edited. */
export const propertyForm = withRules(z.object(editable));

/** The form of a new property. */
export const newPropertyForm = withRules(
  z.object({ code: codeRule.refine((code) => code !== "new", "Choose another code: new is the address of this form"), ...editable }),
);

/** What a form of a property says; absent is undefined. */
export type PropertyFields = z.infer<typeof propertyForm>;

/** A house that sells rooms. Times are milliseconds since 1970 UTC; `version` counts its edits. */
export type Property = { code: string } & PropertyFields & { version: number; createdAt: number; updatedAt: number };

/** The names of the editable fields, in the order of the form. */
export const PROPERTY_FIELDS = Object.keys(editable) as readonly (keyof PropertyFields)[];

/** The most characters of a code in OpenTravel. */
export const OPENTRAVEL_LONGEST_CODE = 16;

/** What is allowed but may not pass everywhere. */
export function warningsOf(code: string): string[] {
  if (code.length <= OPENTRAVEL_LONGEST_CODE) return [];
  return [`The code ${code} has ${code.length} characters; some senders allow at most ${OPENTRAVEL_LONGEST_CODE}, as OpenTravel does.`];
}

type Across = {
  latitude: string | undefined;
  longitude: string | undefined;
  minChildAge: number | undefined;
  maxChildAge: number | undefined;
};

function withRules<T extends Across>(form: z.ZodType<T>): z.ZodType<T> {
  return form
    .refine(
      ({ latitude, longitude }) => latitude !== undefined || longitude === undefined,
      across(["latitude", "longitude"], "latitude", "Enter the latitude too, or clear the longitude"),
    )
    .refine(
      ({ latitude, longitude }) => latitude === undefined || longitude !== undefined,
      across(["latitude", "longitude"], "longitude", "Enter the longitude too, or clear the latitude"),
    )
    .refine(
      ({ minChildAge, maxChildAge }) => minChildAge === undefined || maxChildAge === undefined || minChildAge <= maxChildAge,
      across(["minChildAge", "maxChildAge"], "maxChildAge", "Enter a highest age of children that is not below the lowest"),
    );
}

/** A domain may be written in any script, which stands for one in ASCII (RFC 5891). Of those zod does not know the last label. */
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
  context.addIssue({ code: "custom", message: "Choose a time zone by its name, such as Europe/Rome" });
  return z.NEVER;
}

/** The zone under the name that was given, in upper and lower case as IANA writes it; offsets such as +01:00 are no zones. */
function findTimeZone(name: string): string | undefined {
  if (!/^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/.test(name)) return undefined;
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).timeZoneId;
  } catch {
    return undefined;
  }
}
