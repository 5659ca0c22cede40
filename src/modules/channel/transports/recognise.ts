import { isBlank } from "../../../xml/characters.ts";
import { type FormPart, readMultipartForm, readUrlEncoded, COMPLETE_FORM } from "./form.ts";

/** The format of a request body. It is recognised from the content; headers matter only if the content is ambiguous. */
export type RecognisedBody = { kind: "empty" | "xml" | "json" | "broken-form" | "other" } | FormBody;

export type FormBody = {
  kind: "form";
  transport: "multipart" | "form";
  action: string | undefined;
  request: FormPart | undefined;
  duplicate: string | undefined;
};

export function recogniseBody(body: Uint8Array, contentType: string, extent = COMPLETE_FORM): RecognisedBody {
  const bomLength = findBomLength(body);
  const first = firstByte(body, bomLength);
  if (first === undefined) return { kind: "empty" };
  const type = contentType.split(";", 1)[0]!.trim().toLowerCase();
  if (first === LESS_THAN_CODE || (bomLength > 0 && first !== BRACE_CODE && first !== BRACKET_CODE)) return { kind: "xml" };
  if (isJson(first, type)) return { kind: "json" };
  if (type === "multipart/form-data") return recogniseForm("multipart", readMultipartForm(body, contentType, extent));
  const fields = type === "application/x-www-form-urlencoded" ? readUrlEncoded(body) : [];
  return fields.some(isKnownField) ? recogniseForm("form", fields) : { kind: "other" };
}

const FORM_FIELDS = ["action", "request"] as const;

/**
 * Whether a form field is expected in a message. Clients such as curl label any body as URL-encoded if no type is set, so field names must
 * be checked.
 */
function isKnownField({ name }: FormPart): boolean {
  return FORM_FIELDS.some((field) => field === name);
}

function recogniseForm(transport: "multipart" | "form", parts: readonly FormPart[] | undefined): RecognisedBody {
  if (!parts) return { kind: "broken-form" };
  const partsNamed = (field: string) => parts.filter(({ name }) => name === field);
  const action = partsNamed("action")[0]?.content;
  return {
    kind: "form",
    transport,
    action: action && Buffer.from(action).toString("utf8").trim(),
    request: partsNamed("request")[0],
    duplicate: FORM_FIELDS.find((field) => partsNamed(field).length > 1),
  };
}

const LESS_THAN_CODE = 0x3c;
const BRACE_CODE = 0x7b;
const BRACKET_CODE = 0x5b;

function isJson(first: number, type: string): boolean {
  if (type === "application/json" || type.endsWith("+json")) return true;
  return (first === BRACE_CODE || first === BRACKET_CODE) && !type.endsWith("xml");
}

/** Returns the first byte at or after `start` that is neither white space nor the zero byte of a UTF-16 character. */
function firstByte(body: Uint8Array, start: number): number | undefined {
  let at = start;
  while (body[at] === 0 || isBlank(body[at]!)) at++;
  return body[at];
}

function findBomLength([a, b, c]: Uint8Array): number {
  if (a === 0xef && b === 0xbb && c === 0xbf) return 3;
  return (a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff) ? 2 : 0;
}
