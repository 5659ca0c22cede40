import { AttributeList } from "./attribute-list.ts";
import { findLoneSurrogate, isBlank, isForbidden, isOrdinary, skipBlanks } from "./characters.ts";
import { type DocumentHandler, MAX_ATTRIBUTES, MAX_DEPTH, MAX_TEXT_LENGTH, XmlError, type XmlFault } from "./handler.ts";
import { checkReferences, decodeText, findCommentEnd, findDeclarationEnd, findInstructionEnd } from "./markup.ts";
import { NameReader } from "./names.ts";
import { NamespaceScope } from "./namespaces.ts";
import { hasSameUnits, type CodeUnits, type XmlSource } from "./source.ts";

/**
 * Reads a document in one pass without building a tree. Returns a fault if it violates XML 1.0 or Namespaces in XML 1.0, has a DTD or
 * exceeds a limit. Supports only the five predefined entities.
 */
export function tokenizeXml(source: XmlSource, handler: DocumentHandler): XmlFault | undefined {
  const loneSurrogate = findLoneSurrogate(source);
  try {
    new XmlTokenizer(source, handler).read();
  } catch (error) {
    if (!(error instanceof XmlError)) throw error;
    if (loneSurrogate === -1 || error.fault.offset <= loneSurrogate || error.fault.kind === "dtd") return error.fault;
  }
  return loneSurrogate === -1 ? undefined : { kind: "malformed", offset: loneSurrogate, reason: NOT_ALLOWED_TEXT };
}

const NOT_ALLOWED_TEXT = "a character that XML does not allow";

const [CR, QUOTE, AMPERSAND, APOSTROPHE, SLASH, COLON, LESS, EQUALS, GREATER, BANG, QUESTION, BRACKET] = [
  13, 34, 38, 39, 47, 58, 60, 61, 62, 33, 63, 93,
] as const;

class XmlTokenizer {
  readonly #source: XmlSource;
  readonly #codes: CodeUnits;
  readonly #handler: DocumentHandler;
  readonly #attributes: AttributeList;
  readonly #namespaces = new NamespaceScope();
  readonly #names: NameReader;
  readonly #open: string[] = [];
  readonly #offsets: number[] = [];
  readonly #locals: string[] = [];
  #at = 0;
  #local = "";
  #rootSeen = false;

  constructor(source: XmlSource, handler: DocumentHandler) {
    this.#source = source;
    this.#codes = source.codes;
    this.#handler = handler;
    this.#attributes = new AttributeList(source);
    this.#names = new NameReader(source);
  }

  read(): void {
    this.#at = findDeclarationEnd(this.#source);
    while (this.#at < this.#codes.length) {
      if (this.#codes[this.#at] === LESS) this.#markup();
      else this.#characters();
    }
    if (this.#open.length > 0) this.#fail(`unclosed element ${this.#open.at(-1)}`);
    if (!this.#rootSeen) this.#fail("no root element");
  }

  #fail(reason: string, at = this.#at): never {
    throw new XmlError("malformed", Math.min(at, this.#codes.length), reason);
  }

  #markup(): void {
    const nextCode = this.#codes[this.#at + 1];
    if (nextCode === SLASH) this.#endTag();
    else if (nextCode === BANG) this.#bang();
    else if (nextCode === QUESTION) this.#skipTo(findInstructionEnd(this.#source, this.#at));
    else this.#startTag();
  }

  #bang(): void {
    if (this.#source.startsWith("<!--", this.#at)) this.#skipTo(findCommentEnd(this.#source, this.#at));
    else if (this.#source.startsWith("<![CDATA[", this.#at)) this.#cdata();
    else if (this.#source.startsWith("<!DOCTYPE", this.#at)) throw new XmlError("dtd", this.#at, "a document type declaration");
    else this.#fail("unexpected <!");
  }

  #cdata(): void {
    if (this.#open.length === 0) this.#fail("text outside the root element");
    const end = this.#source.indexOf("]]>", this.#at + 9);
    if (end === -1) this.#fail("unclosed CDATA section");
    this.#checkLength(this.#at + 9, end);
    this.#checkCharacters(this.#at + 9, end);
    this.#emit(this.#source.slice(this.#at + 9, end).replaceAll(/\r\n?/g, "\n"));
    this.#at = end + 3;
  }

  #skipTo(end: number): void {
    this.#checkCharacters(this.#at, end);
    this.#at = end;
  }

  #characters(): void {
    const nextTagStart = this.#codes.indexOf(LESS, this.#at);
    const end = nextTagStart === -1 ? this.#codes.length : nextTagStart;
    this.#checkLength(this.#at, end);
    if (this.#open.length === 0) {
      const contentStart = skipBlanks(this.#codes, this.#at);
      if (contentStart < end) this.#fail("text outside the root element", contentStart);
    } else {
      const raw = this.#source.slice(this.#at, end);
      this.#emit(this.#checkCharacters(this.#at, end) ? decodeText(raw, this.#at) : raw);
    }
    this.#at = end;
  }

  #checkLength(from: number, to: number, at = this.#at): void {
    if (to - from > MAX_TEXT_LENGTH) this.#fail(`more than ${MAX_TEXT_LENGTH} characters of text`, at);
  }

  #emit(text: string): void {
    if (text !== "") this.#handler.text(text);
  }

  /**
   * Fails at a character that XML doesn't allow. Returns whether the text needs decoding because it may contain references, CR or `]]>`.
   */
  #checkCharacters(from: number, to: number): boolean {
    let needsDecoding = false;
    for (let at = from; at < to; at++) {
      const code = this.#codes[at]!;
      if (isOrdinary(code)) continue;
      if (isForbidden(code)) this.#fail(NOT_ALLOWED_TEXT, at);
      needsDecoding ||= code === AMPERSAND || code === CR || code === BRACKET;
    }
    return needsDecoding;
  }

  #startTag(): void {
    const start = this.#at;
    if (this.#open.length === 0 && this.#rootSeen) this.#fail("second root element");
    if (this.#open.length >= MAX_DEPTH) this.#fail(`elements nested deeper than ${MAX_DEPTH}`);
    const prefix = this.#readName(start + 1);
    const name = this.#local;
    const qualifiedName = prefix === "" ? name : `${prefix}:${name}`;
    this.#attributes.clear();
    const isSelfClosing = this.#readAttributes();
    const namespace = this.#resolveNames(start, prefix);
    this.#rootSeen = true;
    this.#handler.open(name, namespace, this.#attributes, start);
    if (isSelfClosing) this.#leave(name);
    else this.#push(qualifiedName, start + 1, name);
  }

  #push(written: string, at: number, local: string): void {
    this.#open.push(written);
    this.#offsets.push(at);
    this.#locals.push(local);
  }

  #readName(from: number): string {
    const first = this.#names.read(from);
    if (first === "") this.#fail("expected a name", from);
    this.#at = this.#names.end;
    this.#local = first;
    if (this.#codes[this.#at] !== COLON) return "";
    const localName = this.#names.read(this.#at + 1);
    if (localName === "" || this.#codes[this.#names.end] === COLON) this.#fail("expected a name after the colon", this.#at);
    this.#at = this.#names.end;
    this.#local = localName;
    return first;
  }

  /** Reads to the end of the tag. Returns whether the element is empty (ends with `/>`). */
  #readAttributes(): boolean {
    for (;;) {
      const at = skipBlanks(this.#codes, this.#at);
      const code = this.#codes[at];
      if (code === GREATER || code === SLASH) return this.#endOfTag(at, code === SLASH);
      if (at === this.#at) this.#fail(at < this.#codes.length ? "expected a space between attributes" : "unclosed tag");
      if (this.#attributes.length >= MAX_ATTRIBUTES) this.#fail(`more than ${MAX_ATTRIBUTES} attributes`);
      const prefix = this.#readName(at);
      this.#attributes.add(prefix, this.#local);
      this.#readValue();
    }
  }

  #endOfTag(at: number, empty: boolean): boolean {
    if (empty && this.#codes[at + 1] !== GREATER) this.#fail("expected > after /", at);
    this.#at = empty ? at + 2 : at + 1;
    if (this.#attributes.hasDuplicates()) this.#fail("duplicate attribute");
    return empty;
  }

  #readValue(): void {
    const equalsAt = skipBlanks(this.#codes, this.#at);
    if (this.#codes[equalsAt] !== EQUALS) this.#fail("expected = after the attribute name", equalsAt);
    const quote = skipBlanks(this.#codes, equalsAt + 1);
    const mark = this.#codes[quote];
    if (mark !== QUOTE && mark !== APOSTROPHE) this.#fail("attribute value without quotes", quote);
    let needsDecoding = false;
    let at = quote + 1;
    for (let code = this.#codes[at]!; code !== mark; code = this.#codes[++at]!) {
      if (isOrdinary(code)) continue;
      if (at >= this.#codes.length) this.#fail("unclosed attribute value", quote);
      if (code === LESS) this.#fail("< in an attribute value", at);
      if (isForbidden(code)) this.#fail(NOT_ALLOWED_TEXT, at);
      needsDecoding ||= code === AMPERSAND || isBlank(code);
    }
    this.#checkLength(quote + 1, at, quote);
    if (needsDecoding) checkReferences(this.#source.slice(quote + 1, at), quote + 1);
    this.#attributes.setValue(quote + 1, at, needsDecoding);
    this.#at = at + 1;
  }

  #resolveNames(start: number, prefix: string): string {
    if (this.#attributes.hasPrefixes) this.#bindAll(start);
    const namespace = prefix === "xmlns" ? undefined : this.#namespaces.find(prefix);
    if (namespace === undefined) this.#fail(`the prefix ${prefix} is not bound`, start);
    if (this.#attributes.hasPrefixes) this.#renameForeign(namespace);
    return namespace;
  }

  /** A method instead of a closure, because a closure would be allocated on each call. */
  #renameForeign(namespace: string): void {
    this.#attributes.renameForeign((prefix) => this.#namespaces.find(prefix) !== namespace);
  }

  #bindAll(start: number): void {
    const depth = this.#open.length;
    for (const { prefix, uri } of this.#attributes.takeDeclarations()) {
      const fault = this.#namespaces.bind(prefix, uri, depth);
      if (fault !== undefined) this.#fail(fault, start);
    }
    const fault = this.#attributes.findPrefixFault((prefix) => this.#namespaces.find(prefix));
    if (fault !== undefined) this.#fail(fault, start);
  }

  #endTag(): void {
    const openName = this.#open.pop();
    const start = this.#offsets.pop();
    if (openName === undefined || start === undefined) this.#fail("unmatched end tag");
    const from = this.#at + 2;
    const end = skipBlanks(this.#codes, from + openName.length);
    if (!hasSameUnits(this.#codes, start, from, openName.length) || this.#codes[end] !== GREATER) this.#fail(`expected </${openName}>`);
    this.#at = end + 1;
    this.#leave(this.#locals.pop()!);
  }

  #leave(name: string): void {
    this.#namespaces.leave(this.#open.length);
    this.#handler.close(name, this.#at);
  }
}
