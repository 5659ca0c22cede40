import type { NightChange } from "../calendar/change.ts";
import { readableAmount } from "../calendar/money.ts";
import { ADULT, type AmountKey, type Column, type ColumnValue, type Extra, parseAmountColumn } from "../calendar/operation.ts";
import { amount, counted } from "../web/parts/amount.ts";

const LABELS: Readonly<Record<Column, string>> = {
  available: "available",
  physical: "rooms",
  outOfOrder: "out of order",
  offMarket: "off market",
  threshold: "on request from",
  derived: "computed from other counts",
  closed: "hotel closed",
  allotment: "allotment",
  stopSell: "stop sell",
  closedToArrival: "closed to arrival",
  closedToDeparture: "closed to departure",
  minStayArrival: "minimum stay on arrival",
  maxStayArrival: "maximum stay on arrival",
  minStayThrough: "minimum stay through",
  maxStayThrough: "maximum stay through",
  minAdvance: "booked at least",
  maxAdvance: "booked at most",
  pattern: "allowed lengths of stay",
  currency: "currency",
  mealPlan: "meal plan",
  extras: "additional guests",
  perPerson: "amounts per person",
};

const FLAGS: ReadonlySet<Column> = new Set(["derived", "closed", "stopSell", "closedToArrival", "closedToDeparture", "perPerson"]);
const STAYS: ReadonlySet<Column> = new Set(["minStayArrival", "maxStayArrival", "minStayThrough", "maxStayThrough"]);

/** Whether a column holds 1 for yes and 0 for no. */
export function isFlag(column: Column): boolean {
  return FLAGS.has(column);
}

/** What people call a column. */
export function columnWords(column: Column): string {
  const key = parseAmountColumn(column);
  return key ? `amount ${amountWords(key)}` : (LABELS[column] ?? column);
}

/** What people call the ages of OpenTravel code list AQC. */
const AGES: Readonly<Record<number, readonly [one: string, many: string]>> = {
  7: ["infant", "infants"],
  8: ["child", "children"],
  [ADULT]: ["adult", "adults"],
};

/** Such as `after tax, 2 adults` or `before tax, any number of guests, stay of 3 nights`. */
function amountWords({ tax, guests, age, nights }: AmountKey): string {
  const [one, many] = AGES[age] ?? [`guest of age code ${age}`, `guests of age code ${age}`];
  const each = age === ADULT ? "any number of guests" : `per ${one}`;
  const whom = guests === 0 ? each : `${guests} ${guests === 1 ? one : many}`;
  return `${tax} tax, ${whom}${nights > 1 ? `, stay of ${nights} nights` : ""}`;
}

/** OpenTravel code list MPT, meal plan type. */
const MEALS: Readonly<Record<string, string>> = {
  1: "all inclusive",
  3: "bed and breakfast",
  10: "full board",
  12: "half board",
  14: "room only",
};

/** A value of a column as people read it; amounts in the given currency. `undefined` is nothing received. */
export function valueWords(column: Column, value: ColumnValue | undefined, currency: string): string {
  if (value === undefined) return "nothing";
  if (isFlag(column)) return value === 1 ? "yes" : "no";
  if (STAYS.has(column)) return counted(Number(value), "night");
  if (column === "minAdvance" || column === "maxAdvance") return `${counted(Number(value), "day")} ahead`;
  if (column === "mealPlan") return MEALS[value] ? `${MEALS[value]} (${value})` : String(value);
  if (column === "extras") return extrasWords(String(value), currency);
  if (typeof value !== "number") return value;
  return column.startsWith("amount:") ? `${readableAmount(value, currency)} ${currency}` : amount(value);
}

/** What a message changed in a column; amounts have `currencies`. */
export type ChangeSides = Pick<NightChange, "column" | "from" | "to" | "currencies">;

/** The values of a column before and after, as people read them. */
export function sidesInWords({ column, from, to, currencies }: ChangeSides) {
  const words = (value: ColumnValue | undefined, currency: ColumnValue = "") => valueWords(column, value, String(currency));
  return { from: words(from, currencies?.from), to: words(to, currencies?.to) };
}

/** Such as `30.00 EUR per child of 3 to 11 years, after tax`. */
function extrasWords(json: string, currency: string): string {
  const extras = JSON.parse(json) as Extra[];
  return extras
    .map(
      ({ amount: units, age, tax, minAge, maxAge }) =>
        `${readableAmount(units, currency)} ${currency} per ${ageWords(age, minAge, maxAge)}, ${tax} tax`,
    )
    .join("; ");
}

function ageWords(age: number, minAge: number | undefined, maxAge: number | undefined): string {
  const [one] = AGES[age] ?? [`guest of age code ${age}`];
  if (minAge === undefined && maxAge === undefined) return one;
  if (maxAge === undefined) return `${one} from ${minAge} years`;
  return minAge === undefined ? `${one} up to ${maxAge} years` : `${one} of ${minAge} to ${maxAge} years`;
}
