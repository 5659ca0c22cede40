import type { ParsedRate } from "../parts/rate.ts";

/** Rates for the same nights. `isRepeated` means that an earlier group already contains them. */
export type RateGroup = { rates: readonly ParsedRate[]; isRepeated: boolean };

/**
 * Groups rates by key, in the order of each key's first rate. If rates with the same key are separated by rates with other keys, the later
 * rate is repeated in its original position, so that it also overrides the rates in between. The additional-guest amounts are stored as a
 * single value, so the last rate that has any repeats them all.
 */
export function combineRates(rates: readonly ParsedRate[], keyOf: (rate: ParsedRate) => string): readonly RateGroup[] {
  const firstGroups = new Map<string, ParsedRate[]>();
  const lastWithExtras = new Map<string, ParsedRate[]>();
  const groups: { rates: ParsedRate[]; isRepeated: boolean }[] = [];
  let previousKey: string | undefined;
  for (const rate of rates) {
    const key = keyOf(rate);
    const first = firstGroups.get(key);
    first?.push(rate);
    if (!first) groups.push({ rates: firstGroups.set(key, [rate]).get(key)!, isRepeated: false });
    else if (key !== previousKey) groups.push({ rates: [withExtras(rate, [])], isRepeated: true });
    else if (groups.at(-1)!.isRepeated) groups.at(-1)!.rates.push(withExtras(rate, []));
    if (rate.extras.length > 0 && groups.at(-1)!.isRepeated) lastWithExtras.set(key, groups.at(-1)!.rates);
    previousKey = key;
  }
  for (const [key, last] of lastWithExtras) last.push(...keepExtrasOnly(last[0]!, firstGroups.get(key)!));
  return groups;
}

function withExtras(rate: ParsedRate, extras: ParsedRate["extras"]): ParsedRate {
  return { ...rate, extras };
}

function keepExtrasOnly(rate: ParsedRate, rates: readonly ParsedRate[]): ParsedRate[] {
  const rateWithoutAmounts = { ...rate, amounts: [], mealPlan: undefined };
  return rates.map(({ currency, extras }) => withExtras({ ...rateWithoutAmounts, currency }, extras));
}
