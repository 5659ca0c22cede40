import { ALL_GROUPS, type Group, groupOf, type Tax, type Values } from "../../../calendar/attributes.ts";
import type { Night } from "../../../calendar/night.ts";
import { type Assign, type DayMask, EVERY_DAY } from "../../../calendar/operation.ts";
import type { CompleteSet } from "../../../journal/work.ts";
import type { Narrowing } from "../elements/narrowing.ts";
import type { HotelReference } from "../message.ts";
import type { Place } from "../report.ts";
import type { DecimalPlaces } from "./money.ts";

/** Nights from `first` to `last`, both included, whose weekday is in `days`. */
export type Range = Readonly<{ first: Night; last: Night; days: DayMask }>;

/** Wider than any range that can be stored. */
export const ALL_NIGHTS: Range = { first: -1_000_000, last: 10_000_000, days: EVERY_DAY };

/** What an update applies to. Without a category that is every category, or those in `categories` if there are any. */
export type Target = {
  category: string | undefined;
  room: string | undefined;
  plan: string | undefined;
  /** The sender named the whole hotel. Without a category, counts above 0 are then a total, which no category can store. */
  wholeHotel: boolean;
  /** Without a category: the only category that the plan is stored for. */
  isOnlyCategory?: true;
  categories?: readonly NamedCategory[];
};

export type NamedCategory = { category: string; at: Place };

/** One line of a message: sets attributes on nights of a target. */
export type Update = {
  at: Place;
  target: Target;
  /** What else limits the line, such as `InvBlockCode`. Nights are not stored that finely: see `narrowing.ts`. */
  narrowedBy: readonly Narrowing[];
  /** If absent, only the codes are checked. */
  nights: Range | undefined;
  /** `undefined` clears an attribute. */
  set: Values;
  /** The kind of the stay limits in `set`, if it has some. */
  stays?: StaysRead;
  amounts?: AmountsUpdate;
};

export type ArrivalLimit = "minStayArrival" | "maxStayArrival";
export const THROUGH_LIMITS = { minStayArrival: "minStayThrough", maxStayArrival: "maxStayThrough" } as const;

/** How the sender marked the kind of a line's stay limits. */
export type StaysRead = {
  /** Whether any are marked as arrival-based. */
  byArrival: boolean;
  /** Limits without a mark. They are set as arrival-based first. */
  unmarked: ReadonlySet<ArrivalLimit>;
};

export const NOT_NARROWED: Narrowing[] = [];

/** Amounts become attributes only in the decision, because their currency may be the property's. */
export type AmountsUpdate = {
  /** Rates for the same nights. An empty list removes the amounts. */
  rates: readonly Rate[];
  replace: Assign["replace"];
  /** Repeats part of an earlier update, so that it overrides the updates in between. */
  isRepeated?: boolean;
  /** Also removes the other amounts of the target, from its first night in the message to its last. */
  replacesRange?: boolean;
};

export type Rate = {
  at: Place;
  /** Length of the stay that the amounts are the price of; absent: 1. */
  stay: number | undefined;
  amounts: readonly AmountRead[];
  extras: readonly ExtraRead[];
  currency: string | undefined;
  perPerson: boolean | undefined;
  mealPlan: string | undefined;
};

export type AmountRead = {
  at: Place;
  /** `property`: as set for the property. */
  tax: Tax | "property";
  /** 0: the whole room. */
  guests: number;
  /** OpenTravel age qualifying code. */
  age: number;
  /** Youngest age in years. */
  minAge: number | undefined;
  maxAge: number | undefined;
  field: string;
  text: string;
  currency: string | undefined;
  decimalPlaces: DecimalPlaces;
};

export type ExtraRead = AmountRead & { tax: Tax; maxGuests: number | undefined };

export function groupsIn(set: Values): readonly Group[] {
  let first: Group | undefined;
  for (const attribute of set.keys()) {
    const group = groupOf(attribute)!;
    if (first !== undefined && group !== first) return [...new Set([...set.keys()].map((one) => groupOf(one)!))];
    first = group;
  }
  return first === undefined ? [] : ONE_GROUP.get(first)!;
}

/** Nearly every update sets one group. */
const ONE_GROUP: ReadonlyMap<Group, readonly Group[]> = new Map(ALL_GROUPS.map((group) => [group, [group]]));

export type UpdateMessage = {
  hotel: HotelReference;
  /** Number of lines, for the log. */
  lines: number;
  updates: readonly Update[];
  /** Groups that a complete set clears from today on. */
  replaces: readonly Group[] | undefined;
  /** The kind of complete set that an AlpineBits sender is asked for if the last one is too old. */
  dueSet: CompleteSet | undefined;
};
