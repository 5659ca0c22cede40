import type { Credentials } from "./access.ts";
import type { Dialect } from "./dialects.ts";
import { emptyHead, readHead, readUniqueId } from "./head.ts";
import { MAX_LINES } from "./limits.ts";
import type { Head, Message, MessageReader, Request } from "./message.ts";
import {
  dtdNotAllowed,
  type Fault,
  fieldMissing,
  messageNotSupported,
  notWellFormed,
  oneMessageOnly,
  tooManyLines,
  unexpectedNamespace,
  unknownMessage,
} from "./ota-error.ts";
import { newReport, type Report } from "./report.ts";
import { SOAP_NAMESPACES } from "./transports/soap.ts";
import { inPieces, LARGE } from "./turn.ts";
import { noteUnread } from "./unread.ts";
import { locate } from "./xml/locate.ts";
import type { Attributes, DocumentHandler, XmlFault } from "./xml/reader.ts";
import { tokenize, tokenizeInPieces } from "./xml/tokenizer.ts";

/** What was found in a document. */
export type Document = {
  envelope: Envelope;
  /** Local name of the message's root element. */
  root: string | undefined;
  head: Head;
  /** Credentials that stood in the document: WSSE in a SOAP header, else those of `RequestorID`. */
  credentials: Credentials | undefined;
  report: Report;
  /** Absent when there is a problem. */
  request: Request | undefined;
  problem: Problem | undefined;
};

export type Envelope = "none" | "soap11" | "soap12";

/** Why there is no request: `unsupported` is a message that exists in OpenTravel, the rest cannot be read at all. */
export type Problem = { kind: "malformed" | "dtd" | "namespace" | "unknown" | "unsupported" | "empty-envelope"; fault: Fault };

/** The namespace of every OpenTravel message. */
export const OTA_NAMESPACE = "http://www.opentravel.org/OTA/2003/05";
/** By their namespaces without the slash at the end, which one has, the other has not, and senders mix up. */
const SOAP: ReadonlyMap<string, Envelope> = new Map([
  [withoutSlash(SOAP_NAMESPACES.soap11), "soap11"],
  [withoutSlash(SOAP_NAMESPACES.soap12), "soap12"],
]);

/** Elements whose attributes are all looked at. Lines are alike, so that the first ones show what a sender has that is not read. */
const NOTED = 200;

export type DocumentSource = { text: string; dialect: Dialect; action: string | undefined; messages: readonly Message[] };

/**
 * Reads a document in one pass: the envelope around it, what every message has, and the message itself.
 * Large documents are read in pieces, and between two of them other work is done.
 */
export async function readDocument(source: DocumentSource): Promise<Document> {
  const reading = new Reading(source);
  const fault = source.text.length < LARGE ? tokenize(source.text, reading) : await inPieces(tokenizeInPieces(source.text, reading));
  return reading.finish(fault);
}

/** Parts of a WSSE UsernameToken. */
const TOKEN: Readonly<Record<string, "name" | "secret">> = { Username: "name", Password: "secret" };

type Element = { name: string; namespace: string; attributes: Attributes; at: number };

class Reading implements DocumentHandler {
  readonly #source: DocumentSource;
  readonly #report = newReport();
  readonly #head: Head = emptyHead();
  readonly #token: { name: string | undefined; secret: string | undefined } = { name: undefined, secret: undefined };
  #requestor: Credentials | undefined;
  #envelope: Envelope = "none";
  #root: string | undefined;
  #namespace = "";
  #problem: Problem | undefined;
  #reader: MessageReader | undefined;
  #depth = 0;
  #rootDepth = 0;
  /** The depth of an element that is left out with all that is in it; 0: none. */
  #skipped = 0;
  #inPos = false;
  #noted = 0;
  #section = "";
  #collected: "name" | "secret" | undefined;

  constructor(source: DocumentSource) {
    this.#source = source;
  }

  // oxlint-disable-next-line max-params -- called for each element, so that it makes no object
  open(name: string, namespace: string, attributes: Attributes, at: number): void {
    this.#depth += 1;
    if (this.#skipped !== 0) return;
    if (this.#rootDepth === 0) this.#openOutside({ name, namespace, attributes, at });
    else if (this.#depth <= this.#rootDepth) this.#skipBehindRoot(name, at);
    else if (name === "TPA_Extensions" || this.#isForeign(namespace)) this.#skip(name);
    else if (this.#inPos) this.#openInPos(name, attributes);
    else if (this.#depth !== this.#rootDepth + 1 || !this.#takeHead(name, attributes, at)) this.#read(name, attributes, at);
  }

  close(name: string, end: number): void {
    const depth = this.#depth--;
    if (this.#skipped !== 0) {
      if (depth === this.#skipped) this.#skipped = 0;
    } else if (this.#inPos) this.#inPos = depth !== this.#rootDepth + 1;
    else if (depth >= this.#rootDepth && this.#rootDepth !== 0) this.#reader?.close(name, end);
    else this.#collected = undefined;
  }

  text(text: string): void {
    if (this.#skipped !== 0 || this.#inPos) return;
    if (this.#collected) this.#token[this.#collected] = (this.#token[this.#collected] ?? "") + text;
    else if (this.#rootDepth !== 0 && this.#depth >= this.#rootDepth) this.#reader?.text(text);
  }

  finish(xmlFault: XmlFault | undefined): Document {
    const problem = xmlFault ? this.#problemOf(xmlFault) : (this.#problem ?? this.#withoutRoot());
    const request = problem ? undefined : this.#reader?.finish();
    if (request && request.lines > MAX_LINES) this.#report.error(tooManyLines(MAX_LINES));
    return {
      envelope: this.#envelope,
      root: this.#root,
      head: this.#head,
      credentials: this.#credentials(),
      report: this.#report,
      request,
      problem,
    };
  }

  #openOutside(element: Element): void {
    const { name, namespace } = element;
    const envelope = SOAP.get(withoutSlash(namespace));
    if (this.#depth === 1 && name === "Envelope" && envelope && this.#source.dialect.name === "plain") this.#envelope = envelope;
    else if (this.#envelope === "none" || (this.#depth === 3 && this.#section === "Body")) this.#openRoot(element);
    else if (this.#depth === 2) this.#section = name;
    else if (this.#section === "Header") this.#collected = TOKEN[name];
  }

  #openRoot({ name, namespace, attributes, at }: Element): void {
    this.#root = name;
    this.#namespace = namespace;
    this.#rootDepth = this.#depth;
    readHead(this.#head, attributes);
    const message = this.#source.messages.find(({ root }) => root === name);
    this.#problem = rootProblem(name, namespace, message);
    if (this.#problem || !message) return this.#skip(undefined);
    if (namespace === "") this.#report.advise("the message has no namespace");
    const { action, messages, text } = this.#source;
    this.#reader = message.read({ dialect: this.#dialect(), action, head: this.#head, report: this.#report, messages, source: text });
    this.#reader.open(name, attributes, at);
  }

  #dialect(): Dialect {
    const { dialect } = this.#source;
    return dialect.name === "plain" ? { name: "plain", envelope: this.#envelope } : dialect;
  }

  #skip(name: string | undefined): void {
    this.#skipped = this.#depth;
    if (name !== undefined) this.#report.ignore(name);
  }

  // oxlint-disable-next-line max-params -- called for each element, so that it makes no object
  #read(name: string, attributes: Attributes, at: number): void {
    if (this.#noted++ < NOTED) noteUnread(name, attributes, this.#report);
    this.#reader?.open(name, attributes, at);
  }

  /** Two messages in one envelope cannot both be answered, and leaving one out would lose it unseen. */
  #skipBehindRoot(name: string, offset: number): void {
    if (this.#section === "Body" && ROOT.test(name)) this.#report.error(oneMessageOnly(), { offset, record: undefined });
    this.#skip(name);
  }

  /** Some senders put the namespace on the root alone, others leave it out there. */
  #isForeign(namespace: string): boolean {
    if (namespace === this.#namespace) return false;
    if (namespace !== OTA_NAMESPACE && namespace !== "") return true;
    this.#report.advise("parts of the message are in another namespace than its root");
    return false;
  }

  /** Takes what every message has; answers whether the element was that. */
  #takeHead(name: string, attributes: Attributes, at: number): boolean {
    if (name === "POS") this.#inPos = true;
    else if (name !== "UniqueID") return false;
    else {
      readUniqueId(this.#head, { attributes, report: this.#report, at: { offset: at, record: undefined } }, this.#source.dialect);
      this.#skip(undefined);
    }
    return true;
  }

  #openInPos(name: string, attributes: Attributes): void {
    if (name !== "RequestorID") return;
    const id = attributes.get("ID");
    const secret = attributes.get("MessagePassword");
    this.#head.requestor ??= id;
    if (secret !== undefined) this.#requestor ??= { scheme: "requestor", name: id ?? "", secret };
  }

  #credentials(): Credentials | undefined {
    const { name, secret } = this.#token;
    return name !== undefined && secret !== undefined ? { scheme: "wsse", name: name.trim(), secret: secret.trim() } : this.#requestor;
  }

  #withoutRoot(): Problem | undefined {
    return this.#root === undefined ? { kind: "empty-envelope", fault: fieldMissing("a message in the Body of the envelope") } : undefined;
  }

  #problemOf({ kind, offset, reason }: XmlFault): Problem {
    if (kind === "dtd") return { kind, fault: dtdNotAllowed() };
    return { kind, fault: notWellFormed(locate(this.#source.text, offset), reason) };
  }
}

function withoutSlash(namespace: string): string {
  return namespace.endsWith("/") ? namespace.slice(0, -1) : namespace;
}

/** What a request of OpenTravel is called. */
const ROOT = /^OTA_\w{1,64}RQ$/;

/** The namespace is OpenTravel's for every release; senders that leave it out are understood. */
function rootProblem(name: string, namespace: string, message: Message | undefined): Problem | undefined {
  const isOta = ROOT.test(name);
  if (isOta && namespace !== OTA_NAMESPACE && namespace !== "") return { kind: "namespace", fault: unexpectedNamespace(namespace) };
  if (message) return undefined;
  return isOta ? { kind: "unsupported", fault: messageNotSupported(name) } : { kind: "unknown", fault: unknownMessage(name) };
}
