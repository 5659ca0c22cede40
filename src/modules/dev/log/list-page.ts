import type { MessageRow } from "../../../db/schema.ts";
import type { MessageHistogram } from "../../../journal/message-histogram.ts";
import type { MessageList } from "../../../journal/messages.ts";
import { OUTCOME_BADGES } from "../../../journal/work.ts";
import { textExcerpt } from "../../../text.ts";
import { mapHtml, type Html, html, emptyHtml } from "../../../web/html.ts";
import type { Page } from "../../../web/page.ts";
import { formatNumber } from "../../../web/parts/amount.ts";
import { errorSummary, hiddenFields } from "../../../web/parts/fields.ts";
import { filterForm } from "../../../web/parts/filters.ts";
import { ifAllowed } from "../../../web/parts/if-allowed.ts";
import { isolateDirections } from "../../../web/parts/isolate.ts";
import { cursorPager, exportLinks } from "../../../web/parts/list.ts";
import { relativeMoment, serverZone } from "../../../web/parts/moment.ts";
import { emptyCell, scrollTable } from "../../../web/parts/table.ts";
import { path, withQuery } from "../../../web/path.ts";
import { MAX_EXPORTED } from "./export.ts";
import { type ActiveFilters, messageBadges, propertyCell } from "./message-parts.ts";
import { histogramChart, presetLinks } from "./overview.ts";
import { LOG_FIELDS, type LogQuery, MESSAGE_SOURCES } from "./query.ts";

const LIST_PATH = path`/dev/logs`;

/** `histogram` is undefined on later pages. */
export type LogPage = { found: MessageList; histogram: MessageHistogram | undefined; roots: readonly string[]; now: number };

export function logListPage(query: LogQuery, { found, histogram: bars, roots, now }: LogPage): Page {
  const filterValues = activeFilters(query);
  return {
    title: "Message log",
    wide: true,
    refused: Object.keys(query.faults).length > 0,
    lead: `Messages and responses, newest first. Times in ${serverZone}. Exports contain up to ${formatNumber(MAX_EXPORTED)} messages.`,
    actions: html`${exportLinks((format) => withQuery(LIST_PATH, { ...filterValues, format }))}
    ${ifAllowed(html`<a class="button" href="${withQuery(LIST_PATH, { view: "removal", property: filterValues.property })}">Delete messages…</a>`)}`,
    main: html`${errorSummary(query.faults)} ${presetLinks(filterValues, now)} ${filterFields(query, roots)}
    ${bars === undefined ? emptyHtml : html`${histogramChart(bars, filterValues)} ${liveButton(filterValues)}`}
    ${found.messages.length === 0 ? emptyState(query, found) : messageTable(found.messages, filterValues)}
    ${pageLinks(filterValues, query, found)}`,
  };
}

export function activeFilters({ typed }: LogQuery): ActiveFilters {
  return { ...Object.fromEntries(LOG_FIELDS.map((name) => [name, typed[name]])), nights: typed.property ? typed.nights : undefined };
}

/** Returns the button for following the log. It needs a script, so it is hidden if scripts are disabled. */
function liveButton(filterValues: ActiveFilters): Html {
  return html`<p class="live">
    <button type="button" class="small" hidden data-live="${withQuery(path`/dev/tail`, filterValues)}">Follow new messages</button>
    <span role="status"></span>
  </p>`;
}

export function messageTable(messages: readonly MessageRow[], filterValues: ActiveFilters = {}): Html {
  return scrollTable(
    {
      label: "Messages",
      narrow: "stacked",
      heads: [
        { number: "ID" },
        "Received",
        "Outcome",
        "Property",
        "Message",
        { number: "Status" },
        { number: "ms" },
        { number: "Lines" },
        { number: "Bytes" },
        "Sender",
      ],
    },
    mapHtml(messages, (message) => messageRow(message, filterValues)),
  );
}

function messageRow(message: MessageRow, filterValues: ActiveFilters): Html {
  return html`<tr>
    <td class="number"><a href="${path`/dev/logs/${message.id}`}">${message.id}</a></td>
    <td class="nowrap">${relativeMoment(message.received_at)}</td>
    <td>
      ${messageBadges(message)}${
        message.same_as === null ? emptyHtml : html` <span class="muted nowrap">same body as #${message.same_as}</span>`
      }
    </td>
    ${propertyCell(message, filterValues)}
    <td class="long">
      <div class="clamp">
        ${message.root ?? (message.via === "record" ? "rate plan edit" : "not recognised")}${message.action === null ? emptyHtml : html` <span class="muted">${message.action}</span>`}${
          message.echo_token === null
            ? emptyHtml
            : html` <span class="muted">EchoToken ${textExcerpt(message.echo_token, 0, MAX_TOKEN_LENGTH)}</span>`
        }
      </div>
      <div class="muted clamp">${isolateDirections(message.summary)}</div>
    </td>
    <td class="number" data-label="Status">${message.status}</td>
    <td class="number" data-label="ms">${formatMilliseconds(message.micros)}</td>
    <td class="number" data-label="Lines">${formatNumber(message.lines)}</td>
    <td class="number" data-label="Bytes">${formatNumber(message.request_bytes)}</td>
    ${message.sender === null && message.via !== "console" ? emptyCell : senderCell(message)}
  </tr>`;
}

/** Long enough for a UUID. Echo tokens may have up to 256 characters. */
const MAX_TOKEN_LENGTH = 36;

function senderCell({ sender, via }: MessageRow): Html {
  return html`<td class="name" data-label="Sender">
    <div class="clamp">${sender ?? ""}</div>
    ${via === "console" ? html` <span class="badge">console</span>` : emptyHtml}
  </td>`;
}

export function formatMilliseconds(micros: number): string {
  return (micros / 1_000).toFixed(micros < 100_000 ? 1 : 0);
}

export function filterFields(query: LogQuery, roots: readonly string[]): Html {
  const fields = [
    { name: "q", label: "Search", example: "message or EchoToken" },
    { name: "property", label: "Property", example: "code" },
    { name: "message", label: "Message", choices: roots },
    { name: "outcome", label: "Outcome", choices: Object.keys(OUTCOME_BADGES) },
    { name: "sender", label: "Sender", example: "name" },
    { name: "from", label: "From", example: "YYYY-MM-DD" },
    { name: "to", label: "To", example: "YYYY-MM-DD" },
    { name: "status", label: "Status", example: "HTTP", isRare: true },
    { name: "slower", label: "Min. duration (ms)", example: "500", isRare: true },
    { name: "bytes", label: "Min. size (bytes)", example: "9000", isRare: true },
    { name: "lines", label: "Min. lines", example: "100", isRare: true },
    { name: "via", label: "Source", choices: MESSAGE_SOURCES, isRare: true },
  ];
  const { property, nights, view } = query.typed;
  return filterForm(query, {
    filters: fields,
    kept: hiddenFields({ view, nights: property ? nights : "" }),
    all: withQuery(LIST_PATH, { view }),
  });
}

function emptyState({ typed, filters }: LogQuery, { before }: MessageList): Html {
  if (before !== undefined) return html`<p class="empty">No matches so far.</p>`;
  const isFiltered = filters.before !== undefined || LOG_FIELDS.some((name) => typed[name]);
  if (isFiltered) return html`<p class="empty">No messages match these filters.</p>`;
  return html`<p class="empty">No messages yet. ${ifAllowed(html`<a href="${path`/dev/channel`}">Send one from the console</a>`)}</p>`;
}

function pageLinks(filterValues: ActiveFilters, { filters }: LogQuery, { before, messages }: MessageList): Html {
  const label = messages.length === 0 ? "Search older messages" : "Older";
  return cursorPager({
    first: filters.before !== undefined && { label: "Newest", to: withQuery(LIST_PATH, filterValues) },
    next: before !== undefined && { label, to: withQuery(LIST_PATH, { ...filterValues, before }) },
  });
}
