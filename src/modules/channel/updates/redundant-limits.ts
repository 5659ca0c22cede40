import type { NarrowingAttribute } from "../elements/narrowing.ts";
import type { Update } from "./update.ts";

/** The part of an update that identifies its target. */
export type Line = Pick<Update, "at" | "target" | "narrowedBy" | "amounts">;

type Check = (value: string, line: Line) => boolean;

const isPlanNamed: Check = (_, { target }) => target.plan !== undefined;
const isCategoryNamed: Check = (_, { target }) => target.category !== undefined;
const isFalse: Check = (value) => /^(?:false|0|no?)$/i.test(value);
const isTrue: Check = (value) => /^(?:true|1|y(?:es)?)$/i.test(value);
const areGuestsNamed: Check = (_, { amounts }) => amounts?.rates.every((rate) => rate.amounts.every(({ guests }) => guests > 0)) ?? true;
const isOneOf =
  (...words: readonly string[]): Check =>
  (value) =>
    words.includes(value.toLowerCase());
const isEither =
  (...checks: readonly Check[]): Check =>
  (value, line) =>
    checks.some((check) => check(value, line));

const isTarget: Check = (value, { target }) => target.category === value || target.room === value;

/** Checks whether a limit is redundant. Limits that aren't listed never are. */
const REDUNDANT: ReadonlyMap<string, Check> = new Map([
  ["RatePlanCategory", isPlanNamed],
  ["RatePlanType", isPlanNamed],
  ["RatePlanQualifier", isPlanNamed],
  ["RateTier", isPlanNamed],
  [
    "RatePlanCodeType",
    (value, line) => isOneOf("rateplancode")(value, line) || (isOneOf("doesnotapply")(value, line) && !isPlanNamed(value, line)),
  ],
  ["InvType", isCategoryNamed],
  ["IsRoom", isEither(isTrue, isCategoryNamed)],
  ["InvCodeApplication", isOneOf("invcode", "doesnotapply")],
  ["InvTypeCode", (value, { target }) => target.category === value],
  ["InvCode", isTarget],
  ["RatePlanCode", (value, { target }) => target.plan === value],
  ["SharedRoomInd", isFalse],
  ["RoomGender", isOneOf("maleandfemale", "unknown")],
  ["MinGuestApplicable", areGuestsNamed],
  ["MaxGuestApplicable", areGuestsNamed],
]);

/** Nonstandard names for category and plan, in lower case. They are redundant if they match the standard ones. */
const OTHER_NAMES: ReadonlyMap<string, Check> = new Map([
  ...["invtypecode", "roomtypecode", "roomtypeid", "roomtype", "roomcode"].map((name) => [name, isCategoryNamed] as const),
  // Some senders use it for a category, others for an individual room.
  ["roomid", isTarget],
  ...["rateplancode", "rateplanid", "rateplan", "ratecode"].map((name) => [name, isPlanNamed] as const),
]);

/** Whether a limit repeats what the rest of its line already says. */
export function isRedundant({ name, value }: NarrowingAttribute, line: Line): boolean {
  const check = REDUNDANT.get(name) ?? OTHER_NAMES.get(name.toLowerCase());
  return check?.(value, line) ?? false;
}
