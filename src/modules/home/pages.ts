import type { RowCount } from "../../db/listing.ts";
import type { MessageRow } from "../../db/schema.ts";
import { OUTCOME_BADGES, type MessageOutcome } from "../../journal/work.ts";
import { mapHtml, type Html, html, emptyHtml, type Path } from "../../web/html.ts";
import type { Page } from "../../web/page.ts";
import { formatNumber, formatCount } from "../../web/parts/amount.ts";
import { ifAllowed } from "../../web/parts/if-allowed.ts";
import { isolateDirections } from "../../web/parts/isolate.ts";
import { relativeMoment } from "../../web/parts/moment.ts";
import { pruningNotice } from "../../web/parts/notices.ts";
import { scrollTable } from "../../web/parts/table.ts";
import { path, withQuery } from "../../web/path.ts";
import type { Alert } from "../alerts/alert-store.ts";
import { alertsBlock } from "../alerts/block.ts";
import { messageBadges, propertyCell } from "../dev/log/message-parts.ts";
import { connectionsSection, freshnessSection } from "./connections-page.ts";
import type { SenderCause, SenderConnection } from "./connections.ts";
import { firstCount, firstMessage, type ChannelAccess } from "./first-message.ts";
import { dayBefore, problemsSection, silenceLinks } from "./problems.ts";
import type { AgeCounts, OutcomeCounts, SetupProgress, PropertyRefusals, SilentProperties } from "./store.ts";

/** Messages and errors are counted over the last 24 hours. */
export type HomeView = {
  now: number;
  properties: RowCount;
  categories: RowCount;
  outcomes: OutcomeCounts;
  errors: RowCount;
  openGroups: RowCount;
  messages: readonly MessageRow[];
  progress: SetupProgress;
  silence: SilentProperties;
  ages: AgeCounts;
  refused: readonly PropertyRefusals[];
  connections: readonly SenderConnection[];
  causes: readonly SenderCause[];
  channel: ChannelAccess;
  pruningBehindDays: number;
  alerts: readonly Alert[];
};

export function homePage(home: HomeView): Page {
  const isSetUp = home.progress.filled !== undefined;
  return {
    title: "Roomrack",
    lead: "Availability, rates and inventory that property systems and channel managers send for your properties.",
    main: html`${pruningNotice(home.pruningBehindDays)} ${alertsBlock(home.alerts, home.now)}
    ${isSetUp ? emptyHtml : ifAllowed(openSteps(home))} ${figureCards(home)}
    ${isSetUp ? html`${problemsSection(home)} ${connectionsSection(home.connections)} ${freshnessSection(home.ages)}` : emptyHtml}
    ${recentMessages(home)} ${isSetUp ? ifAllowed(completedSteps(home)) : emptyHtml}`,
  };
}

function figureCards({ properties, categories, outcomes, errors, openGroups, silence, progress, now }: HomeView): Html {
  const messages = { total: outcomes.total, exact: outcomes.exact, more: outcomeList(outcomes, now) };
  return html`<section aria-label="At a glance">
    <ul class="cards figures">
      ${figureCard("Properties", path`/property`, { ...properties, more: progress.filled ? silenceLinks(silence) : emptyHtml })}
      ${figureCard("Categories", path`/category`, categories)} ${figureCard("Messages, 24 hours", path`/dev/logs`, messages)}
      ${figureCard("Errors, 24 hours", path`/tools/errors`, { ...errors, more: openGroupsLink(openGroups) })}
    </ul>
  </section>`;
}

function figureCard(label: string, to: Path, { total, exact, more = emptyHtml }: RowCount & { more?: Html }): Html {
  return html`<li>
    <h2><a href="${to}">${label}</a></h2>
    <p class="figure">${formatNumber(total)}${exact ? emptyHtml : html`<span title="at least this many">+</span>`}</p>
    ${more}
  </li>`;
}

function openGroupsLink({ total, exact }: RowCount): Html {
  if (total === 0) return emptyHtml;
  const label = exact ? formatCount(total, "open group") : `${formatNumber(total)}+ open groups`;
  return html`<ul class="links">
    <li><a href="${withQuery(path`/tools/errors`, { view: "groups" })}">${label}</a></li>
  </ul>`;
}

function outcomeList({ outcomes, exact }: OutcomeCounts, now: number): Html {
  const present = (Object.keys(OUTCOME_BADGES) as MessageOutcome[]).filter((outcome) => outcomes.has(outcome));
  if (present.length === 0) return emptyHtml;
  const links = present.map((outcome) => {
    const count = outcomes.get(outcome) ?? 0;
    return html`<li>
      <a href="${withQuery(path`/dev/logs`, { outcome, from: dayBefore(now) })}">${formatNumber(count)} ${outcome}</a>
    </li>`;
  });
  return html`${outcomeBar(outcomes)}
    <ul class="links">
      ${links} ${exact ? emptyHtml : html`<li>latest messages only</li>`}
    </ul>`;
}

function outcomeBar(outcomes: OutcomeCounts["outcomes"]): Html {
  const total = [...outcomes.values()].reduce((sum, count) => sum + count, 0);
  let x = 0;
  const parts = (Object.keys(OUTCOME_BADGES) as MessageOutcome[]).map((outcome) => {
    const width = (100 * (outcomes.get(outcome) ?? 0)) / total;
    x += width;
    return html`<rect class="${OUTCOME_BADGES[outcome]}" x="${(x - width).toFixed(2)}" width="${width.toFixed(2)}" height="4" />`;
  });
  return html`<svg class="parts" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">${parts}</svg>`;
}

function recentMessages({ messages }: HomeView): Html {
  if (messages.length === 0) return emptyHtml;
  return html`<section>
    <h2>Recent messages</h2>
    ${scrollTable({ label: "Recent messages", heads: ["Received", "Outcome", "Property", "Summary"], narrow: "stacked" }, mapHtml(messages, messageRow))}
    <p><a href="${path`/dev/logs`}">All messages</a></p>
  </section>`;
}

function messageRow(message: MessageRow): Html {
  return html`<tr>
    <td class="nowrap"><a href="${path`/dev/logs/${message.id}`}">${relativeMoment(message.received_at)}</a></td>
    <td>${messageBadges(message)}</td>
    ${propertyCell(message)}
    <td class="long"><div class="clamp">${isolateDirections(message.summary)}</div></td>
  </tr>`;
}

function openSteps(home: HomeView): Html {
  return html`<section class="panel">
    <h2>Getting started</h2>
    ${firstSteps(home)}
  </section>`;
}

function completedSteps(home: HomeView): Html {
  return html`<details class="panel">
    <summary>Getting started</summary>
    ${firstSteps(home)}
  </details>`;
}

function firstSteps(home: HomeView): Html {
  const { property, category, filled } = home.progress;
  const newCategory = withQuery(path`/category/new`, { hotelCode: property });
  return html`<ol class="first-steps">
      ${setupStep(property !== undefined, html`<a href="${path`/property/new`}">Create a property</a> with its code, currency and time zone.`)}
      ${setupStep((category ?? filled) !== undefined, html`<a href="${newCategory}">Create a category</a>, a type of room that the property sells.`)}
      ${sendStep(home)} ${setupStep(filled !== undefined, seeStep(filled ?? category))}
    </ol>
    <p class="links">
      <a href="${path`/channel`}">Channel reference</a> <a href="${path`/dev/channel`}">Message console</a>
      <a href="${path`/dev/logs`}">Message log</a> <a href="${path`/tools/errors`}">Error log</a> <a href="${path`/tools`}">Tools</a>
    </p>`;
}

function setupStep(done: boolean, text: Html, more: Html = emptyHtml): Html {
  return html`<li>${text} ${done ? html`<span class="badge good">done</span>` : emptyHtml} ${more}</li>`;
}

function sendStep({ progress, channel, now }: HomeView): Html {
  const { category, filled } = progress;
  const isSetUp = filled !== undefined;
  if (category === undefined)
    return setupStep(isSetUp, html`Send a message to <code>/channel</code>. The command appears here once there is an active category.`);
  const rooms = firstCount(category);
  return setupStep(
    isSetUp,
    html`From the command line, send a message that makes ${formatCount(rooms, "room")} of <code>${category.code}</code> available for a
      week.${channel.open ? emptyHtml : html` Create credentials with <code>npm run sender -- add NAME</code>.`}`,
    html`<pre id="first-message" tabindex="0">${firstMessage(category, channel, now)}</pre>
      <button type="button" class="small" data-copy="first-message">Copy command</button>`,
  );
}

function seeStep(category: SetupProgress["filled"]): Html {
  const query = category && { property: category.property, category: category.code };
  return html`View the nights in <a href="${withQuery(path`/inventories`, query ?? {})}">inventories</a> and
    <a href="${withQuery(path`/rates`, query ?? {})}">rates</a>, and the message in the <a href="${path`/dev/logs`}">message log</a>.`;
}
