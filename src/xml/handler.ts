/**
 * The attributes of one element. The same object serves every element: read what is needed during `open`.
 * Names are local names; those of another namespace than the element's keep their prefix. Namespace declarations are left out.
 */
export type Attributes = {
  readonly length: number;
  get(name: string): string | undefined;
  nameAt(index: number): string;
  valueAt(index: number): string;
};

/** Takes the elements of a document in their order. Offsets count UTF-16 units of the text. */
export type ElementHandler = {
  /** `name` is the local name, `at` the offset of the element's `<`. */
  open(name: string, attributes: Attributes, at: number): void;
  /** `end` is the offset behind the element's last `>`. */
  close(name: string, end: number): void;
  /** Character data, with references already replaced; one run may come in several pieces. */
  text(text: string): void;
};

/** A document handler also sees the namespace of each element. */
export type DocumentHandler = {
  open(name: string, namespace: string, attributes: Attributes, at: number): void;
  close(name: string, end: number): void;
  text(text: string): void;
};

/** Why reading stopped; `offset` is where. */
export type XmlFault = { kind: "malformed" | "dtd"; offset: number; reason: string };

/**
 * Limits against hostile documents; `MAX_TEXT` is for one run of text or one value. Each name is compared with prefixes and namespaces
 * of the elements around it: `MAX_BINDINGS` is for those at one place, `MAX_NAME` for the characters of a name or a namespace.
 */
export const MAX_DEPTH = 100;
export const MAX_ATTRIBUTES = 100;
export const MAX_TEXT = 1_000_000;
export const MAX_NAME = 1_000;
export const MAX_BINDINGS = 100;
