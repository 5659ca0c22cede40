import { type AmountKey, type ExtraAmount, parseAmount } from "../../../../calendar/amounts.ts";
import type { AttributeValue } from "../../../../calendar/attributes.ts";
import type { StoredPage } from "../../../../calendar/draft.ts";
import type { LaneNights } from "../../../../calendar/lane.ts";
import type { Night } from "../../../../calendar/night.ts";
import { MAX_AMOUNTS_RETURNED, MAX_RANGES_RETURNED } from "../../limits.ts";
import type { NightRange } from "../parts/night-ranges.ts";
import { storedLanes } from "../parts/stored-lanes.ts";

/** Consecutive nights with the same amounts. */
export type RateRun = {
  category: string;
  first: Night;
  last: Night;
  currency: string | undefined;
  perPerson: boolean | undefined;
  mealPlan: string | undefined;
  extras: readonly ExtraAmount[];
  amounts: readonly { key: AmountKey; minor: number }[];
};

function countAmounts({ amounts, extras }: RateRun): number {
  return amounts.length + extras.length;
}

/** Splits a category's nights under one plan into runs. `first` is the first night of `columns`. */
function splitIntoRateRuns(category: string, columns: LaneNights["columns"], first: Night): RateRun[] {
  const amounts = [...columns].flatMap(([column, values]) => {
    const key = parseAmount(column);
    return key ? [{ key, values }] : [];
  });
  const terms = (["currency", "perPerson", "mealPlan", "extras"] as const).map((column) => columns.get(column) ?? []);
  const all = [...amounts.map(({ values }) => values), ...terms];
  const nights = Math.max(0, ...amounts.map(({ values }) => values.length));
  const runs: RateRun[] = [];
  for (let from = 0, to = 0; from < nights; from = to + 1) {
    to = from;
    while (to + 1 < nights && isSameNight(all, from, to + 1)) to++;
    const setAmounts = amounts.filter(({ values }) => values[from] !== undefined);
    if (setAmounts.length > 0)
      runs.push({ category, first: first + from, last: first + to, ...sharedTerms(terms, from), amounts: setAmounts.map(amountAt(from)) });
  }
  return runs;
}

type ColumnValues = readonly (AttributeValue | undefined)[];

function isSameNight(columns: readonly ColumnValues[], a: number, b: number): boolean {
  return columns.every((values) => values[a] === values[b]);
}

function sharedTerms(
  [currencies = [], perPerson = [], mealPlans = [], extras = []]: readonly ColumnValues[],
  night: number,
): Pick<RateRun, "currency" | "perPerson" | "mealPlan" | "extras"> {
  const basis = perPerson[night];
  return {
    currency: currencies[night] as string | undefined,
    perPerson: basis === undefined ? undefined : basis === 1,
    mealPlan: mealPlans[night] as string | undefined,
    extras: JSON.parse((extras[night] as string | undefined) ?? "[]") as ExtraAmount[],
  };
}

function amountAt(night: number) {
  return ({ key, values }: { key: AmountKey; values: ColumnValues }) => ({ key, minor: Number(values[night]) });
}

type StoredRates = ReadonlyMap<string, readonly RateRun[]>;

/** Reads the nights' amounts from their pages. If there are too many for one response, returns a description of the limit. */
export function readStoredRates(pages: readonly StoredPage[], nights: NightRange | undefined): StoredRates | string {
  const runsByPlan = new Map<string, RateRun[]>();
  if (!nights) return runsByPlan;
  let [ranges, amounts] = [0, 0];
  for (const { category, lane, columns } of storedLanes(pages, nights, ["amounts"])) {
    const runs = splitIntoRateRuns(category, columns, nights.first);
    ranges += runs.length;
    for (const run of runs) amounts += countAmounts(run);
    if (ranges > MAX_RANGES_RETURNED) return `${MAX_RANGES_RETURNED} ranges of nights`;
    if (amounts > MAX_AMOUNTS_RETURNED) return `${MAX_AMOUNTS_RETURNED} amounts`;
    if (runs.length > 0) runsByPlan.getOrInsertComputed(lane, () => []).push(...runs);
  }
  return runsByPlan;
}
