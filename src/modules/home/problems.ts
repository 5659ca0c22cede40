import { DAY_MS } from "../../calendar/night.ts";
import type { Count } from "../../db/listing.ts";
import { each, type Html, html, nothing, type Path } from "../../web/html.ts";
import { amount, formatCount } from "../../web/parts/amount.ts";
import { type Column, columnTable } from "../../web/parts/column-table.ts";
import { isolate } from "../../web/parts/isolate.ts";
import { localMoment, relativeMoment } from "../../web/parts/moment.ts";
import { path, withQuery } from "../../web/path.ts";
import type { Cause } from "./connections.ts";
import type { OutcomeCounts, RefusedProperty, Silence } from "./store.ts";

const SILENT = withQuery(path`/property`, { status: "active", silent: 1 });
const NEVER_SENT = withQuery(path`/property`, { status: "active", silent: "never" });

export function silenceLinks({ silent, neverSent }: Silence): Html {
  if (silent.total + neverSent.total === 0) return nothing;
  return html`<ul class="links">
    ${countLink(SILENT, silent, "silent for over a day")} ${countLink(NEVER_SENT, neverSent, "with no messages yet")}
  </ul>`;
}

function countLink(to: Path, { total, exact }: Count, what: string): Html {
  return total === 0 ? nothing : html`<li><a href="${to}">${amount(total)}${exact ? "" : "+"} ${what}</a></li>`;
}

type Problems = { causes: readonly Cause[]; silence: Silence; refused: readonly RefusedProperty[]; outcomes: OutcomeCounts; now: number };

/** One row of the list: what is wrong, where, and when it last happened. */
type Problem = { what: Html; where: Html; last?: Html };

/** Lists refused messages by cause, then refused messages that have no connection, then silent properties. */
export function problems(found: Problems): Html {
  const rows = [...found.causes.map(causeProblem), ...refusedProblems(found), ...silenceProblems(found.silence)];
  if (rows.length === 0) return nothing;
  return html`<section>
    <h2>Needs attention</h2>
    ${columnTable({ label: "Needs attention", narrow: "stacked" }, COLUMNS, rows)} ${moreLinks(found)}
  </section>`;
}

const COLUMNS: readonly Column<Problem>[] = [
  { head: "Problem", class: "long", cell: ({ what }) => what },
  { head: "Where", cell: ({ where }) => where },
  { head: "Last", class: "nowrap", narrow: "label", cell: ({ last }) => last },
];

function causeProblem({ sender, example, count, lastAt, message }: Cause): Problem {
  return {
    what: html`<a href="${path`/dev/logs/${message}`}">${formatCount(count, "message")} refused</a>
      <span class="cause">${isolate(example)}</span>`,
    where: html`<a href="${path`/dev/senders/${sender}`}">${isolate(sender)}</a>`,
    last: relativeMoment(lastAt),
  };
}

/** The causes cover the messages of connections, so properties are listed only if other messages were refused too. */
function refusedProblems({ causes, refused, outcomes, now }: Problems): Problem[] {
  const countByCauses = causes.reduce((sum, { count }) => sum + count, 0);
  if ((outcomes.outcomes.get("refused") ?? 0) <= countByCauses) return [];
  const from = dayBefore(now);
  return refused.map(({ property, name, refused: count, total }) => ({
    what: html`<a href="${withQuery(path`/dev/logs`, { property, outcome: "refused", from })}">${amount(count)} refused</a> of
      ${formatCount(total, "message")}`,
    where: propertyName(property, name),
  }));
}

function silenceProblems({ silent, neverSent, longest }: Silence): Problem[] {
  const stoppedProperties = longest.filter(({ last_message_at: at }) => at !== null);
  const waitingProperties = longest.filter(({ last_message_at: at }) => at === null);
  const groups = [
    { shown: stoppedProperties, count: silent, to: SILENT, text: "silent for over a day" },
    { shown: waitingProperties, count: neverSent, to: NEVER_SENT, text: "with no accepted messages" },
  ];
  return groups
    .filter(({ shown }) => shown.length > 0)
    .map(({ shown, count: { total, exact }, to, text }) => ({
      what: html`<a href="${to}">${amount(total)}${exact ? "" : "+"} ${total === 1 ? "property" : "properties"} ${text}</a>`,
      where: html`<ul class="plain">
        ${each(shown, (one) => html`<li>${propertyName(one.code, one.name)}${lastRefused(one)}</li>`)}
      </ul>`,
      last: shown[0]!.last_message_at === null ? html`never` : relativeMoment(shown[0]!.last_message_at),
    }));
}

function lastRefused({ last_refused_at: at }: Silence["longest"][number]): Html {
  return at === null ? nothing : html` <span class="muted">last refused ${relativeMoment(at)}</span>`;
}

function moreLinks({ causes, refused, outcomes, now }: Problems): Html {
  const countByCauses = causes.reduce((sum, { count }) => sum + count, 0);
  const listedCount = Math.max(
    countByCauses,
    refused.reduce((sum, one) => sum + one.refused, 0),
  );
  const all = withQuery(path`/dev/logs`, { outcome: "refused", from: dayBefore(now) });
  if ((outcomes.outcomes.get("refused") ?? 0) <= listedCount) return nothing;
  return html`<p><a href="${all}">All messages refused in the last 24 hours</a></p>`;
}

export function dayBefore(now: number): string {
  return localMoment(now - DAY_MS).slice(0, "YYYY-MM-DD HH:MM".length);
}

/** A message may name a property that doesn't exist, so there may be no name. */
function propertyName(code: string, name: string | null): Html {
  const link = name === null ? nothing : html`<a href="${path`/property/${code}`}">${name}</a> `;
  return html`<span>${link}<code>${code}</code></span>`;
}
