import type { FastifyReply } from "fastify";
import type { Database } from "../../db/database.ts";
import type { ImportKind } from "../../records/import/kinds.ts";
import { streamRecords } from "../../records/import/records-store.ts";
import { sendCsv } from "../../web/csv.ts";
import { toCsvColumns } from "../../web/record-list.ts";

/** Sends a CSV file that contains only a header, with the columns that an import reads. */
export function sendTemplate({ keys, fields, many }: ImportKind, reply: FastifyReply): Promise<FastifyReply> {
  const columns = [...keys, ...fields].map((head) => ({ head, cell: () => undefined }));
  return sendCsv(reply, `${many}-template`, { columns, batches: [] });
}

/** Sends all records as CSV, ordered by key, with the same columns as the list's export. */
export function sendCurrent(database: Database, kind: ImportKind, reply: FastifyReply): Promise<FastifyReply> {
  return sendCsv(reply, kind.many, { columns: toCsvColumns([...kind.keys, ...kind.fields]), batches: streamRecords(database, kind) });
}
