import type { Attribute, Tax } from "./attributes.ts";

/** OpenTravel code list AQC, age qualifying code. */
export const ADULT = 10;

/** `guests` 0 is the whole room; `age` is the age qualifying code (`ADULT`, 8 child, 7 infant); `nights` above 1 is the price of the stay. */
export type AmountKey = { tax: Tax; guests: number; age: number; nights: number };

/**
 * One entry of the attribute `extras`, a JSON list: the price of one more guest. `amount` is in minor units of the currency, `age` the
 * OTA age qualifying code; `minAge`, `maxAge` and `guests` (the most such guests) are present only if they were sent.
 */
export type Extra = { amount: number; age: number; tax: Tax; minAge?: number; maxAge?: number; guests?: number };

/** Names already made, because lines repeat each other. Bounded, because there could be millions. */
const names = new Map<number, Attribute>();
const otherSides = new Map<Attribute, Attribute>();
const NAMES_KEPT = 1_000;

function keep<Key>(kept: Map<Key, Attribute>, key: Key, attribute: Attribute): Attribute {
  if (kept.size >= NAMES_KEPT) kept.clear();
  kept.set(key, attribute);
  return attribute;
}

/** The attribute of an amount, such as `amount:after:2:10:1`. `guests` and `age` are below 1,000. */
export function amountAttribute({ tax, guests, age, nights }: AmountKey): Attribute {
  const number = ((nights * 1_000 + guests) * 1_000 + age) * 2 + Number(tax === "after");
  return names.get(number) ?? keep(names, number, `amount:${tax}:${guests}:${age}:${nights}`);
}

/** Whether an amount is before or after tax; `undefined` for other attributes. Much cheaper than parsing the whole key. */
export function taxOf(attribute: Attribute): Tax | undefined {
  if (attribute.startsWith("amount:after:")) return "after";
  return attribute.startsWith("amount:before:") ? "before" : undefined;
}

/** The same amount on the other side of tax; `undefined` for other attributes. */
export function otherSideOf(attribute: Attribute): Attribute | undefined {
  const tax = taxOf(attribute);
  if (tax === undefined) return undefined;
  const [from, to] = tax === "after" ? (["after", "before"] as const) : (["before", "after"] as const);
  return otherSides.get(attribute) ?? keep(otherSides, attribute, attribute.replace(from, to) as Attribute);
}

/** The key of an amount; `undefined` for other attributes. */
export function parseAmount(attribute: Attribute): AmountKey | undefined {
  const [word, tax, guests, age, nights] = attribute.split(":");
  if (word !== "amount" || (tax !== "before" && tax !== "after")) return undefined;
  return { tax, guests: Number(guests), age: Number(age), nights: Number(nights) };
}
