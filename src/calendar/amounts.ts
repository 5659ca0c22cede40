import type { Attribute, Tax } from "./attributes.ts";

/** OpenTravel code list AQC, age qualifying code. */
export const ADULT = 10;

/** `guests` 0 is the whole room; `age` is an age qualifying code (`ADULT`, 8 child, 7 infant); with `nights` above 1 it is the price of the stay. */
export type AmountKey = { tax: Tax; guests: number; age: number; nights: number };

/**
 * An entry of the JSON list in the attribute `extras`: the price of one additional guest. `amount` is in minor units of the currency.
 * `guests` is the maximum number of such guests.
 */
export type Extra = { amount: number; age: number; tax: Tax; minAge?: number; maxAge?: number; guests?: number };

export function amountAttribute({ tax, guests, age, nights }: AmountKey): Attribute {
  return `amount:${tax}:${guests}:${age}:${nights}`;
}

/** Much faster than `parseAmount`. */
export function taxOf(attribute: Attribute): Tax | undefined {
  if (attribute.startsWith("amount:after:")) return "after";
  return attribute.startsWith("amount:before:") ? "before" : undefined;
}

export function otherSideOf(attribute: Attribute): Attribute | undefined {
  const tax = taxOf(attribute);
  if (tax === undefined) return undefined;
  return attribute.replace(tax, tax === "after" ? "before" : "after") as Attribute;
}

export function parseAmount(attribute: Attribute): AmountKey | undefined {
  const [word, tax, guests, age, nights] = attribute.split(":");
  if (word !== "amount" || (tax !== "before" && tax !== "after")) return undefined;
  return { tax, guests: Number(guests), age: Number(age), nights: Number(nights) };
}
