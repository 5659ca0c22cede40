import type { CountNight } from "../../grid/count-night.ts";
import { gridLegend, tagSign } from "../../grid/legend.ts";
import type { Problem } from "../../grid/query.ts";
import { chosenNight, type GridScene, inactiveBadge, nightLinks } from "../../grid/scene.ts";
import { rangeText, stripPicture } from "../../grid/strip.ts";
import { cellsOf, type GridCell, type GridRow, type NightState } from "../../grid/table.ts";
import { type Html, html, nothing } from "../../web/html.ts";
import { amount } from "../../web/parts/amount.ts";
import { allotmentCell, inventoryCell } from "./cell.ts";
import type { InventoryRow } from "./row.ts";

/** The rows of the grid. */
export function inventoryGridRows(scene: GridScene, rows: readonly InventoryRow[]): GridRow[] {
  const linkOf = nightLinks(scene);
  return rows.map((row) => gridRow(scene, row, linkOf));
}

const PROBLEM_STATES: Partial<Record<Problem, NightState>> = { gaps: "gap", closed: "closed", zero: "zero" };

/** Whether a night of the row is drawn as such a problem. */
export function hasProblem(row: InventoryRow, only: Problem): boolean {
  return rowCells(row).some(({ state }) => state === PROBLEM_STATES[only]);
}

function rowCells(row: InventoryRow): GridCell[] {
  if (row.type === "allotment") return cellsOf(row.nights, allotmentCell);
  // A category that a sender made has 0 rooms, as nobody has told how many.
  const rooms = (row.type === "category" && row.category.rooms) || undefined;
  return cellsOf(row.nights, (night) => inventoryCell(night, rooms));
}

function gridRow(scene: GridScene, row: InventoryRow, linkOf: ReturnType<typeof nightLinks>): GridRow {
  const { category } = row;
  const place = { category: category.code, room: row.type === "room" ? row.code : "", plan: row.type === "allotment" ? row.code : "" };
  return { ...headOf(scene, row), link: linkOf(place), chosen: chosenNight(scene, place), cells: rowCells(row) };
}

function headOf(scene: GridScene, row: InventoryRow): Pick<GridRow, "level" | "label" | "head"> {
  const { category, code } = row;
  if (row.type === "allotment") return { level: "part", label: `${category.code}, allotment of ${code}`, head: html`Allotment ${code}` };
  if (row.type === "room") return { level: "part", label: `${category.code}, room ${code}`, head: html`Room ${code}` };
  return {
    level: "category",
    label: `${category.code} ${category.name}`,
    head: html`${categoryHead(category, row.nights)}${inactiveBadge(scene, category)}`,
  };
}

function categoryHead({ code, name }: { code: string; name: string }, nights: readonly CountNight[]): Html {
  return html`<span class="line"><b>${code}</b> ${picture(nights)}</span
    >${name === code ? nothing : html` <span class="name" title="${name}">${name}</span>`}`;
}

function picture(nights: readonly CountNight[]): Html {
  const values = nights.map((night) => (night.closed ? 0 : night.available));
  const known = values.filter((value) => value !== undefined);
  const title = `Rooms available: ${rangeText(amount(Math.min(...known)), amount(Math.max(...known)))}`;
  return stripPicture({ values, foot: 0, title });
}

/** What the codes of the cells mean. */
export function inventoryLegend(assumeOpen: boolean): Html {
  const unsaid = `nothing received; counts as ${assumeOpen ? "open" : "closed"} here, and cannot be sold without a count`;
  return gridLegend(
    [
      {
        cell: "open left-3",
        shows: html`<b>3</b><small> / 10</small>`,
        means: "available, of all rooms; the bar is the part that is left",
      },
      { cell: "zero", shows: html`<b>0</b>`, means: "none left" },
      { cell: "closed", shows: html`<i>CLOSED</i>`, means: "the hotel is closed" },
      { cell: "gap", shows: html`&ndash;`, means: unsaid },
      tagSign("OOO", "rooms out of order"),
      tagSign("OFF", "rooms off market"),
      tagSign("REQ", "up to this number only on request"),
      tagSign("CALC", "computed from other counts that were sent"),
      tagSign("SUM", "sum of the single rooms"),
    ],
    "Each cell leads to the history of its night.",
  );
}
