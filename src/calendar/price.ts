import { ADULT_CODE, type AmountKey } from "./amounts.ts";
import type { RateNight } from "./night-values.ts";

type Amount = RateNight["amounts"][number];

/** The room's price: the best-matching amount, multiplied by the number of guests if amounts are per person. */
export type Price = {
  minor: number;
  currency: string;
  tax: AmountKey["tax"];
  /** 0 means that the price is for the whole room, regardless of the number of guests. */
  guests: number;
  perPerson: boolean;
  /** Length of stay that the price covers. */
  nights: number;
};

/**
 * Returns the price for a number of guests, or for the closest number of guests that has an amount. Returns undefined if there are no adult
 * amounts.
 */
export function closestPrice(night: RateNight, guests: number): Price | undefined {
  const closest = closestAmount(night.amounts, guests);
  if (!closest) return undefined;
  const { key, minor } = closest;
  const perPerson = night.perPerson ?? false;
  const persons = perPerson ? key.guests || guests : key.guests;
  const total = perPerson ? minor * persons : minor;
  return { minor: total, currency: night.currency ?? "", tax: key.tax, guests: persons, perPerson, nights: key.nights };
}

function closestAmount(amounts: readonly Amount[], guests: number): Amount | undefined {
  let closest: Amount | undefined;
  let nearest = Infinity;
  for (const amount of amounts) {
    const current = amount.key.age === ADULT_CODE ? amountDistance(amount.key, guests) : Infinity;
    if (current < nearest) [closest, nearest] = [amount, current];
  }
  return closest;
}

/**
 * Scores an amount; lower is better. Prefers one night to longer stays, then the exact number of guests, then the whole room, then more
 * guests, then fewer guests, and finally amounts after tax.
 */
function amountDistance({ nights, guests, tax }: AmountKey, wanted: number): number {
  return nights * 10_000 + guestDistance(guests, wanted) * 10 + Number(tax === "before");
}

function guestDistance(guests: number, wanted: number): number {
  if (guests === wanted) return 0;
  return guests === 0 ? 1 : 2 * Math.abs(guests - wanted) + Number(guests < wanted);
}
