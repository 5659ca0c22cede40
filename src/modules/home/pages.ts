import type { Count } from "../../db/listing.ts";
import type { MessageRow } from "../../db/schema.ts";
import { OUTCOMES, type Outcome } from "../../journal/work.ts";
import { each, type Html, html, nothing, type Path } from "../../web/html.ts";
import type { Page } from "../../web/page.ts";
import { amount, formatCount } from "../../web/parts/amount.ts";
import { ifAllowed } from "../../web/parts/if-allowed.ts";
import { isolate } from "../../web/parts/isolate.ts";
import { relativeMoment } from "../../web/parts/moment.ts";
import { pruningNotice } from "../../web/parts/notices.ts";
import { scrollTable } from "../../web/parts/table.ts";
import { path, withQuery } from "../../web/path.ts";
import type { Alert } from "../alerts/alert-store.ts";
import { alertsBlock } from "../alerts/block.ts";
import { messageBadges, propertyCell } from "../dev/log/message-parts.ts";
import { connectionsSection, freshnessSection } from "./connections-page.ts";
import type { Cause, Connection } from "./connections.ts";
import { firstCount, firstMessage, type ChannelAccess } from "./first-message.ts";
import { dayBefore, problems, silenceLinks } from "./problems.ts";
import type { AgeCounts, OutcomeCounts, Progress, RefusedProperty, Silence } from "./store.ts";

/** Messages and errors are counted over the last 24 hours. */
export type Home = {
  now: number;
  properties: Count;
  categories: Count;
  outcomes: OutcomeCounts;
  errors: Count;
  openGroups: Count;
  messages: readonly MessageRow[];
  progress: Progress;
  silence: Silence;
  ages: AgeCounts;
  refused: readonly RefusedProperty[];
  connections: readonly Connection[];
  causes: readonly Cause[];
  channel: ChannelAccess;
  pruningBehindDays: number;
  alerts: readonly Alert[];
};

export function homePage(home: Home): Page {
  const isSetUp = home.progress.filled !== undefined;
  return {
    title: "Roomrack",
    lead: "Availability, rates and inventory that property systems and channel managers send for your properties.",
    main: html`${pruningNotice(home.pruningBehindDays)} ${alertsBlock(home.alerts, home.now)}
    ${isSetUp ? nothing : ifAllowed(openSteps(home))} ${figures(home)}
    ${isSetUp ? html`${problems(home)} ${connectionsSection(home.connections)} ${freshnessSection(home.ages)}` : nothing}
    ${lastMessages(home)} ${isSetUp ? ifAllowed(completedSteps(home)) : nothing}`,
  };
}

function figures({ properties, categories, outcomes, errors, openGroups, silence, progress, now }: Home): Html {
  const messages = { total: outcomes.total, exact: outcomes.exact, more: outcomeList(outcomes, now) };
  return html`<section aria-label="At a glance">
    <ul class="cards figures">
      ${card("Properties", path`/property`, { ...properties, more: progress.filled ? silenceLinks(silence) : nothing })}
      ${card("Categories", path`/category`, categories)} ${card("Messages, 24 hours", path`/dev/logs`, messages)}
      ${card("Errors, 24 hours", path`/tools/errors`, { ...errors, more: openGroupsLink(openGroups) })}
    </ul>
  </section>`;
}

function card(label: string, to: Path, { total, exact, more = nothing }: Count & { more?: Html }): Html {
  return html`<li>
    <h2><a href="${to}">${label}</a></h2>
    <p class="figure">${amount(total)}${exact ? nothing : html`<span title="at least this many">+</span>`}</p>
    ${more}
  </li>`;
}

function openGroupsLink({ total, exact }: Count): Html {
  if (total === 0) return nothing;
  const label = exact ? formatCount(total, "open group") : `${amount(total)}+ open groups`;
  return html`<ul class="links">
    <li><a href="${withQuery(path`/tools/errors`, { view: "groups" })}">${label}</a></li>
  </ul>`;
}

function outcomeList({ outcomes, exact }: OutcomeCounts, now: number): Html {
  const present = (Object.keys(OUTCOMES) as Outcome[]).filter((outcome) => outcomes.has(outcome));
  if (present.length === 0) return nothing;
  const links = present.map((outcome) => {
    const count = outcomes.get(outcome) ?? 0;
    return html`<li>
      <a href="${withQuery(path`/dev/logs`, { outcome, from: dayBefore(now) })}">${amount(count)} ${outcome}</a>
    </li>`;
  });
  return html`${outcomeBar(outcomes)}
    <ul class="links">
      ${links} ${exact ? nothing : html`<li>latest messages only</li>`}
    </ul>`;
}

function outcomeBar(outcomes: OutcomeCounts["outcomes"]): Html {
  const total = [...outcomes.values()].reduce((sum, count) => sum + count, 0);
  let x = 0;
  const parts = (Object.keys(OUTCOMES) as Outcome[]).map((outcome) => {
    const width = (100 * (outcomes.get(outcome) ?? 0)) / total;
    x += width;
    return html`<rect class="${OUTCOMES[outcome]}" x="${(x - width).toFixed(2)}" width="${width.toFixed(2)}" height="4" />`;
  });
  return html`<svg class="parts" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">${parts}</svg>`;
}

function lastMessages({ messages }: Home): Html {
  if (messages.length === 0) return nothing;
  return html`<section>
    <h2>Recent messages</h2>
    ${scrollTable({ label: "Recent messages", heads: ["Received", "Outcome", "Property", "Summary"], narrow: "stacked" }, each(messages, messageRow))}
    <p><a href="${path`/dev/logs`}">All messages</a></p>
  </section>`;
}

function messageRow(message: MessageRow): Html {
  return html`<tr>
    <td class="nowrap"><a href="${path`/dev/logs/${message.id}`}">${relativeMoment(message.received_at)}</a></td>
    <td>${messageBadges(message)}</td>
    ${propertyCell(message)}
    <td class="long"><div class="clamp">${isolate(message.summary)}</div></td>
  </tr>`;
}

function openSteps(home: Home): Html {
  return html`<section class="panel">
    <h2>Getting started</h2>
    ${firstSteps(home)}
  </section>`;
}

function completedSteps(home: Home): Html {
  return html`<details class="panel">
    <summary>Getting started</summary>
    ${firstSteps(home)}
  </details>`;
}

function firstSteps(home: Home): Html {
  const { property, category, filled } = home.progress;
  const newCategory = withQuery(path`/category/new`, { hotelCode: property });
  return html`<ol class="first-steps">
      ${step(property !== undefined, html`<a href="${path`/property/new`}">Create a property</a> with its code, currency and time zone.`)}
      ${step((category ?? filled) !== undefined, html`<a href="${newCategory}">Create a category</a>, a type of room that the property sells.`)}
      ${sendStep(home)} ${step(filled !== undefined, seeStep(filled ?? category))}
    </ol>
    <p class="links">
      <a href="${path`/channel`}">Channel reference</a> <a href="${path`/dev/channel`}">Message console</a>
      <a href="${path`/dev/logs`}">Message log</a> <a href="${path`/tools/errors`}">Error log</a> <a href="${path`/tools`}">Tools</a>
    </p>`;
}

function step(done: boolean, text: Html, more: Html = nothing): Html {
  return html`<li>${text} ${done ? html`<span class="badge good">done</span>` : nothing} ${more}</li>`;
}

function sendStep({ progress, channel, now }: Home): Html {
  const { category, filled } = progress;
  const isSetUp = filled !== undefined;
  if (category === undefined)
    return step(isSetUp, html`Send a message to <code>/channel</code>. The command appears here once there is an active category.`);
  const rooms = firstCount(category);
  return step(
    isSetUp,
    html`Send a message: ${formatCount(rooms, "room")} of <code>${category.code}</code> for a week, from the command
      line.${channel.open ? nothing : html` Create credentials with <code>npm run sender -- add NAME</code>.`}`,
    html`<pre id="first-message" tabindex="0">${firstMessage(category, channel, now)}</pre>
      <button type="button" class="small" data-copy="first-message">Copy command</button>`,
  );
}

function seeStep(category: Progress["filled"]): Html {
  const query = category && { property: category.property, category: category.code };
  return html`View the nights in <a href="${withQuery(path`/inventories`, query ?? {})}">inventories</a> and
    <a href="${withQuery(path`/rates`, query ?? {})}">rates</a>, and the message in the <a href="${path`/dev/logs`}">message log</a>.`;
}
