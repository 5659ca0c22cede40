import { MAX_CODE_LENGTH } from "../../limits.ts";
import { invalidFlag, invalidWord } from "../../ota-error.ts";
import type { Reading, Spot } from "../../report.ts";
import { parseBoolean, parseWhole } from "./parse.ts";

/** Codes are compared exactly, trimmed of white space; an empty code is `undefined`. */
export function codeOf(name: string, value: string, { report, at }: Spot): string | undefined {
  const code = value.trim();
  if (code.length > MAX_CODE_LENGTH) report.error(invalidWord(code, name, `up to ${MAX_CODE_LENGTH} characters`), at);
  return code === "" ? undefined : code;
}

/** The code in an attribute. */
export function codeIn(name: string, reading: Reading): string | undefined {
  return codeOf(name, reading.attributes.get(name) ?? "", reading);
}

/** The category of an element: `InvTypeCode`, else `InvCode`. */
export function categoryIn(reading: Reading): string | undefined {
  return codeIn("InvTypeCode", reading) ?? codeIn("InvCode", reading);
}

/** The boolean in an attribute; `undefined` without one, and after reporting any other word. */
export function flagIn(name: string, { attributes, report, at }: Reading): boolean | undefined {
  const text = attributes.get(name);
  const flag = parseBoolean(text ?? "");
  if (text !== undefined && flag === undefined) report.error(invalidFlag(text, name), at);
  return flag;
}

type Wanted = { most: number; invalid?: typeof invalidWord };

/** The whole number in an attribute, from 0 to `most`; `undefined` without one, and after reporting any other text as `invalid`. */
export function numberIn(name: string, { most, invalid = invalidWord }: Wanted, { attributes, report, at }: Reading): number | undefined {
  const text = attributes.get(name);
  const number = text === undefined ? undefined : parseWhole(text, most);
  if (text !== undefined && number === undefined) report.error(invalid(text, name, `0 to ${most}`), at);
  return number;
}
