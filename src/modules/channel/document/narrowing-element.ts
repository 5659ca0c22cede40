import type { Attributes } from "../../../xml/handler.ts";
import type { NarrowingAttribute } from "../elements/narrowing.ts";
import { isDistribution } from "../elements/words.ts";

type OpenElement = { name: string; offset: number; attributes: readonly (readonly [name: string, value: string])[]; text: string };

/** Collects the values in an element that limits a line, including nested elements. */
export class NarrowingElement {
  readonly name: string;
  readonly offset: number;
  readonly found: NarrowingAttribute[] = [];
  readonly #open: OpenElement[] = [];

  constructor(name: string, offset: number) {
    this.name = name;
    this.offset = offset;
  }

  open(name: string, attributes: Attributes, offset: number): void {
    const values = Array.from({ length: attributes.length }, (_, index) => [attributes.nameAt(index), attributes.valueAt(index)] as const);
    this.#open.push({ name, offset, attributes: values.filter(([attribute]) => !attribute.includes(":")), text: "" });
  }

  text(text: string): void {
    this.#open.at(-1)!.text += text;
  }

  /** Returns whether the closed element is the limiting element itself. */
  close(): boolean {
    const { name, offset, attributes, text } = this.#open.pop()!;
    const value = text.trim();
    if (value !== "") this.found.push({ name, value, offset });
    if (!isDistribution(name)) this.found.push(...attributes.map(([attribute, own]) => ({ name: attribute, value: own.trim(), offset })));
    else if (value === "" && attributes.length > 0) this.found.push({ name, value: attributes[0]![1].trim(), offset });
    return this.#open.length === 0;
  }
}
