/**
 * The attributes of one element, without namespace declarations. The object is reused, so read what you need during `open`. Names are local
 * names, but an attribute of a namespace other than the element's keeps its prefix.
 */
export type Attributes = {
  readonly length: number;
  get(name: string): string | undefined;
  nameAt(index: number): string;
  valueAt(index: number): string;
};

/** Gets the elements of a document in order. Offsets count UTF-16 units of the text. */
export type ElementHandler = {
  /** `name` is the local name, `at` the offset of the element's `<`. */
  open(name: string, attributes: Attributes, at: number): void;
  /** `end` is the offset after the element's last `>`. */
  close(name: string, end: number): void;
  /** Character data with references replaced. A run of text may be split into several calls. */
  text(text: string): void;
};

export type DocumentHandler = {
  open(name: string, namespace: string, attributes: Attributes, at: number): void;
  close(name: string, end: number): void;
  text(text: string): void;
};

export type XmlFault = { kind: "malformed" | "dtd"; offset: number; reason: string };

export const MAX_DEPTH = 100;
export const MAX_ATTRIBUTES = 100;
export const MAX_TEXT = 1_000_000;
export const MAX_NAME = 1_000;
export const MAX_BINDINGS = 100;

export class XmlError extends Error {
  readonly fault: XmlFault;

  constructor(kind: XmlFault["kind"], offset: number, reason: string) {
    super(reason);
    this.fault = { kind, offset, reason };
  }
}
