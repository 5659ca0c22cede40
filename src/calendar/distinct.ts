import { type Runs, SPAN_DAYS } from "./runs.ts";

const LIMIT = 255;
const SLOTS = 1_024;

/** The different values of a column, at most 255, and which of them each night has. One object is reused. */
export class Distinct {
  readonly values: number[] = [];
  readonly places = new Uint8Array(SPAN_DAYS);
  readonly #slots = new Int16Array(SLOTS);

  /** Counts the different values; `undefined` when there are too many. */
  collect({ ends, cells }: Runs): number | undefined {
    this.#slots.fill(-1);
    this.values.length = 0;
    for (let run = 0, start = 0; run < ends.length; start = ends[run++]!) {
      const place = this.#placeOf(cells[run]!);
      if (place === undefined) return undefined;
      this.places.fill(place, start, ends[run]);
    }
    return this.values.length;
  }

  #placeOf(value: number): number | undefined {
    let slot = (Math.imul(value | 0, 0x9e3779b1) >>> 22) % SLOTS;
    for (; this.#slots[slot]! >= 0; slot = (slot + 1) % SLOTS) {
      if (this.values[this.#slots[slot]!] === value) return this.#slots[slot];
    }
    const { length } = this.values;
    if (length === LIMIT) return undefined;
    this.#slots[slot] = length;
    return this.values.push(value) - 1;
  }
}
