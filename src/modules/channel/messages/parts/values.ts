import { normalCode } from "../../../../text.ts";
import { MAX_CODE_LENGTH } from "../../limits.ts";
import { invalidFlag, invalidWord } from "../../ota-error.ts";
import type { ElementContext, ReportContext } from "../../report.ts";

/** Parses a whole number from 0 to `max` without a sign, decimal point or exponent. Allows surrounding white space. */
export function parseInteger(text: string, max: number): number | undefined {
  const digits = text.trim();
  if (digits.length === 0 || digits.length > 15) return undefined;
  let value = 0;
  for (let at = 0; at < digits.length; at++) {
    const digit = digits.charCodeAt(at) - 48;
    if (digit < 0 || digit > 9) return undefined;
    value = value * 10 + digit;
  }
  return value <= max ? value : undefined;
}

export function parseBoolean(text: string): boolean | undefined {
  const word = text.trim().toLowerCase();
  if (word === "1" || word === "true") return true;
  return word === "0" || word === "false" ? false : undefined;
}

/** Returns a code, trimmed and normalized to Unicode NFC, or `undefined` if it is empty. Codes are case-sensitive. */
export function normalizeCode(name: string, value: string, { report, at }: ReportContext): string | undefined {
  const code = normalCode(value);
  if (code.length > MAX_CODE_LENGTH) report.error(invalidWord(code, name, `up to ${MAX_CODE_LENGTH} characters`), at);
  return code === "" ? undefined : code;
}

export function readCode(name: string, reading: ElementContext): string | undefined {
  return normalizeCode(name, reading.attributes.get(name) ?? "", reading);
}

export function readCategory(reading: ElementContext): string | undefined {
  return readCode("InvTypeCode", reading) ?? readCode("InvCode", reading);
}

export function readFlag(name: string, { attributes, report, at }: ElementContext): boolean | undefined {
  const text = attributes.get(name);
  const flag = parseBoolean(text ?? "");
  if (text !== undefined && flag === undefined) report.error(invalidFlag(text, name), at);
  return flag;
}

type NumberRule = { max: number; invalid?: typeof invalidWord };

/** Reads a whole number from 0 to `max`. For any other value, reports the fault that `invalid` creates and returns `undefined`. */
export function readNumber(
  name: string,
  { max, invalid = invalidWord }: NumberRule,
  { attributes, report, at }: ElementContext,
): number | undefined {
  const text = attributes.get(name);
  const number = text === undefined ? undefined : parseInteger(text, max);
  if (text !== undefined && number === undefined) report.error(invalid(text, name, `0 to ${max}`), at);
  return number;
}
