import { fieldMissing, invalidValue, notSupportedValue } from "../../ota-error.ts";
import type { Place, Report, Spot } from "../../report.ts";
import type { Attributes } from "../../xml/reader.ts";
import { MAX_COUNT, parseWhole } from "../parts/values.ts";
import type { Limit } from "./line.ts";

/** Reads the booking limit of a line: absolute, or removed; relative ones are not idempotent and are refused. */
export function readLimit(attributes: Attributes, report: Report, at: Place): Limit | undefined {
  const text = attributes.get("BookingLimit");
  const messageType = attributes.get("BookingLimitMessageType");
  const threshold = countOf("BookingThreshold", attributes.get("BookingThreshold"), { report, at });
  const kind = messageType?.trim().toLowerCase();
  if (kind === "removelimit") return { rooms: undefined, threshold: undefined, messageType };
  if (kind === "adjustlimit") return void report.error(notSupportedValue(messageType!, "BookingLimitMessageType"), at);
  if (kind !== undefined && kind !== "setlimit") report.error(invalidValue(messageType!, "BookingLimitMessageType"), at);
  if (text !== undefined) return { rooms: countOf("BookingLimit", text, { report, at }), threshold, messageType };
  if (kind === "setlimit") report.error(fieldMissing("BookingLimit"), at);
  return undefined;
}

function countOf(field: string, text: string | undefined, { report, at }: Spot): number | undefined {
  if (text === undefined) return undefined;
  const count = parseWhole(text, MAX_COUNT);
  if (count === undefined) report.error(invalidValue(text, field), at);
  return count;
}
