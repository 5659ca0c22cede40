import type { AuditEvents, FieldChange, StoredAuditEntry } from "../../records/audit.ts";
import type { TypedValues } from "../../web/form.ts";
import { mapHtml, type Html, html, emptyHtml, type Path } from "../../web/html.ts";
import type { Page } from "../../web/page.ts";
import { formatCount } from "../../web/parts/amount.ts";
import { browserName } from "../../web/parts/browser-name.ts";
import { type Column, columnTable } from "../../web/parts/column-table.ts";
import { errorSummary } from "../../web/parts/fields.ts";
import { filterForm } from "../../web/parts/filters.ts";
import { isolateDirections } from "../../web/parts/isolate.ts";
import { cursorPager, exportLinks } from "../../web/parts/list.ts";
import { relativeMoment, serverZone } from "../../web/parts/moment.ts";
import { path, withQuery } from "../../web/path.ts";
import { AUDIT_FIELDS, type AuditQuery, AUDIT_EVENTS, USER_KINDS } from "./query.ts";

export const PAGE_SIZE = 50;
const LIST_PATH = path`/tools/audit`;

/** Renders the audit log. If there are older entries, `found` has one more entry than fits on a page. */
export function auditPage(query: AuditQuery, found: readonly StoredAuditEntry[]): Page {
  const { typed, faults, filters } = query;
  const activeFilters = Object.fromEntries(AUDIT_FIELDS.map((name) => [name, typed[name]]));
  const entries = found.slice(0, PAGE_SIZE);
  const olderLink = found.length > PAGE_SIZE && {
    label: "Older",
    to: withQuery(LIST_PATH, { ...activeFilters, before: entries.at(-1)!.id }),
  };
  const newestLink = filters.before !== undefined && { label: "Newest", to: withQuery(LIST_PATH, activeFilters) };
  const isFiltered = filters.before !== undefined || AUDIT_FIELDS.some((name) => typed[name]);
  return {
    title: "Audit log",
    wide: true,
    refused: Object.keys(faults).length > 0,
    lead: `Sign-ins, and changes made by users, programs and commands. Newest first. Times in ${serverZone}. Entries cannot be edited.`,
    actions: html`<a class="button" href="${path`/tools`}">All tools</a>
      ${exportLinks((format) => withQuery(LIST_PATH, { ...activeFilters, format }))}`,
    main: html`${errorSummary(faults)} ${eventLinks(typed)} ${filterFields(query)}
    ${
      entries.length === 0
        ? html`<p class="empty">${isFiltered ? "No entries match these filters." : "No entries yet."}</p>`
        : columnTable({ label: "Audit log", narrow: "stacked" }, AUDIT_COLUMNS, entries)
    }
    ${cursorPager({ first: newestLink, next: olderLink })}`,
  };
}

const PRESET_FILTERS: readonly (readonly [label: string, events: AuditEvents | ""])[] = [
  ["All entries", ""],
  ["Changes", "changes"],
  ["Sign-ins", "sign-ins"],
  ["Failed sign-ins", "refused sign-ins"],
];

function eventLinks({ events: chosen = "" }: TypedValues): Html {
  const presetItem = ([label, events]: (typeof PRESET_FILTERS)[number]) =>
    chosen === events
      ? html`<li><span aria-current="true">${label}</span></li>`
      : html`<li><a href="${withQuery(LIST_PATH, { events })}">${label}</a></li>`;
  return html`<ul class="links" aria-label="Events">
    ${mapHtml(PRESET_FILTERS, presetItem)}
  </ul>`;
}

function filterFields(query: AuditQuery): Html {
  const fields = [
    { name: "events", label: "Events", choices: AUDIT_EVENTS },
    { name: "actor", label: "User", example: "name" },
    { name: "kind", label: "Kind", choices: USER_KINDS },
    { name: "action", label: "Action", example: "update" },
    { name: "subject", label: "Subject", example: "property:ALP" },
    { name: "from", label: "From", example: "YYYY-MM-DD" },
    { name: "to", label: "To", example: "YYYY-MM-DD" },
  ];
  return filterForm(query, { filters: fields, all: LIST_PATH });
}

const AUDIT_COLUMNS: readonly Column<StoredAuditEntry>[] = [
  { head: "Time", class: "nowrap", cell: ({ at }) => relativeMoment(at) },
  { head: "User", narrow: "label", cell: userCell },
  { head: "From", narrow: "label", class: "nowrap", cell: fromCell },
  { head: "Action", narrow: "label", class: "nowrap", cell: ({ action }) => action },
  { head: "Subject", narrow: "label", class: "long", cell: subjectCell },
  { head: "Changes", narrow: "label", class: "long", cell: changesCell },
];

function userCell({ actor, kind }: StoredAuditEntry): Html {
  return html`${actor === "" ? html`<span class="muted">not signed in</span>` : isolateDirections(actor)}${kindText(kind)}`;
}

function fromCell({ address, agent }: StoredAuditEntry): Html | undefined {
  const browser = browserName(agent);
  if (address === undefined && browser === undefined) return undefined;
  return html`${address ?? emptyHtml}${browser === undefined ? emptyHtml : html`<br /><span class="muted">${isolateDirections(browser)}</span>`}`;
}

function kindText(kind: StoredAuditEntry["kind"]): Html {
  return kind === undefined || kind === null || kind === "person" ? emptyHtml : html` <span class="muted">${kind}</span>`;
}

function subjectCell({ subject }: StoredAuditEntry): Html {
  const to = subjectPath(subject);
  return to === undefined ? isolateDirections(subject) : html`<a href="${to}">${subject}</a>`;
}

function subjectPath(subject: string): Path | undefined {
  const [, kind, name = ""] = /^(\w+):(.*)$/s.exec(subject) ?? [];
  if (kind === "property") return path`/property/${name}`;
  const [property, category] = name.split("/");
  if (kind === "category" && property !== undefined && category !== undefined) return path`/category/${property}/${category}/edit`;
  if (kind === "plan" && property !== undefined) return withQuery(path`/tools/plans`, { property, plan: name.slice(property.length + 1) });
  if (kind === "sender") return path`/dev/senders/${name}`;
  if (kind === "message") return path`/dev/logs/${name}`;
  if (kind === "person") return path`/tools/users`;
  return kind === "token" ? path`/tools/tokens` : undefined;
}

const MAX_LISTED_CHANGES = 8;
/** Longer lists of changes are collapsed. */
const MAX_OPEN_CHANGES = 4;
const MAX_TEXT_LENGTH = 200;

function changesCell({ changes, message }: StoredAuditEntry): Html | undefined {
  if (changes.length === 0 && message === undefined) return undefined;
  const list = changes.length === 0 ? emptyHtml : changeList(changes);
  const link = message === undefined ? emptyHtml : html`<p><a href="${path`/dev/logs/${message}`}">message #${message}</a></p>`;
  if (changes.length <= MAX_OPEN_CHANGES) return html`${list}${link}`;
  return html`<details>
      <summary>${formatCount(changes.length, "value")}</summary>
      ${list}
    </details>
    ${link}`;
}

function changeList(changes: readonly FieldChange[]): Html {
  const hiddenCount = changes.length - MAX_LISTED_CHANGES;
  return html`<ul class="plain">
    ${mapHtml(changes.slice(0, MAX_LISTED_CHANGES), changeItem)}
    ${hiddenCount > 0 ? html`<li class="muted">and ${hiddenCount} more</li>` : emptyHtml}
  </ul>`;
}

/** Shows a changed field. If the old value was empty, as in a new record, shows only the new value. */
function changeItem({ field, from, to }: FieldChange): Html {
  return html`<li>${field}: ${from === "" ? emptyHtml : html`${shortText(from)} to `}${shortText(to)}</li>`;
}

function shortText(text: string): Html {
  if (text === "") return html`<span class="muted">empty</span>`;
  return isolateDirections(text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)}…` : text);
}
