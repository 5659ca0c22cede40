import { hash } from "node:crypto";
import { type Applied, applyOperations } from "../calendar/apply.ts";
import { auditStatement } from "../db/audit.ts";
import type { BatchDecision, Database, Statement } from "../db/database.ts";
import type { MessageRow } from "../db/schema.ts";
import { storable } from "../db/text.ts";
import { type Packed, packBodies } from "./body.ts";
import { packInTurn } from "./packing.ts";
import { type Readings, readingOf } from "./reading.ts";
import { checkRequested } from "./requested.ts";
import { sightedPlans } from "./sighted-plans.ts";
import type { Receipt, Verdict, Work } from "./work.ts";
import { writeActivity, writeBodies, writeCategories, writeMessage, writeNights, writePlans } from "./writing.ts";

/**
 * Decides a message under the lock of its property and stores the whole result, with its log entry.
 * Rejects, with nothing stored, when the database or the rules fail.
 */
export async function receive(database: Database, work: Work): Promise<Receipt> {
  const packed = await packInTurn(database, work);
  const bodyHash = hashOf(packed.bytes);
  const { statements, take } = readingOf(work, bodyHash);
  return database.commit({
    lock: work.property,
    read: statements,
    decide: (rows, id) => decide(work, take(rows), { id, bodyHash, packed }),
  });
}

/** The first 48 bits of the SHA-1 of a body as kept: with the length, enough to tell the bodies of one hotel apart. */
function hashOf(kept: Uint8Array): number {
  return Number.parseInt(hash("sha1", kept, "hex").slice(0, 12), 16);
}

type Entry = { id: number; bodyHash: number; packed: Packed };

function decide(work: Work, readings: Readings, entry: Entry): BatchDecision<Receipt> {
  const verdict = work.decide(readings.directory, entry.id);
  const applied = applyVerdict(work, readings, { verdict, id: entry.id });
  const { received } = work;
  const at = Math.max(received.at + Math.round(received.elapsed()), readings.lastMessageAt ?? 0);
  const effects = received.dryRun ? [] : effectsOf(work, readings, { verdict, applied, id: entry.id, at });
  const row = messageRow(work, entry, { verdict, applied, sameAs: readings.sameAs });
  const bodies = writeBodies(entry.id, packBodies(entry.packed, verdict.answer), JSON.stringify(verdict.notes));
  const { changedNights, changes } = applied;
  const { outcome, summary, notes, completeSet } = verdict;
  return {
    write: [...effects, ...writeMessage(row), bodies],
    result: { id: entry.id, verdict: { outcome, summary, notes, completeSet }, changedNights, changes, sameAs: readings.sameAs },
  };
}

const NOTHING_APPLIED: Applied = { pages: [], changedNights: 0, lastNight: undefined, changes: [] };

function applyVerdict(work: Work, { directory, pages }: Readings, { verdict, id }: { verdict: Verdict; id: number }): Applied {
  if (!directory.property || !isAccepted(verdict)) return NOTHING_APPLIED;
  const applied = applyOperations(pages, verdict.operations, id);
  checkRequested(applied.pages, work.pages);
  return applied;
}

function isAccepted({ outcome }: Verdict): boolean {
  return outcome === "ok" || outcome === "warnings";
}

type Effects = { verdict: Verdict; applied: Applied; id: number; at: number };

/**
 * What is stored beside the log entry. `at` is the moment of the decision, or that of the property's previous message if the clock was
 * set back: undo records have the same order by time as by id.
 */
function effectsOf({ received }: Work, { directory }: Readings, { verdict, applied, id, at }: Effects): Statement[] {
  const property = directory.property?.code;
  if (property === undefined) return [];
  if (!isAccepted(verdict)) return [writeActivity(property, at, undefined)];
  return [
    ...writeCategories(verdict.categories),
    ...verdict.history.map((change) => auditStatement({ ...change, at, actor: received.sender ?? "channel", message: id })),
    ...writePlans(sightedPlans(directory, verdict.plans, { property, at, sender: received.sender })),
    ...writeNights(applied, { property, message: id, at }),
    writeActivity(property, at, verdict.completeSet),
  ];
}

/** Longer than any code; PostgreSQL limits the text in an index. */
const CODE_LENGTH = 200;

type Result = { verdict: Verdict; applied: Applied; sameAs: number | undefined };

function messageRow({ property, request, received }: Work, { id, bodyHash }: Entry, { verdict, applied, sameAs }: Result): MessageRow {
  return {
    id,
    received_at: received.at,
    property: text(property?.slice(0, CODE_LENGTH)),
    sender: text(received.sender),
    via: received.via,
    transport: received.transport,
    root: text(received.root),
    action: text(received.action),
    outcome: verdict.outcome,
    status: verdict.status,
    micros: Math.round(received.elapsed() * 1_000),
    request_bytes: request.length,
    answer_bytes: verdict.answer.length,
    lines: received.lines,
    changed_nights: applied.changedNights,
    last_night: (received.dryRun ? undefined : applied.lastNight) ?? null,
    dry_run: Number(received.dryRun),
    echo_token: text(received.echoToken),
    stamp: text(received.stamp),
    remote: text(received.remote),
    body_hash: bodyHash,
    same_as: sameAs ?? null,
    summary: text(verdict.summary) ?? "",
    pruned: 0,
  };
}

function text(value: string | undefined): string | null {
  return storable(value) ?? null;
}
