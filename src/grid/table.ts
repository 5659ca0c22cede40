import { mapHtml, type Html, html, emptyHtml } from "../web/html.ts";
import { type Day, dayClass, dayText } from "./day.ts";

/** A night's state, also used as its cell's CSS class. `gap` means that there is no data. */
export type NightState = "sellable" | "open" | "zero" | "closed" | "gap";

/** A cell for one night. `left` is the share of rooms that are still available, in tenths, drawn as a bar. */
export type GridCell = { state: NightState; content: Html; left?: number };

export type GridRow = {
  level: "category" | "part";
  /** Heading row that starts a new category. */
  group?: GridTotal;
  label: string;
  head: Html;
  /** Link to the row's nights, without the date at the end; see `nightLinks`. */
  link: Html;
  selected: string;
  cells: readonly GridCell[];
};

export function codeBadge(code: string): Html {
  return html` <i>${code}</i>`;
}

/** Draws one cell per night. If adjacent nights are the same object, their cell is drawn only once. */
export function drawCells<Night>(nights: readonly Night[], draw: (night: Night) => GridCell): GridCell[] {
  const cells: GridCell[] = [];
  for (const [index, night] of nights.entries()) cells.push(index > 0 && night === nights[index - 1] ? cells[index - 1]! : draw(night));
  return cells;
}

/** Corner mark of nights that changed in the last day. `changes` is in the same order as the rows. */
export const changeMark = html`<u> changed</u>`;

export function withChangeMarks(rows: readonly GridRow[], changes: readonly (readonly boolean[])[]): readonly GridRow[] {
  if (changes.length === 0) return rows;
  const mark = (cell: GridCell): GridCell => ({ ...cell, content: html`${cell.content}${changeMark}` });
  return rows.map((row, at) => ({ ...row, cells: row.cells.map((cell, index) => (changes[at]?.[index] ? mark(cell) : cell)) }));
}

export type GridTotal = Pick<GridRow, "head" | "cells">;

export type Grid = { caption: string; days: readonly Day[]; rows: readonly GridRow[]; totals: readonly GridTotal[] };

export function gridTable({ caption, days, rows, totals }: Grid): Html {
  const body = html`${mapHtml(groupRows(rows), (group) => tableGroup(group, days))}
  ${totals.length === 0 ? emptyHtml : tableFoot(totals, days)}`;
  return nightTable({ caption, days, rowHead: "Category", kind: `days-${days.length}`, body });
}

/** `kind` is an additional class; `rowHead` is the heading above the row names. */
type NightTable = { caption: string; days: readonly Day[]; rowHead: string; kind: string; body: Html };

/** A table with one column per night. */
export function nightTable({ caption, days, rowHead, kind, body }: NightTable): Html {
  return html`<section class="grid-scroll" aria-label="${caption}" tabindex="0">
    <table class="grid ${kind}">
      <caption class="visually-hidden">
        ${caption}
      </caption>
      <colgroup>
        <col />
        ${dayColumns(days)}
      </colgroup>
      <thead>
        <tr class="months">
          <th scope="col" rowspan="2" class="corner">${rowHead}</th>
          ${mapHtml(countDaysByMonth(days), ({ month, count }) => html`<th scope="colgroup" colspan="${count}"><span>${month}</span></th>`)}
        </tr>
        <tr class="days">
          ${mapHtml(days, dayHead)}
        </tr>
      </thead>
      ${body}
    </table>
  </section>`;
}

/** Draws one list per day, for narrow screens and screen readers. */
export function gridList({ days, rows }: Grid): Html {
  return html`<ol class="grid-days">
    ${mapHtml(
      days,
      (day, index) =>
        html`<li class="${dayClass(day)}">
          <h2>${dayText(day)}${day.today ? html` <strong class="today-word">Today</strong>` : emptyHtml}</h2>
          <dl>${mapHtml(rows, (row) => listEntry(row, index, day.iso))}</dl>
        </li>`,
    )}
  </ol>`;
}

export function dayColumns(days: readonly Pick<Day, "weekend">[]): Html {
  return html`${mapHtml(days, ({ weekend }) => (weekend ? html`<col class="weekend" />` : html`<col />`))}`;
}

export function dayHead(day: Day): Html {
  const classes = classAttribute(`${day.weekend ? "weekend " : ""}${dayClass(day)}`.trimEnd());
  const today = day.today ? html` <span class="today-word">Today</span>` : emptyHtml;
  const date = html`<time datetime="${day.iso}">${day.date}</time>`;
  return html`<th scope="col" ${classes}><span class="weekday">${day.weekday}</span> ${date}${today}</th>`;
}

function groupRows(rows: readonly GridRow[]): GridRow[][] {
  const groups: GridRow[][] = [];
  for (const row of rows) {
    const last = groups.at(-1);
    if (last === undefined || row.group !== undefined) groups.push([row]);
    else last.push(row);
  }
  return groups;
}

function tableGroup(rows: readonly GridRow[], days: readonly Day[]): Html {
  const head = rows[0]?.group;
  return html`<tbody>
    ${head === undefined ? emptyHtml : groupHead(head, days)}${mapHtml(rows, (row) => tableRow(row, days))}
  </tbody>`;
}

function groupHead({ head, cells }: GridTotal, days: readonly Day[]): Html {
  return html`<tr class="group">
    <th scope="rowgroup">${head}</th>
    ${plainCells(cells, days)}
  </tr>`;
}

function plainCells(cells: readonly GridCell[], days: readonly Day[]): Html {
  return mapHtml(days, (day, index) => html`<td${cellClass(cells[index]!, day)}>${cells[index]!.content}</td>`);
}

function tableRow(row: GridRow, days: readonly Day[]): Html {
  const head = html`<th scope="row">${row.head}</th>`;
  return html`<tr class="${row.level}">
    ${head}${mapHtml(days, (day, index) => tableCell(row, row.cells[index]!, day))}
  </tr>`;
}

function tableCell({ link, selected }: GridRow, cell: GridCell, day: Day): Html {
  const classes = cellClass(cell, day);
  if (day.iso === selected) return html`<td${classes}><a href="${link}${day.iso}" aria-current="true">${cell.content}</a></td>`;
  return html`<td${classes}><a href="${link}${day.iso}">${cell.content}</a></td>`;
}

function tableFoot(totals: readonly GridTotal[], days: readonly Day[]): Html {
  const row = ({ head, cells }: GridTotal) =>
    html`<tr class="total">
      <th scope="row">${head}</th>
      ${plainCells(cells, days)}
    </tr>`;
  return html`<tfoot>
    ${mapHtml(totals, row)}
  </tfoot>`;
}

/** Returns a cell's CSS classes. Sellable nights have no class for their state, to keep rate grids small. */
export function cellClass({ state, left }: GridCell, day: Day): Html {
  const dayClassName = dayClass(day);
  if (state === "sellable") return classAttribute(dayClassName);
  const night = left === undefined ? state : `${state} left-${left}`;
  return classAttribute(dayClassName === "" ? night : `${night} ${dayClassName}`);
}

function classAttribute(classes: string): Html {
  return classes === "" ? emptyHtml : html` class="${classes}"`;
}

function listEntry(row: GridRow, index: number, iso: string): Html {
  const { state, content } = row.cells[index]!;
  return html`<div class="${row.level}">
    <dt>${row.label}</dt>
    <dd class="${state}"><a href="${row.link}${iso}" ${iso === row.selected ? html`aria-current="true"` : emptyHtml}>${content}</a></dd>
  </div>`;
}

export function countDaysByMonth(days: readonly Day[]): { month: string; count: number }[] {
  const months: { month: string; count: number }[] = [];
  for (const { month } of days) {
    const last = months.at(-1);
    if (last?.month === month) last.count++;
    else months.push({ month, count: 1 });
  }
  return months;
}

export const gapContent = html`<span aria-hidden="true">&ndash;</span><span class="visually-hidden">no data</span>`;
