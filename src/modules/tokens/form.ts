import { z } from "zod";
import { DAY_MS } from "../../calendar/night.ts";
import { isPropertyCode } from "../../records/property/property.ts";
import { isVisible } from "../../text.ts";
import { type TokenScope, SCOPES } from "../../web/guard/user.ts";
import type { FieldWords } from "../../web/parts/field-words.ts";
import type { FormState } from "../../web/parts/fields.ts";

const MAX_NAME_LENGTH = 60;
const MAX_DAYS = 3650;

export const SCOPE_LABELS: Readonly<Record<TokenScope, string>> = {
  read: "Read properties, categories, availability, rates and messages",
  changes: "Follow the change feed",
  "records:write": "Create and edit properties and categories",
  "channel:dry-run": "Test messages without storing anything. Availability and rate queries return data.",
};

export const TOKEN_WORDS: FieldWords = {
  labels: {
    name: "Name",
    properties: "Properties",
    days: "Valid for (days)",
    ...Object.fromEntries(SCOPES.map((scope) => [scopeField(scope), scope])),
  },
  choices: {},
};

export const EMPTY_TOKEN: FormState = { typed: { days: "90", "scope-read": "on" }, faults: {} };

/** Returns the name of a scope's checkbox. */
export function scopeField(scope: TokenScope): string {
  return `scope-${scope}`;
}

const nameSchema = z
  .string({ error: "Enter a name" })
  .refine((text) => text.length > 0, "Enter a name")
  .refine((text) => text.length <= MAX_NAME_LENGTH && isVisible(text), `Enter a name of at most ${MAX_NAME_LENGTH} visible characters`);

const propertiesSchema = z
  .string()
  .default("")
  .transform((text) => [...new Set(text.split(/[\s,]+/).filter(Boolean))])
  .refine((codes) => codes.every(isPropertyCode), "Enter property codes, separated by commas")
  .transform((codes) => (codes.length === 0 ? undefined : codes));

const daysSchema = z
  .string()
  .default("")
  .refine(
    (text) => text === "" || (/^[1-9]\d{0,3}$/.test(text) && Number(text) <= MAX_DAYS),
    `Enter 1 to ${MAX_DAYS} days, or leave blank for no expiry`,
  );

export function tokenForm(now: number) {
  const tickedScopes = Object.fromEntries(SCOPES.map((scope) => [scopeField(scope), z.string().default("")]));
  return z.object({ name: nameSchema, properties: propertiesSchema, days: daysSchema, ...tickedScopes }).transform((form, context) => {
    const typed = form as Readonly<Record<string, unknown>>;
    const scopes = SCOPES.filter((scope) => typed[scopeField(scope)] === "on");
    if (scopes.length === 0) context.addIssue({ code: "custom", path: [scopeField("read")], message: "Choose at least one scope" });
    const expiresAt = form.days === "" ? undefined : now + Number(form.days) * DAY_MS;
    return { name: form.name, properties: form.properties, scopes, expiresAt };
  });
}
