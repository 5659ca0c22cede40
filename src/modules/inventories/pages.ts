import { type CountedNight, roomsLeft } from "../../calendar/sale.ts";
import type { Verdict } from "../../calendar/verdict.ts";
import { type GridCategory, type GridContext, inactiveBadge } from "../../grid/context.ts";
import { badgeEntries, badgeEntry, gridLegend, type LegendEntry, saleEntries, symbolEntries } from "../../grid/legend.ts";
import { nightLinks, selectedDate } from "../../grid/links.ts";
import { isDense, type NightRow, type RowFilter } from "../../grid/query.ts";
import { rangeText, sparkline } from "../../grid/sparkline.ts";
import { drawCells, type GridCell, type GridRow, type NightState } from "../../grid/table.ts";
import { type Html, html, emptyHtml } from "../../web/html.ts";
import { formatNumber, formatCount } from "../../web/parts/amount.ts";
import { allotmentCell, allotmentSymbol, inventoryCell, inventorySymbol } from "./cell.ts";
import type { InventoryRow } from "./row.ts";

export function inventoryGridRows(context: GridContext, rows: readonly InventoryRow[]): GridRow[] {
  const rowLink = nightLinks(context);
  return rows.map((row) => {
    const { type, category, code } = row;
    const place = { category: category.code, room: type === "room" ? code : "", plan: type === "allotment" ? code : "" };
    return {
      ...rowHead(row),
      link: rowLink(place),
      selected: selectedDate(context, place),
      cells: rowCells(row, isDense(context.query) ? SYMBOL_RENDERERS : CELL_RENDERERS),
    };
  });
}

const FILTER_STATES: Partial<Record<RowFilter, NightState>> = { gaps: "gap", closed: "closed", zero: "zero" };

export function matchesFilter(row: InventoryRow, filter: RowFilter): boolean {
  return rowCells(row, CELL_RENDERERS).some(({ state }) => state === FILTER_STATES[filter]);
}

const CELL_RENDERERS = { rooms: inventoryCell, allotment: allotmentCell };
/** Draws cells for narrow columns. */
const SYMBOL_RENDERERS = { rooms: inventorySymbol, allotment: allotmentSymbol };

function rowCells(row: InventoryRow, draw: typeof CELL_RENDERERS): GridCell[] {
  if (row.type === "allotment") return drawCells(row.nights, draw.allotment);
  // A category created by a message has 0 rooms, because the message doesn't say how many there are.
  const rooms = (row.type === "category" && row.category.rooms) || undefined;
  return drawCells(row.nights, (night) => draw.rooms(night, rooms));
}

function rowHead(row: InventoryRow): Pick<GridRow, "level" | "label" | "head"> {
  const { category, code } = row;
  if (row.type === "allotment") return { level: "part", label: `${category.code}, allotment of ${code}`, head: html`Allotment ${code}` };
  if (row.type === "room") return { level: "part", label: `${category.code}, room ${code}`, head: html`Room ${code}` };
  return {
    level: "category",
    label: `${category.code} ${category.name}`,
    head: html`${categoryHead(category, row.nights)}${inactiveBadge(category)}`,
  };
}

function categoryHead({ code, name, rooms }: GridCategory, nights: readonly CountedNight[]): Html {
  const total = rooms > 0 ? html` <small>${formatCount(rooms, "room")}</small>` : emptyHtml;
  return html`<span class="line"
      ><span><b>${code}</b>${total}</span> ${roomsChart(nights)}</span
    >${name === code ? emptyHtml : html` <span class="name" title="${name}">${name}</span>`}`;
}

function roomsChart(nights: readonly CountedNight[]): Html {
  const values = nights.map(roomsLeft);
  const knownValues = values.filter((value) => value !== undefined);
  const title = `Rooms available: ${rangeText(formatNumber(Math.min(...knownValues)), formatNumber(Math.max(...knownValues)))}`;
  return sparkline({ values, baseline: 0, title });
}

export function inventoryLegend({ query, property: { assumeOpen } }: GridContext): Html {
  return gridLegend(
    query,
    [
      {
        cell: "open left-3",
        shows: html`<b>3</b>`,
        meaning: "rooms left; the bar shows their share of all rooms",
      },
      { cell: "zero", shows: html`<b>0</b>`, meaning: "sold out" },
      {
        cell: "gap",
        shows: html`&ndash;`,
        meaning: `no data; treated as ${assumeOpen ? "open" : "closed"}, but not sellable without a count`,
      },
      ...(isDense(query) ? symbolEntries(["counts"]) : LEGEND_BADGES),
    ],
    "Select a cell for its history.",
  );
}

const LEGEND_BADGES: readonly LegendEntry[] = [
  ...saleEntries(["not active", "hotel closed", "stop sell"]).map((entry) => ({ ...entry, cell: "closed" })),
  ...badgeEntries(["counts"]),
  badgeEntry("SUM", "sum of the individual rooms"),
];

/** Returns the selected night's verdict, or undefined if its row is not shown. */
export function selectedVerdict({ query, first }: GridContext, rows: readonly InventoryRow[]): Verdict | undefined {
  const { night, nightRow } = query;
  const row = rows.find(
    (one) => one.category.code === nightRow.category && one.code === selectedCode(nightRow) && one.type === rowType(nightRow),
  );
  return night === undefined ? undefined : row?.nights[night - first]?.verdict;
}

function rowType({ plan, room }: NightRow): InventoryRow["type"] {
  if (plan !== "") return "allotment";
  return room === "" ? "category" : "room";
}

function selectedCode({ category, plan, room }: NightRow): string {
  return plan || room || category;
}
