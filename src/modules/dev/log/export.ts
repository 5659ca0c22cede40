import { setImmediate as nextTurn } from "node:timers/promises";
import type { Database } from "../../../db/database.ts";
import type { MessageRow } from "../../../db/schema.ts";
import { listMessages, type MessageFilters } from "../../../journal/messages.ts";
import type { CsvColumn } from "../../../web/csv.ts";

export const messageColumns: readonly CsvColumn<MessageRow>[] = [
  { head: "id", cell: (row) => row.id },
  { head: "receivedAt", cell: (row) => new Date(row.received_at).toISOString() },
  { head: "property", cell: (row) => row.property ?? undefined },
  { head: "message", cell: (row) => row.root ?? undefined },
  { head: "action", cell: (row) => row.action ?? undefined },
  { head: "outcome", cell: (row) => row.outcome },
  { head: "status", cell: (row) => row.status },
  { head: "milliseconds", cell: (row) => row.micros / 1_000 },
  { head: "requestBytes", cell: (row) => row.request_bytes },
  { head: "answerBytes", cell: (row) => row.answer_bytes },
  { head: "lines", cell: (row) => row.lines },
  { head: "changedNights", cell: (row) => row.changed_nights },
  { head: "dryRun", cell: (row) => row.dry_run === 1 },
  { head: "sender", cell: (row) => row.sender ?? undefined },
  { head: "via", cell: (row) => row.via },
  { head: "transport", cell: (row) => row.transport },
  { head: "echoToken", cell: (row) => row.echo_token ?? undefined },
  { head: "timeStamp", cell: (row) => row.stamp ?? undefined },
  { head: "remote", cell: (row) => row.remote ?? undefined },
  { head: "sameAs", cell: (row) => row.same_as ?? undefined },
  { head: "summary", cell: (row) => row.summary },
];

export function toRecord(row: MessageRow): Record<string, unknown> {
  return Object.fromEntries(messageColumns.map(({ head, cell }) => [head, cell(row)]));
}

/** Maximum number of exported messages. To export more, filter, or continue with the last ID as `before`. */
export const MAX_EXPORTED = 10_000;
const BATCH_SIZE = 1_000;

/** Yields up to `MAX_EXPORTED` messages, newest first. The caller should let other requests run between batches. */
export async function* exportMessages(database: Database, filters: MessageFilters): AsyncGenerator<MessageRow[]> {
  let left = MAX_EXPORTED;
  let { before } = filters;
  do {
    const limit = Math.min(BATCH_SIZE, left);
    const found = await listMessages(database, { ...filters, before, limit });
    yield found.messages;
    left -= found.messages.length;
    before = found.before;
  } while (before !== undefined && left > 0);
}

export async function messagesJson(batches: AsyncIterable<readonly MessageRow[]>) {
  const rows = (await Array.fromAsync(batches, (batch) => nextTurn(batch))).flat();
  return { messages: rows.map(toRecord), next: rows.length < MAX_EXPORTED ? null : rows.at(-1)!.id };
}
