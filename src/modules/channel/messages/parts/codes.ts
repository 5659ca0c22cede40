import { invalidWord } from "../../ota-error.ts";
import type { Reading, Spot } from "../../report.ts";
import { MAX_CODE_LENGTH } from "./values.ts";

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
