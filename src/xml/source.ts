import { isAscii } from "node:buffer";

/** The UTF-16 units of a text, which are faster to read than the text itself. */
export type Codes = Uint8Array | Uint16Array;

/** Characters of a window; short of what V8 calls a large object, which is 128 kB. */
const WINDOW = 50_000;

/**
 * The text of a document. It is read by its units; strings are cut out of it on demand. Of an ASCII document, whose bytes are its units,
 * only a window is ever a string: a string of 600 kB would outlive each small collection of garbage and bring on the large ones.
 */
export class Source {
  readonly codes: Codes;
  readonly #bytes: Buffer | undefined;
  #window: string;
  #start = 0;

  private constructor(codes: Codes, text: string | undefined) {
    this.codes = codes;
    this.#window = text ?? "";
    this.#bytes = text === undefined ? Buffer.from(codes.buffer, codes.byteOffset, codes.length) : undefined;
  }

  static ofText(text: string): Source {
    const units = new Uint16Array(text.length);
    Buffer.from(units.buffer).write(text, "utf16le");
    return new Source(units, text);
  }

  /** `undefined` when there are other bytes than ASCII characters. They must not change any more. */
  static ofAscii(bytes: Uint8Array): Source | undefined {
    return isAscii(bytes) ? new Source(bytes, undefined) : undefined;
  }

  get length(): number {
    return this.codes.length;
  }

  /** Characters `from` to before `to`; fewer at the end of the text. */
  slice(from: number, to: number): string {
    const start = from - this.#start;
    const end = to - this.#start;
    return start >= 0 && end <= this.#window.length ? this.#window.slice(start, end) : this.#cut(from, to);
  }

  /** Moves the window when the characters lie behind it and fit into it. */
  #cut(from: number, to: number): string {
    if (this.#bytes === undefined) return this.#window.slice(from, to);
    if (from < this.#start || to - from > WINDOW) return this.#bytes.toString("latin1", from, to);
    this.#window = this.#bytes.toString("latin1", from, from + WINDOW);
    this.#start = from;
    return this.#window.slice(0, to - from);
  }

  /** Where the word, of ASCII characters, stands first from `from` on; -1: nowhere. */
  indexOf(word: string, from: number): number {
    return this.#bytes?.indexOf(word, from, "latin1") ?? this.#window.indexOf(word, from);
  }

  startsWith(word: string, at: number): boolean {
    return this.slice(at, at + word.length) === word;
  }

  /** The whole text, as a string of its own. */
  toString(): string {
    return this.#bytes?.toString("latin1") ?? this.#window;
  }
}

/** Whether as many units are the same at two places. */
// oxlint-disable-next-line max-params -- called for each name, so that it makes no object
export function areSame(codes: Codes, one: number, other: number, length: number): boolean {
  for (let i = 0; i < length; i++) if (codes[one + i] !== codes[other + i]) return false;
  return true;
}
