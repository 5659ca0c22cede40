import { mapHtml, type Html, html, emptyHtml } from "../web/html.ts";
import { type Day, isWeekend, WEEKDAYS } from "./day.ts";
import { cellClass, dayColumns, type Grid, type GridRow } from "./table.ts";

export function gridCalendars({ days, rows }: Grid): Html {
  const weeks = splitWeeks(days);
  return html`<div class="calendars">${mapHtml(rows, (row) => rowCalendar(row, weeks))}</div>`;
}

type CalendarSlot = { day: Day; index: number } | undefined;

function splitWeeks(days: readonly Day[]): CalendarSlot[][] {
  const before: CalendarSlot[] = WEEKDAYS.slice(0, WEEKDAYS.indexOf(days[0]!.weekday)).map(() => undefined);
  const slots = [...before, ...days.map((day, index) => ({ day, index }))];
  return Array.from({ length: Math.ceil(slots.length / 7) }, (_, week) =>
    Array.from({ length: 7 }, (_slot, weekday) => slots[week * 7 + weekday]),
  );
}

function rowCalendar(row: GridRow, weeks: readonly CalendarSlot[][]): Html {
  return html`<table class="calendar">
    <caption>
      ${row.label}
    </caption>
    <colgroup>
      ${dayColumns(WEEKDAYS.map((weekday) => ({ weekend: isWeekend(weekday) })))}
    </colgroup>
    <thead>
      <tr>
        ${mapHtml(WEEKDAYS, (weekday) => html`<th scope="col">${weekday}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${mapHtml(
        weeks,
        (week) =>
          html`<tr>
            ${mapHtml(week, (slot) => (slot === undefined ? html`<td></td>` : dayCell(row, slot)))}
          </tr>`,
      )}
    </tbody>
  </table>`;
}

function dayCell({ cells, link, selected }: GridRow, { day, index }: NonNullable<CalendarSlot>): Html {
  const cell = cells[index]!;
  const month = index === 0 || day.date === 1 ? day.month.slice(0, 3) : "";
  return html`<td${cellClass(cell, day)}>
    <a href="${link}${day.iso}" ${day.iso === selected ? html`aria-current="true"` : emptyHtml}>
      <time datetime="${day.iso}">${day.date} ${month}</time>${day.today ? html` <span class="visually-hidden">today</span>` : emptyHtml}
      <span>${cell.content}</span>
    </a>
  </td>`;
}
