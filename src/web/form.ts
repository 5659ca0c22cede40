import type { FastifyInstance } from "fastify";
import type { z } from "zod";
import { fieldText } from "../text.ts";

/** Names of fields and what was typed into them. */
export type Typed = Readonly<Record<string, string>>;

/** The name of a field and what was typed into it. */
export type TypedField = readonly [name: string, value: string];

/** Names of fields and what is wrong with each, in document order. */
export type Faults = Readonly<Record<string, string>>;

/** A form as read: its value, or what is wrong with it. Either way with what was typed. */
export type FormResult<T> = { ok: true; value: T; typed: Typed } | { ok: false; faults: Faults; typed: Typed };

/** Checks a posted form. Each field is trimmed; line ends become `\n`; of a field sent twice the last one counts. */
export function readForm<T>(schema: z.ZodType<T>, body: unknown): FormResult<T> {
  const typed = readTyped(body);
  const parsed = schema.safeParse(typed);
  if (parsed.success) return { ok: true, value: parsed.data, typed };
  const faults: Record<string, string> = {};
  for (const issue of parsed.error.issues) faults[String(issue.path[0] ?? "form")] ??= issue.message;
  return { ok: false, faults, typed };
}

/** Refuses other bodies than forms with 415 on the routes of `app`: numbers and lists of JSON would be lost unsaid. */
export function takeFormsOnly(app: FastifyInstance): void {
  app.removeContentTypeParser(["application/json", "text/plain"]);
}

/** More fields than any form has; further ones are not read. */
export const MOST_FIELDS = 200;

/** The fields of a posted form as text. */
export function readTyped(body: unknown): Typed {
  return Object.fromEntries(readTypedFields(body));
}

/** The same, with each value of a field sent twice. */
export function readTypedFields(body: unknown): TypedField[] {
  if (typeof body !== "object" || body === null) return [];
  return Object.entries(body).flatMap(([name, value]) => [value].flat().map((one) => [name, toText(one)] as const));
}

/** The names of the fields of a posted form that brought a file with something in it. */
export function filesOf(body: object): string[] {
  const brings = (value: unknown) => [value].flat().some((one) => Buffer.isBuffer(one) && one.length > 0);
  return Object.entries(body).flatMap(([name, value]) => (brings(value) ? [name] : []));
}

/** The version of the record with which a form was begun; 0, which no record has, where it cannot be read. */
export function versionOf({ version = "" }: Typed): number {
  return readId(version) ?? 0;
}

/** A number that the database counts up, from 1 on; undefined for text that is none. */
export function readId(text: string): number | undefined {
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}

/** The fields of a form that shows this record, or those with these names; absent ones are empty. */
export function typedOf(
  record: Readonly<Record<string, string | number | boolean | undefined>>,
  names: readonly string[] = Object.keys(record),
): Typed {
  return Object.fromEntries(names.map((name) => [name, fieldText(record[name])]));
}

function toText(value: unknown): string {
  return typeof value === "string" ? value.replaceAll(/\r\n?/g, "\n").trim() : "";
}
