import { resolveReference } from "./characters.ts";
import { MAX_ATTRIBUTES, type Attributes } from "./reader.ts";

/** Numbers kept for each attribute: where its prefix, local name and value start and end, and whether the value must be decoded. */
const FIELDS = 6;
const [START, LOCAL, END, VALUE, VALUE_END, CODED] = [0, 1, 2, 3, 4, 5] as const;

/** The attributes of the element being read, as places in the text; a value is cut out when it is asked for. */
export class AttributeList implements Attributes {
  readonly #text: string;
  readonly #places = new Int32Array(MAX_ATTRIBUTES * FIELDS);
  length = 0;
  /** An attribute is a namespace declaration or has a prefix. */
  hasPrefixes = false;

  constructor(text: string) {
    this.#text = text;
  }

  clear(): void {
    this.length = 0;
    this.hasPrefixes = false;
  }

  /** `start` and `local` differ where there is a prefix; `coded` says that the value has references or line ends. */
  add(place: { start: number; local: number; end: number }): void {
    const at = this.length * FIELDS;
    this.#places[at + START] = place.start;
    this.#places[at + LOCAL] = place.local;
    this.#places[at + END] = place.end;
    this.length++;
    this.hasPrefixes ||= place.start !== place.local || this.#isNamed(this.length - 1, "xmlns");
  }

  /** Completes the attribute that was added last. */
  setValue(from: number, to: number, coded: boolean): void {
    const at = (this.length - 1) * FIELDS;
    this.#places[at + VALUE] = from;
    this.#places[at + VALUE_END] = to;
    this.#places[at + CODED] = Number(coded);
  }

  /** Takes the namespace declarations off the list. The prefix is empty for the default namespace. */
  takeDeclarations(): { prefix: string; uri: string }[] {
    const taken: { prefix: string; uri: string }[] = [];
    let kept = 0;
    for (let i = 0; i < this.length; i++) {
      const [prefix, name] = [this.prefixAt(i), this.nameAt(i)];
      if (prefix === "xmlns") taken.push({ prefix: name, uri: this.valueAt(i) });
      else if (prefix === "" && name === "xmlns") taken.push({ prefix: "", uri: this.valueAt(i) });
      else this.#places.copyWithin(kept++ * FIELDS, i * FIELDS, (i + 1) * FIELDS);
    }
    this.length = kept;
    return taken;
  }

  /** What is wrong with the prefixes of the names: one is not bound, or two names mean the same. */
  faultOfPrefixes(find: (prefix: string) => string | undefined): string | undefined {
    const seen = new Set<string>();
    for (let i = 0; i < this.length; i++) {
      const prefix = this.prefixAt(i);
      if (prefix === "") continue;
      const uri = find(prefix);
      if (uri === undefined) return `the prefix ${prefix} is not bound`;
      const name = `{${uri}}${this.nameAt(i)}`;
      if (seen.has(name)) return "an attribute is given twice";
      seen.add(name);
    }
    return undefined;
  }

  get(name: string): string | undefined {
    for (let i = 0; i < this.length; i++) if (this.#isNamed(i, name)) return this.valueAt(i);
    return undefined;
  }

  nameAt(index: number): string {
    return this.#text.slice(this.#places[index * FIELDS + LOCAL], this.#places[index * FIELDS + END]);
  }

  /** Empty when the name has no prefix. */
  prefixAt(index: number): string {
    const [start, local] = [this.#places[index * FIELDS + START]!, this.#places[index * FIELDS + LOCAL]!];
    return start === local ? "" : this.#text.slice(start, local - 1);
  }

  valueAt(index: number): string {
    const at = index * FIELDS;
    const raw = this.#text.slice(this.#places[at + VALUE], this.#places[at + VALUE_END]);
    return this.#places[at + CODED] === 1 ? decodeValue(raw) : raw;
  }

  /** Whether two attributes are written with the same name, prefix included. */
  hasTwins(): boolean {
    for (let i = 1; i < this.length; i++) for (let j = 0; j < i; j++) if (this.#isSameName(i, j)) return true;
    return false;
  }

  #isNamed(index: number, name: string): boolean {
    const local = this.#places[index * FIELDS + LOCAL]!;
    return this.#places[index * FIELDS + END]! - local === name.length && this.#text.startsWith(name, local);
  }

  #isSameName(one: number, other: number): boolean {
    const [a, b] = [this.#places[one * FIELDS + START]!, this.#places[other * FIELDS + START]!];
    const length = this.#places[one * FIELDS + END]! - a;
    if (this.#places[other * FIELDS + END]! - b !== length) return false;
    for (let i = 0; i < length; i++) if (this.#text.charCodeAt(a + i) !== this.#text.charCodeAt(b + i)) return false;
    return true;
  }
}

/** References replaced, each blank a space (https://www.w3.org/TR/xml/#AVNormalize). Every reference was checked before. */
function decodeValue(raw: string): string {
  return raw.replaceAll(/\r\n|[\t\n\r]/g, " ").replaceAll(/&([^;]*);/g, (_reference, name: string) => resolveReference(name)!);
}
