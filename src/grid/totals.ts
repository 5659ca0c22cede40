import { type CountedNight, roomsLeft, totalRoomsLeft } from "../calendar/sale.ts";
import { isClosedState } from "../calendar/verdict.ts";
import { html } from "../web/html.ts";
import { formatNumber } from "../web/parts/amount.ts";
import { gapContent, type GridCell, type GridTotal } from "./table.ts";

type CategoryNights = readonly (readonly CountedNight[])[];

/** Draws a category's number of free rooms, which is 0 if the category is closed. */
export function freeRoomsCell(night: CountedNight): GridCell {
  const rooms = roomsLeft(night);
  if (rooms === undefined) return GAP;
  const content = html`${formatNumber(rooms)}`;
  if (isClosedState(night.verdict.state)) return { state: "closed", content };
  return { state: rooms === 0 ? "zero" : "sellable", content };
}

const GAP: GridCell = { state: "gap", content: gapContent };

export function freeRoomsTotal(count: number, categories: CategoryNights): GridTotal {
  return totalRow("Free rooms", count, (index) => totalRoomsLeft(categories.map((nights) => nights[index]!)));
}

export function soldOutTotal(count: number, categories: CategoryNights): GridTotal {
  const isSoldOut = (nights: readonly CountedNight[], index: number) => nights[index]!.verdict.state === "sold out";
  return totalRow("Sold-out categories", count, (index) => categories.filter((nights) => isSoldOut(nights, index)).length);
}

function totalRow(label: string, count: number, valueAt: (index: number) => number | undefined): GridTotal {
  const cells = Array.from({ length: count }, (_, index): GridCell => {
    const value = valueAt(index);
    return value === undefined ? GAP : { state: "sellable", content: html`${formatNumber(value)}` };
  });
  return { head: html`${label}`, cells };
}
