import type { FastifyReply } from "fastify";
import { type Html, html, emptyHtml } from "../../../web/html.ts";
import { sendFaults, sendJson } from "../../../web/json.ts";
import { type Page, sendPage } from "../../../web/page.ts";
import { formatNumber } from "../../../web/parts/amount.ts";
import { type Column, columnTable } from "../../../web/parts/column-table.ts";
import { errorSummary } from "../../../web/parts/fields.ts";
import { isolateDirections } from "../../../web/parts/isolate.ts";
import { relativeMoment } from "../../../web/parts/moment.ts";
import { path, withQuery } from "../../../web/path.ts";
import { listCausesInLog, type RefusalCause } from "../../channel/senders/refusal-store.ts";
import { errorDocs } from "../docs/documents.ts";
import type { DevDeps } from "../needs.ts";
import { activeFilters, filterFields } from "./list-page.ts";
import type { ActiveFilters } from "./message-parts.ts";
import { presetLinks } from "./overview.ts";
import type { LogQuery } from "./query.ts";

const LIST_PATH = path`/dev/logs`;
/** The maximum number of names in a cell. Further names are only counted. */
const MAX_LISTED_NAMES = 3;
const MIN_SEARCH_LENGTH = 4;

/** Sends the refused messages in the log, grouped by cause. Applies the same filters as the log. */
export async function sendCauses(
  { database, clock }: DevDeps,
  query: LogQuery & { roots: readonly string[] },
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { filters, faults, format, roots } = query;
  if (format !== "page" && Object.keys(faults).length > 0) return sendFaults(reply, faults);
  const causes = await listCausesInLog(database, filters);
  if (format !== "page") return sendJson(reply, { causes: causes.map(causeJson) });
  return sendPage(reply, causesPage(query, { causes, roots, now: clock.now() }));
}

type CausesPage = { causes: readonly RefusalCause[]; roots: readonly string[]; now: number };

function causesPage(query: LogQuery, { causes, roots, now }: CausesPage): Page {
  const filterValues = activeFilters(query);
  return {
    title: "Refusals by cause",
    wide: true,
    refused: Object.keys(query.faults).length > 0,
    lead: "The newest 500 refused messages that match the filters, grouped by their first error.",
    actions: html`<a class="button" href="${withQuery(LIST_PATH, filterValues)}">Message log</a>
      <a class="button" href="${withQuery(LIST_PATH, { ...filterValues, view: "causes", format: "json" })}">JSON</a>`,
    main: html`${errorSummary(query.faults)} ${presetLinks({ ...filterValues, view: "causes" }, now)} ${filterFields(query, roots)}
    ${causes.length === 0 ? html`<p class="empty">No refused messages match these filters.</p>` : causesTable(causes, logColumns(filterValues))}`,
  };
}

export function causesTable(causes: readonly RefusalCause[], more: readonly Column<RefusalCause>[] = []): Html {
  return columnTable({ label: "Refusals by cause", narrow: "stacked" }, [...CAUSE_COLUMNS, ...more], causes);
}

const CAUSE_COLUMNS: readonly Column<RefusalCause>[] = [
  { head: "Cause", class: "long", cell: ({ text }) => isolateDirections(text) },
  { head: { number: "Code" }, cell: ({ code }) => (code === undefined ? undefined : html`<a href="${errorDocs(code)}">${code}</a>`) },
  { head: { number: "Messages" }, cell: ({ count }) => formatNumber(count) },
  { head: "Last", narrow: "label", class: "nowrap", cell: ({ lastAt }) => relativeMoment(lastAt) },
  {
    head: "Example",
    narrow: "label",
    class: "long",
    cell: ({ message, example }) => html`<a href="${path`/dev/logs/${message}`}">#${message}</a> ${isolateDirections(example)}`,
  },
];

function logColumns(filterValues: ActiveFilters): readonly Column<RefusalCause>[] {
  return [
    { head: "First", narrow: "label", class: "nowrap", cell: ({ firstAt }) => relativeMoment(firstAt) },
    { head: "Connections", narrow: "label", class: "name", cell: ({ senders }) => namesCell(senders) },
    { head: "Properties", narrow: "label", class: "name", cell: ({ properties }) => namesCell(properties) },
    { head: "Log", narrow: "label", class: "nowrap", cell: (cause) => matchingLink(cause, filterValues) },
  ];
}

function namesCell(all: ReadonlySet<string>): Html | undefined {
  if (all.size === 0) return undefined;
  const hiddenCount = all.size - MAX_LISTED_NAMES;
  return html`${isolateDirections([...all].slice(0, MAX_LISTED_NAMES).join(", "))}${hiddenCount > 0 ? ` and ${formatNumber(hiddenCount)} more` : emptyHtml}`;
}

/** Links to messages whose summary contains the cause's longest part without placeholders. */
function matchingLink({ text, summary }: RefusalCause, filterValues: ActiveFilters): Html | undefined {
  const parts = text.split("…").map((part) => part.trim());
  const q = parts.toSorted((a, b) => b.length - a.length)[0]!;
  if (q.length < MIN_SEARCH_LENGTH || !summary.includes(q)) return undefined;
  return html`<a href="${withQuery(LIST_PATH, { ...filterValues, q })}">Show messages</a>`;
}

export function causeJson({ firstAt, lastAt, senders, properties, summary: _, ...cause }: RefusalCause): object {
  return {
    ...cause,
    firstAt: new Date(firstAt).toISOString(),
    lastAt: new Date(lastAt).toISOString(),
    connections: [...senders],
    properties: [...properties],
  };
}
