import { ADULT_CODE, type AmountKey, type ExtraAmount, parseAmount, type AgeRange } from "../calendar/amounts.ts";
import { type Attribute, type AttributeType, type AttributeValue, findDefinition, isFlag, isMoney } from "../calendar/attributes.ts";
import type { NightChange } from "../calendar/change.ts";
import { MEAL_PLANS } from "../calendar/meal-plans.ts";
import { formatAmount, readableAmount } from "../calendar/money.ts";
import { formatNight } from "../calendar/night.ts";
import { formatNumber, formatCount } from "../web/parts/amount.ts";

export function attributeLabel(attribute: Attribute): string {
  const key = parseAmount(attribute);
  return key ? `amount ${amountLabel(key)}` : (findDefinition(attribute)?.label ?? attribute);
}

/** Guest types by age qualifying code (OpenTravel code list AQC). */
const AGE_NOUNS: Readonly<Record<number, readonly [one: string, many: string]>> = {
  7: ["infant", "infants"],
  8: ["child", "children"],
  [ADULT_CODE]: ["adult", "adults"],
};

function amountLabel({ tax, guests, age, nights, minAge, maxAge }: AmountKey): string {
  const [one, many] = ageNouns(age);
  const anyNumber = age === ADULT_CODE ? "any number of guests" : `per ${one}`;
  const guestsText = guests === 0 ? anyNumber : `${guests} ${guests === 1 ? one : many}`;
  return `${tax} tax, ${guestsText}${ageRangeText({ minAge, maxAge })}${nights > 1 ? `, stay of ${nights} nights` : ""}`;
}

function ageNouns(age: number): readonly [one: string, many: string] {
  return AGE_NOUNS[age] ?? [`guest with age code ${age}`, `guests with age code ${age}`];
}

export function valueText(attribute: Attribute, value: AttributeValue | undefined, currency: string): string {
  if (value === undefined) return "nothing";
  const type = findDefinition(attribute)?.type;
  return type ? VALUE_FORMATTERS[type](value, currency) : `${readableAmount(Number(value), currency)} ${currency}`;
}

const VALUE_FORMATTERS: Readonly<Record<AttributeType, (value: AttributeValue, currency: string) => string>> = {
  count: (value) => formatNumber(Number(value)),
  flag: (value) => (value === 1 ? "yes" : "no"),
  nights: (value) => formatCount(Number(value), "night"),
  days: (value) => `${formatCount(Number(value), "day")} ahead`,
  text: String,
  mealPlan: (value) => (MEAL_PLANS[value] ? `${MEAL_PLANS[value]} (${value})` : String(value)),
  extras: (value, currency) =>
    parseExtras(value)
      .map((extra) => extraText(extra, currency))
      .join("; "),
};

function parseExtras(json: AttributeValue): ExtraAmount[] {
  return JSON.parse(String(json)) as ExtraAmount[];
}

function extraText({ amount: units, age, tax, minAge, maxAge }: ExtraAmount, currency: string): string {
  return `${readableAmount(units, currency)} ${currency} per ${ageNouns(age)[0]}${ageRangeText({ minAge, maxAge })}, ${tax} tax`;
}

function ageRangeText({ minAge, maxAge }: AgeRange): string {
  const from = minAge === undefined ? "" : ` from ${minAge}`;
  const to = maxAge === undefined ? "" : ` ${minAge === undefined ? "up to" : "to"} ${maxAge}`;
  return from + to === "" ? "" : `${from}${to} years`;
}

export type AttributeChange = Pick<NightChange, "column" | "from" | "to" | "currencies">;

export function changeTexts({ column, from, to, currencies }: AttributeChange): { from: string; to: string } {
  const text = (value: AttributeValue | undefined, currency: AttributeValue = "") => valueText(column, value, String(currency));
  return { from: text(from, currencies?.from), to: text(to, currencies?.to) };
}

export function runJson({ kind, category, lane, first, last, ...change }: NightChange): object {
  const room = lane === "" ? {} : { room: lane };
  const row = kind === "rate" ? { plan: lane } : room;
  return { category, ...row, first: formatNight(first), last: formatNight(last), ...changeJson(change) };
}

/** Returns a change as JSON, using the grids' field names and formats. If `from` or `to` is absent, there was no value. */
export function changeJson({ column, from, to, currencies }: AttributeChange): object {
  const key = parseAmount(column);
  const sides = { from: valueJson(column, from, currencies?.from), to: valueJson(column, to, currencies?.to) };
  return { field: key ? "amounts" : column, ...key, ...sides, currencies: isMoney(column) ? currencies : undefined };
}

function valueJson(column: Attribute, value: AttributeValue | undefined, currency: AttributeValue = ""): unknown {
  if (value === undefined) return undefined;
  if (isFlag(column)) return value === 1;
  if (column === "extras") return extrasJson(String(value), String(currency));
  return isMoney(column) ? formatAmount(Number(value), String(currency)) : value;
}

export function extrasJson(extras: string, currency: string): object[] {
  return parseExtras(extras).map((extra) => ({ ...extra, amount: formatAmount(extra.amount, currency) }));
}
