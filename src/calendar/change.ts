import type { Attribute, AttributeValue, Kind } from "./attributes.ts";
import type { Night } from "./night.ts";

/** A value before and after a message; `undefined` is nothing received. */
type Sides = { from: AttributeValue | undefined; to: AttributeValue | undefined };

/** One run of nights that a message changed in one column. */
export type NightChange = Sides & {
  kind: Kind;
  category: string;
  lane: string;
  column: Attribute;
  first: Night;
  last: Night;
  /** What amounts are in, before and after; absent for other columns. */
  currencies?: Currencies;
};

/** The currencies of a night before and after a message; `undefined` where it had no amounts. */
export type Currencies = Sides;

/** The first runs of changes, up to a limit; consecutive nights are one run, also across pages. */
export class ChangeList {
  readonly runs: NightChange[] = [];
  readonly #limit: number;
  readonly #open = new Map<Attribute, NightChange>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Call this before the next lane: a run does not continue into it. */
  startLane(): void {
    this.#open.clear();
  }

  /** Whether another run of the column would be left out. */
  isPast(column: Attribute): boolean {
    return this.runs.length >= this.#limit && !this.#open.has(column);
  }

  /** A lane's nights must come in order, by column. */
  add(run: NightChange): void {
    const open = this.#open.get(run.column);
    if (open && open.last + 1 === run.first && isSame(open, run) && isSame(open.currencies, run.currencies)) {
      open.last = run.last;
      return;
    }
    if (this.runs.length >= this.#limit) return void this.#open.delete(run.column);
    this.runs.push(run);
    this.#open.set(run.column, run);
  }
}

function isSame(a: Sides | undefined, b: Sides | undefined): boolean {
  return a?.from === b?.from && a?.to === b?.to;
}
