/**
 * An element's attributes, without namespace declarations. The object is reused, so read the values you need during `open`. Names are local
 * names, but an attribute keeps its prefix if its namespace differs from the element's.
 */
export type Attributes = {
  readonly length: number;
  get(name: string): string | undefined;
  nameAt(index: number): string;
  valueAt(index: number): string;
};

/** Receives a document's elements in order. Offsets are in UTF-16 code units. */
export type ElementHandler = {
  /** `name` is the local name; `at` is the offset of the element's `<`. */
  open(name: string, attributes: Attributes, at: number): void;
  /** `end` is the offset after the `>` of the end tag. */
  close(name: string, end: number): void;
  /** Receives text with references already replaced. One run of text may arrive in several calls. */
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
export const MAX_TEXT_LENGTH = 1_000_000;
export const MAX_NAME_LENGTH = 1_000;
export const MAX_BINDINGS = 100;

export class XmlError extends Error {
  readonly fault: XmlFault;

  constructor(kind: XmlFault["kind"], offset: number, reason: string) {
    super(reason);
    this.fault = { kind, offset, reason };
  }
}
