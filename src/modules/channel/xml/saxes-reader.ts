import { SaxesParser, type SaxesTagNS } from "saxes";
import { findDoctype } from "./prolog.ts";
import { type Attributes, type DocumentHandler, MAX_ATTRIBUTES, MAX_DEPTH, MAX_TEXT, type XmlFault } from "./reader.ts";

/** What a handler of the parser throws to stop it. */
class Stop extends Error {
  readonly fault: XmlFault;

  constructor(fault: XmlFault) {
    super(fault.reason);
    this.fault = fault;
  }
}

/** Reads a document with saxes: namespaces, no entities beyond the five, no DTD, and the limits of `reader.ts`. */
export function readWithSaxes(text: string, handler: DocumentHandler): XmlFault | undefined {
  const doctype = findDoctype(text);
  if (doctype !== undefined) return { kind: "dtd", offset: doctype, reason: "DTD is not allowed" };
  const parser = new SaxesParser({ xmlns: true });
  const stop = (kind: XmlFault["kind"], reason: string): never => {
    throw new Stop({ kind, offset: parser.position, reason });
  };
  const attributes = new SaxesAttributes();
  let depth = 0;
  let start = 0;
  parser.on("error", (error) => stop("malformed", error.message.replace(/^\d+:\d+: /, "").replace(/\.$/, "")));
  parser.on("opentagstart", (tag) => {
    start = parser.position - tag.name.length - 2;
    if (++depth > MAX_DEPTH) stop("malformed", `elements are nested deeper than ${MAX_DEPTH}`);
  });
  parser.on("opentag", (tag) => {
    attributes.take(tag);
    if (attributes.length > MAX_ATTRIBUTES) stop("malformed", `an element has more than ${MAX_ATTRIBUTES} attributes`);
    handler.open(tag.local, tag.uri, attributes, start);
  });
  parser.on("closetag", (tag) => {
    depth -= 1;
    handler.close(tag.local, parser.position);
  });
  parser.on("text", (piece) => (piece.length > MAX_TEXT ? stop("malformed", "a text is too long") : handler.text(piece)));
  parser.on("cdata", (piece) => (piece.length > MAX_TEXT ? stop("malformed", "a text is too long") : handler.text(piece)));
  try {
    parser.write(text).close();
    return undefined;
  } catch (error) {
    if (error instanceof Stop) return error.fault;
    throw error;
  }
}

class SaxesAttributes implements Attributes {
  readonly #names: string[] = [];
  readonly #values: string[] = [];
  length = 0;

  take(tag: SaxesTagNS): void {
    this.length = 0;
    for (const name in tag.attributes) {
      const { prefix, local, value } = tag.attributes[name]!;
      if (prefix === "xmlns" || name === "xmlns" || prefix === "xsi") continue;
      this.#names[this.length] = local;
      this.#values[this.length] = value;
      this.length += 1;
    }
  }

  get(name: string): string | undefined {
    for (let index = 0; index < this.length; index++) if (this.#names[index] === name) return this.#values[index];
    return undefined;
  }

  nameAt(index: number): string {
    return this.#names[index]!;
  }

  valueAt(index: number): string {
    return this.#values[index]!;
  }
}
