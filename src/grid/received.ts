import { sortAmounts } from "../calendar/amounts.ts";
import { formatAmount } from "../calendar/money.ts";
import { categoryNights, type CountNight, inventoryLane, rateLane, type RateNight } from "../calendar/night-values.ts";
import { formatNight, type Night } from "../calendar/night.ts";
import type { Database } from "../db/database.ts";
import type { NightRange } from "../journal/feed/expand.ts";
import { type NightsQuery, readNights } from "../journal/nights.ts";
import { extrasJson } from "./changes.ts";

/** Identifies a row of `/inventories` or `/rates`. Without a room or plan, it identifies a category's counts. */
export type ReceivedKey = { kind: "inventory" | "rates"; category: string; room?: string; plan?: string };

/** `values` uses the field names of the grid's JSON. A missing value was not received. If nothing was received, `values` is empty. */
export type ReceivedRun = { first: string; last: string; values: object };

/** A row's nights as received. Doesn't say whether they can be sold, because that changes over time. */
export type ReceivedRow = ReceivedKey & { runsIn(ranges: readonly NightRange[]): ReceivedRun[] };

export type ReceivedQuery = Pick<NightsQuery, "property" | "categories" | "first" | "last">;

export const RECEIVED_READERS = { inventory: readInventory, rates: readRates };

async function readInventory(database: Database, query: ReceivedQuery): Promise<ReceivedRow[]> {
  const [inventory, allotments] = await Promise.all([
    readNights(database, { ...query, kind: "inventory" }),
    readNights(database, { ...query, kind: "rate", groups: ["allotment"] }),
  ]);
  const count = query.last - query.first + 1;
  const lanes = inventory.map((lane) => inventoryLane(lane, count));
  const row = { first: query.first, valuesOf: countValues };
  return [
    ...[...Map.groupBy(lanes, ({ category }) => category)].flatMap(([category, own]) => [
      toRow({ kind: "inventory", category }, { ...row, nights: categoryNights({ inventory: own, general: undefined, count }) }),
      ...own
        .filter(({ lane }) => lane !== "")
        .map(({ lane, nights }) => toRow({ kind: "inventory", category, room: lane }, { ...row, nights })),
    ]),
    ...allotments.map((lane) =>
      toRow(
        { kind: "inventory", category: lane.category, plan: lane.lane },
        { first: query.first, nights: rateLane(lane, count).nights, valuesOf: ({ allotment }: RateNight) => ({ allotment }) },
      ),
    ),
  ];
}

async function readRates(database: Database, query: ReceivedQuery): Promise<ReceivedRow[]> {
  const lanes = await readNights(database, { ...query, kind: "rate", groups: ["amounts", "restrictions"] });
  const count = query.last - query.first + 1;
  return lanes.map((lane) => {
    const { category, lane: plan, nights } = rateLane(lane, count);
    return toRow({ kind: "rates", category, plan }, { first: query.first, nights, valuesOf: planValues });
  });
}

/** Returns a night's counts without flags that are not set. */
function countValues({ setters: _setters, derived, closed, ...counts }: CountNight): object {
  return { ...counts, derived: derived || undefined, closed: closed || undefined };
}

function planValues(night: RateNight): object {
  const { amounts, ...values } = rateValues(night);
  return { amounts: amounts.length === 0 ? undefined : amounts, ...values, allotment: undefined };
}

/** Returns a night's rates with amounts as decimals. */
export function rateValues({ amounts, extras, setters: _setters, ...received }: RateNight) {
  const { currency = "" } = received;
  return {
    amounts: sortAmounts(amounts).map(({ key, minor }) => ({ ...key, amount: formatAmount(minor, currency) })),
    ...received,
    extras: extras === undefined ? undefined : extrasJson(extras, currency),
  };
}

type ReceivedNights<T> = { first: Night; nights: readonly T[]; valuesOf(night: T): object };

function toRow<T extends object>(key: ReceivedKey, { first, nights, valuesOf }: ReceivedNights<T>): ReceivedRow {
  const textsByNight = new Map<T, string>();
  const textAt = (night: Night) => {
    const values = nights[night - first]!;
    return textsByNight.getOrInsertComputed(values, () => JSON.stringify(valuesOf(values)));
  };
  return { ...key, runsIn: (ranges) => ranges.flatMap((range) => splitIntoRuns(range, textAt)) };
}

/** Splits a range into runs of nights with equal values. */
function splitIntoRuns({ first, last }: NightRange, textAt: (night: Night) => string): ReceivedRun[] {
  const runs: ReceivedRun[] = [];
  for (let start = first, night = first; night <= last; night++) {
    const text = textAt(start);
    if (night < last && textAt(night + 1) === text) continue;
    runs.push({ first: formatNight(start), last: formatNight(night), values: JSON.parse(text) as object });
    start = night + 1;
  }
  return runs;
}
