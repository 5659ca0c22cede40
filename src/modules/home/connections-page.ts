import { type Html, html, emptyHtml } from "../../web/html.ts";
import { formatNumber } from "../../web/parts/amount.ts";
import { type Column, columnTable } from "../../web/parts/column-table.ts";
import { isolateDirections } from "../../web/parts/isolate.ts";
import { path, withQuery } from "../../web/path.ts";
import type { HourCounts } from "../channel/senders/health-store.ts";
import { hourChart, messageLink, shareCell } from "../dev/senders/health.ts";
import type { SenderConnection } from "./connections.ts";
import type { AgeCounts } from "./store.ts";

export function connectionsSection(connections: readonly SenderConnection[]): Html {
  if (connections.length === 0) return emptyHtml;
  const columns: readonly Column<SenderConnection>[] = [
    { head: "Connection", class: "name", cell: ({ name }) => html`<a href="${path`/dev/senders/${name}`}">${isolateDirections(name)}</a>` },
    { head: "Accepted (last 24 hours)", narrow: "label", class: "nowrap", cell: ({ health }) => shareCell(health) },
    { head: "Last accepted", narrow: "label", class: "nowrap", cell: ({ health }) => messageLink(health.lastAccepted) },
  ];
  return html`<section>
    <h2>Connections</h2>
    ${combinedHourChart(connections)} ${columnTable({ label: "Connections", narrow: "stacked" }, columns, connections)}
    <p><a href="${path`/dev/senders`}">All connections</a></p>
  </section>`;
}

function combinedHourChart(connections: readonly SenderConnection[]): Html {
  const first = connections[0]!.health.hours.map((): HourCounts => ({ accepted: 0, refused: 0 }));
  const hours = first.map((_, index) => ({
    accepted: sum(connections, ({ health }) => health.hours[index]!.accepted),
    refused: sum(connections, ({ health }) => health.hours[index]!.refused),
  }));
  const [accepted, refused] = [sum(hours, (hour) => hour.accepted), sum(hours, (hour) => hour.refused)];
  return html`<p class="day-chart">
    ${hourChart(hours)} ${formatNumber(accepted)} accepted and ${formatNumber(refused)} refused in the last 24 hours, by hour
  </p>`;
}

function sum<Item>(items: readonly Item[], value: (item: Item) => number): number {
  return items.reduce((total, item) => total + value(item), 0);
}

const AGE_LABELS: readonly (readonly [keyof AgeCounts, string, string, string | undefined])[] = [
  ["hour", "within an hour", "good", undefined],
  ["day", "within a day", "good", undefined],
  ["week", "1 to 7 days ago", "warn", "1"],
  ["older", "over 7 days ago", "bad", "7"],
  ["never", "never", "muted", "never"],
];

/** Shows when active properties last had an accepted message. */
export function freshnessSection(ages: AgeCounts): Html {
  const total = AGE_LABELS.reduce((all, [age]) => all + ages[age], 0);
  if (total === 0) return emptyHtml;
  let x = 0;
  const parts = AGE_LABELS.map(([age, , shade]) => {
    const width = (100 * ages[age]) / total;
    x += width;
    return html`<rect class="${shade}" x="${(x - width).toFixed(2)}" width="${width.toFixed(2)}" height="4" />`;
  });
  return html`<section>
    <h2>Freshness</h2>
    <p>Last accepted message per active property:</p>
    <svg class="parts" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">${parts}</svg>
    <ul class="links">
      ${AGE_LABELS.filter(([age]) => ages[age] > 0).map(([age, label, , silent]) => html`<li>${ageLink(`${formatNumber(ages[age])} ${label}`, silent)}</li>`)}
    </ul>
  </section>`;
}

function ageLink(label: string, silent: string | undefined): Html {
  return silent === undefined ? html`${label}` : html`<a href="${withQuery(path`/property`, { status: "active", silent })}">${label}</a>`;
}
