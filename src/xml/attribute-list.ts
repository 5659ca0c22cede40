import { resolveReferences } from "./characters.ts";
import type { Attributes } from "./handler.ts";
import type { XmlSource } from "./source.ts";

export class AttributeList implements Attributes {
  readonly #source: XmlSource;
  readonly #prefixes: string[] = [];
  readonly #names: string[] = [];
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  readonly #needsDecoding: number[] = [];
  length = 0;
  hasPrefixes = false;

  constructor(source: XmlSource) {
    this.#source = source;
  }

  clear(): void {
    this.length = 0;
    this.hasPrefixes = false;
  }

  add(prefix: string, name: string): void {
    this.#prefixes[this.length] = prefix;
    this.#names[this.length] = name;
    this.length++;
    if (prefix !== "" || name === "xmlns") this.hasPrefixes = true;
  }

  setValue(from: number, to: number, needsDecoding: boolean): void {
    const index = this.length - 1;
    this.#starts[index] = from;
    this.#ends[index] = to;
    this.#needsDecoding[index] = Number(needsDecoding);
  }

  takeDeclarations(): { prefix: string; uri: string }[] {
    const declarations: { prefix: string; uri: string }[] = [];
    let remaining = 0;
    for (let i = 0; i < this.length; i++) {
      const [prefix, name] = [this.#prefixes[i]!, this.#names[i]!];
      if (prefix === "xmlns") declarations.push({ prefix: name, uri: this.valueAt(i) });
      else if (prefix === "" && name === "xmlns") declarations.push({ prefix: "", uri: this.valueAt(i) });
      else this.#move(i, remaining++);
    }
    this.length = remaining;
    return declarations;
  }

  #move(from: number, to: number): void {
    this.#prefixes[to] = this.#prefixes[from]!;
    this.#names[to] = this.#names[from]!;
    this.#starts[to] = this.#starts[from]!;
    this.#ends[to] = this.#ends[from]!;
    this.#needsDecoding[to] = this.#needsDecoding[from]!;
  }

  /** Returns a fault if a prefix is undeclared or an attribute occurs twice. */
  findPrefixFault(find: (prefix: string) => string | undefined): string | undefined {
    const seen = new Set<string>();
    for (let i = 0; i < this.length; i++) {
      const prefix = this.#prefixes[i]!;
      if (prefix === "") continue;
      const uri = find(prefix);
      if (uri === undefined) return `the prefix ${prefix} is not bound`;
      const name = `{${uri}}${this.#names[i]}`;
      if (seen.has(name)) return "duplicate attribute";
      seen.add(name);
    }
    return undefined;
  }

  /** Restores the prefixes of attributes in other namespaces, so that these don't hide the element's own attributes. */
  renameForeign(isForeign: (prefix: string) => boolean): void {
    for (let i = 0; i < this.length; i++) {
      const prefix = this.#prefixes[i]!;
      if (prefix !== "" && isForeign(prefix)) this.#names[i] = `${prefix}:${this.#names[i]}`;
    }
  }

  get(name: string): string | undefined {
    for (let i = 0; i < this.length; i++) if (this.#names[i] === name) return this.valueAt(i);
    return undefined;
  }

  nameAt(index: number): string {
    return this.#names[index]!;
  }

  valueAt(index: number): string {
    const raw = this.#source.slice(this.#starts[index]!, this.#ends[index]!);
    return this.#needsDecoding[index] === 1 ? decodeValue(raw) : raw;
  }

  hasDuplicates(): boolean {
    for (let i = 1; i < this.length; i++) {
      for (let j = 0; j < i; j++) if (this.#names[i] === this.#names[j] && this.#prefixes[i] === this.#prefixes[j]) return true;
    }
    return false;
  }
}

/**
 * Returns an attribute's value with references replaced and white space converted to spaces (https://www.w3.org/TR/xml/#AVNormalize).
 * References must be valid.
 */
function decodeValue(raw: string): string {
  return resolveReferences(raw.replaceAll(/\r\n|[\t\n\r]/g, " "));
}
