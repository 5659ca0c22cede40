import { invalidFlag } from "../../ota-error.ts";
import type { Reading } from "../../report.ts";
import { parseBoolean } from "./values.ts";

/** The boolean in an attribute; `undefined` without one, and after reporting any other word. */
export function flagIn(name: string, { attributes, report, at }: Reading): boolean | undefined {
  const text = attributes.get(name);
  const flag = parseBoolean(text ?? "");
  if (text !== undefined && flag === undefined) report.error(invalidFlag(text, name), at);
  return flag;
}
