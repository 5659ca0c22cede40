/** Reproducible pseudo-random numbers. */
export type Random = {
  below(below: number): number;
  pick<T>(list: readonly T[]): T;
  once(times: number): boolean;
};

export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  }
  const below = (limit: number) => Math.floor(next() * limit);
  return { below, pick: (list) => list[below(list.length)]!, once: (times) => below(times) === 0 };
}
