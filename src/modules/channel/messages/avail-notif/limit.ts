import type { Attributes } from "../../../../xml/handler.ts";
import { MAX_COUNT } from "../../limits.ts";
import { invalidNumber, invalidWord, notSupportedValue } from "../../ota-error.ts";
import type { Reading } from "../../report.ts";
import { numberIn } from "../parts/values.ts";

/** Rooms for sale: set, or cleared by `RemoveLimit`. */
export type Limit = { rooms: number | undefined; threshold: number | undefined; messageType: string | undefined };

const TYPES = "SetLimit, RemoveLimit";
const COUNT = { max: MAX_COUNT, invalid: invalidNumber };

/** Reads the booking limit of a line. A relative one is refused because it is not idempotent. */
export function readLimit(reading: Reading): Limit | undefined {
  const { attributes, report, at } = reading;
  const text = attributes.get("BookingLimit");
  const messageType = attributes.get("BookingLimitMessageType");
  const threshold = numberIn("BookingThreshold", COUNT, reading);
  const type = messageType?.trim().toLowerCase();
  if (type === "removelimit") return { rooms: undefined, threshold: undefined, messageType };
  if (type === "adjustlimit") return void report.error(notSupportedValue(messageType!, "BookingLimitMessageType", TYPES), at);
  if (type !== undefined && type !== "setlimit") report.error(invalidWord(messageType!, "BookingLimitMessageType", TYPES), at);
  return text === undefined ? undefined : { rooms: numberIn("BookingLimit", COUNT, reading), threshold, messageType };
}

/** Whether a line says that it sets a limit but has none. Some senders do so with every restriction. */
export function hasTypeOnly(attributes: Attributes): boolean {
  return attributes.get("BookingLimit") === undefined && attributes.get("BookingLimitMessageType")?.trim().toLowerCase() === "setlimit";
}
