import { DAY_MS } from "../../calendar/night.ts";
import type { Count } from "../../db/listing.ts";
import { each, type Html, html, nothing, type Path } from "../../web/html.ts";
import { amount, counted } from "../../web/parts/amount.ts";
import { localMoment, moment } from "../../web/parts/moment.ts";
import { scrollTable } from "../../web/parts/table.ts";
import { path, withQuery } from "../../web/path.ts";
import type { OutcomeCounts, RefusedProperty, Silence } from "./store.ts";

/** The list of properties has the same ones. */
const SILENT = withQuery(path`/property`, { status: "active", silent: 1 });
const UNHEARD = withQuery(path`/property`, { status: "active", silent: "never" });

/** How many active properties were not heard of for a day, and how many not yet; nothing when all were. */
export function silenceLinks({ silent, unheard }: Silence): Html {
  if (silent.total + unheard.total === 0) return nothing;
  return html`<ul class="links">
    ${countLink(SILENT, silent, "silent for a day")} ${countLink(UNHEARD, unheard, "with no message yet")}
  </ul>`;
}

function countLink(to: Path, { total, exact }: Count, what: string): Html {
  return total === 0 ? nothing : html`<li><a href="${to}">${amount(total)}${exact ? "" : "+"} ${what}</a></li>`;
}

type Troubles = { silence: Silence; refused: readonly RefusedProperty[]; outcomes: OutcomeCounts; now: number };

/** Properties that an operator should look at: their messages are refused, or do not come any more. */
export function troubles({ silence, refused, outcomes, now }: Troubles): Html {
  if (refused.length + silence.longest.length === 0) return nothing;
  return html`<section>
    <h2>Worth a look</h2>
    ${scrollTable(
      { label: "Worth a look", heads: ["Property", "What"], narrow: "stacked" },
      html`${each(refused, (one) => refusedRow(one, dayBefore(now)))}${each(silence.longest, silentRow)}`,
    )}
    ${linksToRest({ silence, refused, outcomes, now })}
  </section>`;
}

/** The way to all of what the table has the worst of alone. */
function linksToRest({ silence, refused, outcomes, now }: Troubles): Html {
  const told = refused.reduce((sum, one) => sum + one.refused, 0);
  const all = withQuery(path`/dev/logs`, { outcome: "refused", from: dayBefore(now) });
  const links = [
    (outcomes.outcomes.get("refused") ?? 0) > told && html`<a href="${all}">All messages refused in 24 hours</a>`,
    silence.silent.total > silence.longest.length && html`<a href="${SILENT}">All that were silent for a day</a>`,
  ].filter((link) => link !== false);
  return links.length === 0 ? nothing : html`<p class="links">${each(links, (link) => html`${link} `)}</p>`;
}

/** The moment since which messages are counted, as the message log is asked for it. */
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

function silentRow({ code, name, created_at: created, last_message_at: last }: Silence["longest"][number]): Html {
  return html`<tr>
    ${propertyHead(code, name)}
    <td>${last === null ? html`no message yet, created ${moment(created)}` : html`no message since ${moment(last)}`}</td>
  </tr>`;
}

/** Without a name there is no such property. */
function propertyHead(code: string, name: string | null): Html {
  const link = name === null ? nothing : html`<a href="${path`/property/${code}`}">${name}</a> `;
  return html`<td class="name">
    <div class="clamp">${link}<code>${code}</code></div>
  </td>`;
}
