import { mapHtml, type Html, html, emptyHtml } from "../html.ts";
import { ifAllowed } from "./if-allowed.ts";
import { type ColumnHead, emptyCell, scrollTable, type TableFrame } from "./table.ts";

/**
 * On narrow screens, numbers always show their column heading. Other cells show it only if `narrow` is set. `cell` returns undefined if there is no
 * value.
 */
export type Column<Row> = { head: ColumnHead; cell(row: Row): Html | string | number | undefined; class?: string; narrow?: "label" };

export function columnTable<Row>(frame: Omit<TableFrame, "heads">, columns: readonly Column<Row>[], rows: Iterable<Row>): Html {
  const [first, ...others] = columns;
  return scrollTable(
    { ...frame, heads: columns.map(({ head }) => head) },
    mapHtml(
      rows,
      (row) =>
        html`<tr>
          <th${classAttribute(first?.class)} scope="row">${first?.cell(row) ?? emptyHtml}</th>
          ${mapHtml(others, (column) => columnCell(column, row))}
        </tr>`,
    ),
  );
}

function columnCell<Row>({ head, cell, class: name, narrow }: Column<Row>, row: Row): Html {
  const value = cell(row);
  if (value === undefined) return emptyCell;
  if (typeof head === "string") return html`<td${classAttribute(name)}${narrow ? html` data-label="${head}"` : emptyHtml}>${value}</td>`;
  if ("action" in head) return ifAllowed(html`<td class="act">${value}</td>`);
  return html`<td class="${name === undefined ? "number" : `number ${name}`}" data-label="${head.number}">${value}</td>`;
}

function classAttribute(name: string | undefined): Html {
  return name === undefined ? emptyHtml : html` class="${name}"`;
}
