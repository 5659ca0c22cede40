import { mapHtml, type Html, html, emptyHtml } from "../../../web/html.ts";
import { formatCount } from "../../../web/parts/amount.ts";
import { relativeMoment } from "../../../web/parts/moment.ts";
import { path } from "../../../web/path.ts";
import type { HourCounts, SenderHealth } from "../../channel/senders/health-store.ts";

type LastMessage = SenderHealth["lastAccepted"];

export function messageLink(last: LastMessage): Html | undefined {
  return last && html`<a href="${path`/dev/logs/${last.id}`}">${relativeMoment(last.received_at)}</a>`;
}

export function shareCell({ acceptedShare, hours }: SenderHealth): Html {
  if (acceptedShare === undefined) return html`<span class="muted">no messages</span>`;
  return html`<span class="with-sparkline">${hourChart(hours)} ${formatPercent(acceptedShare)}</span>`;
}

export function formatPercent(share: number): string {
  return `${Math.floor(share * 100)}%`;
}

const BAR = 4;
const CHART_HEIGHT = 24;

/** Draws one bar per hour: accepted messages at the bottom, refused ones on top. */
export function hourChart(hours: readonly HourCounts[]): Html {
  const busiestHour = Math.max(1, ...hours.map(({ accepted: acceptedCount, refused: refusedCount }) => acceptedCount + refusedCount));
  const toHeight = (count: number) => Math.round((count / busiestHour) * CHART_HEIGHT * 10) / 10;
  const acceptedCount = hours.reduce((sum, hour) => sum + hour.accepted, 0);
  const refusedCount = hours.reduce((sum, hour) => sum + hour.refused, 0);
  return html`<svg class="hours" viewBox="0 0 ${hours.length * BAR} ${CHART_HEIGHT}" role="img">
    <title>
      ${formatCount(acceptedCount, "accepted message")} and ${formatCount(refusedCount, "refused message")} in the last 24 hours
    </title>
    ${mapHtml(hours, (hour, index) => bar(index * BAR, { accepted: toHeight(hour.accepted), refused: toHeight(hour.refused) }))}
  </svg>`;
}

function bar(x: number, { accepted: acceptedCount, refused: refusedCount }: HourCounts): Html {
  return html`${acceptedCount === 0 ? emptyHtml : svgRect("accepted", x, { y: CHART_HEIGHT - acceptedCount, height: acceptedCount })}${
    refusedCount === 0 ? emptyHtml : svgRect("refused", x, { y: CHART_HEIGHT - acceptedCount - refusedCount, height: refusedCount })
  }`;
}

function svgRect(name: string, x: number, { y, height }: { y: number; height: number }): Html {
  return html`<rect class="${name}" x="${x}" y="${y}" width="${BAR - 1}" height="${height}" />`;
}
