import type { Attributes } from "../../../../xml/handler.ts";
import { MAX_ROOM_COUNT } from "../../limits.ts";
import { invalidNumber, invalidWord, notSupportedValue, ruleBroken } from "../../ota-error.ts";
import type { ReportContext } from "../../report.ts";
import { parseInteger } from "../parts/values.ts";

/** Number of rooms for sale. `rooms` is undefined if `RemoveLimit` clears it. */
export type BookingLimit = { rooms: number | undefined; threshold: number | undefined; messageType: string | undefined };

/** A line's limit as sent, by attribute name. Some senders send elements with these names instead. */
export type LimitValues = Map<LimitField, string>;
export type LimitField = (typeof LIMIT_ATTRIBUTES)[number];

const LIMIT_ATTRIBUTES = ["BookingLimit", "BookingLimitMessageType", "BookingThreshold"] as const;

export function readLimitValues(attributes: Attributes): LimitValues {
  const limitValues: LimitValues = new Map();
  for (const name of LIMIT_ATTRIBUTES) {
    const text = attributes.get(name);
    if (text !== undefined) limitValues.set(name, text);
  }
  return limitValues;
}

export function limitName(element: string): LimitField | undefined {
  return LIMIT_ATTRIBUTES.find((name) => name === element);
}

/** Adds an element's text, which must not differ from the value of the attribute with the same name. */
export function addLimitValue(
  limitValues: LimitValues,
  { name, text }: { name: LimitField; text: string },
  { report, at }: ReportContext,
): void {
  if (text === "") return;
  const earlierText = limitValues.get(name);
  if (earlierText !== undefined && earlierText.trim() !== text) report.error(ruleBroken(`${name} appears twice`), at);
  limitValues.set(name, text);
}

const MESSAGE_TYPES_TEXT = "SetLimit, RemoveLimit";

/** Reads a line's booking limit. Refuses a relative limit, because it is not idempotent. */
export function readLimit(limitValues: LimitValues, spot: ReportContext): BookingLimit | undefined {
  const { report, at } = spot;
  const messageType = limitValues.get("BookingLimitMessageType");
  const threshold = readCount("BookingThreshold", limitValues, spot);
  const type = messageType?.trim().toLowerCase();
  if (type === "removelimit") return { rooms: undefined, threshold: undefined, messageType };
  if (type === "adjustlimit") return void report.error(notSupportedValue(messageType!, "BookingLimitMessageType", MESSAGE_TYPES_TEXT), at);
  if (type !== undefined && type !== "setlimit") report.error(invalidWord(messageType!, "BookingLimitMessageType", MESSAGE_TYPES_TEXT), at);
  return limitValues.has("BookingLimit") ? { rooms: readCount("BookingLimit", limitValues, spot), threshold, messageType } : undefined;
}

function readCount(name: LimitField, limitValues: LimitValues, { report, at }: ReportContext): number | undefined {
  const text = limitValues.get(name);
  const count = text === undefined ? undefined : parseInteger(text, MAX_ROOM_COUNT);
  if (text !== undefined && count === undefined) report.error(invalidNumber(text, name, `0 to ${MAX_ROOM_COUNT}`), at);
  return count;
}

/** Whether a line has a limit type but no limit. Some senders add the type to every restriction. */
export function hasTypeOnly(limitValues: LimitValues): boolean {
  return !limitValues.has("BookingLimit") && limitValues.get("BookingLimitMessageType")?.trim().toLowerCase() === "setlimit";
}
