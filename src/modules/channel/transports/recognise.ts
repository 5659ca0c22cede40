import { isBlank } from "../../../xml/characters.ts";
import { type FormPart, readMultipart, readUrlEncoded, WHOLE } from "./form.ts";

/** What a request body is. Its content decides; the headers only where the content leaves it open. */
export type Recognised = { kind: "empty" | "xml" | "json" | "broken-form" | "other" } | Form;

/** `twice` is the field that came more than once. */
export type Form = {
  kind: "form";
  transport: "multipart" | "form";
  action: string | undefined;
  request: FormPart | undefined;
  twice: string | undefined;
};

/** `contentType` is as sent, or empty. */
export function recognise(body: Uint8Array, contentType: string, extent = WHOLE): Recognised {
  const mark = markLength(body);
  const first = firstByte(body, mark);
  if (first === undefined) return { kind: "empty" };
  const type = contentType.split(";", 1)[0]!.trim().toLowerCase();
  if (first === LESS_THAN || mark > 0) return { kind: "xml" };
  if (isJson(first, type)) return { kind: "json" };
  if (type === "multipart/form-data") return formOf("multipart", readMultipart(body, contentType, extent));
  const fields = type === "application/x-www-form-urlencoded" ? readUrlEncoded(body) : [];
  return fields.some(isOurs) ? formOf("form", fields) : { kind: "other" };
}

const FIELDS = ["action", "request"] as const;

/** Clients such as curl call any body a form when no type is set. */
function isOurs({ name }: FormPart): boolean {
  return FIELDS.some((field) => field === name);
}

function formOf(transport: "multipart" | "form", parts: readonly FormPart[] | undefined): Recognised {
  if (!parts) return { kind: "broken-form" };
  const named = (field: string) => parts.filter(({ name }) => name === field);
  const action = named("action")[0]?.content;
  return {
    kind: "form",
    transport,
    action: action && Buffer.from(action).toString("utf8").trim(),
    request: named("request")[0],
    twice: FIELDS.find((field) => named(field).length > 1),
  };
}

const LESS_THAN = 0x3c;
const BRACE = 0x7b;
const BRACKET = 0x5b;

/** A body that calls itself XML is no JSON. */
function isJson(first: number, type: string): boolean {
  if (type === "application/json" || type.endsWith("+json")) return true;
  return (first === BRACE || first === BRACKET) && !type.endsWith("xml");
}

/** The first byte from `start` on that is no white space, nor a zero of UTF-16; `undefined` without one. */
function firstByte(body: Uint8Array, start: number): number | undefined {
  let at = start;
  while (body[at] === 0 || isBlank(body[at]!)) at++;
  return body[at];
}

/** How long the byte order mark is; 0: there is none. */
function markLength([a, b, c]: Uint8Array): number {
  if (a === 0xef && b === 0xbb && c === 0xbf) return 3;
  return (a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff) ? 2 : 0;
}
