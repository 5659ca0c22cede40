import type { NarrowingAttribute } from "../elements/narrowing.ts";
import type { Update } from "./update.ts";

/** The part of an update that identifies its target. */
export type LimitedLine = Pick<Update, "at" | "target" | "narrowedBy" | "amounts">;

type RedundancyCheck = (value: string, line: LimitedLine) => boolean;

const isPlanNamed: RedundancyCheck = (_, { target }) => target.plan !== undefined;
const isCategoryNamed: RedundancyCheck = (_, { target }) => target.category !== undefined;
const isFalse: RedundancyCheck = (value) => /^(?:false|0|no?)$/i.test(value);
const isTrue: RedundancyCheck = (value) => /^(?:true|1|y(?:es)?)$/i.test(value);
const areGuestsNamed: RedundancyCheck = (_, { amounts }) =>
  amounts?.rates.every((rate) => rate.amounts.every(({ guests }) => guests > 0)) ?? true;
const isOneOf =
  (...words: readonly string[]): RedundancyCheck =>
  (value) =>
    words.includes(value.toLowerCase());
const isEitherOf =
  (...checks: readonly RedundancyCheck[]): RedundancyCheck =>
  (value, line) =>
    checks.some((check) => check(value, line));

const isTarget: RedundancyCheck = (value, { target }) => target.category === value || target.room === value;

/** For each kind of limit, whether it is redundant. Limits that are not in this list are never redundant. */
const CHECKS_BY_NAME: ReadonlyMap<string, RedundancyCheck> = new Map([
  ["RatePlanCategory", isPlanNamed],
  ["RatePlanType", isPlanNamed],
  ["RatePlanQualifier", isPlanNamed],
  ["RateTier", isPlanNamed],
  [
    "RatePlanCodeType",
    (value, line) => isOneOf("rateplancode")(value, line) || (isOneOf("doesnotapply")(value, line) && !isPlanNamed(value, line)),
  ],
  ["InvType", isCategoryNamed],
  ["IsRoom", isEitherOf(isTrue, isCategoryNamed)],
  ["InvCodeApplication", isOneOf("invcode", "doesnotapply")],
  ["InvTypeCode", (value, { target }) => target.category === value],
  ["InvCode", isTarget],
  ["RatePlanCode", (value, { target }) => target.plan === value],
  ["SharedRoomInd", isFalse],
  ["RoomGender", isOneOf("maleandfemale", "unknown")],
  ["MinGuestApplicable", areGuestsNamed],
  ["MaxGuestApplicable", areGuestsNamed],
]);

/** Nonstandard names of the category and plan, in lower case. They are redundant if the line also has the standard name. */
const CHECKS_BY_OTHER_NAME: ReadonlyMap<string, RedundancyCheck> = new Map([
  ...["invtypecode", "roomtypecode", "roomtypeid", "roomtype", "roomcode"].map((name) => [name, isCategoryNamed] as const),
  // Some senders use `roomid` for a category, others for an individual room.
  ["roomid", isTarget],
  ...["rateplancode", "rateplanid", "rateplan", "ratecode"].map((name) => [name, isPlanNamed] as const),
]);

/** Whether a limit repeats what the rest of its line already says. */
export function isRedundant({ name, value }: NarrowingAttribute, line: LimitedLine): boolean {
  const check = CHECKS_BY_NAME.get(name) ?? CHECKS_BY_OTHER_NAME.get(name.toLowerCase());
  return check?.(value, line) ?? false;
}
