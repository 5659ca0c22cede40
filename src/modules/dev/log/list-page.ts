import type { MessageRow } from "../../../db/schema.ts";
import type { MessageList } from "../../../journal/messages.ts";
import { OUTCOMES } from "../../../journal/outcome.ts";
import { excerpt } from "../../../web/excerpt.ts";
import { each, type Html, html, nothing } from "../../../web/html.ts";
import type { Page } from "../../../web/page.ts";
import { amount } from "../../../web/parts/amount.ts";
import { errorSummary } from "../../../web/parts/fields.ts";
import { filterForm } from "../../../web/parts/filters.ts";
import { forAdmins } from "../../../web/parts/for-admins.ts";
import { isolate } from "../../../web/parts/isolate.ts";
import { exportLinks } from "../../../web/parts/list.ts";
import { moment, serverZone } from "../../../web/parts/moment.ts";
import { steps } from "../../../web/parts/steps.ts";
import { noneCell, scrollTable } from "../../../web/parts/table.ts";
import { path, withQuery } from "../../../web/path.ts";
import { MOST_EXPORTED } from "./export.ts";
import { messageBadges } from "./outcome.ts";
import { type Asked, propertyCell } from "./property-cell.ts";
import { LOG_FIELDS, type LogQuery, WAYS } from "./query.ts";

const LIST = path`/dev/logs`;

/** The message log, newest first. `roots` are the messages that can be chosen in the filter. */
export function logListPage(query: LogQuery, found: MessageList, roots: readonly string[]): Page {
  const asked = Object.fromEntries(LOG_FIELDS.map((name) => [name, query.typed[name]]));
  return {
    title: "Message log",
    section: "dev",
    wide: true,
    refused: Object.keys(query.faults).length > 0,
    lead: `Every message that the channel received, with its answer, newest first. Times are of ${serverZone}. CSV and JSON have the newest ${amount(MOST_EXPORTED)} of those found.`,
    actions: html`${exportLinks((format) => withQuery(LIST, { ...asked, format }))}
    ${forAdmins(html`<a class="button" href="${withQuery(LIST, { view: "removal", property: asked.property })}">Remove …</a>`)}`,
    main: html`${errorSummary(query.faults)} ${narrowing(query, roots)}
    ${found.messages.length === 0 ? emptyState(query, found) : messageTable(found.messages, asked)} ${stepsOf(asked, query, found)}`,
  };
}

/** Messages as a table, each with a link to its entry; that of its property narrows the list further, which was asked for with `asked`. */
export function messageTable(messages: readonly MessageRow[], asked: Asked = {}): Html {
  return scrollTable(
    {
      label: "Messages",
      narrow: "stacked",
      heads: [
        { number: "Id" },
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
    each(messages, (message) => messageRow(message, asked)),
  );
}

function messageRow(message: MessageRow, asked: Asked): Html {
  return html`<tr>
    <td class="number"><a href="${path`/dev/logs/${message.id}`}">${message.id}</a></td>
    <td class="nowrap">${moment(message.received_at)}</td>
    <td>
      ${messageBadges(message)}${
        message.same_as === null ? nothing : html` <span class="muted nowrap">same body as #${message.same_as}</span>`
      }
    </td>
    ${propertyCell(message, asked)}
    <td class="long">
      <div class="clamp">
        ${message.root ?? "not recognised"}${message.action === null ? nothing : html` <span class="muted">${message.action}</span>`}${
          message.echo_token === null
            ? nothing
            : html` <span class="muted">EchoToken ${excerpt(message.echo_token, 0, LONGEST_TOKEN)}</span>`
        }
      </div>
      <div class="muted clamp">${isolate(message.summary)}</div>
    </td>
    <td class="number" data-label="Status">${message.status}</td>
    <td class="number" data-label="ms">${milliseconds(message.micros)}</td>
    <td class="number" data-label="Lines">${amount(message.lines)}</td>
    <td class="number" data-label="Bytes">${amount(message.request_bytes)}</td>
    ${message.sender === null && message.via !== "console" ? noneCell : senderCell(message)}
  </tr>`;
}

/** As long as a UUID; a token can have 256 characters. */
const LONGEST_TOKEN = 36;

function senderCell({ sender, via }: MessageRow): Html {
  return html`<td class="name" data-label="Sender">
    <div class="clamp">${sender ?? ""}</div>
    ${via === "console" ? html` <span class="badge">console</span>` : nothing}
  </td>`;
}

/** Microseconds as milliseconds. */
export function milliseconds(micros: number): string {
  return (micros / 1_000).toFixed(micros < 100_000 ? 1 : 0);
}

function narrowing(query: LogQuery, roots: readonly string[]): Html {
  const filters = [
    { name: "q", label: "Search", example: "in message, EchoToken" },
    { name: "property", label: "Property", example: "code" },
    { name: "message", label: "Message", choices: roots },
    { name: "outcome", label: "Outcome", choices: Object.keys(OUTCOMES) },
    { name: "status", label: "Status", example: "HTTP" },
    { name: "slower", label: "ms or more", example: "such as 500" },
    { name: "bytes", label: "Bytes or more", example: "such as 9000" },
    { name: "lines", label: "Lines or more", example: "such as 100" },
    { name: "sender", label: "Sender", example: "name" },
    { name: "via", label: "Came by", choices: WAYS },
    { name: "from", label: "From", example: "YYYY-MM-DD" },
    { name: "to", label: "To", example: "YYYY-MM-DD" },
  ];
  return filterForm(query, { filters, all: LIST });
}

function emptyState({ typed, filters }: LogQuery, { before }: MessageList): Html {
  if (before !== undefined) return html`<p class="empty">No message matches so far.</p>`;
  const narrowed = filters.before !== undefined || LOG_FIELDS.some((name) => typed[name]);
  if (narrowed) return html`<p class="empty">No message matches.</p>`;
  return html`<p class="empty">
    No message was received yet. ${forAdmins(html`<a href="${path`/dev/channel`}">Send one from the console</a>`)}
  </p>`;
}

function stepsOf(asked: Readonly<Record<string, string | undefined>>, { filters }: LogQuery, { before, messages }: MessageList): Html {
  const label = messages.length === 0 ? "Search further back" : "Older";
  return steps({
    first: filters.before !== undefined && { label: "Newest", to: withQuery(LIST, asked) },
    next: before !== undefined && { label, to: withQuery(LIST, { ...asked, before }) },
  });
}
