import type { FastifyReply } from "fastify";
import { type CsvColumn, sendCsv } from "./csv.ts";
import type { Faults } from "./form.ts";
import { html } from "./html.ts";
import { sendFaults, sendJson } from "./json.ts";
import { formatOf, queryOf, wantsJson } from "./negotiate.ts";
import { type Page, sendPage } from "./page.ts";
import { errorSummary, type FormState } from "./parts/fields.ts";
import type { Count, ListQuery } from "./parts/list.ts";
import { chosenFault, readChosen } from "./parts/selection.ts";
import { type Timed, toData } from "./record-export.ts";

/** A list of records, as a page and as data; `name` is what JSON and the file call them. */
export type RecordList<Thing> = {
  name: string;
  columns: readonly CsvColumn<Thing>[];
  /** The page that the query asks for, with the boxes of those chosen ticked. */
  page(chosen?: readonly string[]): Promise<Page>;
  /** The records on it, and how many there are in all. */
  part(): Promise<{ lines: readonly Thing[]; count: Count }>;
  /** All that the query lists. */
  all(): AsyncIterable<readonly Thing[]>;
  keyOf(thing: Thing): string;
  /** Those with the keys, in their order. */
  find(keys: readonly string[]): Promise<Thing[]>;
};

type Asked = ListQuery & Pick<FormState, "faults">;

/**
 * Answers a list as page, CSV or JSON; as data only those that were chosen, where the query names some. A filter with a fault narrows the
 * page nothing, which says so; data is refused.
 */
export async function sendList<Thing extends Timed>(reply: FastifyReply, query: Asked, list: RecordList<Thing>): Promise<FastifyReply> {
  const format = formatOf(queryOf(reply.request));
  const chosen = readChosen(reply.request.query);
  const broken = Object.keys(query.faults).length > 0;
  if (format === "page") return broken ? refuse(reply, query.faults, await list.page()) : sendPage(reply, await list.page());
  if (chosen) return sendChosen(reply, chosen, list);
  if (broken) return sendFaults(reply, query.faults);
  if (format === "csv") return sendCsv(reply, list.name, { columns: list.columns, batches: list.all() });
  const { lines, count } = await list.part();
  return sendJson(reply, { ...count, page: query.page, size: query.size, [list.name]: lines.map(toData) });
}

async function sendChosen<Thing extends Timed>(reply: FastifyReply, chosen: readonly string[], list: RecordList<Thing>) {
  const { name, columns } = list;
  const records = await list.find(chosen);
  const fault = chosenFault(chosen, records.map(list.keyOf));
  const json = wantsJson(reply.request);
  if (fault !== undefined) return json ? sendFaults(reply, { chosen: fault }) : refuse(reply, { chosen: fault }, await list.page(chosen));
  if (!json) return sendCsv(reply, name, { columns, batches: [records] });
  return sendJson(reply, { total: records.length, exact: true, page: 1, size: records.length, [name]: records.map(toData) });
}

/** On the list itself, as a person has pressed a button there. */
function refuse(reply: FastifyReply, faults: Faults, page: Page): FastifyReply {
  return sendPage(reply, { ...page, refused: true, main: html`${errorSummary(faults)} ${page.main}` });
}
