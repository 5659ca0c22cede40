import { ALL_GROUPS, type Group, findGroup, type Tax, type AttributeMap } from "../../../calendar/attributes.ts";
import type { Night } from "../../../calendar/night.ts";
import { type AssignOperation, type DayMask, EVERY_DAY } from "../../../calendar/operation.ts";
import type { CompleteSet } from "../../../journal/work.ts";
import type { NarrowingAttribute } from "../elements/narrowing.ts";
import type { HotelReference } from "../message.ts";
import type { SourceLocation } from "../report.ts";
import type { DecimalPlaces } from "./money.ts";

/** Nights from `first` to `last`, inclusive, on the weekdays in `days`. */
export type WeekdayRange = Readonly<{ first: Night; last: Night; days: DayMask }>;

/** A range that is wider than any range that can be stored. */
export const ALL_NIGHTS: WeekdayRange = { first: -1_000_000, last: 10_000_000, days: EVERY_DAY };

/** The target of an update. Without `category`, the update applies to `categories`, or to every category if that list is missing. */
export type UpdateTarget = {
  category: string | undefined;
  room: string | undefined;
  plan: string | undefined;
  /** Whether the line is for the whole hotel. Without a category, a count above 0 is then a hotel-wide total, which can't be stored. */
  wholeHotel: boolean;
  /** Use the only category for which the plan has stored nights. Set only if there is no category. */
  isOnlyCategory?: true;
  categories?: readonly NamedCategory[];
};

export type NamedCategory = { category: string; at: SourceLocation };

/** A line in a message. Sets attributes on a target's nights. */
export type Update = {
  at: SourceLocation;
  target: UpdateTarget;
  /** Other limits on the line, such as `InvBlockCode`, which can't be stored with its nights. See `narrowing.ts`. */
  narrowedBy: readonly NarrowingAttribute[];
  /** If undefined, only the codes are checked. */
  nights: WeekdayRange | undefined;
  /** `undefined` clears an attribute. */
  set: AttributeMap;
  /** How the stay limits in `set` are marked, if there are any. */
  stays?: ParsedStayLimits;
  amounts?: AmountsUpdate;
};

export type ArrivalLimit = "minStayArrival" | "maxStayArrival";
export const THROUGH_LIMITS = { minStayArrival: "minStayThrough", maxStayArrival: "maxStayThrough" } as const;

/** How the sender marked a line's stay limits. */
export type ParsedStayLimits = {
  /** Whether any limits are marked as arrival-based. */
  byArrival: boolean;
  /** Limits without a mark. They are initially set as arrival-based limits. */
  unmarked: ReadonlySet<ArrivalLimit>;
};

export const NO_NARROWING: NarrowingAttribute[] = [];

/** Amounts to set. They are converted to attributes when the message is decided, because their currency may default to the property's. */
export type AmountsUpdate = {
  /** Rates for the same nights. An empty list removes the amounts. */
  rates: readonly Rate[];
  replace: AssignOperation["replace"];
  /** Whether this update repeats part of an earlier one, in order to override the updates in between. */
  isRepeated?: boolean;
  /** Whether to remove all other amounts of the target between its first and last night in the message. */
  replacesRange?: boolean;
};

export type Rate = {
  at: SourceLocation;
  /** Length of stay that the amounts are for. Default: 1. */
  stay: number | undefined;
  amounts: readonly ParsedAmount[];
  extras: readonly ParsedExtra[];
  currency: string | undefined;
  perPerson: boolean | undefined;
  mealPlan: string | undefined;
};

export type ParsedAmount = {
  at: SourceLocation;
  /** `property` means the property's default tax side. */
  tax: Tax | "property";
  /** Number of guests. 0 means that the amount is for the whole room. */
  guests: number;
  /** Age qualifying code in OpenTravel code list AQC. */
  age: number;
  minAge: number | undefined;
  maxAge: number | undefined;
  field: string;
  text: string;
  currency: string | undefined;
  decimalPlaces: DecimalPlaces;
};

export type ParsedExtra = ParsedAmount & { tax: Tax; maxGuests: number | undefined };

export function groupsIn(set: AttributeMap): readonly Group[] {
  let first: Group | undefined;
  for (const attribute of set.keys()) {
    const group = findGroup(attribute)!;
    if (first !== undefined && group !== first) return [...new Set([...set.keys()].map((one) => findGroup(one)!))];
    first = group;
  }
  return first === undefined ? [] : SINGLE_GROUP_LISTS.get(first)!;
}

/** Shared by updates, because nearly every update sets only one group. */
const SINGLE_GROUP_LISTS: ReadonlyMap<Group, readonly Group[]> = new Map(ALL_GROUPS.map((group) => [group, [group]]));

export type UpdateMessage = {
  hotel: HotelReference;
  /** Number of lines, for the log. */
  lines: number;
  updates: readonly Update[];
  /** Groups whose values a complete set clears, starting with today. */
  replaces: readonly Group[] | undefined;
  /** Which complete set to request from an AlpineBits sender if the last one is too old. */
  dueSet: CompleteSet | undefined;
};
