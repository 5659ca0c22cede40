import { DAY_MS } from "../../calendar/night.ts";
import type { RowCount } from "../../db/listing.ts";
import { mapHtml, type Html, html, emptyHtml, type Path } from "../../web/html.ts";
import { formatNumber, formatCount } from "../../web/parts/amount.ts";
import { type Column, columnTable } from "../../web/parts/column-table.ts";
import { isolateDirections } from "../../web/parts/isolate.ts";
import { localMoment, relativeMoment } from "../../web/parts/moment.ts";
import { path, withQuery } from "../../web/path.ts";
import type { SenderCause } from "./connections.ts";
import type { OutcomeCounts, PropertyRefusals, SilentProperties } from "./store.ts";

const SILENT_PATH = withQuery(path`/property`, { status: "active", silent: 1 });
const NEVER_SENT_PATH = withQuery(path`/property`, { status: "active", silent: "never" });

export function silenceLinks({ silent, neverSent }: SilentProperties): Html {
  if (silent.total + neverSent.total === 0) return emptyHtml;
  return html`<ul class="links">
    ${countLink(SILENT_PATH, silent, "silent for over a day")} ${countLink(NEVER_SENT_PATH, neverSent, "with no messages yet")}
  </ul>`;
}

function countLink(to: Path, { total, exact }: RowCount, what: string): Html {
  return total === 0 ? emptyHtml : html`<li><a href="${to}">${formatNumber(total)}${exact ? "" : "+"} ${what}</a></li>`;
}

type ProblemsView = {
  causes: readonly SenderCause[];
  silence: SilentProperties;
  refused: readonly PropertyRefusals[];
  outcomes: OutcomeCounts;
  now: number;
};

/** One row of the list: what is wrong, where, and when it last happened. */
type ListedProblem = { what: Html; where: Html; last?: Html };

/** Lists refused messages by cause, then refused messages that have no connection, then silent properties. */
export function problemsSection(found: ProblemsView): Html {
  const rows = [...found.causes.map(causeProblem), ...refusedProblems(found), ...silenceProblems(found.silence)];
  if (rows.length === 0) return emptyHtml;
  return html`<section>
    <h2>Needs attention</h2>
    ${columnTable({ label: "Needs attention", narrow: "stacked" }, PROBLEM_COLUMNS, rows)} ${moreLinks(found)}
  </section>`;
}

const PROBLEM_COLUMNS: readonly Column<ListedProblem>[] = [
  { head: "Problem", class: "long", cell: ({ what }) => what },
  { head: "Where", cell: ({ where }) => where },
  { head: "Last", class: "nowrap", narrow: "label", cell: ({ last }) => last },
];

function causeProblem({ sender, example, count, lastAt, message }: SenderCause): ListedProblem {
  return {
    what: html`<a href="${path`/dev/logs/${message}`}">${formatCount(count, "message")} refused</a>
      <span class="cause">${isolateDirections(example)}</span>`,
    where: html`<a href="${path`/dev/senders/${sender}`}">${isolateDirections(sender)}</a>`,
    last: relativeMoment(lastAt),
  };
}

/** The causes already cover messages from connections, so properties are listed only if other messages were also refused. */
function refusedProblems({ causes, refused, outcomes, now }: ProblemsView): ListedProblem[] {
  const countFromCauses = causes.reduce((sum, { count }) => sum + count, 0);
  if ((outcomes.outcomes.get("refused") ?? 0) <= countFromCauses) return [];
  const from = dayBefore(now);
  return refused.map(({ property, name, refused: count, total }) => ({
    what: html`<a href="${withQuery(path`/dev/logs`, { property, outcome: "refused", from })}">${formatNumber(count)} refused</a> of
      ${formatCount(total, "message")}`,
    where: propertyName(property, name),
  }));
}

function silenceProblems({ silent, neverSent, longest }: SilentProperties): ListedProblem[] {
  const stoppedProperties = longest.filter(({ last_message_at: at }) => at !== null);
  const waitingProperties = longest.filter(({ last_message_at: at }) => at === null);
  const groups = [
    { shown: stoppedProperties, count: silent, to: SILENT_PATH, text: "silent for over a day" },
    { shown: waitingProperties, count: neverSent, to: NEVER_SENT_PATH, text: "with no accepted messages" },
  ];
  return groups
    .filter(({ shown }) => shown.length > 0)
    .map(({ shown, count: { total, exact }, to, text }) => ({
      what: html`<a href="${to}">${formatNumber(total)}${exact ? "" : "+"} ${total === 1 ? "property" : "properties"} ${text}</a>`,
      where: html`<ul class="plain">
        ${mapHtml(shown, (one) => html`<li>${propertyName(one.code, one.name)}${lastRefused(one)}</li>`)}
      </ul>`,
      last: shown[0]!.last_message_at === null ? html`never` : relativeMoment(shown[0]!.last_message_at),
    }));
}

function lastRefused({ last_refused_at: at }: SilentProperties["longest"][number]): Html {
  return at === null ? emptyHtml : html` <span class="muted">last refused ${relativeMoment(at)}</span>`;
}

function moreLinks({ causes, refused, outcomes, now }: ProblemsView): Html {
  const countFromCauses = causes.reduce((sum, { count }) => sum + count, 0);
  const listedCount = Math.max(
    countFromCauses,
    refused.reduce((sum, one) => sum + one.refused, 0),
  );
  const all = withQuery(path`/dev/logs`, { outcome: "refused", from: dayBefore(now) });
  if ((outcomes.outcomes.get("refused") ?? 0) <= listedCount) return emptyHtml;
  return html`<p><a href="${all}">All messages refused in the last 24 hours</a></p>`;
}

export function dayBefore(now: number): string {
  return localMoment(now - DAY_MS).slice(0, "YYYY-MM-DD HH:MM".length);
}

/** A message may contain the code of a property that doesn't exist, so there may be no name. */
function propertyName(code: string, name: string | null): Html {
  const link = name === null ? emptyHtml : html`<a href="${path`/property/${code}`}">${name}</a> `;
  return html`<span>${link}<code>${code}</code></span>`;
}
