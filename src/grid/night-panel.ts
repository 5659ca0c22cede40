import { type Attribute, type AttributeValue, type Group, groupLabel, isFlag } from "../calendar/attributes.ts";
import { isLimit } from "../calendar/verdict.ts";
import type { NightEvent as StoredEvent } from "../journal/history.ts";
import { mapHtml, type Html, html, emptyHtml, type Path } from "../web/html.ts";
import { isolateDirections } from "../web/parts/isolate.ts";
import { momentAtProperty } from "../web/parts/moment.ts";
import { factRow } from "../web/parts/table.ts";
import { path } from "../web/path.ts";
import { type AttributeChange, attributeLabel, changeTexts, valueText } from "./changes.ts";
import { type Day, dayText } from "./day.ts";
import { nightCurve } from "./night-curve.ts";

/** A message that set or changed a night. `at` and `sender` are undefined if its log entry was deleted. */
type ValueSetter = { message: number; at: number | undefined; sender: string | undefined };

/**
 * `gridBefore` links to the grid just before the event, and `compare` to the changes in the grid since then. `isLater` marks events after
 * the displayed time. `isRelated` marks events for the whole category.
 */
type NightEvent = StoredEvent & { gridBefore: Path; compare: Path; isLater: boolean; isRelated: boolean };

/** `isRelated` marks values for the whole category. `source` is undefined if the change is older than the stored history. */
export type NightValue = { column: Attribute; value: AttributeValue; isRelated: boolean; source: ValueSetter | undefined };

export type NightDetail = {
  day: Day;
  title: string;
  currency: string;
  timeZone: string;
  verdict: Html | undefined;
  values: readonly NightValue[];
  /** The last message that set each group, if it is not the source of a value. */
  setters: readonly (ValueSetter & { group: Group })[];
  events: readonly NightEvent[];
  /** The displayed time, in milliseconds since 1970. */
  at: number;
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
      <a href="${close}" data-close>Close</a>
    </div>
    ${verdict === undefined ? emptyHtml : html`<p class="verdict">${verdict} ${limitsSection(detail)}</p>`}
    <div class="split">${currentSection(detail)} ${historySection(detail)}</div>
    <ul class="links">
      <li><a href="${before.to}" data-step="ArrowLeft">‹ ${dayText(before.day)}</a></li>
      <li><a href="${after.to}" data-step="ArrowRight">${dayText(after.day)} ›</a></li>
      <li><a href="${otherGrid.to}">${otherGrid.label}</a></li>
      ${allRows === undefined ? emptyHtml : html`<li><a href="${allRows}">Show all rows</a></li>`}
    </ul>
  </section>`;
}

function limitsSection({ values, currency }: NightDetail): Html {
  const limitingValues = values.filter(({ column, value }) => isLimit(column, value));
  const limitTexts = limitingValues.map(({ column, value }) => {
    const label = attributeLabel(column);
    return isFlag(column) ? label : `${label} ${valueText(column, value, currency)}`;
  });
  return limitTexts.length === 0 ? emptyHtml : html`Limits: ${limitTexts.join(", ")}.`;
}

function currentSection({ values, setters, currency, timeZone }: NightDetail): Html {
  if (values.length === 0) return html`<p>No data for this night.</p>`;
  return html`<dl class="facts">
    ${mapHtml(values, (value) => factRow(valueName(value), valueWithSource(value, currency, timeZone)))}
    ${mapHtml(setters, (setter) => factRow(`${capitalize(groupLabel(setter.group))} last sent by`, setterText(setter, timeZone)))}
  </dl>`;
}

function valueName({ column, isRelated }: Pick<NightValue, "column" | "isRelated">): string {
  const label = attributeLabel(column);
  return isRelated ? `Whole category, ${label}` : capitalize(label);
}

function valueWithSource({ column, value, source }: NightValue, currency: string, timeZone: string): Html {
  const text = html`<span class="text">${valueText(column, value, currency)}</span>`;
  return source === undefined ? text : html`${text} <small>${setterText(source, timeZone)}</small>`;
}

function historySection({ events, timeZone, currency, at }: NightDetail): Html {
  if (events.length === 0) return html`<p>No changes on record.</p>`;
  return html`<div>
    <h3>Timeline, newest first</h3>
    ${nightCurve({ events: events.filter((event) => !event.isRelated && !event.isLater), until: at, currency })}
    <ol class="history">
      ${mapHtml(events, (event) => eventItem(event, timeZone))}
    </ol>
  </div>`;
}

function eventItem({ changes, gridBefore, compare, isLater, isRelated, currencies, ...setter }: NightEvent, timeZone: string): Html {
  return html`<li>
    ${setterText(setter, timeZone)}${isLater ? html` · <b>after the time shown</b>` : emptyHtml} ·
    <a href="${gridBefore}">View grid before this change</a> · <a href="${compare}">Compare</a>
    <ul>
      ${mapHtml(changes, (change) => changeItem({ ...change, currencies }, isRelated))}
    </ul>
  </li>`;
}

function changeItem(change: AttributeChange, isRelated: boolean): Html {
  const { from, to } = changeTexts(change);
  return html`<li>${valueName({ column: change.column, isRelated })}: from ${from} to <b>${to}</b></li>`;
}

function setterText({ message, at, sender }: ValueSetter, timeZone: string): Html {
  return html`<a href="${path`/dev/logs/${message}`}">message ${message}</a
    >${sender === undefined ? emptyHtml : html` from ${isolateDirections(sender)}`}${
      at === undefined ? emptyHtml : html`, ${momentAtProperty(at, timeZone)}`
    }`;
}

function capitalize(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
