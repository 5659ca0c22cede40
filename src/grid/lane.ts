import { compareText } from "../calendar/compare-text.ts";
import type { LaneNights } from "../calendar/lane-nights.ts";
import { type AmountKey, type Column, type Group, parseAmountColumn } from "../calendar/operation.ts";

/** The nights of one lane, one record for each day of a grid. */
type GridLane<T> = {
  category: string;
  /** Inventory: empty, or one physical room. Rate: empty, or the rate plan. */
  lane: string;
  nights: readonly T[];
};

export type InventoryLane = GridLane<InventoryNight>;
export type RateLane = GridLane<RateNight>;

/** The messages that last set each group; a group without one was never set. */
export type Setters = Partial<Record<Group, number>>;

/** What is known of a night's counts; `undefined` is nothing received. */
export type InventoryNight = {
  available: number | undefined;
  physical: number | undefined;
  outOfOrder: number | undefined;
  offMarket: number | undefined;
  /** Rooms above it are only on request. */
  threshold: number | undefined;
  /** `available` was computed from other counts. */
  derived: boolean;
  /** The hotel is closed. */
  closed: boolean;
  setters: Setters;
};

/** What is known of a night's rates; `undefined` is nothing received. */
export type RateNight = {
  /** In minor units of `currency`. */
  amounts: readonly { key: AmountKey; minor: number }[];
  currency: string | undefined;
  mealPlan: string | undefined;
  perPerson: boolean | undefined;
  /** JSON: the additional guest amounts as they were sent. */
  extras: string | undefined;
  stopSell: boolean | undefined;
  closedToArrival: boolean | undefined;
  closedToDeparture: boolean | undefined;
  minStayArrival: number | undefined;
  maxStayArrival: number | undefined;
  minStayThrough: number | undefined;
  maxStayThrough: number | undefined;
  minAdvance: number | undefined;
  maxAdvance: number | undefined;
  pattern: string | undefined;
  allotment: number | undefined;
  setters: Setters;
};

/** A lane of which nothing was received. */
export function emptyLane(category: string, lane: string): LaneNights {
  return { category, lane, columns: new Map(), setters: new Map() };
}

/** The counts of a lane, night by night, for `count` nights. */
export function inventoryLane(from: LaneNights, count: number): InventoryLane {
  const columns = columnsOf(from);
  const [available, physical, outOfOrder] = [columns.numbers("available"), columns.numbers("physical"), columns.numbers("outOfOrder")];
  const [offMarket, threshold] = [columns.numbers("offMarket"), columns.numbers("threshold")];
  const [derived, closed] = [columns.numbers("derived"), columns.numbers("closed")];
  const nightAt = (i: number): InventoryNight => ({
    available: available[i],
    physical: physical[i],
    outOfOrder: outOfOrder[i],
    offMarket: offMarket[i],
    threshold: threshold[i],
    derived: derived[i] === 1,
    closed: closed[i] === 1,
    setters: columns.settersAt(i),
  });
  return { category: from.category, lane: from.lane, nights: nightsOf(from, count, nightAt) };
}

/** The amounts and restrictions of a lane, night by night, for `count` nights. */
export function rateLane(from: LaneNights, count: number): RateLane {
  const columns = columnsOf(from);
  const { numbers, texts } = columns;
  const [currency, mealPlan, extras] = [texts("currency"), texts("mealPlan"), texts("extras")];
  const [perPerson, stopSell] = [numbers("perPerson"), numbers("stopSell")];
  const [closedToArrival, closedToDeparture] = [numbers("closedToArrival"), numbers("closedToDeparture")];
  const [minStayArrival, maxStayArrival] = [numbers("minStayArrival"), numbers("maxStayArrival")];
  const [minStayThrough, maxStayThrough] = [numbers("minStayThrough"), numbers("maxStayThrough")];
  const [minAdvance, maxAdvance] = [numbers("minAdvance"), numbers("maxAdvance")];
  const [pattern, allotment] = [texts("pattern"), numbers("allotment")];
  const nightAt = (i: number): RateNight => ({
    amounts: columns.amountsAt(i),
    currency: currency[i],
    mealPlan: mealPlan[i],
    extras: extras[i],
    perPerson: flag(perPerson[i]),
    stopSell: flag(stopSell[i]),
    closedToArrival: flag(closedToArrival[i]),
    closedToDeparture: flag(closedToDeparture[i]),
    minStayArrival: minStayArrival[i],
    maxStayArrival: maxStayArrival[i],
    minStayThrough: minStayThrough[i],
    maxStayThrough: maxStayThrough[i],
    minAdvance: minAdvance[i],
    maxAdvance: maxAdvance[i],
    pattern: pattern[i],
    allotment: allotment[i],
    setters: columns.settersAt(i),
  });
  return { category: from.category, lane: from.lane, nights: nightsOf(from, count, nightAt) };
}

/** A night that has the same as the one before is the same record: most do, and a grid has thousands. */
function nightsOf<T>({ columns, setters }: LaneNights, count: number, nightAt: (i: number) => T): T[] {
  const all = [...columns.values(), ...setters.values()];
  const nights: T[] = [];
  for (let i = 0; i < count; i++) {
    const isSame = i > 0 && all.every((values) => values[i] === values[i - 1]);
    nights.push(isSame ? nights[i - 1]! : nightAt(i));
  }
  return nights;
}

/** By code, the lane without one first. */
export function byLane(a: { lane: string }, b: { lane: string }): number {
  return compareText(a.lane, b.lane);
}

function columnsOf({ columns, setters }: LaneNights) {
  const amounts = [...columns.keys()].map((column) => ({ key: parseAmountColumn(column), values: numbers(column) })).filter(isAmount);
  const groups = [...setters];
  function numbers(column: Column): readonly (number | undefined)[] {
    return (columns.get(column) as readonly (number | undefined)[] | undefined) ?? NOTHING;
  }
  return {
    numbers,
    texts: (column: Column) => (columns.get(column) as readonly (string | undefined)[] | undefined) ?? NOTHING,
    amountsAt(i: number): RateNight["amounts"] {
      const found: { key: AmountKey; minor: number }[] = [];
      for (const { key, values } of amounts) if (values[i] !== undefined) found.push({ key, minor: values[i] });
      return found;
    },
    settersAt(i: number): Setters {
      const found: Setters = {};
      for (const [group, messages] of groups) if (messages[i] !== undefined) found[group] = messages[i];
      return found;
    },
  };
}

const NOTHING: readonly undefined[] = [];

type AmountColumn = { key: AmountKey; values: readonly (number | undefined)[] };

function isAmount(column: { key: AmountKey | undefined; values: readonly (number | undefined)[] }): column is AmountColumn {
  return column.key !== undefined;
}

function flag(value: number | undefined): boolean | undefined {
  return value === undefined ? undefined : value === 1;
}
