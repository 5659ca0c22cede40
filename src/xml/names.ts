import { isInName, nameEnd, startsName } from "./characters.ts";
import type { Codes, Source } from "./source.ts";

/** Names that are remembered; a power of two. Longer names are not. */
const SLOTS = 128;
const LONGEST = 64;
/** How many slots a name may be in. */
const TRIED = 8;

/** The names that were read last, in any document, as messages are alike; and their units, which are compared without a string. */
const names = Array<string | undefined>(SLOTS).fill(undefined);
const units = new Uint8Array(SLOTS * LONGEST);

/** For each name's slot, the slot of the name that last followed it: a good guess, as lines repeat each other. */
const next = new Uint8Array(SLOTS);

/** Reads names; a name that is remembered is not cut out again but is the same string. */
export class NameReader {
  readonly #source: Source;
  readonly #codes: Codes;
  #last = 0;
  /** The offset behind the name that was read last. */
  end = 0;

  constructor(source: Source) {
    this.#source = source;
    this.#codes = source.codes;
  }

  /** The name without colons that starts at `from`; empty when none starts there. */
  read(from: number): string {
    const slot = next[this.#last]!;
    const guess = names[slot];
    if (guess === undefined) return this.#find(from);
    const end = from + guess.length;
    const behind = this.#codes[end]!;
    if (behind >= 128 || isInName(behind) || !isAt(this.#codes, from, slot, guess.length)) return this.#find(from);
    this.end = end;
    this.#last = slot;
    return guess;
  }

  #find(from: number): string {
    const codes = this.#codes;
    let at = from;
    let code = codes[at]!;
    if (!startsName(code)) return this.#readOther(from);
    let sum = 0;
    do {
      sum = Math.imul(sum, 31) + code;
      code = codes[++at]!;
    } while (isInName(code));
    if (code >= 128) return this.#readOther(from);
    this.end = at;
    return at - from > LONGEST ? this.#readOther(from) : this.#recall(sum, from);
  }

  /** Looks through a few slots from that of the sum on; a name that is in none takes the first that is free, or the place of the first. */
  #recall(sum: number, from: number): string {
    const length = this.end - from;
    let free = sum & (SLOTS - 1);
    for (let i = 0; i < TRIED; i++) {
      const slot = (sum + i) & (SLOTS - 1);
      const known = names[slot];
      if (known?.length === length && isAt(this.#codes, from, slot, length)) return this.#follow(slot, known);
      if (known !== undefined) continue;
      free = slot;
      break;
    }
    return this.#follow(free, this.#remember(free, from));
  }

  #remember(slot: number, from: number): string {
    for (let i = 0; from + i < this.end; i++) units[slot * LONGEST + i] = this.#codes[from + i]!;
    return (names[slot] = internalized(this.#source.slice(from, this.end)));
  }

  #follow(slot: number, name: string): string {
    next[this.#last] = slot;
    this.#last = slot;
    return name;
  }

  /** Long names, and those with letters beyond ASCII. */
  #readOther(from: number): string {
    this.end = nameEnd(this.#codes, from);
    return this.#source.slice(from, this.end);
  }
}

/** Whether the name of the slot stands there. */
// oxlint-disable-next-line max-params -- called for each name, so that it makes no object
function isAt(codes: Codes, from: number, slot: number, length: number): boolean {
  const start = slot * LONGEST;
  for (let i = 0; i < length; i++) if (codes[from + i] !== units[start + i]) return false;
  return true;
}

/** The same text as V8 keeps the names of properties: comparing two of those is comparing their addresses. */
function internalized(name: string): string {
  return Object.keys({ [name]: 0 })[0]!;
}
