import type { FastifyReply } from "fastify";
import { type CsvColumn, sendCsv } from "./csv.ts";
import type { Faults } from "./form.ts";
import { html } from "./html.ts";
import { sendFaults, sendJson } from "./json.ts";
import { listFormat, readQuery, wantsJson } from "./negotiate.ts";
import { type Page, sendPage } from "./page.ts";
import { errorSummary, type FormState } from "./parts/fields.ts";
import type { RowCount, ListQuery } from "./parts/list.ts";
import { readSelection, selectionFault } from "./parts/selection.ts";

export type RecordList<Item> = {
  name: string;
  columns: readonly CsvColumn<Item>[];
  page(selectedKeys?: readonly string[]): Promise<Page>;
  /** With `after`, lists records in key order, starting after this key. */
  part(after: string | undefined): Promise<{ lines: readonly Item[]; count: RowCount }>;
  all(): AsyncIterable<readonly Item[]>;
  keyOf(item: Item): string;
  isKey(text: string): boolean;
  find(keys: readonly string[]): Promise<Item[]>;
};

type RequestedList = ListQuery & Pick<FormState, "faults">;

/**
 * Sends a list as a page, CSV or JSON. CSV and JSON contain only the selected rows, if rows are selected. The page reports and ignores
 * invalid filters.
 */
export async function sendList<Item extends TimedRecord>(
  reply: FastifyReply,
  query: RequestedList,
  list: RecordList<Item>,
): Promise<FastifyReply> {
  const format = listFormat(readQuery(reply.request));
  const selectedKeys = readSelection(reply.request.query);
  const isInvalid = Object.keys(query.faults).length > 0;
  if (format === "page") return isInvalid ? sendListFaults(reply, query.faults, await list.page()) : sendPage(reply, await list.page());
  if (selectedKeys) return sendSelected(reply, selectedKeys, list);
  if (isInvalid) return sendFaults(reply, query.faults);
  if (format === "csv") return sendCsv(reply, list.name, { columns: list.columns, batches: list.all() });
  return sendPart(reply, query, list);
}

/**
 * Sends part of a list in key order. If `after` is set, even to an empty string, `next` in the response is the key of its last record, or
 * null at the end.
 */
async function sendPart<Item extends TimedRecord>(reply: FastifyReply, { page, size }: RequestedList, list: RecordList<Item>) {
  const { after } = readQuery(reply.request);
  if (after && !list.isKey(after)) return sendFaults(reply, { after: "Enter the value of next from an earlier response" });
  const { lines, count } = await list.part(after);
  const nextKey = lines.length < size ? null : list.keyOf(lines.at(-1)!);
  return sendJson(reply, { ...count, ...(after === undefined ? { page, size } : { size, next: nextKey }), [list.name]: lines.map(toData) });
}

async function sendSelected<Item extends TimedRecord>(reply: FastifyReply, selectedKeys: readonly string[], list: RecordList<Item>) {
  const { name, columns } = list;
  const records = await list.find(selectedKeys);
  const fault = selectionFault(selectedKeys, records.map(list.keyOf));
  const isJson = wantsJson(reply.request);
  if (fault !== undefined)
    return isJson ? sendFaults(reply, { chosen: fault }) : sendListFaults(reply, { chosen: fault }, await list.page(selectedKeys));
  if (!isJson) return sendCsv(reply, name, { columns, batches: [records] });
  return sendJson(reply, { total: records.length, exact: true, page: 1, size: records.length, [name]: records.map(toData) });
}

function sendListFaults(reply: FastifyReply, faults: Faults, page: Page): FastifyReply {
  return sendPage(reply, { ...page, refused: true, main: html`${errorSummary(faults)} ${page.main}` });
}

type FieldValue = string | number | boolean | undefined;

type TimedRecord = { createdAt: number; updatedAt: number };

/** Returns a record as JSON, with form field names and ISO 8601 times in UTC. */
export function toData<Item extends TimedRecord>({ createdAt, updatedAt, ...fields }: Item) {
  return { ...fields, ...toTimes({ createdAt, updatedAt }) };
}

export function toTimes(times: Readonly<Record<string, number | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(times).flatMap(([name, at]) => (at === undefined ? [] : [[name, iso(at)]])));
}

export function toCsvColumns<Name extends string>(
  names: readonly Name[],
): readonly CsvColumn<Readonly<Record<Name, FieldValue>> & TimedRecord>[] {
  return [
    ...names.map((head) => ({ head, cell: (record: Readonly<Record<Name, FieldValue>>) => record[head] })),
    { head: "createdAt", cell: ({ createdAt }) => iso(createdAt) },
    { head: "updatedAt", cell: ({ updatedAt }) => iso(updatedAt) },
  ];
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
