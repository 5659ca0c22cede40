import { each, type Html, html, nothing } from "../web/html.ts";
import { type Day, isWeekend, WEEKDAYS } from "./day.ts";
import { cellClass, dayColumns, type Grid, type GridRow } from "./table.ts";

/** The same nights as a small calendar for every row: weeks below each other, whole on a phone. */
export function gridCalendars({ days, rows }: Grid): Html {
  const weeks = weeksOf(days);
  return html`<div class="calendars">${each(rows, (row) => calendar(row, weeks))}</div>`;
}

/** A place of a calendar: a day and its place in the row, or nothing before the first day and after the last. */
type Place = { day: Day; index: number } | undefined;

function weeksOf(days: readonly Day[]): Place[][] {
  const before: Place[] = WEEKDAYS.slice(0, WEEKDAYS.indexOf(days[0]!.weekday)).map(() => undefined);
  const places = [...before, ...days.map((day, index) => ({ day, index }))];
  return Array.from({ length: Math.ceil(places.length / 7) }, (_, week) => Array.from({ length: 7 }, (_one, at) => places[week * 7 + at]));
}

function calendar(row: GridRow, weeks: readonly Place[][]): Html {
  return html`<table class="calendar">
    <caption>
      ${row.label}
    </caption>
    <colgroup>
      ${dayColumns(WEEKDAYS.map((weekday) => ({ weekend: isWeekend(weekday) })))}
    </colgroup>
    <thead>
      <tr>
        ${each(WEEKDAYS, (weekday) => html`<th scope="col">${weekday}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${each(
        weeks,
        (week) =>
          html`<tr>
            ${each(week, (place) => (place === undefined ? html`<td></td>` : dayCell(row, place)))}
          </tr>`,
      )}
    </tbody>
  </table>`;
}

function dayCell({ cells, link, chosen }: GridRow, { day, index }: NonNullable<Place>): Html {
  const cell = cells[index]!;
  const month = index === 0 || day.date === 1 ? day.month.slice(0, 3) : "";
  return html`<td${cellClass(cell, day)}>
    <a href="${link}${day.iso}" ${day.iso === chosen ? html`aria-current="true"` : nothing}>
      <time datetime="${day.iso}">${day.date} ${month}</time>${day.today ? html` <span class="visually-hidden">today</span>` : nothing}
      <span>${cell.content}</span>
    </a>
  </td>`;
}
