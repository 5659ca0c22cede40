import type { FastifyReply } from "fastify";
import type { Database } from "../../db/database.ts";
import type { ImportKind } from "../../records/import/kinds.ts";
import { streamRecords } from "../../records/import/records-store.ts";
import { sendCsv } from "../../web/csv.ts";
import { columnsOf } from "../../web/record-list.ts";

/** The columns that an import reads. */
export function sendTemplate({ keys, fields, many }: ImportKind, reply: FastifyReply): Promise<FastifyReply> {
  const columns = [...keys, ...fields].map((head) => ({ head, cell: () => undefined }));
  return sendCsv(reply, `${many}-template`, { columns, batches: [] });
}

/** The same columns as in the CSV of the list, in the order of the keys. */
export function sendCurrent(database: Database, kind: ImportKind, reply: FastifyReply): Promise<FastifyReply> {
  return sendCsv(reply, kind.many, { columns: columnsOf([...kind.keys, ...kind.fields]), batches: streamRecords(database, kind) });
}
