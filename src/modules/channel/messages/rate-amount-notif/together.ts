import type { Rate } from "../parts/rate.ts";

/** Rates for the same nights; `again`: they were taken with the first of them already. */
export type Together = { rates: readonly Rate[]; again: boolean };

/**
 * Takes rates with the same key together, where the first of them stands. Those behind rates with another key come once more in their own
 * place, without additional guests, which are one list: so a later rate wins also over those between that share some of its nights. Yields after each rate.
 */
export function* together(rates: readonly Rate[], keyOf: (rate: Rate) => string): Generator<undefined, readonly Together[]> {
  const firsts = new Map<string, Rate[]>();
  const all: { rates: Rate[]; again: boolean }[] = [];
  let before: string | undefined;
  for (const rate of rates) {
    const key = keyOf(rate);
    const first = firsts.get(key);
    first?.push(rate);
    if (!first) all.push({ rates: firsts.set(key, [rate]).get(key)!, again: false });
    else if (key !== before) all.push({ rates: [withoutExtras(rate)], again: true });
    else if (all.at(-1)!.again) all.at(-1)!.rates.push(withoutExtras(rate));
    before = key;
    yield;
  }
  return all;
}

function withoutExtras(rate: Rate): Rate {
  return { ...rate, extras: [] };
}
