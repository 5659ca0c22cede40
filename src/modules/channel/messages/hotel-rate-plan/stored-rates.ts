import { decodePage } from "../../../../calendar/codec.ts";
import { compareText } from "../../../../calendar/compare-text.ts";
import type { StoredPage } from "../../../../calendar/draft.ts";
import { columnsOf, laneName } from "../../../../calendar/lane.ts";
import { MAX_AMOUNTS_TOLD, MAX_RANGES_TOLD } from "../../limits.ts";
import type { Nights } from "./query.ts";
import { amountsIn, type RateRun, rateRuns } from "./runs.ts";

/** Runs of nights by rate plan. */
export type StoredRates = ReadonlyMap<string, readonly RateRun[]>;

/** Reads the amounts of the nights from their pages. Returns the exceeded limit as text if one answer can't hold them. */
export function storedRates(pages: readonly StoredPage[], nights: Nights | undefined): StoredRates | string {
  const stored = new Map<string, RateRun[]>();
  if (!nights) return stored;
  let [ranges, amounts] = [0, 0];
  for (const ofLane of Map.groupBy(pages.toSorted(byLane), laneName).values()) {
    const { category, lane } = ofLane[0]!;
    const decoded = ofLane.map(({ span, bytes }) => decodePage(span, bytes, ["amounts"]));
    const runs = rateRuns(category, columnsOf(decoded, nights.first, nights.last).columns, nights.first);
    ranges += runs.length;
    for (const run of runs) amounts += amountsIn(run);
    if (ranges > MAX_RANGES_TOLD) return `${MAX_RANGES_TOLD} ranges of nights`;
    if (amounts > MAX_AMOUNTS_TOLD) return `${MAX_AMOUNTS_TOLD} amounts`;
    if (runs.length > 0) stored.getOrInsertComputed(lane, () => []).push(...runs);
  }
  return stored;
}

function byLane(a: StoredPage, b: StoredPage): number {
  return compareText(a.category, b.category) || compareText(a.lane, b.lane);
}
