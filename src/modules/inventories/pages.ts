import { type CountedNight, roomsLeft } from "../../calendar/sale.ts";
import type { Verdict } from "../../calendar/verdict.ts";
import { type GridContext, inactiveBadge } from "../../grid/context.ts";
import { badgeEntries, badgeEntry, gridLegend } from "../../grid/legend.ts";
import { nightLinks, selectedDate } from "../../grid/links.ts";
import type { NightRow, RowFilter } from "../../grid/query.ts";
import { rangeText, sparkline } from "../../grid/sparkline.ts";
import { cellsOf, type GridCell, type GridRow, type NightState } from "../../grid/table.ts";
import { type Html, html, nothing } from "../../web/html.ts";
import { amount } from "../../web/parts/amount.ts";
import { allotmentCell, inventoryCell } from "./cell.ts";
import type { InventoryRow } from "./row.ts";

export function inventoryGridRows(context: GridContext, rows: readonly InventoryRow[]): GridRow[] {
  const linkOf = nightLinks(context);
  return rows.map((row) => {
    const { type, category, code } = row;
    const place = { category: category.code, room: type === "room" ? code : "", plan: type === "allotment" ? code : "" };
    return { ...headOf(row), link: linkOf(place), selected: selectedDate(context, place), cells: rowCells(row) };
  });
}

const FILTER_STATES: Partial<Record<RowFilter, NightState>> = { gaps: "gap", closed: "closed", zero: "zero" };

export function matchesFilter(row: InventoryRow, filter: RowFilter): boolean {
  return rowCells(row).some(({ state }) => state === FILTER_STATES[filter]);
}

function rowCells(row: InventoryRow): GridCell[] {
  if (row.type === "allotment") return cellsOf(row.nights, allotmentCell);
  // A category created by a message has 0 rooms, because the message does not say how many there are.
  const rooms = (row.type === "category" && row.category.rooms) || undefined;
  return cellsOf(row.nights, (night) => inventoryCell(night, rooms));
}

function headOf(row: InventoryRow): Pick<GridRow, "level" | "label" | "head"> {
  const { category, code } = row;
  if (row.type === "allotment") return { level: "part", label: `${category.code}, allotment of ${code}`, head: html`Allotment ${code}` };
  if (row.type === "room") return { level: "part", label: `${category.code}, room ${code}`, head: html`Room ${code}` };
  return {
    level: "category",
    label: `${category.code} ${category.name}`,
    head: html`${categoryHead(category, row.nights)}${inactiveBadge(category)}`,
  };
}

function categoryHead({ code, name }: { code: string; name: string }, nights: readonly CountedNight[]): Html {
  return html`<span class="line"><b>${code}</b> ${roomsChart(nights)}</span
    >${name === code ? nothing : html` <span class="name" title="${name}">${name}</span>`}`;
}

function roomsChart(nights: readonly CountedNight[]): Html {
  const values = nights.map(roomsLeft);
  const known = values.filter((value) => value !== undefined);
  const title = `Rooms available: ${rangeText(amount(Math.min(...known)), amount(Math.max(...known)))}`;
  return sparkline({ values, baseline: 0, title });
}

export function inventoryLegend(assumeOpen: boolean): Html {
  return gridLegend(
    [
      {
        cell: "open left-3",
        shows: html`<b>3</b><small> / 10</small>`,
        meaning: "available / total rooms; the bar shows the share left",
      },
      { cell: "zero", shows: html`<b>0</b>`, meaning: "sold out" },
      { cell: "gap", shows: html`&ndash;`, meaning: `no data; treated as ${assumeOpen ? "open" : "closed"}, not sellable without a count` },
      ...badgeEntries(["closed"]).map((entry) => ({ ...entry, cell: "closed" })),
      ...badgeEntries(["counts"]),
      badgeEntry("SUM", "sum of the individual rooms"),
    ],
    "Select a cell for its history.",
  );
}

/** The verdict of the selected night; undefined if its row is not shown. */
export function selectedVerdict({ query, first }: GridContext, rows: readonly InventoryRow[]): Verdict | undefined {
  const { night, nightRow } = query;
  const row = rows.find((one) => one.category.code === nightRow.category && one.code === codeIn(nightRow) && one.type === typeOf(nightRow));
  return night === undefined ? undefined : row?.nights[night - first]?.verdict;
}

function typeOf({ plan, room }: NightRow): InventoryRow["type"] {
  if (plan !== "") return "allotment";
  return room === "" ? "category" : "room";
}

function codeIn({ category, plan, room }: NightRow): string {
  return plan || room || category;
}
