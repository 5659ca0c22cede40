import type { Attributes, DocumentHandler, XmlFault } from "../../../xml/handler.ts";
import { locateOffset, type XmlSource } from "../../../xml/source.ts";
import { tokenizeXml } from "../../../xml/tokenizer.ts";
import { OTA_NAMESPACE } from "../dialects/answer-xml.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { dialectForRoot } from "../dialects/roots.ts";
import { EXTENSION_ELEMENT } from "../elements/words.ts";
import { MAX_LINES } from "../limits.ts";
import type { MessageHead, Message, MessageReader, MessageRequest } from "../message.ts";
import { dtdNotAllowed, fieldMissing, notWellFormed, oneMessageOnly, tooManyLines } from "../ota-error.ts";
import { PresetDetector } from "../profiles/preset-detector.ts";
import type { Profile } from "../profiles/profile.ts";
import { type TranslateAttributes, createTranslator } from "../profiles/translate.ts";
import { MessageReport } from "../report.ts";
import type { Credentials } from "../senders/credentials.ts";
import { checkParts } from "./checked-reader.ts";
import { DocumentCredentials } from "./credentials.ts";
import { emptyHead, isRequest, type DocumentProblem, readRootAttributes, readUniqueId, rootProblem } from "./root.ts";

export type MessageDocument = {
  dialect: Dialect;
  root: string | undefined;
  head: MessageHead;
  credentials: Credentials | undefined;
  report: MessageReport;
  request: MessageRequest | undefined;
  problem: DocumentProblem | undefined;
};

/** If `isComplete` is false, only the start of a document is read, and an early end is not a fault. */
type DocumentInput = {
  source: XmlSource;
  dialect: Dialect;
  profile: Profile;
  messages: readonly Message[];
  isComplete: boolean;
  action?: string | undefined;
};

export function readDocument(input: DocumentInput): MessageDocument {
  const reader = new DocumentReader(input);
  return reader.finish(tokenizeXml(input.source, reader));
}

type ParsedElement = { name: string; namespace: string; attributes: Attributes; at: number };

class DocumentReader implements DocumentHandler {
  readonly #input: DocumentInput;
  readonly #report = new MessageReport();
  readonly #presetDetector: PresetDetector;
  readonly #head: MessageHead = emptyHead();
  readonly #credentials = new DocumentCredentials();
  #dialect: Dialect;
  #inEnvelope = false;
  #root: string | undefined;
  #namespace = "";
  #problem: DocumentProblem | undefined;
  #reader: MessageReader | undefined;
  #translate: TranslateAttributes | undefined;
  #depth = 0;
  #rootDepth = 0;
  #skipped = 0;
  #inPos = false;
  #section = "";

  constructor(input: DocumentInput) {
    this.#input = input;
    this.#dialect = input.dialect;
    this.#presetDetector = new PresetDetector(input.profile, this.#report);
  }

  // oxlint-disable-next-line max-params -- called for each element; an object would cost memory
  open(name: string, namespace: string, attributes: Attributes, at: number): void {
    this.#depth += 1;
    if (this.#skipped !== 0) return;
    if (this.#rootDepth === 0) this.#openOutside({ name, namespace, attributes, at });
    else if (this.#depth <= this.#rootDepth) this.#skipAfterRoot(name, at);
    else if (this.#isExtension(name, namespace)) this.#skip(name, at);
    else if (this.#inPos) this.#openInPos(name, attributes);
    else if (this.#depth !== this.#rootDepth + 1 || !this.#takeHead(name, attributes, at)) this.#read(name, attributes, at);
  }

  close(name: string, end: number): void {
    const depth = this.#depth--;
    if (this.#skipped !== 0) {
      if (depth === this.#skipped) this.#skipped = 0;
    } else if (this.#inPos) this.#inPos = depth !== this.#rootDepth + 1;
    else if (depth >= this.#rootDepth && this.#rootDepth !== 0) this.#reader?.close(name, end);
    else this.#credentials.closeInHeader();
  }

  text(text: string): void {
    if (this.#skipped !== 0 || this.#inPos) return;
    if (this.#rootDepth === 0) this.#credentials.text(text);
    else if (this.#depth >= this.#rootDepth) this.#reader?.text(text);
  }

  finish(xmlFault: XmlFault | undefined): MessageDocument {
    const fault = xmlFault && (this.#input.isComplete || xmlFault.kind === "dtd") ? xmlFault : undefined;
    const problem = fault ? this.#problemOf(fault) : (this.#problem ?? this.#problemWithoutRoot());
    const request = this.#reader && !problem ? this.#reader.finish() : undefined;
    if (request && request.lines > MAX_LINES) this.#report.error(tooManyLines(MAX_LINES));
    return {
      dialect: this.#dialect,
      root: this.#root,
      head: this.#head,
      credentials: this.#credentials.result(),
      report: this.#report,
      request,
      problem,
    };
  }

  #openOutside(element: ParsedElement): void {
    const { name, namespace } = element;
    const dialect = this.#depth === 1 && name === "Envelope" ? this.#dialect.forEnvelope(namespace) : undefined;
    if (dialect) this.#openEnvelope(dialect);
    else if (!this.#inEnvelope || (this.#depth === 3 && this.#section === "Body")) this.#openRoot(element);
    else if (this.#depth === 2) this.#section = name;
    else if (this.#section === "Header") this.#credentials.openInHeader(name, element.attributes);
  }

  #openEnvelope(dialect: Dialect): void {
    this.#dialect = dialect;
    this.#inEnvelope = true;
  }

  #openRoot({ name, namespace, attributes, at }: ParsedElement): void {
    this.#root = name;
    this.#namespace = namespace;
    this.#rootDepth = this.#depth;
    // If the request has an envelope, the response has one too.
    if (!this.#inEnvelope) this.#dialect = dialectForRoot(name) ?? this.#dialect;
    readRootAttributes(this.#head, attributes);
    const message = this.#input.messages.find(({ root }) => root === name);
    this.#problem = rootProblem({ name, namespace }, message, this.#input.profile);
    if (this.#problem?.kind === "namespace") this.#presetDetector.noteNamespace(namespace);
    if (this.#problem || !message) return;
    if (namespace === "" && isRequest(name)) this.#report.advise("the message has no namespace");
    const { messages, source, action, profile } = this.#input;
    this.#translate = isRequest(name) ? createTranslator(profile, message.hotelElements) : undefined;
    const context = { dialect: this.#dialect, profile, head: this.#head, report: this.#report, messages, source, action };
    this.#reader = checkParts(message.read(context), name, context);
    this.#reader.open(name, attributes, at);
  }

  #skip(name: string | undefined, offset = 0): void {
    this.#skipped = this.#depth;
    if (name === undefined) return;
    this.#report.ignore(name);
    this.#reader?.omit?.({ name, offset });
  }

  /** Without a reader, reads only the credentials in `POS`. */
  // oxlint-disable-next-line max-params -- called for each element; an object would cost memory
  #read(name: string, attributes: Attributes, at: number): void {
    if (!this.#reader) return this.#skip(undefined);
    this.#presetDetector.note(name, attributes);
    const translatedAttributes =
      this.#translate?.(name, attributes, { report: this.#report, at: { offset: at, record: undefined } }) ?? attributes;
    this.#reader.open(name, translatedAttributes, at);
  }

  /** Refuses an envelope with two messages, because there can be only one response and the other message would be lost. */
  #skipAfterRoot(name: string, offset: number): void {
    if (isRequest(name)) this.#report.error(oneMessageOnly(), { offset, record: undefined });
    this.#skip(name, offset);
  }

  #isExtension(name: string, namespace: string): boolean {
    return (name === EXTENSION_ELEMENT || this.#isForeign(namespace)) && !this.#reader?.readsExtensions?.();
  }

  /** Some senders declare the namespace only on the root element, others on every element except the root. */
  #isForeign(namespace: string): boolean {
    if (namespace === this.#namespace) return false;
    if (namespace !== OTA_NAMESPACE && namespace !== "") return true;
    this.#report.advise("parts of the message have a different namespace from the root element");
    return false;
  }

  #takeHead(name: string, attributes: Attributes, at: number): boolean {
    if (name === "POS") this.#inPos = true;
    else if (name === "Authentication") {
      this.#credentials.openAuthentication(attributes);
      this.#skip(undefined);
    } else if (name !== "UniqueID") return false;
    else {
      this.#presetDetector.note(name, attributes);
      readUniqueId(this.#head, { attributes, report: this.#report, at: { offset: at, record: undefined } }, this.#dialect);
      this.#skip(undefined);
    }
    return true;
  }

  #openInPos(name: string, attributes: Attributes): void {
    if (name !== "RequestorID") return;
    this.#head.requestor ??= attributes.get("ID");
    this.#credentials.openRequestor(attributes);
  }

  #problemWithoutRoot(): DocumentProblem | undefined {
    return this.#root === undefined && this.#input.isComplete
      ? { kind: "empty-envelope", fault: fieldMissing("a message in the Body of the envelope") }
      : undefined;
  }

  #problemOf({ kind, offset, reason }: XmlFault): DocumentProblem {
    if (kind === "dtd") return { kind, fault: dtdNotAllowed() };
    return { kind, fault: notWellFormed(locateOffset(this.#input.source, offset), reason) };
  }
}
