import type { Database } from "../../../db/database.ts";
import type { Note } from "../../../journal/work.ts";
import { causeOf } from "./causes.ts";
import { type CodeKind, listCodes } from "./code-store.ts";
import { listRefused, type Refused, type RefusedQuery } from "./message-store.ts";

/** Refused messages with the same first error. `text` has `…` in place of values. */
export type RefusalCause = {
  code: number | undefined;
  text: string;
  count: number;
  firstAt: number;
  lastAt: number;
  /** The last message with this error, and the error's text. */
  message: number;
  example: string;
};

/** Lists refusals by cause, most frequent first. Covers the newest 500 refused messages from the last days (30 by default). */
export async function listCauses(database: Database, query: RefusedQuery): Promise<RefusalCause[]> {
  const causes = new Map<string, RefusalCause>();
  for (const refused of await listRefused(database, query)) {
    const error = firstError(refused);
    const text = causeOf(error);
    const known = causes.get(`${error.code} ${text}`);
    if (known) Object.assign(known, { count: known.count + 1, firstAt: refused.received_at });
    else causes.set(`${error.code} ${text}`, newCause(refused, error, text));
  }
  return [...causes.values()].toSorted((a, b) => b.count - a.count);
}

function newCause({ id, received_at }: Refused, error: Note, text: string): RefusalCause {
  return { code: error.code, text, count: 1, firstAt: received_at, lastAt: received_at, message: id, example: error.text };
}

const CREDENTIALS = "credentials: ";

/** For invalid credentials, the log has more details than the answer. */
function firstError({ notes, outcome, summary }: Refused): Note {
  const error = notes?.errors[0] ?? { type: 0, text: summary };
  const reason = notes?.advisories.find((text) => text.startsWith(CREDENTIALS))?.slice(CREDENTIALS.length);
  return outcome === "unauthorised" && reason !== undefined ? { ...error, text: `${summary}: ${reason}` } : error;
}

/** A sender's code that doesn't match any record. `property` is our code for the property, or undefined for kind `property`. */
export type UnknownCode = {
  kind: CodeKind;
  property: string | undefined;
  code: string;
  count: number;
  lastAt: number;
  /** The last message that contained this code. */
  message: number;
};

/** Lists codes refused as unknown in the last 30 days that still have neither a record nor a mapping, most frequent first. */
export async function listUnknownCodes(database: Database, query: RefusedQuery): Promise<UnknownCode[]> {
  const found = new Map<string, UnknownCode>();
  for (const refused of await listRefused(database, query)) {
    for (const one of extractUnknownCodes(refused)) {
      const known = found.getOrInsert(keyOf(one), one);
      if (known !== one) known.count++;
    }
  }
  const resolved = await listResolved(database, query.sender, [...found.values()]);
  return [...found.values()].filter((one) => !resolved.has(keyOf(one))).toSorted((a, b) => b.count - a.count);
}

function extractUnknownCodes({ id, received_at, property, outcome, notes }: Refused): UnknownCode[] {
  if (outcome === "unauthorised") return [];
  const codes = (notes?.errors ?? []).flatMap(({ unknown }) => unknown ?? []);
  const all = codes.map(({ kind, code }) => {
    const owner = kind === "property" ? undefined : (property ?? undefined);
    return { kind, property: owner, code, count: 1, lastAt: received_at, message: id };
  });
  return [...new Map(all.map((one) => [keyOf(one), one])).values()];
}

function keyOf({ kind, property, code }: Pick<UnknownCode, "kind" | "code"> & { property: string | undefined }): string {
  return `${kind}\n${property ?? ""}\n${code}`;
}

async function listResolved(database: Database, sender: string, unknown: readonly UnknownCode[]): Promise<ReadonlySet<string>> {
  const { read } = database;
  const codesOf = (kind: CodeKind) => unknown.filter((one) => one.kind === kind).map(({ code }) => code);
  const owned = ["property", "code"] as const;
  const [mapped, properties, categories, plans] = await Promise.all([
    listCodes(database, sender),
    read
      .selectFrom("property")
      .select("code")
      .where("code", "in", nonEmpty(codesOf("property")))
      .execute(),
    read
      .selectFrom("category")
      .select(owned)
      .where("code", "in", nonEmpty(codesOf("category")))
      .execute(),
    read
      .selectFrom("rate_plan")
      .select(owned)
      .where("code", "in", nonEmpty(codesOf("plan")))
      .execute(),
  ]);
  return new Set([
    ...mapped.map(keyOf),
    ...properties.map(({ code }) => keyOf({ kind: "property", property: undefined, code })),
    ...categories.map((one) => keyOf({ kind: "category", ...one })),
    ...plans.map((one) => keyOf({ kind: "plan", ...one })),
  ]);
}

/** Replaces an empty list with an empty code, because SQL can't match an empty list. No code is empty. */
function nonEmpty(codes: readonly string[]): readonly string[] {
  return codes.length === 0 ? [""] : codes;
}
