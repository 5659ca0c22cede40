import type { Attributes } from "../../../xml/handler.ts";
import { attributeKind, type ElementRules } from "../elements/part.ts";
import type { MessageReader } from "../message.ts";
import type { MessageReport } from "../report.ts";

/** Passes everything to another reader, and logs ignored attributes. */
export class LoggedReader implements MessageReader {
  readonly #reader: MessageReader;
  readonly #parts: ReadonlyMap<string, ElementRules>;
  readonly #report: MessageReport;

  constructor(reader: MessageReader, parts: ReadonlyMap<string, ElementRules>, report: MessageReport) {
    this.#reader = reader;
    this.#parts = parts;
    this.#report = report;
  }

  open(name: string, attributes: Attributes, offset: number): void {
    this.#reader.open(name, attributes, offset);
    const part = this.#parts.get(name);
    if (part) this.#note(part, attributes);
  }

  close(name: string, end: number): void {
    this.#reader.close(name, end);
  }

  text(text: string): void {
    this.#reader.text(text);
  }

  finish() {
    return this.#reader.finish();
  }

  #note(part: ElementRules, attributes: Attributes): void {
    for (let index = 0; index < attributes.length; index++) {
      const name = attributes.nameAt(index);
      if (attributeKind(part, name) === undefined) this.#report.ignore(`${part.element}/@${name}`);
    }
  }
}
