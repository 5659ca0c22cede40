import { listAudit } from "../../../records/audit.ts";
import { type CacheStats } from "../../../web/caches.ts";
import { mapHtml, type Html, html, emptyHtml } from "../../../web/html.ts";
import { formatNumber, formatCount } from "../../../web/parts/amount.ts";
import { type Column, columnTable } from "../../../web/parts/column-table.ts";
import { tokenField } from "../../../web/parts/fields.ts";
import { byActor } from "../../../web/parts/history.ts";
import { ifAllowed } from "../../../web/parts/if-allowed.ts";
import { momentHtml, relativeMoment } from "../../../web/parts/moment.ts";
import { formatSeconds, formatShare } from "../parts.ts";
import { toDate, type Tool, type ToolContext, type ToolDeps, type ToolResult } from "../tool.ts";

const AUDIT_SUBJECT = "tool:caches";
const MAX_SHOWN_CLEARINGS = 10;

type ShownCache = Omit<CacheStats, "lifetime" | "oldest"> & { oldest: Date | undefined; seconds: number | undefined };

type CacheClearing = { at: Date; actor: string; caches: readonly string[] };
type CachesView = { caches: readonly ShownCache[]; clears: readonly CacheClearing[] };

export const cachesTool: Tool<CachesView> = {
  slug: "caches",
  title: "Caches",
  about: "This process's in-memory caches. Clearing them is always safe.",
  status({ caches }) {
    const entries = caches.list().reduce((sum, cache) => sum + cache.describe().entries, 0);
    return `${formatCount(entries, "entry", "entries")} in ${caches.list().length} caches`;
  },
  async view({ services }) {
    return { caches: shownCaches(services), clears: await listClears(services) };
  },
  page: (view, token) => ({ main: html`${cacheTable(view, token)} ${clearingHistory(view.clears)}` }),
  actions: { clear: clearCaches },
};

function shownCaches({ caches }: ToolDeps): ShownCache[] {
  return caches.list().map((cache) => {
    const { lifetime, oldest, ...facts } = cache.describe();
    return { ...facts, oldest: toDate(oldest), seconds: Number.isFinite(lifetime) ? lifetime / 1000 : undefined };
  });
}

async function listClears({ database }: ToolDeps): Promise<CacheClearing[]> {
  const entries = await listAudit(database, AUDIT_SUBJECT, MAX_SHOWN_CLEARINGS);
  return entries.map(({ at, actor, changes }) => ({ at: new Date(at), actor, caches: changes.map((change) => change.field) }));
}

async function clearCaches({ services, form }: ToolContext): Promise<ToolResult> {
  const name = form.cache ?? "";
  const chosenCaches = services.caches.list().filter((cache) => name === "" || cache.describe().name === name);
  if (name !== "" && chosenCaches.length === 0) return { done: false, reason: `No cache named “${name}”.` };
  const changes = chosenCaches.map((cache) => {
    const { name: field, entries } = cache.describe();
    return { field, from: `${entries} entries`, to: "0 entries" };
  });
  for (const cache of chosenCaches) cache.clear();
  return { done: true, changes, flash: name === "" ? "All caches cleared." : `Cache “${name}” cleared.` };
}

function cacheTable({ caches }: CachesView, token: string): Html {
  if (caches.length === 0) return html`<p>This process has no caches.</p>`;
  const columns: readonly Column<ShownCache>[] = [
    { head: "Cache", cell: ({ name }) => name },
    { head: "Contents", class: "words", cell: ({ about }) => about },
    { head: { number: "Entries" }, class: "nowrap", cell: ({ entries, limit }) => `${formatNumber(entries)} of ${formatNumber(limit)}` },
    { head: "Oldest", class: "nowrap", narrow: "label", cell: ({ oldest }) => oldest && relativeMoment(oldest.getTime()) },
    {
      head: "Lifetime",
      class: "nowrap",
      narrow: "label",
      cell: ({ seconds }) => (seconds === undefined ? "unlimited" : formatSeconds(seconds)),
    },
    { head: { number: "Hits" }, cell: ({ hits }) => formatNumber(hits) },
    { head: { number: "Misses" }, cell: ({ misses }) => formatNumber(misses) },
    { head: { number: "Hit rate" }, cell: ({ hits, misses }) => (hits + misses === 0 ? "–" : formatShare(hits / (hits + misses))) },
    { head: { action: "Clear" }, cell: ({ name }) => clearForm(token, name, "Clear") },
  ];
  return html`${columnTable({ label: "Caches", narrow: "stacked" }, columns, caches)} ${ifAllowed(clearForm(token, "", "Clear all"))}`;
}

function clearForm(token: string, name: string, label: string): Html {
  return html`<form method="post">
    ${tokenField(token)}
    <input type="hidden" name="cache" value="${name}" />
    <button type="submit" class="small" name="action" value="clear">
      ${label}${name === "" ? emptyHtml : html` <span class="visually-hidden">${name}</span>`}
    </button>
  </form>`;
}

function clearingHistory(clears: readonly CacheClearing[]): Html {
  if (clears.length === 0) return emptyHtml;
  return html`<section>
    <h2>Last cleared</h2>
    <ul>
      ${mapHtml(clears, ({ at, actor, caches }) => html`<li>${momentHtml(at.getTime())} ${byActor(actor)}: ${caches.join(", ")}</li>`)}
    </ul>
  </section>`;
}
