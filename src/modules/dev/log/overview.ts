import { DAY_MS } from "../../../calendar/night.ts";
import type { Bar, MessageHistogram } from "../../../journal/message-histogram.ts";
import { mapHtml, type Html, html, emptyHtml, type Path } from "../../../web/html.ts";
import { formatNumber } from "../../../web/parts/amount.ts";
import { localMoment } from "../../../web/parts/moment.ts";
import { path, withQuery } from "../../../web/path.ts";
import type { ActiveFilters } from "./message-parts.ts";
import { LOG_FIELDS } from "./query.ts";

const LIST_PATH = path`/dev/logs`;
const BAR_WIDTH = 12;
const CHART_HEIGHT = 40;
/** Minimum width of a bar in pixels, as recommended for click targets. */
const MIN_LINK_PIXELS = 25;

/** Draws one bar per period. A bar links to the messages of its period. */
export function histogramChart({ bars, isComplete }: MessageHistogram, active: ActiveFilters): Html {
  const highestCount = Math.max(...bars.map(({ accepted, warned, refused }) => accepted + warned + refused));
  if (!(highestCount > 0)) return emptyHtml;
  const [from, to] = [bars[0]!.from, bars.at(-1)!.to].map((at) => formatMinute(at).replace("T", " "));
  return html`<figure class="histogram">
    <div class="bars">
      <svg
        viewBox="0 0 ${bars.length * BAR_WIDTH} ${CHART_HEIGHT}"
        width="${bars.length * MIN_LINK_PIXELS}"
        preserveAspectRatio="none"
        role="group"
        aria-label="Messages from ${from!} to ${to!}"
      >
        ${mapHtml(bars, (bar, index) => barLink(bar, { x: index * BAR_WIDTH, scale: CHART_HEIGHT / highestCount, active }))}
      </svg>
    </div>
    <figcaption>
      ${from!} to ${to!}: ${histogramLegend(bars)}${isComplete ? emptyHtml : html`; only the newest messages are counted`}. Select a bar to
      narrow the time range.
    </figcaption>
  </figure>`;
}

function histogramLegend(bars: readonly Bar[]): Html {
  const total = (name: "accepted" | "warned" | "refused") => formatNumber(bars.reduce((sum, bar) => sum + bar[name], 0));
  return html`<b class="accepted">${total("accepted")}</b> accepted, <b class="warned">${total("warned")}</b> with warnings,
    <b class="refused">${total("refused")}</b> refused`;
}

type BarContext = { x: number; scale: number; active: ActiveFilters };

function barLink({ from, to, accepted, warned, refused }: Bar, { x, scale, active }: BarContext): Html {
  if (accepted + warned + refused === 0) return emptyHtml;
  const range = { from: formatMinute(from), to: formatMinute(to - 1) };
  const counts = [`${accepted} accepted`, warned > 0 && `${warned} with warnings`, refused > 0 && `${refused} refused`];
  const [day = "", time = ""] = range.to.split("T");
  const until = range.from.startsWith(day) ? time : `${day} ${time}`;
  const label = `${range.from.replace("T", " ")} to ${until}: ${counts.filter(Boolean).join(", ")}`;
  let y = CHART_HEIGHT;
  const parts = Object.entries({ accepted, warned, refused }).map(([name, count]) => {
    const height = Math.round(count * scale * 10) / 10;
    y -= height;
    return count === 0
      ? emptyHtml
      : html`<rect class="${name}" x="${x}" y="${y.toFixed(1)}" width="${BAR_WIDTH - 1}" height="${height}" />`;
  });
  return html`<a href="${withQuery(LIST_PATH, { ...active, ...range })}">
    <title>${label}</title>
    <rect class="target" x="${x}" width="${BAR_WIDTH}" height="${CHART_HEIGHT}" />${parts}
  </a>`;
}

function formatMinute(at: number): string {
  return localMoment(at).slice(0, "YYYY-MM-DD HH:MM".length).replace(" ", "T");
}

/** Links to common filters and to the refusals by cause. */
export function presetLinks({ view, ...active }: ActiveFilters, now: number): Html {
  const { property, sender } = active;
  const today = localMoment(now).slice(0, "YYYY-MM-DD".length);
  const links: readonly (readonly [string, ActiveFilters])[] = [
    ["All", {}],
    ["Refused today", { outcome: "refused", from: today }],
    ["Yesterday", yesterdayRange(now)],
    ["Unknown codes", { outcome: "refused", q: "not found" }],
    ["Wrong credentials", { outcome: "unauthorised" }],
    ["With warnings", { outcome: "warnings" }],
    ["Slow", { slower: "500" }],
    ["Console", { via: "console" }],
  ];
  const current = view === undefined ? filterText(active) : undefined;
  return html`<nav class="presets" aria-label="Common filters">
    <ul>
      ${mapHtml(links, ([label, filters]) => {
        const presetFilters = { property, sender, ...filters };
        const isCurrent = filterText(presetFilters) === current;
        return presetItem(label, isCurrent ? undefined : withQuery(LIST_PATH, presetFilters));
      })}
      ${presetItem("Refusals by cause", view === "causes" ? undefined : withQuery(LIST_PATH, { ...active, view: "causes" }))}
    </ul>
  </nav>`;
}

export function yesterdayRange(now: number): { from: string; to: string } {
  const yesterday = localMoment(now - DAY_MS).slice(0, "YYYY-MM-DD".length);
  return { from: yesterday, to: yesterday };
}

/** Links to a preset, unless it is the current filter. */
function presetItem(label: string, link: Path | undefined): Html {
  return html`<li>${link === undefined ? html`<span aria-current="true">${label}</span>` : html`<a href="${link}">${label}</a>`}</li>`;
}

function filterText(filters: ActiveFilters): string {
  const activeFilters = LOG_FIELDS.flatMap((name) => (filters[name] ? [[name, filters[name]]] : []));
  return JSON.stringify(activeFilters);
}
