import { type Attribute, type AttributeValue, type Group, groupLabel } from "../calendar/attributes.ts";
import type { NightEvent as StoredEvent } from "../journal/history.ts";
import { each, type Html, html, nothing, type Path } from "../web/html.ts";
import { momentAtProperty } from "../web/parts/moment.ts";
import { fact } from "../web/parts/table.ts";
import { path } from "../web/path.ts";
import { type AttributeChange, attributeLabel, changeTexts, valueText } from "./changes.ts";
import { type Day, dayText } from "./day.ts";

/** A message that set or changed a night. `at` and `sender` are undefined if its log entry was deleted. */
type Setter = { message: number; at: number | undefined; sender: string | undefined };

/** `gridBefore` links to the grid just before the event. `isLater`: after the moment shown. `isRelated`: of the whole category. */
type NightEvent = StoredEvent & { gridBefore: Path; isLater: boolean; isRelated: boolean };

export type NightDetail = {
  day: Day;
  title: string;
  currency: string;
  timeZone: string;
  /** Whether the night can be sold, and why not. */
  verdict: Html | undefined;
  values: readonly { column: Attribute; value: AttributeValue }[];
  setters: readonly (Setter & { group: Group })[];
  events: readonly NightEvent[];
  before: { day: Day; to: Path };
  after: { day: Day; to: Path };
  close: Path;
  allRows: Path | undefined;
  otherGrid: { label: string; to: Path };
};

export function nightPanel(detail: NightDetail): Html {
  const { day, title, verdict, before, after, close, allRows, otherGrid } = detail;
  return html`<section class="panel night-panel" id="night" aria-labelledby="night-title" tabindex="-1" data-focus>
    <div class="heading">
      <h2 id="night-title">${dayText(day)}: ${title}</h2>
      <a href="${close}" data-close>Close history</a>
    </div>
    ${verdict === undefined ? nothing : html`<p class="verdict">${verdict}</p>`}
    <div class="split">${current(detail)} ${history(detail)}</div>
    <ul class="links">
      <li><a href="${before.to}">‹ ${dayText(before.day)}</a></li>
      <li><a href="${after.to}">${dayText(after.day)} ›</a></li>
      <li><a href="${otherGrid.to}">${otherGrid.label}</a></li>
      ${allRows === undefined ? nothing : html`<li><a href="${allRows}">Show all rows</a></li>`}
    </ul>
  </section>`;
}

function current({ values, setters, currency, timeZone }: NightDetail): Html {
  if (values.length === 0) return html`<p>No data for this night.</p>`;
  return html`<dl class="facts">
    ${each(values, ({ column, value }) => fact(capitalized(attributeLabel(column)), valueText(column, value, currency)))}
    ${each(setters, (setter) => fact(`${capitalized(groupLabel(setter.group))} set by`, setterText(setter, timeZone)))}
  </dl>`;
}

function history({ events, timeZone }: NightDetail): Html {
  if (events.length === 0) return html`<p>No changes on record.</p>`;
  return html`<div>
    <h3>Changes, newest first</h3>
    <ol class="history">
      ${each(events, (event) => eventItem(event, timeZone))}
    </ol>
  </div>`;
}

function eventItem({ changes, gridBefore, isLater, isRelated, currencies, ...setter }: NightEvent, timeZone: string): Html {
  return html`<li>
    ${setterText(setter, timeZone)}${isLater ? html` · <b>after the time shown</b>` : nothing} ·
    <a href="${gridBefore}">View grid before this change</a>
    <ul>
      ${each(changes, (change) => changeItem({ ...change, currencies }, isRelated))}
    </ul>
  </li>`;
}

function changeItem(change: AttributeChange, isRelated: boolean): Html {
  const { from, to } = changeTexts(change);
  const label = attributeLabel(change.column);
  return html`<li>${isRelated ? `Whole category, ${label}` : capitalized(label)}: from ${from} to <b>${to}</b></li>`;
}

function setterText({ message, at, sender }: Setter, timeZone: string): Html {
  return html`<a href="${path`/dev/logs/${message}`}">message #${message}</a
    >${at === undefined ? nothing : html`, ${momentAtProperty(at, timeZone)}`}${sender === undefined ? nothing : html`, ${sender}`}`;
}

function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
