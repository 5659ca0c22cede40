import type { Rate } from "../parts/rate.ts";

/** Rates for the same nights; `again`: they were taken with the first of them already. */
export type Together = { rates: readonly Rate[]; again: boolean };

/**
 * Takes rates with the same key together, where the first of them stands. Those behind rates with another key come once more in their own
 * place: so a later rate wins also over those between that share some of its nights. Additional guests are one list, which comes whole, and
 * again with the last rate that has some.
 */
export function together(rates: readonly Rate[], keyOf: (rate: Rate) => string): readonly Together[] {
  const firsts = new Map<string, Rate[]>();
  const lists = new Map<string, Rate[]>();
  const all: { rates: Rate[]; again: boolean }[] = [];
  let before: string | undefined;
  for (const rate of rates) {
    const key = keyOf(rate);
    const first = firsts.get(key);
    first?.push(rate);
    if (!first) all.push({ rates: firsts.set(key, [rate]).get(key)!, again: false });
    else if (key !== before) all.push({ rates: [withExtras(rate, [])], again: true });
    else if (all.at(-1)!.again) all.at(-1)!.rates.push(withExtras(rate, []));
    if (rate.extras.length > 0 && all.at(-1)!.again) lists.set(key, all.at(-1)!.rates);
    before = key;
  }
  for (const [key, last] of lists) last.push(...extrasAlone(last[0]!, firsts.get(key)!));
  return all;
}

function withExtras(rate: Rate, extras: Rate["extras"]): Rate {
  return { ...rate, extras };
}

/** The additional guests of `rates`, as rates like `rate` that have nothing else. */
function extrasAlone(rate: Rate, rates: readonly Rate[]): Rate[] {
  const bare = { ...rate, amounts: [], mealPlan: undefined };
  return rates.map(({ currency, extras }) => withExtras({ ...bare, currency }, extras));
}
