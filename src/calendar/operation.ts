import type { Night } from "./night.ts";

/** Which kind of page: counts of a category, or the amounts and restrictions of a category under a rate plan. */
export type Kind = "inventory" | "rate";

/** Columns that a message sets together; each night keeps the message that last set each group. */
export type Group = "counts" | "closed" | "amounts" | "restrictions" | "allotment";

/** Bits of the weekdays a range applies to: Monday 1, Tuesday 2, ... Sunday 64; 127 is every day. */
export type DayMask = number;
export const EVERY_DAY: DayMask = 127;

/**
 * Columns of group `counts`: `available`, `physical`, `outOfOrder`, `offMarket`, `threshold`, `derived` (1: computed from other counts);
 * of `closed`: `closed` (1: the hotel is closed); of `allotment`: `allotment`;
 * of `restrictions`: `stopSell`, `closedToArrival`, `closedToDeparture` (0 or 1), `minStayArrival`, `maxStayArrival`,
 * `minStayThrough`, `maxStayThrough` (nights), `minAdvance`, `maxAdvance` (days before arrival), `pattern` (text of Y and N);
 * of `amounts`: `currency`, `mealPlan`, `extras` (text, JSON list of additional guest amounts), `perPerson` (0 or 1),
 * and one column for each amount, named by `amountColumn`.
 * Amounts are whole minor units of the currency. A number is a non-negative safe integer.
 */
export type Column = string;
export type ColumnValue = number | string;
/** What columns are set to; `undefined` clears one. */
export type Values = ReadonlyMap<Column, ColumnValue | undefined>;
export const NO_VALUES: Values = new Map();

/**
 * One amount in the column `extras`, for one more guest: `amount` in minor units of the currency, `age` the OTA age
 * qualifying code; `minAge`, `maxAge` and `guests` (the most such guests) only when they were sent.
 */
export type Extra = { amount: number; age: number; tax: "before" | "after"; minAge?: number; maxAge?: number; guests?: number };

/** OpenTravel code list AQC, age qualifying code. */
export const ADULT = 10;

/** `guests` 0 is the whole room; `age` is the age qualifying code (`ADULT`, 8 child, 7 infant); `nights` above 1 is a price for the stay. */
export type AmountKey = { tax: "before" | "after"; guests: number; age: number; nights: number };

/** The names that were asked for, and their other sides of tax, as lines repeat each other; a bound, as there could be millions. */
const columns = new Map<number, Column>();
const otherSides = new Map<Column, Column>();
const COLUMNS_KEPT = 1_000;

function keep<Key>(kept: Map<Key, Column>, key: Key, column: Column): Column {
  if (kept.size >= COLUMNS_KEPT) kept.clear();
  kept.set(key, column);
  return column;
}

/** The name of an amount's column, such as `amount:after:2:10:1`. `guests` and `age` are below 1,000. */
export function amountColumn({ tax, guests, age, nights }: AmountKey): Column {
  const number = ((nights * 1_000 + guests) * 1_000 + age) * 2 + Number(tax === "after");
  return columns.get(number) ?? keep(columns, number, `amount:${tax}:${guests}:${age}:${nights}`);
}

/** Whether a column has amounts before or after tax, which is far cheaper than all of its key; `undefined` for every other column. */
export function taxOf(column: Column): AmountKey["tax"] | undefined {
  if (column.startsWith("amount:after:")) return "after";
  return column.startsWith("amount:before:") ? "before" : undefined;
}

/** The column of the same amount on the other side of tax; `undefined` for every other column. */
export function otherSideOf(column: Column): Column | undefined {
  const tax = taxOf(column);
  if (tax === undefined) return undefined;
  return (
    otherSides.get(column) ??
    keep(otherSides, column, tax === "after" ? column.replace("after", "before") : column.replace("before", "after"))
  );
}

/** What an amount is for, from the name of its column; `undefined` for every other column. */
export function parseAmountColumn(column: Column): AmountKey | undefined {
  const [word, tax, guests, age, nights] = column.split(":");
  if (word !== "amount" || (tax !== "before" && tax !== "after")) return undefined;
  return { tax, guests: Number(guests), age: Number(age), nights: Number(nights) };
}

/** Sets columns of one group on every night from `first` to `last`, both included, whose weekday is in `days`. */
export type Assign = {
  type: "assign";
  kind: Kind;
  category: string;
  /** Inventory: empty, or one physical room. Rate: empty, or the rate plan. */
  lane: string;
  first: Night;
  last: Night;
  days: DayMask;
  group: Group;
  /**
   * Clears the other columns of the group on these nights first; `older` keeps what operations with it set before: they add up.
   * Without it, only amounts on other terms are cleared.
   */
  replace: boolean | "older";
  values: Values;
};

/** Clears whole groups from the night `from` on; without `category` or `lane` in all of them. */
export type Clear = {
  type: "clear";
  kind: Kind;
  groups: readonly Group[];
  category?: string;
  lane?: string;
  from: Night;
  /** Last night that is cleared; absent: without end. */
  to?: Night;
};

export type Operation = Assign | Clear;
