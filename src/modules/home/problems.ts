import { DAY_MS } from "../../calendar/night.ts";
import type { Count } from "../../db/listing.ts";
import { each, type Html, html, nothing, type Path } from "../../web/html.ts";
import { amount, counted } from "../../web/parts/amount.ts";
import { localMoment, moment } from "../../web/parts/moment.ts";
import { scrollTable } from "../../web/parts/table.ts";
import { path, withQuery } from "../../web/path.ts";
import { causeRows } from "./connections-page.ts";
import type { Cause } from "./connections.ts";
import type { OutcomeCounts, RefusedProperty, Silence } from "./store.ts";

const SILENT = withQuery(path`/property`, { status: "active", silent: 1 });
const NEVER_SENT = withQuery(path`/property`, { status: "active", silent: "never" });

export function silenceLinks({ silent, neverSent }: Silence): Html {
  if (silent.total + neverSent.total === 0) return nothing;
  return html`<ul class="links">
    ${countLink(SILENT, silent, "silent for over a day")} ${countLink(NEVER_SENT, neverSent, "without messages yet")}
  </ul>`;
}

function countLink(to: Path, { total, exact }: Count, what: string): Html {
  return total === 0 ? nothing : html`<li><a href="${to}">${amount(total)}${exact ? "" : "+"} ${what}</a></li>`;
}

type Problems = { causes: readonly Cause[]; silence: Silence; refused: readonly RefusedProperty[]; outcomes: OutcomeCounts; now: number };

export function problems({ causes, silence, refused, outcomes, now }: Problems): Html {
  if (causes.length + refused.length + silence.longest.length === 0) return nothing;
  return html`<section>
    <h2>Needs attention</h2>
    ${
      causes.length === 0
        ? nothing
        : scrollTable({ label: "Refused messages by cause", heads: ["Connection", "Cause"], narrow: "stacked" }, causeRows(causes))
    }
    ${refused.length + silence.longest.length === 0 ? nothing : propertyTable({ causes, silence, refused, outcomes, now })}
  </section>`;
}

function propertyTable({ causes, silence, refused, outcomes, now }: Problems): Html {
  return html`${scrollTable(
    { label: "Needs attention", heads: ["Property", "Problem"], narrow: "stacked" },
    html`${each(refused, (one) => refusedRow(one, dayBefore(now)))}${each(silence.longest, silentRow)}`,
  )}
  ${moreLinks({ causes, silence, refused, outcomes, now })}`;
}

function moreLinks({ silence, refused, outcomes, now }: Problems): Html {
  const listed = refused.reduce((sum, one) => sum + one.refused, 0);
  const all = withQuery(path`/dev/logs`, { outcome: "refused", from: dayBefore(now) });
  const links = [
    (outcomes.outcomes.get("refused") ?? 0) > listed && html`<a href="${all}">All messages refused in 24 hours</a>`,
    silence.silent.total > silence.longest.length && html`<a href="${SILENT}">All properties silent for over a day</a>`,
  ].filter((link) => link !== false);
  return links.length === 0 ? nothing : html`<p class="links">${each(links, (link) => html`${link} `)}</p>`;
}

export function dayBefore(now: number): string {
  return localMoment(now - DAY_MS).slice(0, "YYYY-MM-DD HH:MM".length);
}

function refusedRow({ property, name, refused, total }: RefusedProperty, from: string): Html {
  return html`<tr>
    ${propertyHead(property, name)}
    <td>
      <a href="${withQuery(path`/dev/logs`, { property, outcome: "refused", from })}">${amount(refused)} refused</a> of
      ${counted(total, "message")} in 24 hours
    </td>
  </tr>`;
}

function silentRow({ code, name, created_at: created, last_message_at: last, last_refused_at: refused }: Silence["longest"][number]): Html {
  const adjective = refused === null ? "" : "accepted ";
  return html`<tr>
    ${propertyHead(code, name)}
    <td>
      ${last === null ? html`no ${adjective}messages yet, created ${moment(created)}` : html`no ${adjective}messages since ${moment(last)}`}${
        refused === null ? nothing : html`, last refused ${moment(refused)}`
      }
    </td>
  </tr>`;
}

/** A message may name a property that doesn't exist, so there may be no name. */
function propertyHead(code: string, name: string | null): Html {
  const link = name === null ? nothing : html`<a href="${path`/property/${code}`}">${name}</a> `;
  return html`<td class="name">
    <div class="clamp">${link}<code>${code}</code></div>
  </td>`;
}
