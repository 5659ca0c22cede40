import { isAscii } from "node:buffer";

export type CodeUnits = Uint8Array | Uint16Array;

/** Number of characters in a window. V8 treats strings of 128 kB or more as large objects. */
const WINDOW_LENGTH = 50_000;

/**
 * A document's text as UTF-16 code units; strings are sliced on demand. If the document is ASCII, its bytes are the code units, and only a
 * window of it is converted to a string, because large strings cause major garbage collections.
 */
export class XmlSource {
  readonly codes: CodeUnits;
  readonly #bytes: Buffer | undefined;
  #window: string;
  #start = 0;

  private constructor(codes: CodeUnits, text: string | undefined) {
    this.codes = codes;
    this.#window = text ?? "";
    this.#bytes = text === undefined ? Buffer.from(codes.buffer, codes.byteOffset, codes.length) : undefined;
  }

  static ofText(text: string): XmlSource {
    const units = new Uint16Array(text.length);
    Buffer.from(units.buffer).write(text, "utf16le");
    return new XmlSource(units, text);
  }

  /** Returns `undefined` if a byte is not ASCII. The caller must not modify the bytes afterwards. */
  static ofAscii(bytes: Uint8Array): XmlSource | undefined {
    return isAscii(bytes) ? new XmlSource(bytes, undefined) : undefined;
  }

  get length(): number {
    return this.codes.length;
  }

  slice(from: number, to: number): string {
    const start = from - this.#start;
    const end = to - this.#start;
    return start >= 0 && end <= this.#window.length ? this.#window.slice(start, end) : this.#sliceOutsideWindow(from, to);
  }

  #sliceOutsideWindow(from: number, to: number): string {
    if (this.#bytes === undefined) return this.#window.slice(from, to);
    if (from < this.#start || to - from > WINDOW_LENGTH) return this.#bytes.toString("latin1", from, to);
    this.#window = this.#bytes.toString("latin1", from, from + WINDOW_LENGTH);
    this.#start = from;
    return this.#window.slice(0, to - from);
  }

  indexOf(word: string, from: number): number {
    return this.#bytes?.indexOf(word, from, "latin1") ?? this.#window.indexOf(word, from);
  }

  startsWith(word: string, at: number): boolean {
    return this.slice(at, at + word.length) === word;
  }

  toString(): string {
    return this.#bytes?.toString("latin1") ?? this.#window;
  }
}

// oxlint-disable-next-line max-params -- called for each name; an object would cost memory
export function hasSameUnits(codes: CodeUnits, first: number, second: number, length: number): boolean {
  for (let i = 0; i < length; i++) if (codes[first + i] !== codes[second + i]) return false;
  return true;
}

export type TextPosition = { line: number; column: number };

const [LF, CR] = [10, 13] as const;

export function locateOffset({ codes }: XmlSource, offset: number): TextPosition {
  return createLocator(codes)(offset);
}

/** Returns a function that locates offsets. Fastest for ascending offsets, because each call continues from the previous one. */
export function createLocator(codes: CodeUnits): (offset: number) => TextPosition {
  let line = 1;
  let start = 0;
  return (offset) => {
    if (offset < start) [line, start] = [1, 0];
    let cr = findLineEnd(codes, CR, start);
    let lf = findLineEnd(codes, LF, start);
    for (let at = Math.min(cr, lf); at < offset; at = Math.min(cr, lf)) {
      line += 1;
      start = at === cr && lf === at + 1 ? at + 2 : at + 1;
      if (cr < start) cr = findLineEnd(codes, CR, start);
      if (lf < start) lf = findLineEnd(codes, LF, start);
    }
    return { line, column: Math.max(1, offset - start + 1) };
  };
}

/** Uses `indexOf`, because it is fast even if a line has millions of characters. */
function findLineEnd(codes: CodeUnits, lineEnd: number, from: number): number {
  const at = codes.indexOf(lineEnd, from);
  return at === -1 ? Number.POSITIVE_INFINITY : at;
}
