import { setImmediate as nextTurn } from "node:timers/promises";
import type { Database } from "../../db/database.ts";
import type { MessageRow } from "../../db/schema.ts";
import { listMessages, type MessageFilters } from "../../journal/messages.ts";
import type { CsvColumn } from "../../web/export.ts";

/** A message of the log as data: times in UTC, absent is undefined. */
export type MessageRecord = ReturnType<typeof toRecord>;

/** The message that a row of the log holds. */
export function toRecord(row: MessageRow) {
  return {
    id: row.id,
    receivedAt: new Date(row.received_at).toISOString(),
    property: row.property ?? undefined,
    message: row.root ?? undefined,
    action: row.action ?? undefined,
    outcome: row.outcome,
    status: row.status,
    milliseconds: row.micros / 1_000,
    requestBytes: row.request_bytes,
    answerBytes: row.answer_bytes,
    lines: row.lines,
    changedNights: row.changed_nights,
    dryRun: row.dry_run === 1,
    sender: row.sender ?? undefined,
    via: row.via,
    transport: row.transport,
    echoToken: row.echo_token ?? undefined,
    timeStamp: row.stamp ?? undefined,
    remote: row.remote ?? undefined,
    sameAs: row.same_as ?? undefined,
    summary: row.summary,
  };
}

const HEADS = [
  "id",
  "receivedAt",
  "property",
  "message",
  "action",
  "outcome",
  "status",
  "milliseconds",
  "requestBytes",
  "answerBytes",
  "lines",
  "changedNights",
  "dryRun",
  "sender",
  "via",
  "transport",
  "echoToken",
  "timeStamp",
  "remote",
  "sameAs",
  "summary",
] as const satisfies readonly (keyof MessageRecord)[];

/** An empty cell is what the message did not have. */
export const messageColumns: readonly CsvColumn<MessageRecord>[] = HEADS.map((head) => ({ head, cell: (record) => record[head] }));

const MOST = 10_000;
const AT_ONCE = 1_000;

/** The filtered messages, newest first, at most 10,000 of them. In batches, between which others are answered. */
export async function* exportMessages(database: Database, filters: MessageFilters): AsyncGenerator<MessageRecord[]> {
  let left = MOST;
  for (let before = filters.before; ; await nextTurn()) {
    const limit = Math.min(AT_ONCE, left);
    const found = await listMessages(database, { ...filters, ...(before !== undefined && { before }), limit });
    yield found.messages.map(toRecord);
    left -= found.messages.length;
    before = found.before;
    if (before === undefined || left === 0) return;
  }
}

/** All batches as one list. `next` is the id to ask for `before`, null at the end. */
export async function messagesJson(batches: AsyncIterable<readonly MessageRecord[]>) {
  const messages = (await Array.fromAsync(batches)).flat();
  return { messages, next: messages.length < MOST ? null : messages.at(-1)!.id };
}
