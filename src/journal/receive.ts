import { hash } from "node:crypto";
import { type ChangedPage, type AppliedChanges, applyOperations } from "../calendar/apply.ts";
import { DAY_MS } from "../calendar/night.ts";
import { spanOf } from "../calendar/page.ts";
import type { BatchDecision, Database, Statement } from "../db/database.ts";
import type { MessageRow } from "../db/schema.ts";
import { toStorable } from "../db/statements.ts";
import { auditStatement } from "../records/audit.ts";
import { type OutboxEntry, outboxStatements } from "../records/outbox.ts";
import { type PackedRequest, packBodies, packRequest } from "./body.ts";
import { hasNewValues, updatedPlans } from "./plan-updates.ts";
import { type StoredState, prepareReading } from "./reading.ts";
import {
  type PageRequest,
  type Receipt,
  type ReceivedMessage,
  requestKey,
  type StoredPlan,
  type MessageVerdict,
  type MessageWork,
} from "./work.ts";
import {
  writeActivity,
  writeBodies,
  writeCategories,
  writeDistribution,
  writeMessage,
  writeNights,
  writePlans,
  writeProperty,
} from "./writing.ts";

/** Resolves when the result and the log entry are durable. If it rejects, nothing was stored. */
export async function receiveMessage(database: Database, work: MessageWork): Promise<Receipt> {
  const packedRequest = await packRequest(work.request);
  const bodyHash = hashBody(packedRequest.bytes);
  const { statements, take } = prepareReading(work, bodyHash);
  return database.commit({
    lock: work.property,
    read: statements,
    decide: (rows, id) => decideMessage(work, take(rows), { id, bodyHash, packed: packedRequest }),
  });
}

/** Returns the first 48 bits of the stored body's SHA-1. Within a property, hash and length identify a body. */
function hashBody(kept: Uint8Array): number {
  return Number.parseInt(hash("sha1", kept, "hex").slice(0, 12), 16);
}

type LogEntry = { id: number; bodyHash: number; packed: PackedRequest };

type DecidedMessage = { work: MessageWork; readings: StoredState; entry: LogEntry; verdict: MessageVerdict; applied: AppliedChanges };

function decideMessage(work: MessageWork, readings: StoredState, entry: LogEntry): BatchDecision<Receipt> {
  const verdict = work.decide(readings.directory, entry.id);
  const decidedMessage = { work, readings, entry, verdict, applied: applyVerdict(work, readings, { verdict, id: entry.id }) };
  const effects = work.received.dryRun ? [] : effectStatements(decidedMessage);
  const row = messageRow(decidedMessage);
  const bodies = writeBodies(row, packBodies(entry.packed, verdict.reply.body), JSON.stringify(verdict.notes));
  return { write: [...effects, ...writeMessage(row), bodies], result: toReceipt(decidedMessage) };
}

const NO_APPLIED_CHANGES: AppliedChanges = { pages: [], changedNights: 0, lastNight: undefined, changes: [] };

function applyVerdict(
  work: MessageWork,
  { directory }: StoredState,
  { verdict, id }: { verdict: MessageVerdict; id: number },
): AppliedChanges {
  if (!directory.property || !isAccepted(verdict)) return NO_APPLIED_CHANGES;
  const appliedChanges = applyOperations(directory.pages, verdict.operations, id);
  checkRequested(appliedChanges.pages, work.pages);
  return appliedChanges;
}

function isAccepted({ outcome }: MessageVerdict): boolean {
  return outcome === "ok" || outcome === "warnings";
}

function toReceipt({ readings: { sameAs }, entry: { id }, verdict, applied: { changedNights, changes } }: DecidedMessage): Receipt {
  const { reply, outcome, summary, notes, completeSet } = verdict;
  return { id, reply, verdict: { outcome, summary, notes, completeSet }, changedNights, changes, sameAs };
}

function effectStatements(decided: DecidedMessage): Statement[] {
  const { work, readings, entry, verdict, applied: appliedChanges } = decided;
  const { id } = entry;
  const { directory } = readings;
  const { received, distributionOf } = work;
  const property = directory.property?.code;
  if (property === undefined) return [];
  const at = decisionTime(received, readings);
  // A refused message changes nothing and doesn't count as activity.
  if (!isAccepted(verdict)) return [];
  const plans = updatedPlans(directory, verdict.plans, { property, at, sender: received.sender });
  return [
    ...(verdict.property ? writeProperty(verdict.property) : []),
    ...writeCategories(verdict.categories),
    ...verdict.history.map((change) => auditStatement({ ...change, at, actor: received.sender ?? "channel", message: id })),
    ...writePlans(plans),
    ...writeNights(appliedChanges, { property, message: id, at }),
    ...outboxStatements(outboxChanges(decided, plans).map((change) => ({ ...change, property, message: id, at }))),
    writeActivity(property, at, verdict.completeSet),
    ...(verdict.distribution === undefined ? [] : [writeDistribution(verdict.distribution, { sender: distributionOf?.sender, property })]),
  ];
}

/** Returns the changes for the change feed. Repeated values change nothing. */
function outboxChanges(
  { readings, verdict, applied: appliedChanges }: DecidedMessage,
  plans: readonly StoredPlan[],
): Pick<OutboxEntry, "kind" | "category" | "plan">[] {
  const changedPlans = plans.filter((plan) => hasNewValues(readings.directory.plans.get(plan.code), plan));
  return [
    ...(verdict.property ? [{ kind: "record" } as const] : []),
    ...verdict.categories.map(({ code }) => ({ kind: "record", category: code }) as const),
    ...changedPlans.map(({ code }) => ({ kind: "record", plan: code }) as const),
    ...(appliedChanges.pages.some(({ undo }) => undo !== undefined) ? [{ kind: "nights" } as const] : []),
  ];
}

/**
 * Returns the time of the decision, or of the property's previous message if the clock was set back a little, because undo records must be
 * in the same order by time as by ID. Ignores the previous message if it was stored while the clock was far ahead.
 */
function decisionTime({ at, elapsed }: ReceivedMessage, { lastMessageAt = 0 }: StoredState): number {
  const now = at + Math.round(elapsed());
  return lastMessageAt > now + DAY_MS ? now : Math.max(now, lastMessageAt);
}

/** Not null, because a distributed database places each message by its property. */
const NO_PROPERTY = "";
/** PostgreSQL limits the length of index entries. */
const MAX_CODE_LENGTH = 200;

function messageRow({ work, readings, entry, verdict, applied: appliedChanges }: DecidedMessage): MessageRow {
  const { property, request, received } = work;
  return {
    id: entry.id,
    received_at: received.at,
    property: toNullableText((property ?? received.claimed)?.slice(0, MAX_CODE_LENGTH)) ?? NO_PROPERTY,
    sender: toNullableText(received.sender),
    via: received.via,
    transport: received.transport,
    root: toNullableText(received.root),
    action: toNullableText(received.action),
    outcome: verdict.outcome,
    status: verdict.reply.status,
    micros: Math.round(received.elapsed() * 1_000),
    request_bytes: request.length,
    answer_bytes: verdict.reply.body.length,
    lines: received.lines,
    changed_nights: appliedChanges.changedNights,
    last_night: (received.dryRun ? undefined : appliedChanges.lastNight) ?? null,
    dry_run: Number(received.dryRun),
    echo_token: toNullableText(received.echoToken),
    stamp: toNullableText(received.stamp),
    remote: toNullableText(received.remote),
    body_hash: entry.bodyHash,
    same_as: readings.sameAs ?? null,
    summary: toNullableText(verdict.summary) ?? "",
    pruned: 0,
  };
}

function toNullableText(value: string | undefined): string | null {
  return toStorable(value) ?? null;
}

/** Thrown if an operation changed a page that was not requested and therefore not read. Storing the page would lose data. */
export class UnrequestedPageError extends Error {
  override readonly name = "UnrequestedPageError";
}

function checkRequested(changed: readonly ChangedPage[], requests: readonly PageRequest[]): void {
  if (changed.length === 0) return;
  const byLane = groupRequests(requests);
  for (const { kind, category, lane, span } of changed) {
    const isRequested = (name: string) => byLane.get(name)?.some(({ first, last }) => span >= spanOf(first) && span <= spanOf(last));
    const isCovered = [category, undefined].some(
      (known) =>
        isRequested(requestKey({ kind, category: known, lane })) || isRequested(requestKey({ kind, category: known, lane: undefined })),
    );
    if (!isCovered) throw new UnrequestedPageError(`${kind} page ${span} of ${category}/${lane} was not requested`);
  }
}

function groupRequests(requests: readonly PageRequest[]): Map<string, PageRequest[]> {
  return Map.groupBy(requests, requestKey);
}
