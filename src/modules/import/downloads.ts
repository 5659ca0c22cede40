import type { FastifyReply } from "fastify";
import type { Database } from "../../db/database.ts";
import type { ImportedRecord, ImportKind } from "../../records/import/kinds.ts";
import { streamRecords } from "../../records/import/records-store.ts";
import { type CsvColumn, sendCsv } from "../../web/csv.ts";

/** Every column that an import can set, in the order of exports. */
function columnsOf({ keys, fields }: ImportKind): CsvColumn<ImportedRecord>[] {
  return [...keys, ...fields].map((head) => ({ head, cell: (record) => record[head] }));
}

export function sendTemplate(kind: ImportKind, reply: FastifyReply): Promise<FastifyReply> {
  return sendCsv(reply, `${kind.many}-template`, { columns: columnsOf(kind), batches: [] });
}

export function sendCurrent(database: Database, kind: ImportKind, reply: FastifyReply): Promise<FastifyReply> {
  return sendCsv(reply, kind.many, { columns: columnsOf(kind), batches: streamRecords(database, kind) });
}
