import type { Database } from "../../../db/database.ts";
import type { MessageFilters } from "../../../journal/messages.ts";
import type { MessageNote } from "../../../journal/work.ts";
import { causeText } from "./causes.ts";
import { type CodeKind, listCodes } from "./code-store.ts";
import { listMatchingRefused, listRefused, type RefusedMessage, type RefusedQuery } from "./message-store.ts";

/** Refused messages with the same first error. `text` has `…` in place of values. */
export type RefusalCause = {
  code: number | undefined;
  text: string;
  count: number;
  firstAt: number;
  lastAt: number;
  /** ID of the last message with this error. `example` and `summary` are from this message. */
  message: number;
  example: string;
  summary: string;
  senders: ReadonlySet<string>;
  properties: ReadonlySet<string>;
};

/**
 * Lists a sender's refusals by cause, most frequent first. Covers its newest 500 refused messages from the last `days` days (default 30).
 */
export async function listCauses(database: Database, query: RefusedQuery): Promise<RefusalCause[]> {
  return groupByCause(await listRefused(database, query));
}

/** Lists the log's refusals by cause, most frequent first. Covers the newest 500 refused messages that match the filters. */
export async function listCausesInLog(database: Database, filters: MessageFilters): Promise<RefusalCause[]> {
  return groupByCause(await listMatchingRefused(database, filters));
}

/** `messages` must be newest first. */
function groupByCause(messages: readonly RefusedMessage[]): RefusalCause[] {
  const foundCauses = messages.map((message) => {
    const error = firstError(message);
    return { message, error, text: causeText(error) };
  });
  const groups = Map.groupBy(foundCauses, ({ error, text }) => `${error.code} ${text}`);
  const causes = [...groups.values()].map((group): RefusalCause => {
    const { message, error, text } = group[0]!;
    return {
      ...{ code: error.code, text, count: group.length, message: message.id, example: error.text, summary: message.summary },
      ...{ firstAt: group.at(-1)!.message.received_at, lastAt: message.received_at },
      senders: new Set(group.flatMap((one) => one.message.sender ?? [])),
      properties: new Set(group.flatMap((one) => one.message.property ?? [])),
    };
  });
  return causes.toSorted((a, b) => b.count - a.count);
}

const CREDENTIALS_PREFIX = "credentials: ";

/** Returns a message's first error. For invalid credentials, this is the log entry's text, which has more details than the response. */
function firstError({ notes, outcome, summary }: RefusedMessage): MessageNote {
  const error = notes?.errors[0] ?? { type: 0, text: summary };
  const reason = notes?.advisories.find((text) => text.startsWith(CREDENTIALS_PREFIX))?.slice(CREDENTIALS_PREFIX.length);
  return outcome === "unauthorised" && reason !== undefined ? { ...error, text: `${summary}: ${reason}` } : error;
}

/** A sender's code that doesn't match any record. `property` is our code for the property, or undefined if the kind is `property`. */
export type UnknownCodeSummary = {
  kind: CodeKind;
  property: string | undefined;
  code: string;
  count: number;
  lastAt: number;
  /** The last message that contained this code. */
  message: number;
};

/** Lists codes that were refused as unknown in the last 30 days and still have neither a record nor a mapping, most frequent first. */
export async function listUnknownCodes(database: Database, query: RefusedQuery): Promise<UnknownCodeSummary[]> {
  const codes = new Map<string, UnknownCodeSummary>();
  for (const refusedMessage of await listRefused(database, query)) {
    for (const one of extractUnknownCodes(refusedMessage)) {
      const firstCode = codes.getOrInsert(codeKey(one), one);
      if (firstCode !== one) firstCode.count++;
    }
  }
  const resolvedCodes = await listResolvedCodes(database, query.sender, [...codes.values()]);
  return [...codes.values()].filter((one) => !resolvedCodes.has(codeKey(one))).toSorted((a, b) => b.count - a.count);
}

function extractUnknownCodes({ id, received_at, property, outcome, notes }: RefusedMessage): UnknownCodeSummary[] {
  if (outcome === "unauthorised") return [];
  const codes = (notes?.errors ?? []).flatMap(({ unknown }) => unknown ?? []);
  const all = codes.map(({ kind, code }) => {
    const owner = kind === "property" ? undefined : (property ?? undefined);
    return { kind, property: owner, code, count: 1, lastAt: received_at, message: id };
  });
  return [...new Map(all.map((one) => [codeKey(one), one])).values()];
}

function codeKey({ kind, property, code }: Pick<UnknownCodeSummary, "kind" | "code"> & { property: string | undefined }): string {
  return `${kind}\n${property ?? ""}\n${code}`;
}

async function listResolvedCodes(database: Database, sender: string, unknown: readonly UnknownCodeSummary[]): Promise<ReadonlySet<string>> {
  const { read } = database;
  const codesOfKind = (kind: CodeKind) => unknown.filter((one) => one.kind === kind).map(({ code }) => code);
  const ownedKinds = ["property", "code"] as const;
  const [mapped, properties, categories, plans] = await Promise.all([
    listCodes(database, sender),
    read
      .selectFrom("property")
      .select("code")
      .where("code", "in", nonEmpty(codesOfKind("property")))
      .execute(),
    read
      .selectFrom("category")
      .select(ownedKinds)
      .where("code", "in", nonEmpty(codesOfKind("category")))
      .execute(),
    read
      .selectFrom("rate_plan")
      .select(ownedKinds)
      .where("code", "in", nonEmpty(codesOfKind("plan")))
      .execute(),
  ]);
  return new Set([
    ...mapped.map(codeKey),
    ...properties.map(({ code }) => codeKey({ kind: "property", property: undefined, code })),
    ...categories.map((one) => codeKey({ kind: "category", ...one })),
    ...plans.map((one) => codeKey({ kind: "plan", ...one })),
  ]);
}

/** Returns the codes, or one empty code if there are none, because SQL can't match an empty list. No record has an empty code. */
function nonEmpty(codes: readonly string[]): readonly string[] {
  return codes.length === 0 ? [""] : codes;
}
