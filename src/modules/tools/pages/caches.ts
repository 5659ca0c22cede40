import { listAudit } from "../../../records/audit.ts";
import { type CacheStats } from "../../../web/caches.ts";
import { each, type Html, html, nothing } from "../../../web/html.ts";
import { amount, formatCount } from "../../../web/parts/amount.ts";
import { type Column, columnTable } from "../../../web/parts/column-table.ts";
import { tokenField } from "../../../web/parts/fields.ts";
import { byActor } from "../../../web/parts/history.ts";
import { ifAllowed } from "../../../web/parts/if-allowed.ts";
import { moment, relativeMoment } from "../../../web/parts/moment.ts";
import { formatSeconds, formatShare } from "../parts.ts";
import { toDate, type Tool, type ToolContext, type ToolNeeds, type ToolResult } from "../tool.ts";

const SUBJECT = "tool:caches";
const CLEARS_SHOWN = 10;

type ShownCache = Omit<CacheStats, "lifetime" | "oldest"> & { oldest: Date | undefined; seconds: number | undefined };

type Clear = { at: Date; actor: string; caches: readonly string[] };
type CachesView = { caches: readonly ShownCache[]; clears: readonly Clear[] };

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
  page: (view, token) => ({ main: html`${table(view, token)} ${history(view.clears)}` }),
  actions: { clear },
};

function shownCaches({ caches }: ToolNeeds): ShownCache[] {
  return caches.list().map((cache) => {
    const { lifetime, oldest, ...facts } = cache.describe();
    return { ...facts, oldest: toDate(oldest), seconds: Number.isFinite(lifetime) ? lifetime / 1000 : undefined };
  });
}

async function listClears({ database }: ToolNeeds): Promise<Clear[]> {
  const entries = await listAudit(database, SUBJECT, CLEARS_SHOWN);
  return entries.map(({ at, actor, changes }) => ({ at: new Date(at), actor, caches: changes.map((change) => change.field) }));
}

async function clear({ services, form }: ToolContext): Promise<ToolResult> {
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

function table({ caches }: CachesView, token: string): Html {
  if (caches.length === 0) return html`<p>This process has no caches.</p>`;
  const columns: readonly Column<ShownCache>[] = [
    { head: "Cache", cell: ({ name }) => name },
    { head: "Contents", class: "words", cell: ({ about }) => about },
    { head: { number: "Entries" }, class: "nowrap", cell: ({ entries, limit }) => `${amount(entries)} of ${amount(limit)}` },
    { head: "Oldest", class: "nowrap", narrow: "label", cell: ({ oldest }) => oldest && relativeMoment(oldest.getTime()) },
    {
      head: "Lifetime",
      class: "nowrap",
      narrow: "label",
      cell: ({ seconds }) => (seconds === undefined ? "unlimited" : formatSeconds(seconds)),
    },
    { head: { number: "Hits" }, cell: ({ hits }) => amount(hits) },
    { head: { number: "Misses" }, cell: ({ misses }) => amount(misses) },
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
      ${label}${name === "" ? nothing : html` <span class="visually-hidden">${name}</span>`}
    </button>
  </form>`;
}

function history(clears: readonly Clear[]): Html {
  if (clears.length === 0) return nothing;
  return html`<section>
    <h2>Last cleared</h2>
    <ul>
      ${each(clears, ({ at, actor, caches }) => html`<li>${moment(at.getTime())} ${byActor(actor)}: ${caches.join(", ")}</li>`)}
    </ul>
  </section>`;
}
