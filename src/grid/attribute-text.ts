import { ADULT, type AmountKey, type Extra, parseAmount } from "../calendar/amounts.ts";
import { type Attribute, type AttributeType, type AttributeValue, definitionOf } from "../calendar/attributes.ts";
import type { NightChange } from "../calendar/change.ts";
import { readableAmount } from "../calendar/money.ts";
import { amount, counted } from "../web/parts/amount.ts";

/** Label of an attribute, such as `closed to arrival` or `amount after tax, 2 adults`. */
export function attributeLabel(attribute: Attribute): string {
  const key = parseAmount(attribute);
  return key ? `amount ${amountLabel(key)}` : (definitionOf(attribute)?.label ?? attribute);
}

/** Words for OpenTravel code list AQC, age qualifying code. */
const AGES: Readonly<Record<number, readonly [one: string, many: string]>> = {
  7: ["infant", "infants"],
  8: ["child", "children"],
  [ADULT]: ["adult", "adults"],
};

/** Such as `after tax, 2 adults` or `before tax, any number of guests, stay of 3 nights`. */
function amountLabel({ tax, guests, age, nights }: AmountKey): string {
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

/** Text of a value; amounts in `currency`. `undefined` means nothing received. */
export function valueText(attribute: Attribute, value: AttributeValue | undefined, currency: string): string {
  if (value === undefined) return "nothing";
  if (attribute === "mealPlan") return MEALS[value] ? `${MEALS[value]} (${value})` : String(value);
  if (attribute === "extras") return extrasText(String(value), currency);
  if (attribute.startsWith("amount:")) return `${readableAmount(Number(value), currency)} ${currency}`;
  return typedText(definitionOf(attribute)?.type, value);
}

function typedText(type: AttributeType | undefined, value: AttributeValue): string {
  if (type === "flag") return value === 1 ? "yes" : "no";
  if (type === "nights") return counted(Number(value), "night");
  if (type === "days") return `${counted(Number(value), "day")} ahead`;
  return typeof value === "number" ? amount(value) : value;
}

/** What a message changed in an attribute; amounts have `currencies`. */
export type ChangeSides = Pick<NightChange, "column" | "from" | "to" | "currencies">;

/** Texts of the values before and after a change. */
export function changeTexts({ column, from, to, currencies }: ChangeSides): { from: string; to: string } {
  const text = (value: AttributeValue | undefined, currency: AttributeValue = "") => valueText(column, value, String(currency));
  return { from: text(from, currencies?.from), to: text(to, currencies?.to) };
}

/** Such as `30.00 EUR per child of 3 to 11 years, after tax`. */
function extrasText(json: string, currency: string): string {
  const extras = JSON.parse(json) as Extra[];
  return extras
    .map(
      ({ amount: units, age, tax, minAge, maxAge }) =>
        `${readableAmount(units, currency)} ${currency} per ${ageText(age, minAge, maxAge)}, ${tax} tax`,
    )
    .join("; ");
}

function ageText(age: number, minAge: number | undefined, maxAge: number | undefined): string {
  const [one] = AGES[age] ?? [`guest of age code ${age}`];
  if (minAge === undefined && maxAge === undefined) return one;
  if (maxAge === undefined) return `${one} from ${minAge} years`;
  return minAge === undefined ? `${one} up to ${maxAge} years` : `${one} of ${minAge} to ${maxAge} years`;
}
