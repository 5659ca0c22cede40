import type { HttpResponse } from "../../../journal/work.ts";
import type { ReportedFinding, FindingLocations } from "../report.ts";
import type { ResponseContent, ResponseHead } from "./dialect.ts";

/** Namespace of OpenTravel messages in every release. Senders may omit it. */
export const OTA_NAMESPACE = "http://www.opentravel.org/OTA/2003/05";

export type ResponseWording = {
  writeRootAttributes(answer: ResponseContent): string;
  writeError(error: ReportedFinding, answer: ResponseContent): string;
  writeWarning(warning: ReportedFinding, answer: ResponseContent): string;
};

export function writeXmlResponse(answer: ResponseContent, { writeRootAttributes, writeError, writeWarning }: ResponseWording): string {
  const { errors, warnings, content } = answer;
  const name = answer.root.replace(/RQ$/, "RS");
  const list = (tag: string, items: readonly string[]) => (items.length === 0 ? "" : `<${tag}>${items.join("")}</${tag}>`);
  const errorList = list(
    "Errors",
    errors.map((error) => writeError(error, answer)),
  );
  const warningList = list(
    "Warnings",
    warnings.map((warning) => writeWarning(warning, answer)),
  );
  return `<${name} xmlns="${OTA_NAMESPACE}"${writeRootAttributes(answer)}>${errorList || `<Success/>${warningList}${content}`}</${name}>`;
}

/** Matches an `xs:decimal` that has no minus sign. */
const DECIMAL_PATTERN = /^\+?(?=\.?\d)\d{0,10}(?:\.\d{0,10})?$/;

export function responseVersion({ head }: ResponseContent): string {
  const version = head.version?.trim() ?? "";
  return DECIMAL_PATTERN.test(version) ? version : "1.0";
}

/** Formats a time in milliseconds since 1970 as `xs:dateTime` in UTC, to the second. */
export function writeTime(now: number): string {
  return `${new Date(now).toISOString().slice(0, 19)}Z`;
}

const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n';

export const XML_CONTENT_TYPE = "application/xml; charset=utf-8";

export function xmlReply(document: string, contentType: string, { status, headers }: ResponseHead): HttpResponse {
  return { status, headers: { "content-type": contentType, ...GZIP_HEADERS, ...headers }, body: Buffer.from(XML_DECLARATION + document) };
}

export function textReply(text: string, { status, headers }: ResponseHead): HttpResponse {
  return { status, headers: { "content-type": "text/plain; charset=utf-8", ...GZIP_HEADERS, ...headers }, body: Buffer.from(text) };
}

/** Sent with every response to announce that requests may be compressed. AlpineBits defines the header. */
export const GZIP_HEADERS = { "x-alpinebits-server-accept-encoding": "gzip" };

/** Adds the position to the text, for responses that have no attribute for it. */
export function withPosition(finding: ReportedFinding, locations: FindingLocations): string {
  const position = locations.position(finding);
  return position === undefined ? finding.text : `${finding.text} (${position})`;
}
