import type { NarrowingAttribute } from "../elements/narrowing.ts";
import type { Update } from "./update.ts";

/** The part of an update that its limits are checked against. */
export type LimitedLine = Pick<Update, "at" | "target" | "narrowedBy" | "amounts">;

type RedundancyCheck = (value: string, line: LimitedLine) => boolean;

const namesPlan: RedundancyCheck = (_, { target }) => target.plan !== undefined;
const namesCategory: RedundancyCheck = (_, { target }) => target.category !== undefined;
const isFalse: RedundancyCheck = (value) => /^(?:false|0|no?)$/i.test(value);
const isTrue: RedundancyCheck = (value) => /^(?:true|1|y(?:es)?)$/i.test(value);
const namesGuestCounts: RedundancyCheck = (_, { amounts }) =>
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

/** Checks whether a limit is redundant, by its name. Limits that are not listed are never redundant. */
const CHECKS_BY_NAME: ReadonlyMap<string, RedundancyCheck> = new Map([
  ["RatePlanCategory", namesPlan],
  ["RatePlanType", namesPlan],
  ["RatePlanQualifier", namesPlan],
  ["RateTier", namesPlan],
  [
    "RatePlanCodeType",
    (value, line) => isOneOf("rateplancode")(value, line) || (isOneOf("doesnotapply")(value, line) && !namesPlan(value, line)),
  ],
  ["InvType", namesCategory],
  ["IsRoom", isEitherOf(isTrue, namesCategory)],
  ["InvCodeApplication", isOneOf("invcode", "doesnotapply")],
  ["InvTypeCode", (value, { target }) => target.category === value],
  ["InvCode", isTarget],
  ["RatePlanCode", (value, { target }) => target.plan === value],
  ["SharedRoomInd", isFalse],
  ["RoomGender", isOneOf("maleandfemale", "unknown")],
  ["MinGuestApplicable", namesGuestCounts],
  ["MaxGuestApplicable", namesGuestCounts],
]);

/** Checks for nonstandard names of the category and plan, in lower case. They are redundant if the line also has the standard name. */
const CHECKS_BY_OTHER_NAME: ReadonlyMap<string, RedundancyCheck> = new Map([
  ...["invtypecode", "roomtypecode", "roomtypeid", "roomtype", "roomcode"].map((name) => [name, namesCategory] as const),
  // Some senders use `roomid` for a category, others for an individual room.
  ["roomid", isTarget],
  ...["rateplancode", "rateplanid", "rateplan", "ratecode"].map((name) => [name, namesPlan] as const),
]);

/** Whether a limit repeats what the rest of its line already says. */
export function isRedundant({ name, value }: NarrowingAttribute, line: LimitedLine): boolean {
  const check = CHECKS_BY_NAME.get(name) ?? CHECKS_BY_OTHER_NAME.get(name.toLowerCase());
  return check?.(value, line) ?? false;
}
