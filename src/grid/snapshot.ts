import { Readable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { FastifyReply, FastifyRequest } from "fastify";
import { type Night, todayIn } from "../calendar/night.ts";
import { formatCursor } from "../journal/feed/cursor.ts";
import { findTipCursor } from "../journal/feed/store.ts";
import { type Faults, readTypedFields } from "../web/form.ts";
import { requireProperty } from "../web/guard/grant.ts";
import { NotFoundException } from "../web/http-error.ts";
import { sendFaults } from "../web/json.ts";
import { readQuery } from "../web/negotiate.ts";
import type { GridContext, GridSources } from "./context.ts";
import { readDate } from "./query.ts";
import { RECEIVED_READERS, type ReceivedQuery } from "./received.ts";

/** If `properties` is undefined, the snapshot has all properties. By default, nights run from today to each property's horizon. */
type SnapshotQuery = {
  properties: readonly string[] | undefined;
  from: Night | undefined;
  to: Night | undefined;
  format: "json" | "ndjson";
  faults: Faults;
};

const MAX_NIGHTS = 1_500;
/** Maximum number of nights from yesterday to the end of any property's booking horizon. */
const MAX_HORIZON_DAYS = 1_102;
const OTHER_PARAMETERS = ["days", "asOf", "only", "category", "plan"];

/**
 * Returns undefined if the request is for a grid. NDJSON is always a snapshot. JSON is a snapshot if the query has several properties or a
 * last night.
 */
export function readSnapshotQuery(request: FastifyRequest, now: number): SnapshotQuery | undefined {
  const typed = readQuery(request);
  const isNdjson = typed.format === "ndjson" || (typed.format === undefined && request.headers.accept?.includes("application/x-ndjson"));
  const fields = readTypedFields(request.query);
  const propertyCodes = new Set(fields.flatMap(([name, value]) => (name === "property" && value !== "" ? [value] : [])));
  if (!isNdjson && !(typed.format === "json" && (propertyCodes.size > 1 || typed.to !== undefined))) return undefined;
  const faults: Record<string, string> = {};
  const [from, to] = [readDate(typed.from, "from", faults), readDate(typed.to, "to", faults)];
  const [first, last] = [from ?? earliestYesterday(now), to ?? earliestYesterday(now) + MAX_HORIZON_DAYS];
  if (last < first) faults.to = "Enter a date on or after the first night";
  if (last - first >= MAX_NIGHTS) faults.to = `Enter the last night of a range of up to ${MAX_NIGHTS} nights`;
  for (const name of OTHER_PARAMETERS) if (typed[name]) faults[name] = "Not available in a snapshot; use property, from and to";
  return { properties: propertyCodes.size === 0 ? undefined : [...propertyCodes], from, to, format: isNdjson ? "ndjson" : "json", faults };
}

/** Returns the day before the current UTC date. No time zone has an earlier date. */
function earliestYesterday(now: number): Night {
  return todayIn("UTC", now) - 1;
}

type SnapshotRequest = SnapshotQuery & { kind: "inventories" | "rates" };

/**
 * Streams the received nights, one row per line, followed by the change feed cursor to continue from. The cursor comes last, so a snapshot
 * without a cursor is incomplete. Throws `NotFoundException` for an unknown property.
 */
export async function sendSnapshot(sources: GridSources, reply: FastifyReply, snapshot: SnapshotRequest): Promise<FastifyReply> {
  if (Object.keys(snapshot.faults).length > 0) return sendFaults(reply, snapshot.faults);
  const properties = await listProperties(sources, reply.request, snapshot);
  // The cursor is read before the nights, so that a concurrent change is in the snapshot, in the feed, or in both.
  const cursor = formatCursor(await findTipCursor(sources.database));
  const rows = snapshotRows(sources, properties, snapshot);
  const lines = snapshot.format === "json" ? jsonLines(rows, cursor) : ndjsonLines(rows, cursor);
  const type = snapshot.format === "json" ? "application/json" : "application/x-ndjson";
  return reply
    .type(`${type}; charset=utf-8`)
    .header("cache-control", "no-store")
    .send(Readable.from(lines, { highWaterMark: 1 }));
}

type SnapshotProperties = AsyncIterable<GridContext["property"]> | readonly GridContext["property"][];

async function listProperties(sources: GridSources, request: FastifyRequest, { properties }: SnapshotQuery): Promise<SnapshotProperties> {
  for (const code of properties ?? []) requireProperty(request, code);
  const codes = properties ?? request.user?.grant?.properties;
  if (codes === undefined) return sources.streamProperties(sources.database);
  return Promise.all(codes.map((code) => findProperty(sources, code)));
}

async function findProperty({ database, findProperty: find }: GridSources, code: string): Promise<GridContext["property"]> {
  const property = await find(database, code);
  if (!property) throw new NotFoundException(`Property '${code}' not found`);
  return property;
}

/** Yields the rows of one category at a time, to save memory. */
async function* snapshotRows(
  sources: GridSources,
  properties: SnapshotProperties,
  { kind, from, to }: SnapshotRequest,
): AsyncGenerator<string[]> {
  const { database, clock, categoriesOf } = sources;
  const readRows = RECEIVED_READERS[kind === "rates" ? "rates" : "inventory"];
  for await (const { code: property, timeZone, horizonDays } of properties) {
    const today = todayIn(timeZone, clock.now());
    const first = from ?? today;
    const last = to ?? today + horizonDays;
    if (last < first) continue;
    for (const { code } of await categoriesOf(database, property)) {
      const query: ReceivedQuery = { property, categories: [code], first, last };
      yield (await readRows(database, query)).flatMap(({ runsIn, ...key }) => {
        const nights = runsIn([{ first, last }]).filter(({ values }) => Object.keys(values).length > 0);
        return nights.length === 0 ? [] : [JSON.stringify({ property, ...key, nights })];
      });
      await nextTurn();
    }
  }
}

async function* ndjsonLines(rows: AsyncIterable<readonly string[]>, cursor: string): AsyncGenerator<string> {
  for await (const batch of rows) if (batch.length > 0) yield `${batch.join("\n")}\n`;
  yield `${JSON.stringify({ cursor })}\n`;
}

async function* jsonLines(rows: AsyncIterable<readonly string[]>, cursor: string): AsyncGenerator<string> {
  let separator = '{"rows":[\n';
  for await (const batch of rows) {
    if (batch.length === 0) continue;
    yield `${separator}${batch.join(",\n")}`;
    separator = ",\n";
  }
  yield `${separator === ",\n" ? "" : separator}\n],"cursor":${JSON.stringify(cursor)}}\n`;
}
