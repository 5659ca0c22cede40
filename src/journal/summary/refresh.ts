import { setImmediate as nextTurn } from "node:timers/promises";
import type { Database } from "../../db/database.ts";
import { type Cursor } from "../feed/cursor.ts";
import type { NightRange } from "../feed/expand.ts";
import { sequenceChanges } from "../feed/sequence.ts";
import { ExpiredCursorError, type FeedChange, readChanges } from "../feed/store.ts";
import { makeSummaries, type SummaryRequest } from "./make.ts";
import { findProgress, nextProperties, type SummaryProgress, type PropertySummaries, storeSummaries } from "./store.ts";

const MAX_CHANGES = 5_000;
const PROPERTIES_PER_FILL = 20;
/** Sorts before every code. */
const BEFORE_FIRST_CODE = "";

/** Changes that the summaries don't include yet. `since` is the time of the oldest change, in milliseconds since 1970. */
export type SummaryBacklog = { changes: number; since: number | undefined; isFilling: boolean };

/**
 * Updates the summaries by one step, and returns whether there is more to do. Any number of processes may call it: only the first to finish
 * a step stores it, so an older summary never replaces a newer one. `now` is in milliseconds since 1970.
 */
export async function refreshSummaries(database: Database, now: number): Promise<boolean> {
  const tip = await sequenceChanges(database);
  const progress = await findProgress(database.read);
  if (!progress) return storeSummaries(database, { before: undefined, after: { position: tip, filled: BEFORE_FIRST_CODE }, made: [] });
  if (progress.position < tip) return applyChanges(database, progress, { tip, now });
  return progress.filled === undefined ? false : fillSummaries(database, { ...progress, filled: progress.filled }, now);
}

async function applyChanges(database: Database, before: SummaryProgress, { tip, now }: { tip: number; now: number }): Promise<boolean> {
  const newChanges = await changesAfter(database, before.position, tip);
  if (!newChanges) return storeSummaries(database, { before, after: { position: tip, filled: BEFORE_FIRST_CODE }, made: [] });
  const newSummaries = await makeAllSummaries(database, summaryRequests(newChanges.changes), now);
  await storeSummaries(database, { before, after: { ...before, position: newChanges.position }, made: newSummaries });
  return newChanges.position < tip || before.filled !== undefined;
}

/** Returns undefined if some of the changes were deleted. */
async function changesAfter(database: Database, position: number, tip: number) {
  const changes: FeedChange[] = [];
  let next: Cursor = { position: position + 1, skip: 0, at: 0 };
  try {
    for (let isLast = false; !isLast && (changes.length < MAX_CHANGES || next.skip > 0);) {
      const page = await readChanges(database, {}, { after: next, tip, limit: MAX_CHANGES });
      changes.push(...page.changes);
      ({ next, isLast } = page);
    }
  } catch (error) {
    if (error instanceof ExpiredCursorError) return undefined;
    throw error;
  }
  return { changes, position: next.position - 1 };
}

/** Returns the nights to summarise. A record change may affect every night of its property. */
function summaryRequests(changes: readonly FeedChange[]): SummaryRequest[] {
  return [...Map.groupBy(changes, ({ property }) => property)].map(([property, own]) => ({
    property,
    nights: own.some(({ kind }) => kind === "record") ? undefined : own.flatMap(affectedNights),
  }));
}

function affectedNights(change: FeedChange): readonly NightRange[] {
  return change.kind === "record" ? [] : change.nights;
}

async function fillSummaries(database: Database, before: SummaryProgress & { filled: string }, now: number): Promise<boolean> {
  const codes = await nextProperties(database, before.filled, PROPERTIES_PER_FILL);
  const requests = codes.map((property) => ({ property, nights: undefined }));
  const newSummaries = await makeAllSummaries(database, requests, now);
  await storeSummaries(database, { before, after: { ...before, filled: codes.at(-1) }, made: newSummaries });
  return codes.length > 0;
}

async function makeAllSummaries(database: Database, requests: readonly SummaryRequest[], now: number): Promise<PropertySummaries[]> {
  const newSummaries: PropertySummaries[] = [];
  for (const request of requests) {
    newSummaries.push(await makeSummaries(database, request, now));
    await nextTurn();
  }
  return newSummaries;
}

export async function findBacklog(database: Database): Promise<SummaryBacklog> {
  const progress = await findProgress(database.read);
  if (!progress) return { changes: 0, since: undefined, isFilling: true };
  const { changes, since } = await database.read
    .selectFrom("change")
    .select(({ fn }) => [fn.countAll<number>().as("changes"), fn.min<number | null>("at").as("since")])
    .where("position", ">", progress.position)
    .executeTakeFirstOrThrow();
  return { changes, since: since ?? undefined, isFilling: progress.filled !== undefined };
}
