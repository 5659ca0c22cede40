import { packAhead } from "../../../journal/packing.ts";
import { readAuthorization } from "../../../web/guard/authorization.ts";
import { busyRefusal, type Refusal } from "../answer/reply.ts";
import { ALPINEBITS_VERSIONS, type AlpineBitsVersion, type Dialect, envelopeIn } from "../dialects.ts";
import { type Document, readDocument } from "../document/read.ts";
import type { Problem } from "../document/root.ts";
import type { ChannelDeps, Incoming, Opened } from "../exchange.ts";
import { LARGE, MAX_BODY_BYTES } from "../limits.ts";
import type { Message } from "../message.ts";
import { emptyBody, encodingNotSupported, type Fault, note, notGzip, notWellFormed, notXml, tooLarge } from "../ota-error.ts";
import { NO_TURN, type Traffic, type Turn } from "../traffic.ts";
import { decodeXml } from "../xml/decode.ts";
import type { FormPart } from "./form.ts";
import { mayUnpackLarge, type NotUnpacked, unpackBody, type Unpacked } from "./gzip.ts";
import { maskBody, maskUnread } from "./mask.ts";
import { recognise, type Recognised } from "./recognise.ts";

const UNKNOWN_ACTION = "unknown or missing action";
const NO_FORM = "the content type is not supported; send multipart/form-data";

/** Unpacks a request, recognises its transport and reads its document. No input makes it throw. */
export async function openRequest({ messages, traffic }: ChannelDeps, incoming: Incoming): Promise<Opened> {
  const { headers, body } = incoming;
  const base = unopened(incoming);
  if (typeof body === "string") return { ...base, refusal: body === "busy" ? busyRefusal() : tooLargeRefusal(MAX_BODY_BYTES) };
  const { turn, unpacked } = await unpackInTurn(traffic, body, headers["content-encoding"]);
  try {
    if ("problem" in unpacked) return { ...base, turn, body: maskUnread(body), refusal: unpackRefusal(unpacked) };
    return await openBody(unpacked.bytes, { base: { ...base, turn }, headers, messages });
  } catch (error) {
    turn.end();
    throw error;
  }
}

/** A body that may become large waits for its turn before it is unpacked, to save memory. */
async function unpackInTurn(traffic: Traffic, body: Uint8Array, encoding: string | undefined): Promise<{ turn: Turn; unpacked: Unpacked }> {
  if (mayUnpackLarge(body, encoding)) return { turn: await traffic.takeTurn(LARGE), unpacked: await unpackBody(body, encoding) };
  const unpacked = await unpackBody(body, encoding);
  return { turn: "bytes" in unpacked ? await traffic.takeTurn(unpacked.bytes.length) : NO_TURN, unpacked };
}

function openBody(bytes: Uint8Array, context: Context): Promise<Opened> {
  const { base, headers } = context;
  const recognised = recognise(bytes, headers["content-type"] ?? "");
  const body = recognised.kind === "xml" || recognised.kind === "form" ? maskBody(bytes) : maskUnread(bytes);
  const packed = base.turn === NO_TURN ? undefined : packAhead(body);
  const inContext = { ...context, base: { ...base, body, packed } };
  return recognised.kind === "form" ? openForm(inContext, recognised) : openPlain(inContext, recognised);
}

/** What the headers alone say of a request. */
export function unopened(incoming: Incoming): Opened {
  return {
    transport: "none",
    dialect: dialectByHeaders(incoming.headers),
    action: undefined,
    body: new Uint8Array(),
    packed: undefined,
    turn: NO_TURN,
    text: "",
    document: undefined,
    credentials: readAuthorization(incoming.headers.authorization),
    refusal: undefined,
    empty: false,
  };
}

/** The dialect that the headers promise, for unreadable bodies. */
function dialectByHeaders(headers: Incoming["headers"]): Dialect {
  const type = headers["content-type"]?.toLowerCase() ?? "";
  const version = headers["x-alpinebits-clientprotocolversion"];
  if (type.startsWith("multipart/") || version !== undefined) return formDialect(version);
  if (type.startsWith("application/soap+xml")) return { name: "plain", envelope: "soap12" };
  return { name: "plain", envelope: headers.soapaction === undefined ? "none" : "soap11" };
}

/** Only AlpineBits sends forms. */
function formDialect(version: string | undefined): Dialect {
  return { name: "alpinebits", version: knownVersion(version) ?? "2024-10", strict: version !== undefined };
}

function knownVersion(version: string | undefined): AlpineBitsVersion | undefined {
  return ALPINEBITS_VERSIONS.find((one) => one === version?.trim());
}

function tooLargeRefusal(most: number): Refusal {
  return { status: 413, fault: tooLarge(Math.floor(most / 1024 / 1024)) };
}

function unpackRefusal(found: NotUnpacked): Refusal {
  if (found.problem === "too-large") return tooLargeRefusal(found.most);
  if (found.problem === "unreadable") return { status: 400, fault: notGzip(), unreadable: true };
  return { status: 415, fault: encodingNotSupported(), headers: { "accept-encoding": "gzip" } };
}

type Context = { base: Opened; headers: Incoming["headers"]; messages: readonly Message[] };

async function openPlain({ base, headers, messages }: Context, recognised: Recognised): Promise<Opened> {
  if (recognised.kind === "empty") return { ...base, empty: true, refusal: { status: 400, fault: nothingIn(base.dialect) } };
  if (recognised.kind === "json") return { ...base, refusal: { status: 415, fault: notXml() } };
  if (recognised.kind === "other" && base.dialect.name === "alpinebits") return { ...base, refusal: { status: 415, fault: note(NO_FORM) } };
  if (recognised.kind !== "xml" && recognised.kind !== "other")
    return { ...base, refusal: { status: 400, fault: note("the form cannot be read: bad or missing boundary") } };
  const decoded = decodeXml(recognised.bytes, charsetOf(headers["content-type"]));
  if ("fault" in decoded)
    return {
      ...base,
      transport: transportOf(base.dialect),
      refusal: { status: 400, fault: notWellFormed(decoded.at, decoded.fault), unreadable: true },
    };
  const { text, codes } = decoded;
  const document = await readDocument({ text, codes, dialect: { name: "plain", envelope: "none" }, messages });
  const dialect = plainDialect(document, base.dialect);
  return {
    ...base,
    transport: transportOf(dialect),
    dialect,
    text,
    document,
    credentials: base.credentials ?? document.credentials,
    refusal: document.problem && refusalOf(document.problem),
  };
}

/** An empty form has no part that names its action. */
function nothingIn({ name }: Dialect): Fault {
  return name === "alpinebits" ? note(UNKNOWN_ACTION) : emptyBody();
}

/** The envelope in the document; when that cannot be read, the one that the headers promise. */
function plainDialect({ envelope, problem }: Document, promised: Dialect): Dialect {
  const isUnreadable = problem?.kind === "malformed" || problem?.kind === "dtd";
  return envelope === "none" && isUnreadable && promised.name === "plain" ? promised : { name: "plain", envelope };
}

function transportOf(dialect: Dialect): Opened["transport"] {
  const envelope = envelopeIn(dialect);
  return envelope === "none" ? "raw" : envelope;
}

/** The `charset` of a content type. */
export function charsetOf(contentType: string | undefined): string | undefined {
  return /;\s*charset\s*=\s*"?([\w.:-]{1,40})/i.exec(contentType ?? "")?.[1];
}

/** An unsupported message gets an answer in its own name, not a refusal. */
function refusalOf({ kind, fault }: Problem): Refusal | undefined {
  if (kind === "unsupported") return undefined;
  return { status: 400, fault, unreadable: kind === "malformed" || kind === "dtd" || kind === "empty-envelope" };
}

type Form = Extract<Recognised, { kind: "form" }>;

async function openForm({ base, headers, messages }: Context, form: Form): Promise<Opened> {
  const asked = headers["x-alpinebits-clientprotocolversion"]?.trim();
  const opened: Opened = { ...base, transport: form.transport, dialect: formDialect(asked), action: form.action };
  if (asked !== undefined && !knownVersion(asked)) return { ...opened, refusal: { status: 400, fault: note(unknownVersion()) } };
  const message = messages.find(({ actions }) =>
    actions.some((action) => action.action === form.action && (asked === undefined || action.capabilities(knownVersion(asked)!))),
  );
  if (!message) return { ...opened, refusal: { status: 400, fault: note(UNKNOWN_ACTION) } };
  const dialect: Dialect = {
    name: "alpinebits",
    version: knownVersion(asked) ?? assumedVersion(message, form.action!),
    strict: asked !== undefined,
  };
  return openFormMessage({ ...opened, dialect }, form.request ?? NOTHING, { message, messages });
}

function unknownVersion(): string {
  return `your current alpinebits version does not match one of the servers supported versions ${ALPINEBITS_VERSIONS.join(", ")}`;
}

/** The newest version that has the action. */
function assumedVersion({ actions }: Message, name: string): AlpineBitsVersion {
  const action = actions.find((one) => one.action === name)!;
  return ALPINEBITS_VERSIONS.findLast((version) => action.capabilities(version)) ?? "2024-10";
}

type Choice = { message: Message; messages: readonly Message[] };

const NOTHING: FormPart = { name: "request", content: new Uint8Array() };

async function openFormMessage(opened: Opened, { content, type }: FormPart, { message, messages }: Choice): Promise<Opened> {
  if (recognise(content, "").kind === "empty") return { ...opened, empty: true, refusal: { status: 400, fault: emptyBody() } };
  const decoded = decodeXml(content, charsetOf(type));
  if ("fault" in decoded) return { ...opened, refusal: { status: 400, fault: notWellFormed(decoded.at, decoded.fault) } };
  const { text, codes } = decoded;
  const { dialect, action } = opened;
  const document = await readDocument({ text, codes, dialect, messages });
  if (dialect.name === "alpinebits" && !dialect.strict)
    document.report.advise(`no protocol version was sent; ${dialect.version} was assumed`);
  const isOther = document.root !== undefined && document.root !== message.root;
  const mismatch = note(`action ${action} does not match message ${document.root}`);
  const problem = document.problem && { status: 400, fault: document.problem.fault };
  const fatal = document.problem?.kind === "malformed" || document.problem?.kind === "dtd";
  const credentials = opened.credentials ?? document.credentials;
  return { ...opened, text, document, credentials, refusal: !fatal && isOther ? { status: 400, fault: mismatch } : problem };
}
