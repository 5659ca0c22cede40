import type { FastifyRequest } from "fastify";
import { type Cursor, parseCursor } from "../../journal/feed/cursor.ts";
import { CHANGE_KINDS, type FeedFilter } from "../../journal/feed/store.ts";
import { quote } from "../../text.ts";
import { type Faults, readTypedFields } from "../../web/form.ts";

export type FeedFormat = "json" | "ndjson" | "events";

/** Without `after`, the feed starts with the oldest change. `limit` is undefined for an endless stream. */
export type FeedQuery = FeedFilter & {
  after: Cursor | undefined;
  limit: number | undefined;
  /** How long to wait for a change, in seconds. */
  wait: number;
  withValues: boolean;
  format: FeedFormat;
};

const MAX_LIMIT = 1_000;
/** Proxies often end requests that are idle for a minute. */
const MAX_WAIT_SECONDS = 60;

/** Reads a feed query. `properties` contains the codes as the client sent them. */
export function readFeedQuery(request: FastifyRequest): { query: FeedQuery; faults: Faults } {
  const fields = Map.groupBy(readTypedFields(request.query), ([name]) => name);
  const all = (name: string) => (fields.get(name) ?? []).map(([, value]) => value).filter((value) => value !== "");
  const faults: Record<string, string> = {};
  for (const name of fields.keys())
    if (!PARAMETER_NAMES.has(name)) faults[name] = `Unknown parameter. Use ${[...PARAMETER_NAMES].join(", ")}`;
  const format = readFormat(request, all("format").at(-1), faults);
  const properties = all("property");
  const kinds = readChoices({ name: "kind", values: all("kind"), allowed: CHANGE_KINDS }, faults);
  const include = readChoices({ name: "include", values: all("include"), allowed: ["values"] }, faults);
  const query: FeedQuery = {
    after: readCursor(request.headers["last-event-id"] ?? all("after").at(-1), faults),
    limit: readNumber({ name: "limit", text: all("limit").at(-1), from: 1, to: MAX_LIMIT }, faults),
    wait: readNumber({ name: "wait", text: all("wait").at(-1), from: 0, to: MAX_WAIT_SECONDS }, faults) ?? 0,
    properties: properties.length === 0 ? undefined : [...new Set(properties)],
    kinds: kinds.length === 0 ? undefined : kinds,
    withValues: include.length > 0,
    format,
  };
  if (format === "json") query.limit ??= MAX_LIMIT;
  return { query, faults };
}

const PARAMETER_NAMES = new Set(["after", "limit", "wait", "property", "kind", "include", "format"]);

const FORMATS_BY_TYPE: readonly (readonly [type: string, format: FeedFormat])[] = [
  ["text/event-stream", "events"],
  ["application/x-ndjson", "ndjson"],
];

/** Reads the response format. `format` overrides `Accept`. */
function readFormat({ headers }: FastifyRequest, text: string | undefined, faults: Record<string, string>): FeedFormat {
  if (text === "json" || text === "ndjson" || text === "events") return text;
  if (text !== undefined) faults.format = `Choose json, ndjson or events, not “${quote(text)}”`;
  return FORMATS_BY_TYPE.find(([type]) => headers.accept?.includes(type))?.[1] ?? "json";
}

/** Reads the cursor. When an event source reconnects, it uses the original URL and sends the ID of its last event. */
function readCursor(text: string | string[] | undefined, faults: Record<string, string>): Cursor | undefined {
  if (text === undefined || text === "") return undefined;
  const cursor = parseCursor(String(text));
  if (cursor === undefined) faults.after = "Enter a cursor exactly as returned by an earlier response or a snapshot";
  return cursor;
}

type NumberRange = { name: string; text: string | undefined; from: number; to: number };

function readNumber({ name, text, from, to }: NumberRange, faults: Record<string, string>): number | undefined {
  if (text === undefined) return undefined;
  const number = /^\d{1,9}$/.test(text) ? Number(text) : undefined;
  if (number !== undefined && number >= from && number <= to) return number;
  faults[name] = `Enter a whole number from ${from} to ${to}, not “${quote(text)}”`;
  return undefined;
}

type ListParameter<T> = { name: string; values: readonly string[]; allowed: readonly T[] };

function readChoices<T extends string>({ name, values, allowed }: ListParameter<T>, faults: Record<string, string>): T[] {
  const chosenNames = new Set(values.flatMap((value) => value.split(",")));
  const unknownName = chosenNames.values().find((value) => !allowed.includes(value as T));
  if (unknownName !== undefined) faults[name] = `Choose ${allowed.join(", ")}, not “${quote(unknownName)}”`;
  return allowed.filter((value) => chosenNames.has(value));
}
