import { fieldMissing } from "../../ota-error.ts";
import type { Reading } from "../../report.ts";
import type { DatesRead } from "./dates.ts";

/** What narrows a line down. */
export type Standard = "InvTypeCode" | "RatePlanCode" | "End";

/** Under which names, in lower case, senders write attributes that narrow a line down. */
const STANDARD_NAMES: ReadonlyMap<string, Standard> = new Map([
  ["invtypecode", "InvTypeCode"],
  ["invcode", "InvTypeCode"],
  ["roomtypecode", "InvTypeCode"],
  ["roomtypeid", "InvTypeCode"],
  ["roomtype", "InvTypeCode"],
  ["roomcode", "InvTypeCode"],
  ["roomid", "InvTypeCode"],
  ["rateplancode", "RatePlanCode"],
  ["rateplanid", "RatePlanCode"],
  ["rateplan", "RatePlanCode"],
  ["ratecode", "RatePlanCode"],
  ["enddate", "End"],
  ["end", "End"],
]);

/** An empty one of these says nothing, and that is read. */
const READ: ReadonlySet<string> = new Set(["InvTypeCode", "InvCode", "RatePlanCode", "RatePlanID", "End"]);

function standardNameOf(name: string): Standard | undefined {
  return READ.has(name) ? undefined : STANDARD_NAMES.get(name.toLowerCase());
}

/** Whether an attribute that is not read is meant as one that is. */
export function isOtherName(name: string): boolean {
  return standardNameOf(name) !== undefined;
}

/** Refuses what stands under another name and is `lacking` under its own: leaving it out makes a line of one category one of all. */
export function refuseOtherNames(lacking: readonly Standard[], { attributes, report, at }: Reading): void {
  for (let index = 0; index < attributes.length; index++) {
    const name = attributes.nameAt(index);
    const standard = standardNameOf(name);
    if (standard && lacking.includes(standard)) report.error(fieldMissing(`${standard} (${name} does not stand for it)`), at);
  }
}

/** Refuses other names of the category and the last night of a `Rate` or rule that, as it is read, has none. */
export function refuseOtherBounds(category: string | undefined, dates: DatesRead, reading: Reading): void {
  const lacking: Standard[] = [];
  if (category === undefined) lacking.push("InvTypeCode");
  if (dates.start !== undefined && dates.end === undefined && dates.duration === undefined) lacking.push("End");
  if (lacking.length > 0) refuseOtherNames(lacking, reading);
}
