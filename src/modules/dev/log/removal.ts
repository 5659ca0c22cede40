import type { FastifyReply, FastifyRequest } from "fastify";
import { DAY_MS } from "../../../calendar/night.ts";
import { stopwatch } from "../../../clock.ts";
import { countRemoval, type MessageRemoval, type RemovalCount, removeMessages } from "../../../journal/removal.ts";
import { createAudit, type StoredAuditEntry, listAudit } from "../../../records/audit.ts";
import { checkboxRule } from "../../../records/rules.ts";
import { yesNoChoices } from "../../../text.ts";
import { type Faults, readId, readTyped, type TypedValues } from "../../../web/form.ts";
import { formToken } from "../../../web/guard/csrf.ts";
import { type Html, html, emptyHtml } from "../../../web/html.ts";
import { sendFaults, sendJson } from "../../../web/json.ts";
import { wantsJson } from "../../../web/negotiate.ts";
import { type Page, seeOther, sendPage } from "../../../web/page.ts";
import { formatCount } from "../../../web/parts/amount.ts";
import { type Column, columnTable } from "../../../web/parts/column-table.ts";
import type { FieldWords } from "../../../web/parts/field-words.ts";
import { errorSummary, textField, tickField, tokenField } from "../../../web/parts/fields.ts";
import { ifAllowed } from "../../../web/parts/if-allowed.ts";
import { localMoment, relativeMoment } from "../../../web/parts/moment.ts";
import { path, withQuery } from "../../../web/path.ts";
import type { DevDeps } from "../needs.ts";

/** Deletion stops after this time, so that the request does not time out. The user can repeat it. */
const MAX_DURATION_MS = 10_000;
const AUDIT_SUBJECT = "messages";

export function sendPreview(services: DevDeps, typed: TypedValues, reply: FastifyReply): Promise<FastifyReply> {
  return sendRemovalPage(services, readPreview(typed, services.clock.now()), reply);
}

export async function removeConfirmed(services: DevDeps, reply: FastifyReply): Promise<FastifyReply> {
  const { request } = reply;
  const query = readConfirmed(readTyped(request.body));
  if (!query.removal || Object.keys(query.faults).length > 0) return sendRemovalPage(services, query, reply);
  const { removal } = query;
  const removalResult = await removeAndRecord(services, request, removal);
  if (wantsJson(request)) return sendJson(reply, { ...toRecord(removal), ...removalResult });
  return seeOther(reply, withQuery(path`/dev/logs`, { view: "removal" }), removedText(removalResult));
}

async function sendRemovalPage({ database }: DevDeps, query: RemovalQuery, reply: FastifyReply): Promise<FastifyReply> {
  const { request } = reply;
  const { removal, faults } = query;
  if (wantsJson(request) && Object.keys(faults).length > 0) return sendFaults(reply, faults);
  const count = removal && (await countRemoval(database, removal));
  const pastRemovalEntries = await listAudit(database, AUDIT_SUBJECT);
  if (wantsJson(request)) return sendJson(reply, { ...(removal && toRecord(removal)), ...count, past: pastRemovalEntries });
  return sendPage(reply, removalPage({ query, count, past: pastRemovalEntries, token: await formToken(reply) }));
}

type RemovalResult = RemovalCount & { done: boolean };

/** Deletes messages and records how many were deleted, even if an error ends the deletion early. */
async function removeAndRecord(services: DevDeps, request: FastifyRequest, removal: MessageRemoval): Promise<RemovalResult> {
  const removalResult = { gone: 0, emptied: 0, done: false };
  const elapsed = stopwatch();
  try {
    for await (const { gone, emptied, done } of removeMessages(services.database, removal)) {
      removalResult.gone += gone;
      removalResult.emptied += emptied;
      removalResult.done = done;
      if (elapsed() >= MAX_DURATION_MS) break;
    }
  } finally {
    await recordRemoval(services, request, { removal, removed: removalResult });
  }
  return removalResult;
}

async function recordRemoval(
  { database, clock }: DevDeps,
  request: FastifyRequest,
  { removal, removed: removalResult }: { removal: MessageRemoval; removed: RemovalResult },
): Promise<void> {
  const { property, before } = removal;
  const fields = {
    property: property ?? "any",
    "received before": localMoment(before),
    "messages deleted": String(removalResult.gone),
    "bodies deleted": String(removalResult.emptied),
  };
  const changes = Object.entries(fields).map(([field, to]) => ({ field, from: "", to }));
  request.log.info({ reqId: request.id, actor: request.actor, property, before, ...removalResult }, "messages deleted from the log");
  await createAudit(database.write, { ...request.by, at: clock.now(), action: "remove", subject: AUDIT_SUBJECT, changes });
}

function removedText({ gone, emptied, done }: RemovalResult): string {
  const text = `${formatCount(gone, "message")} deleted, and the bodies of ${formatCount(emptied, "message")} that changed nights.`;
  return done ? text : `${text} Stopped after ${MAX_DURATION_MS / 1_000} seconds. Repeat to delete the rest.`;
}

function toRecord({ property, before }: MessageRemoval) {
  return { property: property ?? null, receivedBefore: new Date(before).toISOString() };
}

export const REMOVAL_WORDS: FieldWords = {
  labels: { property: "Property", before: "Received before (milliseconds since 1970)", sure: "Delete permanently" },
  choices: { sure: yesNoChoices },
};

export type RemovalQuery = { typed: TypedValues; faults: Faults; removal: MessageRemoval | undefined };

export function readPreview(typed: TypedValues, now: number): RemovalQuery {
  const { days = "", property = "" } = typed;
  if (typed.days === undefined) return { typed: { property, days: "90" }, faults: {}, removal: undefined };
  if (!/^\d{1,5}$/.test(days))
    return { typed, faults: { days: "Enter a whole number of days, such as 90, or 0 for messages of any age" }, removal: undefined };
  return { typed, faults: {}, removal: toRemoval(property, now - Number(days) * DAY_MS) };
}

/** Reads the time limit used for the preview instead of a number of days, so that exactly the previewed messages are deleted. */
export function readConfirmed(typed: TypedValues): RemovalQuery {
  const { property = "", before = "" } = typed;
  const receivedBefore = readId(before);
  if (receivedBefore === undefined) return { typed, faults: { days: "Preview the messages first" }, removal: undefined };
  const isConfirmed = checkboxRule(false).safeParse(typed.sure).data === true;
  const faults: Faults = isConfirmed ? {} : { sure: "Confirm that you want to delete these messages" };
  return { typed, faults, removal: toRemoval(property, receivedBefore) };
}

function toRemoval(property: string, before: number): MessageRemoval {
  return { property: property || undefined, before };
}

export type RemovalView = {
  query: RemovalQuery;
  count: (RemovalCount & { exact: boolean }) | undefined;
  past: readonly StoredAuditEntry[];
  token: string;
};

const REMOVAL_PATH = withQuery(path`/dev/logs`, { view: "removal" });

export function removalPage({ query, count, past: pastRemovalEntries, token }: RemovalView): Page {
  const { faults, removal } = query;
  return {
    title: "Delete messages",
    refused: Object.keys(faults).length > 0,
    lead: "Delete messages and their bodies before they expire. Rates and availability are kept.",
    actions: html`<a class="button" href="${path`/dev/logs`}">Message log</a>`,
    main: html`${errorSummary(faults)} ${previewForm(query)}
    ${removal && count ? confirmationSection(query, { removal, count, token }) : emptyHtml} ${pastRemovals(pastRemovalEntries)}`,
  };
}

function previewForm(query: RemovalQuery): Html {
  return html`<form method="get" action="${path`/dev/logs`}">
    <input type="hidden" name="view" value="removal" />
    ${textField(query, { name: "property", label: "Property", hint: "Property code. Leave blank for all." })}
    ${textField(query, { name: "days", label: "Older than (days)", required: true, type: "number", size: "short", hint: "Enter 0 for messages of any age." })}
    <p class="actions"><button type="submit" class="plain">Preview</button></p>
  </form>`;
}

type RemovalPreview = { removal: MessageRemoval; count: RemovalCount & { exact: boolean }; token: string };

function confirmationSection(query: RemovalQuery, { removal, count, token }: RemovalPreview): Html {
  const { gone, emptied, exact } = count;
  const messages = formatCount(gone + emptied, "message");
  const scope = `${removal.property === undefined ? "" : ` for ${removal.property}`} received before ${localMoment(removal.before)}`;
  if (gone + emptied === 0 && exact) return html`<p class="empty">No messages${scope} still have a stored body.</p>`;
  return html`<section class="panel">
    <h2>${exact ? "" : "At least "}${messages}${scope}</h2>
    <ul>
      <li>${formatCount(gone, "message")} changed no nights: deleted completely.</li>
      <li>
        ${formatCount(emptied, "message")} changed nights: request, response, headers and IP address are deleted. Time, sender and summary
        are kept for the history of these nights.
      </li>
    </ul>
    ${ifAllowed(confirmForm(query, { removal, messages: exact ? messages : "messages", token }))}
  </section>`;
}

function confirmForm(
  query: RemovalQuery,
  { removal, messages, token }: { removal: MessageRemoval; messages: string; token: string },
): Html {
  return html`<form method="post" action="${REMOVAL_PATH}">
    ${tokenField(token)}<input type="hidden" name="action" value="remove" />
    <input type="hidden" name="property" value="${removal.property ?? ""}" />
    <input type="hidden" name="before" value="${removal.before}" />
    ${tickField(query, { name: "sure", label: "Delete permanently; this cannot be undone" })}
    <p class="actions"><button type="submit" class="danger">Delete ${messages}</button></p>
  </form>`;
}

function pastRemovals(pastRemovalEntries: readonly StoredAuditEntry[]): Html {
  if (pastRemovalEntries.length === 0) return emptyHtml;
  return html`<h2>Past deletions</h2>
    ${columnTable({ label: "Past deletions", narrow: "stacked" }, PAST_REMOVAL_COLUMNS, pastRemovalEntries)}`;
}

const PAST_REMOVAL_COLUMNS: readonly Column<StoredAuditEntry>[] = [
  { head: "Time", class: "nowrap", cell: ({ at }) => relativeMoment(at) },
  { head: "User", cell: ({ actor }) => actor },
  { head: "Details", cell: ({ changes }) => changes.map(({ field, to }) => `${field} ${to}`).join(", ") },
];
