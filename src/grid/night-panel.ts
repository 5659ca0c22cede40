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

/** `gridBefore` links to the grid just before the event. `isLater` means after the moment shown. */
type NightEvent = StoredEvent & { gridBefore: Path; isLater: boolean };

export type NightDetail = {
  day: Day;
  title: string;
  currency: string;
  timeZone: string;
  sale: Html | undefined;
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
  const { day, title, before, after, close, allRows, otherGrid } = detail;
  return html`<section class="panel night-panel" id="night" aria-labelledby="night-title" tabindex="-1" data-focus>
    <div class="heading">
      <h2 id="night-title">${dayText(day)}: ${title}</h2>
      <a href="${close}" data-close>Close history</a>
    </div>
    <div class="split">${current(detail)} ${history(detail)}</div>
    <ul class="links">
      <li><a href="${before.to}">‹ ${dayText(before.day)}</a></li>
      <li><a href="${after.to}">${dayText(after.day)} ›</a></li>
      <li><a href="${otherGrid.to}">${otherGrid.label}</a></li>
      ${allRows === undefined ? nothing : html`<li><a href="${allRows}">Show all rows</a></li>`}
    </ul>
  </section>`;
}

function current({ sale, values, setters, currency, timeZone }: NightDetail): Html {
  if (values.length === 0) return html`<p>No data for this night.</p>`;
  return html`<dl class="facts">
    ${fact("Sellable", sale)}
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

function eventItem({ changes, gridBefore, isLater, currencies, ...setter }: NightEvent, timeZone: string): Html {
  return html`<li>
    ${setterText(setter, timeZone)}${isLater ? html` · <b>after the time shown</b>` : nothing} ·
    <a href="${gridBefore}">View grid before this change</a>
    <ul>
      ${each(changes, (change) => changeItem({ ...change, currencies }))}
    </ul>
  </li>`;
}

function changeItem(change: AttributeChange): Html {
  const { from, to } = changeTexts(change);
  return html`<li>${capitalized(attributeLabel(change.column))}: from ${from} to <b>${to}</b></li>`;
}

function setterText({ message, at, sender }: Setter, timeZone: string): Html {
  return html`<a href="${path`/dev/logs/${message}`}">message #${message}</a
    >${at === undefined ? nothing : html`, ${momentAtProperty(at, timeZone)}`}${sender === undefined ? nothing : html`, ${sender}`}`;
}

function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
