import { firstCharacters } from "../../../text.ts";
import { locatorOf } from "../../../xml/locate.ts";
import { Source } from "../../../xml/source.ts";
import { escapeText, writeAttributes } from "../../../xml/write.ts";
import { type Dialect, envelopeIn } from "../dialects.ts";
import { OTA_NAMESPACE } from "../document/root.ts";
import type { Head } from "../message.ts";
import { type Fault, withoutHint } from "../ota-error.ts";
import type { Finding } from "../report.ts";

/** What a message is answered with, before it is worded in its dialect. */
export type Answer = {
  /** Root of the request, such as `OTA_PingRQ`. */
  root: string;
  head: Head;
  errors: readonly Finding[];
  warnings: readonly Finding[];
  /** XML after `<Success/>`. */
  content: string;
  /** Milliseconds since 1970. */
  now: number;
  places: Places;
};

/** Writes the RS document, without an envelope. */
export function writeAnswer(answer: Answer, dialect: Dialect): string {
  const name = answer.root.replace(/RQ$/, "RS");
  const refused = answer.errors.length > 0;
  const body = refused
    ? `<Errors>${answer.errors.map((error) => writeError(error, answer, dialect)).join("")}</Errors>`
    : `<Success/>${writeWarnings(answer, dialect)}${answer.content}`;
  return `<${name} xmlns="${OTA_NAMESPACE}"${writeRootAttributes(answer, dialect)}>${body}</${name}>`;
}

/** `xs:decimal`, without a minus. */
const DECIMAL = /^\+?(?=\.?\d)\d{0,10}(?:\.\d{0,10})?$/;

/** AlpineBits knows `Version` and `TimeStamp` and refuses any other attribute. */
function writeRootAttributes({ head, now }: Answer, dialect: Dialect): string {
  const Version = DECIMAL.test(head.version?.trim() ?? "") ? head.version!.trim() : "1.0";
  const TimeStamp = writeTime(now);
  if (dialect.name === "alpinebits") return writeAttributes({ Version, TimeStamp });
  return writeAttributes({ EchoToken: head.echoToken, TimeStamp, Target: head.target, Version });
}

/** The second in which answers are written now. */
let written = { second: Number.NaN, text: "" };

/** A moment in milliseconds since 1970 as `xs:dateTime` in UTC, to the second. */
function writeTime(now: number): string {
  const second = Math.floor(now / 1_000);
  if (second !== written.second) written = { second, text: `${new Date(now).toISOString().slice(0, 19)}Z` };
  return written.text;
}

function writeError(error: Finding, answer: Answer, dialect: Dialect): string {
  if (dialect.name === "alpinebits") return writeAlpineBits("Error", error, answer);
  const text = wordingOf(error, dialect);
  const attributes = {
    Type: error.type,
    Code: error.code,
    ShortText: shorten(text),
    Status: "NotProcessed",
    Tag: answer.places.tag(error),
    RecordID: answer.places.id(error),
  };
  return `<Error${writeAttributes(attributes)}>${escapeText(text)}</Error>`;
}

function writeWarnings(answer: Answer, dialect: Dialect): string {
  if (answer.warnings.length === 0) return "";
  return `<Warnings>${answer.warnings.map((warning) => writeWarning(warning, answer, dialect)).join("")}</Warnings>`;
}

function writeWarning(warning: Finding, answer: Answer, dialect: Dialect): string {
  if (dialect.name === "alpinebits") return writeAlpineBits("Warning", warning, answer);
  const { type, code, text } = warning;
  const attributes = { Type: type, Code: code, ShortText: shorten(text), RecordID: answer.places.id(warning) };
  return `<Warning${writeAttributes(attributes)}>${escapeText(text)}</Warning>`;
}

/** AlpineBits errors have type 13, its warnings no code. It has no attribute for the place, which goes into a comment: clients compare texts. */
function writeAlpineBits(name: "Error" | "Warning", finding: Finding, { places }: Answer): string {
  const isError = name === "Error";
  const attributes = { Type: isError ? 13 : finding.type, Code: isError ? finding.code : undefined, Status: finding.status };
  const place = isError ? places.position(finding) : undefined;
  return `<${name}${writeAttributes(attributes)}>${escapeText(finding.text)}</${name}>${place ? `<!-- ${place} -->` : ""}`;
}

/** SOAP senders in SiteMinder's style compare some texts. */
function wordingOf(fault: Fault, dialect: Dialect): string {
  return envelopeIn(dialect) === "soap11" ? (fault.fixedText ?? fault.text) : fault.text;
}

/** Where a finding is; each is `undefined` when it concerns the whole message. */
export type Places = {
  /** The sender's number for the line, else its position. */
  id(finding: Finding): string | undefined;
  /** As `line:column`. */
  position(finding: Finding): string | undefined;
  /** The local name of the element. */
  tag(finding: Finding): string | undefined;
};

/** Places in the text of a document; without one there are none to ask for. */
export function placesIn(source = Source.ofText("")): Places {
  const find = locatorOf(source.codes);
  function position({ at }: Finding): string | undefined {
    if (!at) return undefined;
    const { line, column } = find(at.offset);
    return `${line}:${column}`;
  }
  return {
    id: (finding) => (finding.at?.record ? firstCharacters(finding.at.record, MOST) : position(finding)),
    position,
    tag: ({ at }) => at && localNameAt(source, at.offset),
  };
}

/** The most characters of `ShortText`, `Tag` and `RecordID`. */
const MOST = 64;

function localNameAt(source: Source, offset: number): string | undefined {
  return /^<(?:[^\s/>:]+:)?([^\s/>]+)/.exec(source.slice(offset, offset + 2 * MOST))?.[1]?.slice(0, MOST);
}

function shorten(text: string): string {
  return firstCharacters(withoutHint(text), MOST);
}

/** Answers what is no message: an `OTA_ErrorRS` with what its schema has, and `Errors` besides. */
export function writeErrorDocument(fault: Fault, now: number): string {
  const root = writeAttributes({ TimeStamp: writeTime(now), Version: "1.0", ErrorCode: fault.code, ErrorMessage: fault.text });
  const error = writeAttributes({ Type: fault.type, Code: fault.code, ShortText: shorten(fault.text), Status: "NotProcessed" });
  return `<OTA_ErrorRS xmlns="${OTA_NAMESPACE}"${root}><Errors><Error${error}>${escapeText(fault.text)}</Error></Errors></OTA_ErrorRS>`;
}
