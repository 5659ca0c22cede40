import type { MessageRow } from "../../db/schema.ts";
import type { MessageList } from "../../journal/messages.ts";
import { each, type Html, html, nothing } from "../../web/html.ts";
import type { Page } from "../../web/page.ts";
import { errorSummary } from "../../web/parts/fields.ts";
import { moment } from "../../web/parts/moment.ts";
import { path, withQuery } from "../../web/path.ts";
import { LOG_FIELDS, type LogQuery } from "./log-query.ts";
import { OUTCOMES, outcomeBadge } from "./outcome.ts";

const LIST = path`/dev/logs`;

/** The message log, newest first. `roots` are the messages that can be chosen in the filter. */
export function logListPage(query: LogQuery, found: MessageList, roots: readonly string[]): Page {
  const asked = Object.fromEntries(LOG_FIELDS.map((name) => [name, query.typed[name]]));
  return {
    title: "Message log",
    section: "dev",
    wide: true,
    lead: "Every message that the channel received, with its answer, newest first.",
    actions: html`<a class="button" href="${withQuery(LIST, { ...asked, format: "csv" })}">CSV</a>
      <a class="button" href="${withQuery(LIST, { ...asked, format: "json" })}">JSON</a>`,
    main: html`${errorSummary(query.faults)} ${filterForm(query, roots)}
    ${found.messages.length === 0 ? emptyState(query, found) : messageTable(found.messages)} ${steps(asked, query, found)}`,
  };
}

/** Messages as a table, each with a link to its entry. */
export function messageTable(messages: readonly MessageRow[]): Html {
  return html`<section class="scroll" aria-label="Messages" tabindex="0">
    <table class="table">
      <thead>
        <tr>
          <th scope="col" class="number">Id</th>
          <th scope="col">Time</th>
          <th scope="col">Property</th>
          <th scope="col">Message</th>
          <th scope="col">Outcome</th>
          <th scope="col" class="number">Status</th>
          <th scope="col" class="number">ms</th>
          <th scope="col" class="number">Size</th>
          <th scope="col">Sender</th>
        </tr>
      </thead>
      <tbody>
        ${each(messages, messageRow)}
      </tbody>
    </table>
  </section>`;
}

function messageRow(message: MessageRow): Html {
  return html`<tr>
    <td class="number"><a href="${path`/dev/logs/${message.id}`}">${message.id}</a></td>
    <td class="nowrap">${moment(message.received_at)}</td>
    <td>${message.property ?? "–"}</td>
    <td>
      ${message.root ?? "not recognised"}${message.action === null ? nothing : html` <span class="muted">${message.action}</span>`}
      <div class="muted">${message.summary}</div>
    </td>
    <td>
      ${outcomeBadge(message.outcome)}${message.dry_run === 1 ? html` <span class="badge">dry run</span>` : nothing}${
        message.same_as === null ? nothing : html` <span class="muted nowrap">same body as #${message.same_as}</span>`
      }
    </td>
    <td class="number">${message.status}</td>
    <td class="number">${milliseconds(message.micros)}</td>
    <td class="number">${message.request_bytes}</td>
    <td>${message.sender ?? "–"}${message.via === "console" ? html` <span class="badge">console</span>` : nothing}</td>
  </tr>`;
}

/** Microseconds as milliseconds. */
export function milliseconds(micros: number): string {
  return (micros / 1_000).toFixed(micros < 100_000 ? 1 : 0);
}

function filterForm({ typed }: LogQuery, roots: readonly string[]): Html {
  return html`<form class="filters" method="get" role="search">
    <div><label for="f-q">Search</label><input id="f-q" name="q" type="search" value="${typed.q ?? ""}" /></div>
    ${input("property", "Property", { value: typed.property })} ${select("message", "Message", { value: typed.message, choices: roots })}
    ${select("outcome", "Outcome", { value: typed.outcome, choices: Object.keys(OUTCOMES) })}
    ${input("sender", "Sender", { value: typed.sender })} ${input("from", "From", { value: typed.from, example: "2027-01-31" })}
    ${input("to", "To", { value: typed.to, example: "2027-01-31T12:00" })}
    <div><button type="submit">Filter</button> <a class="button" href="${LIST}">Clear</a></div>
  </form>`;
}

function input(name: string, label: string, { value = "", example = "" }: { value: string | undefined; example?: string }): Html {
  return html`<div>
    <label for="f-${name}">${label}</label
    ><input id="f-${name}" name="${name}" type="text" class="short" value="${value}" placeholder="${example}" />
  </div>`;
}

function select(name: string, label: string, { value = "", choices }: { value: string | undefined; choices: readonly string[] }): Html {
  const all = value === "" || choices.includes(value) ? choices : [...choices, value];
  return html`<div>
    <label for="f-${name}">${label}</label>
    <select id="f-${name}" name="${name}">
      <option value="">any</option>
      ${each(all, (one) => (one === value ? html`<option value="${one}" selected>${one}</option>` : html`<option value="${one}">${one}</option>`))}
    </select>
  </div>`;
}

function emptyState({ typed }: LogQuery, { before }: MessageList): Html {
  if (before !== undefined) return html`<p class="empty">No message matches so far.</p>`;
  if (LOG_FIELDS.some((name) => typed[name])) return html`<p class="empty">No message matches.</p>`;
  return html`<p class="empty">No message was received yet. <a href="${path`/dev/channel`}">Send one from the console</a></p>`;
}

/** Pages are found by the message they follow, never counted. */
function steps(asked: Readonly<Record<string, string | undefined>>, { filters }: LogQuery, { before, messages }: MessageList): Html {
  const label = messages.length === 0 ? "Search further back" : "Older";
  return html`<nav class="pager" aria-label="Pages">
    <ul>
      ${filters.before === undefined ? nothing : html`<li><a href="${withQuery(LIST, asked)}">Newest</a></li>`}
      ${before === undefined ? nothing : html`<li><a href="${withQuery(LIST, { ...asked, before })}" rel="next">${label}</a></li>`}
    </ul>
  </nav>`;
}
