/** A number keeps its source text, because `200` and `200.0` mean different amounts. Objects are maps, so that no key is special. */
export type Json = null | boolean | string | JsonNumber | JsonObject | readonly Json[];
export type JsonObject = ReadonlyMap<string, Json>;

export class JsonNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export function isObject(value: Json): value is JsonObject {
  return value instanceof Map;
}

export function isArray(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

export type JsonFault = { offset: number; reason: string };

/**
 * Parses JSON (RFC 8259). Refuses input that `JSON.parse` would silently drop or a database can't store: duplicate names, NUL, lone
 * surrogates.
 */
export function parseJson(text: string): { value: Json } | JsonFault {
  const parser = new JsonParser(text, "whole");
  try {
    return { value: parser.parse() };
  } catch (error) {
    if (error instanceof UnparsableError) return { offset: parser.at, reason: error.message };
    throw error;
  }
}

/** Parses JSON that may be truncated. Objects and lists contain everything up to the first fault or the end of the text. */
export function parsePrefix(text: string): Json {
  try {
    return new JsonParser(text, "beginning").parse();
  } catch (error) {
    if (error instanceof UnparsableError) return null;
    throw error;
  }
}

class UnparsableError extends Error {}

const MAX_DEPTH = 20;
const SPACE_PATTERN = /[ \t\n\r]*/y;
const PLAIN_TEXT_PATTERN = /[^"\\\u0000-\u001f]*/y;
const NUMBER_PATTERN = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const ESCAPE_PATTERN = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;
const LITERAL_PATTERN = /true|false|null/y;
const LITERALS: Readonly<Record<string, Json>> = { true: true, false: false, null: null };

class JsonParser {
  at = 0;
  readonly #text: string;
  readonly #extent: "whole" | "beginning";
  #depth = 0;

  constructor(text: string, extent: "whole" | "beginning") {
    this.#text = text;
    this.#extent = extent;
  }

  parse(): Json {
    const value = this.#value();
    this.#skipSpace();
    if (this.at < this.#text.length) throw new UnparsableError("unexpected text after the value");
    return value;
  }

  #value(): Json {
    this.#skipSpace();
    const first = this.#text[this.at];
    if (first === "{") return this.#nested(new Map<string, Json>(), (members) => this.#object(members));
    if (first === "[") return this.#nested<Json[]>([], (items) => this.#array(items));
    if (first === '"') return this.#string();
    const number = this.#take(NUMBER_PATTERN);
    if (number !== undefined) return new JsonNumber(number);
    const word = this.#take(LITERAL_PATTERN);
    return word === undefined ? this.#fail("expected a value") : LITERALS[word]!;
  }

  #nested<Container>(container: Container, fill: (container: Container) => void): Container {
    if (++this.#depth > MAX_DEPTH) this.#fail(`more than ${MAX_DEPTH} levels of nesting`);
    this.at++;
    try {
      fill(container);
    } catch (error) {
      if (this.#extent === "whole" || !(error instanceof UnparsableError)) throw error;
      this.at = this.#text.length;
    }
    this.#depth--;
    return container;
  }

  #object(members: Map<string, Json>): void {
    if (this.#isNext("}")) return;
    do {
      this.#skipSpace();
      const start = this.at;
      if (this.#text[start] !== '"') this.#fail("expected a name in quotes");
      const name = this.#string();
      if (members.has(name)) {
        this.at = start;
        this.#fail(`duplicate name ${JSON.stringify(name.slice(0, 100))}`);
      }
      if (!this.#isNext(":")) this.#fail("expected a colon");
      members.set(name, this.#value());
    } while (this.#isNext(","));
    if (!this.#isNext("}")) this.#fail("expected a comma or }");
  }

  #array(items: Json[]): void {
    if (this.#isNext("]")) return;
    do items.push(this.#value());
    while (this.#isNext(","));
    if (!this.#isNext("]")) this.#fail("expected a comma or ]");
  }

  #string(): string {
    const start = this.at++;
    let hasEscapes = false;
    for (this.#take(PLAIN_TEXT_PATTERN); this.#text[this.at] !== '"'; this.#take(PLAIN_TEXT_PATTERN)) {
      if (this.#take(ESCAPE_PATTERN) === undefined)
        this.#fail(this.#text[this.at] === "\\" ? "unknown escape" : "the string is not terminated");
      hasEscapes = true;
    }
    this.at++;
    if (!hasEscapes) return this.#text.slice(start + 1, this.at - 1);
    const string = JSON.parse(this.#text.slice(start, this.at)) as string;
    if (string.isWellFormed() && !string.includes("\0")) return string;
    this.at = start;
    return this.#fail("the string contains NUL or an unpaired surrogate");
  }

  #isNext(character: string): boolean {
    this.#skipSpace();
    if (this.#text[this.at] !== character) return false;
    this.at++;
    return true;
  }

  #skipSpace(): void {
    this.#take(SPACE_PATTERN);
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const match = pattern.exec(this.#text)?.[0];
    this.at += match?.length ?? 0;
    return match;
  }

  #fail(reason: string): never {
    throw new UnparsableError(this.at < this.#text.length ? reason : "the text ends unexpectedly");
  }
}
