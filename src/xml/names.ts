import { isInName, nameEnd, startsName } from "./characters.ts";
import type { CodeUnits, XmlSource } from "./source.ts";

const SLOT_COUNT = 128;
const MAX_CACHED_LENGTH = 64;
const MAX_PROBES = 8;

/** Names cached across documents, with their code units, so that they can be compared without creating a string. */
const slotNames = Array<string | undefined>(SLOT_COUNT).fill(undefined);
const slotUnits = new Uint8Array(SLOT_COUNT * MAX_CACHED_LENGTH);

/** For each name, the slot of the name that came after it last time. Lines are similar, so the same name often follows again. */
const slotFollowers = new Uint8Array(SLOT_COUNT);

/** Reads names and returns cached strings for known names. */
export class NameReader {
  readonly #source: XmlSource;
  readonly #codes: CodeUnits;
  #last = 0;
  end = 0;

  constructor(source: XmlSource) {
    this.#source = source;
    this.#codes = source.codes;
  }

  read(from: number): string {
    const slot = slotFollowers[this.#last]!;
    const guessedName = slotNames[slot];
    if (guessedName === undefined) return this.#find(from);
    const end = from + guessedName.length;
    const nextUnit = this.#codes[end]!;
    if (nextUnit >= 128 || isInName(nextUnit) || !matchesAt(this.#codes, from, slot, guessedName.length)) return this.#find(from);
    this.end = end;
    this.#last = slot;
    return guessedName;
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
    return at - from > MAX_CACHED_LENGTH ? this.#readOther(from) : this.#lookUp(sum, from);
  }

  /** Looks in a few slots. A new name takes the first free slot or, if none is free, replaces the name in the first one. */
  #lookUp(sum: number, from: number): string {
    const length = this.end - from;
    let free = sum & (SLOT_COUNT - 1);
    for (let i = 0; i < MAX_PROBES; i++) {
      const slot = (sum + i) & (SLOT_COUNT - 1);
      const cachedName = slotNames[slot];
      if (cachedName?.length === length && matchesAt(this.#codes, from, slot, length)) return this.#follow(slot, cachedName);
      if (cachedName !== undefined) continue;
      free = slot;
      break;
    }
    return this.#follow(free, this.#cache(free, from));
  }

  #cache(slot: number, from: number): string {
    for (let i = 0; from + i < this.end; i++) slotUnits[slot * MAX_CACHED_LENGTH + i] = this.#codes[from + i]!;
    return (slotNames[slot] = internName(this.#source.slice(from, this.end)));
  }

  #follow(slot: number, name: string): string {
    slotFollowers[this.#last] = slot;
    this.#last = slot;
    return name;
  }

  #readOther(from: number): string {
    this.end = nameEnd(this.#codes, from);
    return this.#source.slice(from, this.end);
  }
}

// oxlint-disable-next-line max-params -- called for each name; an object would cost memory
function matchesAt(codes: CodeUnits, from: number, slot: number, length: number): boolean {
  const start = slot * MAX_CACHED_LENGTH;
  for (let i = 0; i < length; i++) if (codes[from + i] !== slotUnits[start + i]) return false;
  return true;
}

/** Returns V8's internalized string. Comparing two internalized strings only compares their addresses. */
function internName(name: string): string {
  return Object.keys({ [name]: 0 })[0]!;
}
