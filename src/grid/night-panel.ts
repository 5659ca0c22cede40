import type { Attribute, AttributeValue, Group } from "../calendar/attributes.ts";
import type { Currencies } from "../calendar/change.ts";
import { each, type Html, html, nothing, type Path } from "../web/html.ts";
import { momentAtProperty } from "../web/parts/moment.ts";
import { fact } from "../web/parts/table.ts";
import { path } from "../web/path.ts";
import { type ChangeSides, attributeLabel, changeTexts, valueText } from "./attribute-text.ts";
import { type Day, dayInWords } from "./day.ts";

/** A message that set or changed a night; `at` and `sender` are undefined when its log entry is gone. */
export type Setter = { message: number; at: number | undefined; sender: string | undefined };

/** `past` leads to the view as it was just before; `later` is after the moment that the view shows. */
export type NightEvent = Setter & {
  past: Path;
  later: boolean;
  currencies: Currencies;
  changes: readonly { column: Attribute; from: AttributeValue | undefined; to: AttributeValue | undefined }[];
};

/** One night of one lane: what holds, who set it, and every change that is still known, newest first. */
export type NightDetail = {
  day: Day;
  /** What the night belongs to, such as `DBL Double room, rate plan BAR`. */
  what: string;
  /** Of the amounts that hold. */
  currency: string;
  timeZone: string;
  /** Whether it is on sale, or why not; undefined where that is not known. */
  sale: Html | undefined;
  values: readonly { column: Attribute; value: AttributeValue }[];
  setters: readonly (Setter & { group: Group })[];
  events: readonly NightEvent[];
  /** The nights around it in the same row. */
  before: { day: Day; to: Path };
  after: { day: Day; to: Path };
  /** The view without this panel. */
  close: Path;
  /** The view of every row, where it is narrowed. */
  all: Path | undefined;
  /** The same night in the other view. */
  other: { label: string; to: Path };
};

const GROUPS: Readonly<Record<Group, string>> = {
  counts: "counts",
  closed: "hotel closed",
  amounts: "amounts",
  restrictions: "restrictions",
  allotment: "allotment",
};

/** A night's history: what holds now, which message set it, and what each message before changed. */
export function nightPanel(detail: NightDetail): Html {
  const { day, what, before, after, close, all, other } = detail;
  return html`<section class="panel night-panel" id="night" aria-labelledby="night-title" tabindex="-1" data-focus>
    <div class="heading">
      <h2 id="night-title">${dayInWords(day)}: ${what}</h2>
      <a href="${close}" data-close>Close the history</a>
    </div>
    <div class="split">${state(detail)} ${history(detail)}</div>
    <ul class="links">
      <li><a href="${before.to}">‹ ${dayInWords(before.day)}</a></li>
      <li><a href="${after.to}">${dayInWords(after.day)} ›</a></li>
      <li><a href="${other.to}">${other.label}</a></li>
      ${all === undefined ? nothing : html`<li><a href="${all}">Show all rows</a></li>`}
    </ul>
  </section>`;
}

function state({ sale, values, setters, currency, timeZone }: NightDetail): Html {
  if (values.length === 0) return html`<p>Nothing was received for this night.</p>`;
  return html`<dl class="facts">
    ${fact("on sale", sale)} ${each(values, ({ column, value }) => fact(attributeLabel(column), valueText(column, value, currency)))}
    ${each(setters, (setter) => fact(`${GROUPS[setter.group]} set by`, setterLine(setter, timeZone)))}
  </dl>`;
}

function history({ events, timeZone }: NightDetail): Html {
  if (events.length === 0) return html`<p>No message of the log has changed this night.</p>`;
  return html`<div>
    <h3>Messages that changed this night, newest first</h3>
    <ol class="history">
      ${each(events, (event) => eventItem(event, timeZone))}
    </ol>
  </div>`;
}

function eventItem({ changes, past, later, currencies, ...setter }: NightEvent, timeZone: string): Html {
  return html`<li>
    ${setterLine(setter, timeZone)}${later ? html` · <b>after the moment shown</b>` : nothing} · <a href="${past}">the grid before it</a>
    <ul>
      ${each(changes, (change) => changeItem({ ...change, currencies }))}
    </ul>
  </li>`;
}

function changeItem(change: ChangeSides): Html {
  const { from, to } = changeTexts(change);
  return html`<li>${attributeLabel(change.column)}: from ${from} to <b>${to}</b></li>`;
}

function setterLine({ message, at, sender }: Setter, timeZone: string): Html {
  return html`<a href="${path`/dev/logs/${message}`}">message #${message}</a
    >${at === undefined ? nothing : html`, ${momentAtProperty(at, timeZone)}`}${sender === undefined ? nothing : html`, ${sender}`}`;
}
