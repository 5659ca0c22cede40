import type { FastifyInstance } from "fastify";
import type { z } from "zod";
import { fieldText } from "../text.ts";

export type TypedValues = Readonly<Record<string, string>>;

export type TypedField = readonly [name: string, value: string];

export type Faults = Readonly<Record<string, string>>;

export type FormResult<T> = { ok: true; value: T; typed: TypedValues } | { ok: false; faults: Faults; typed: TypedValues };

/** Validates a posted form. Trims values and converts line ends to `\n`. Uses the last value of a repeated field. */
export function readForm<T>(schema: z.ZodType<T>, body: unknown): FormResult<T> {
  const typed = readTyped(body);
  const parsedForm = schema.safeParse(typed);
  if (parsedForm.success) return { ok: true, value: parsedForm.data, typed };
  const faults: Record<string, string> = {};
  for (const issue of parsedForm.error.issues) faults[String(issue.path[0] ?? "form")] ??= issue.message;
  return { ok: false, faults, typed };
}

/** Makes the routes of `app` refuse other content types with 415. All form values are text, so numbers in JSON would be lost silently. */
export function acceptFormsOnly(app: FastifyInstance): void {
  app.removeContentTypeParser(["application/json", "text/plain"]);
}

export const MAX_FIELDS = 200;

export function readTyped(body: unknown): TypedValues {
  return Object.fromEntries(readTypedFields(body));
}

export function readTypedFields(body: unknown): TypedField[] {
  if (typeof body !== "object" || body === null) return [];
  return Object.entries(body).flatMap(([name, value]) => [value].flat().map((one) => [name, toText(one)] as const));
}

/** Returns the value as sent, because a password may start or end with spaces. */
export function readRaw(body: unknown, name: string): string {
  const value = typeof body === "object" && body !== null ? (body as Record<string, unknown>)[name] : undefined;
  return typeof value === "string" ? value : "";
}

export function fileFieldNames(body: object): string[] {
  const hasFile = (value: unknown) => [value].flat().some((one) => Buffer.isBuffer(one) && one.length > 0);
  return Object.entries(body).flatMap(([name, value]) => (hasFile(value) ? [name] : []));
}

/** Returns the record version that an edit is based on. If it is invalid, returns 0, which is no record's version. */
export function readVersion({ version = "" }: TypedValues): number {
  return readId(version) ?? 0;
}

export function readId(text: string): number | undefined {
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}

export function toTypedValues(
  record: Readonly<Record<string, string | number | boolean | undefined>>,
  names: readonly string[] = Object.keys(record),
): TypedValues {
  return Object.fromEntries(names.map((name) => [name, fieldText(record[name])]));
}

function toText(value: unknown): string {
  return typeof value === "string" ? value.replaceAll(/\r\n?/g, "\n").trim() : "";
}
