import type { Attributes } from "../../../../xml/handler.ts";
import { MAX_COUNT } from "../../limits.ts";
import { invalidNumber, invalidWord, notSupportedValue } from "../../ota-error.ts";
import type { Reading } from "../../report.ts";
import { numberIn } from "../parts/attributes.ts";
import type { Limit } from "./line.ts";

const TYPES = "SetLimit, RemoveLimit";
const COUNT = { most: MAX_COUNT, invalid: invalidNumber };

/** Reads the booking limit of a line: absolute or removed. A relative one is refused, as it is not idempotent. */
export function readLimit(reading: Reading): Limit | undefined {
  const { attributes, report, at } = reading;
  const text = attributes.get("BookingLimit");
  const messageType = attributes.get("BookingLimitMessageType");
  const threshold = numberIn("BookingThreshold", COUNT, reading);
  const kind = messageType?.trim().toLowerCase();
  if (kind === "removelimit") return { rooms: undefined, threshold: undefined, messageType };
  if (kind === "adjustlimit") return void report.error(notSupportedValue(messageType!, "BookingLimitMessageType", TYPES), at);
  if (kind !== undefined && kind !== "setlimit") report.error(invalidWord(messageType!, "BookingLimitMessageType", TYPES), at);
  return text === undefined ? undefined : { rooms: numberIn("BookingLimit", COUNT, reading), threshold, messageType };
}

/** Whether a line that has no limit says of which kind it is. Some senders do with every restriction. */
export function namesKindAlone(attributes: Attributes): boolean {
  return attributes.get("BookingLimit") === undefined && attributes.get("BookingLimitMessageType")?.trim().toLowerCase() === "setlimit";
}
