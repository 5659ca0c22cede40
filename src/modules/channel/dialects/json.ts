import { STATUS_CODES } from "../../../web/node-http.ts";
import { XmlSource, locateOffset } from "../../../xml/source.ts";
import { parsePrefix, parseJson } from "../document/json.ts";
import { emptyHead } from "../document/root.ts";
import type { OpenedRequest } from "../exchange.ts";
import type { HotelRequest } from "../message.ts";
import { jsonValues } from "../messages/json-values/message.ts";
import { readHotel, readValues } from "../messages/json-values/read.ts";
import { outlineRequest } from "../messages/outline.ts";
import { emptyBody, type Fault, malformedJson, systemError } from "../ota-error.ts";
import { type ReportedFinding, MessageReport } from "../report.ts";
import { GZIP_HEADERS } from "./answer-xml.ts";
import type { Dialect } from "./dialect.ts";
import { type DialectFamily, type UnopenedRequest, withRefusal } from "./family.ts";

/** JSON in Channex's format: `{"values": [...]}`. Errors are problem details (RFC 9457). */
export const jsonDialect: Dialect = {
  hotelField: "property_id",
  forEnvelope: () => undefined,
  answer({ id, errors, warnings }, head = { status: 200, headers: {} }) {
    if (errors.length > 0) return problemResponse({ ...head, status: head.status === 200 ? 422 : head.status }, errors);
    return jsonReply("application/json", head, { data: { id }, meta: { warnings: warnings.map(toErrorItem) } });
  },
  refuse: ({ status, fault, headers = {} }) => problemResponse({ status, headers }, [{ ...fault, at: undefined }]),
  refusesInOwnResponse: false,
  usesHttpChallenge: true,
  systemFault: systemError,
};

type ProblemHead = { status: number; headers: Readonly<Record<string, string>> };

function problemResponse(head: ProblemHead, errors: readonly ReportedFinding[]) {
  const { status } = head;
  return jsonReply("application/problem+json", head, {
    type: "about:blank",
    title: STATUS_CODES[status],
    status,
    detail: errors[0]!.text,
    errors: errors.map(toErrorItem),
  });
}

function jsonReply(type: string, { status, headers }: ProblemHead, content: object) {
  return { status, headers: { "content-type": type, ...GZIP_HEADERS, ...headers }, body: Buffer.from(JSON.stringify(content)) };
}

function toErrorItem(finding: ReportedFinding) {
  return { pointer: finding.at?.record ?? "", code: errorWord(finding), text: finding.text };
}

/** JSON names for error codes in OpenTravel code list ERR. */
const ERROR_WORDS: ReadonlyMap<number | undefined, string> = new Map([
  [15, "invalid_date"],
  [61, "invalid_currency"],
  [187, "unavailable"],
  [191, "busy"],
  [249, "rate_plan_not_found"],
  [320, "invalid_value"],
  [321, "field_missing"],
  [375, "property_not_active"],
  [392, "property_not_found"],
  [402, "room_type_not_found"],
  [404, "invalid_dates"],
  [448, "system_error"],
  [450, "not_supported"],
  [458, "beyond_horizon"],
  [497, "access_denied"],
  [731, "room_type_not_active"],
  [743, "too_large"],
  [783, "combination_not_found"],
]);

export function codeForWord(word: string): number | undefined {
  return [...ERROR_WORDS].find(([, one]) => one === word)?.[0];
}

function errorWord({ code }: Fault): string {
  return ERROR_WORDS.get(code) ?? "note";
}

export const jsonFamily: DialectFamily = {
  fromHeaders(headers) {
    const type = headers["content-type"]?.split(";", 1)[0]!.trim().toLowerCase() ?? "";
    return type === "application/json" || type.endsWith("+json") ? jsonDialect : undefined;
  },
  open(unopened, { kind }) {
    const { base, isComplete } = unopened;
    if (kind === "json") return openJson({ ...unopened, base: { ...base, transport: "json", dialect: jsonDialect } });
    if (kind !== "empty" || base.dialect !== jsonDialect) return undefined;
    return isComplete ? { ...withRefusal(base, 400, emptyBody()), empty: true } : base;
  },
};

function openJson({ base, bytes, isComplete, profile }: UnopenedRequest): OpenedRequest {
  const text = decodeJson(bytes);
  if (!isComplete) return { ...base, document: toDocument(outlineRequest(readHotel(parsePrefix(text))), new MessageReport()) };
  const invalidOffset = text.indexOf("\uFFFD");
  const parsedJson =
    invalidOffset < 0 || isValidUtf8(bytes) ? parseJson(text) : { offset: invalidOffset, reason: "the text is not valid UTF-8" };
  if ("reason" in parsedJson) {
    const fault = malformedJson(locateOffset(XmlSource.ofText(text), parsedJson.offset), parsedJson.reason);
    return { ...withRefusal(base, 400, fault), source: XmlSource.ofText(text) };
  }
  const report = new MessageReport();
  return { ...base, document: toDocument(readValues(parsedJson.value, { profile, report }), report) };
}

function toDocument(request: HotelRequest, report: MessageReport): NonNullable<OpenedRequest["document"]> {
  const head = emptyHead();
  return { dialect: jsonDialect, root: jsonValues.root, head, credentials: undefined, report, request, problem: undefined };
}

/** Decodes the text. RFC 8259 requires UTF-8, but some senders use UTF-16 with a byte order mark. */
function decodeJson(bytes: Uint8Array): string {
  return new TextDecoder(detectEncoding(bytes)).decode(bytes);
}

function isValidUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder(detectEncoding(bytes), { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}

function detectEncoding([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
}
