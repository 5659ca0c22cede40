import type { Attribute, Tax } from "./attributes.ts";

/** Code for adults in OpenTravel code list AQC (age qualifying codes). */
export const ADULT_CODE = 10;

/**
 * `guests` is 0 for a price per room. `age` is an age qualifying code (10 adult, 8 child, 7 infant); `minAge` and `maxAge` are in years.
 * `nights` is the length of stay that the price covers.
 */
export type AmountKey = { tax: Tax; guests: number; age: number; nights: number } & AgeRange;

/** An inclusive range of ages. */
export type AgeRange = { minAge?: number | undefined; maxAge?: number | undefined };

/**
 * Price for an additional guest, stored in the attribute `extras`. `amount` is in minor units; `guests` is the maximum number of such
 * guests.
 */
export type ExtraAmount = { amount: number; age: number; tax: Tax; guests?: number } & AgeRange;

/** Returns the attribute for an amount, such as `amount:after:1:8:1:2-5`. The age range at the end is omitted if there is none. */
export function amountAttribute({ tax, guests, age, nights, minAge, maxAge }: AmountKey): Attribute {
  const attribute = `amount:${tax}:${guests}:${age}:${nights}` as const;
  return minAge === undefined && maxAge === undefined ? attribute : `${attribute}:${ageRangeKey({ minAge, maxAge })}`;
}

/** Returns a range such as `2-5`, `12-` or `-1`, or an empty string if there are no ages. */
export function ageRangeKey({ minAge, maxAge }: AgeRange): string {
  return minAge === undefined && maxAge === undefined ? "" : `${minAge ?? ""}-${maxAge ?? ""}`;
}

/** Returns the tax side of an amount. Faster than `parseAmount`. */
export function taxSide(attribute: Attribute): Tax | undefined {
  if (attribute.startsWith("amount:after:")) return "after";
  return attribute.startsWith("amount:before:") ? "before" : undefined;
}

export function otherTaxSide(attribute: Attribute): Attribute | undefined {
  const tax = taxSide(attribute);
  if (tax === undefined) return undefined;
  return attribute.replace(tax, tax === "after" ? "before" : "after") as Attribute;
}

export function parseAmount(attribute: Attribute): AmountKey | undefined {
  const [word, tax, guests, age, nights, years] = attribute.split(":");
  if (word !== "amount" || (tax !== "before" && tax !== "after")) return undefined;
  const key = { tax, guests: Number(guests), age: Number(age), nights: Number(nights) } as const;
  return years === undefined ? key : { ...key, ...parseAgeRange(years) };
}

function parseAgeRange(text: string): AgeRange {
  const [minAge, maxAge] = text.split("-").map((years) => (years === "" ? undefined : Number(years)));
  return { minAge, maxAge };
}

/** Sorts by guest type (adults first), then by age in years, guests, length of stay and tax. */
export function sortAmounts<Amount extends { key: AmountKey }>(amounts: readonly Amount[]): Amount[] {
  return amounts.toSorted(({ key: a }, { key: b }) => ageOrder(a) - ageOrder(b) || amountOrder(a) - amountOrder(b));
}

/** Returns a sort key for guest types and ages. Amounts without ages in years come first. */
function ageOrder({ age, minAge, maxAge }: AmountKey): number {
  const from = minAge ?? (maxAge === undefined ? -1 : 0);
  return Math.abs(age - ADULT_CODE) * 1_000_000 + from * 1_000 + (maxAge ?? 0);
}

function amountOrder({ guests, nights, tax }: AmountKey): number {
  return guests * 10_000 + nights * 10 + Number(tax === "before");
}
