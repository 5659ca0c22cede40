import { z } from "zod";
import type { Faults, TypedValues } from "./form.ts";
import { readMoment } from "./parts/moment.ts";

type FilterValues<S extends Record<string, z.ZodType>> = { [Name in keyof S]?: z.output<S[Name]> };

const MAX_VALUE_LENGTH = 200;

/** Reads each filter by its schema. Reports invalid filters in `faults` and ignores them. */
export function readFilters<S extends Record<string, z.ZodType>>(
  schemas: S,
  typed: TypedValues,
): { filters: FilterValues<S>; faults: Faults } {
  const filters: Record<string, unknown> = {};
  const faults: Record<string, string> = {};
  for (const [name, schema] of Object.entries(schemas)) {
    if (!typed[name]) continue;
    const parsedValue = schema.safeParse(typed[name].slice(0, MAX_VALUE_LENGTH));
    if (parsedValue.success) filters[name] = parsedValue.data;
    else faults[name] = parsedValue.error.issues[0]!.message;
  }
  return { filters: filters as FilterValues<S>, faults };
}

export function parsedWith<T>(read: (text: string) => T | undefined, message: string) {
  return z.string().transform((text, context) => {
    const value = read(text);
    if (value === undefined) context.addIssue({ code: "custom", message });
    return value ?? z.NEVER;
  });
}

export function momentFilter(edge: "first" | "last") {
  return parsedWith((text) => readMoment(text, edge), "Enter a date such as 2026-11-20, or a time such as 2026-11-20T08:30");
}

/** Reports a `to` before `from` and ignores it, because the list would be empty without explanation. */
export function requireOrder<F extends { from?: number; to?: number }>(read: {
  filters: F;
  faults: Faults;
}): { filters: F; faults: Faults } {
  const { from, to, ...others } = read.filters;
  if (from === undefined || to === undefined || from <= to) return read;
  return { filters: { ...others, from } as F, faults: { ...read.faults, to: "Enter a time that is not before From" } };
}
