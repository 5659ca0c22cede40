import { ADULT, type AmountKey } from "../../calendar/amounts.ts";
import type { RateNight } from "../../grid/lane.ts";

export type Amount = RateNight["amounts"][number];

/** What the room costs in a night: the amount that fits best, times the guests where amounts are per person. */
export type Price = {
  /** In minor units of `currency`. */
  minor: number;
  currency: string;
  tax: AmountKey["tax"];
  /** 0: the whole room, however many are in it. */
  guests: number;
  perPerson: boolean;
  /** Above 1: the price of a stay that long. */
  nights: number;
};

/** The price for so many guests, or for the nearest number with an amount; `undefined` when there is none for adults. */
export function priceOf(night: RateNight, guests: number): Price | undefined {
  const found = bestAmount(night.amounts, guests);
  if (!found) return undefined;
  const { key, minor } = found;
  const perPerson = night.perPerson ?? false;
  const persons = perPerson ? key.guests || guests : key.guests;
  const total = perPerson ? minor * persons : minor;
  return { minor: total, currency: night.currency ?? "", tax: key.tax, guests: persons, perPerson, nights: key.nights };
}

/** All amounts by age, guests, length of stay and tax; those of adults first. */
export function sortAmounts(amounts: readonly Amount[]): Amount[] {
  return amounts.toSorted((a, b) => order(a.key) - order(b.key));
}

function bestAmount(amounts: readonly Amount[], guests: number): Amount | undefined {
  let best: Amount | undefined;
  let least = Infinity;
  for (const amount of amounts) {
    const far = amount.key.age === ADULT ? distance(amount.key, guests) : Infinity;
    if (far < least) [best, least] = [amount, far];
  }
  return best;
}

/** One night before stays, the number of guests before the whole room before more guests before fewer, after tax before net. */
function distance({ nights, guests, tax }: AmountKey, wanted: number): number {
  return nights * 10_000 + guestDistance(guests, wanted) * 10 + Number(tax === "before");
}

function guestDistance(guests: number, wanted: number): number {
  if (guests === wanted) return 0;
  return guests === 0 ? 1 : 2 * Math.abs(guests - wanted) + Number(guests < wanted);
}

function order({ age, guests, nights, tax }: AmountKey): number {
  return (Math.abs(age - ADULT) * 100 + guests) * 10_000 + nights * 10 + Number(tax === "before");
}
