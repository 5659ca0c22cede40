import { type AmountKey, parseAmount } from "../calendar/amounts.ts";
import {
  type AttributeOf,
  attributesOf,
  type AttributeValue,
  type Group,
  isFlag,
  type NamedAttribute,
  type ValueOf,
} from "../calendar/attributes.ts";
import { compareText } from "../calendar/compare-text.ts";
import type { LaneNights } from "../calendar/lane-nights.ts";

/** The nights of one lane, one record for each day of a grid. */
type GridLane<T> = {
  category: string;
  /** Inventory: empty, or one physical room. Rate: empty, or the rate plan. */
  lane: string;
  nights: readonly T[];
};

export type InventoryLane = GridLane<InventoryNight>;
export type RateLane = GridLane<RateNight>;

/** The messages that last set each group; a group without one was never set. */
export type Setters = Partial<Record<Group, number>>;

/** The count attributes of a night; `undefined` means nothing received. A flag that was not received is false. */
export type InventoryNight = {
  [A in AttributeOf<"inventory">]: ValueOf<A> extends boolean ? boolean : ValueOf<A> | undefined;
} & { setters: Setters };

/** The rate attributes of a night; `undefined` means nothing received. */
export type RateNight = { [A in AttributeOf<"rate">]: ValueOf<A> | undefined } & {
  /** In minor units of `currency`. */
  amounts: readonly { key: AmountKey; minor: number }[];
  setters: Setters;
};

/** A lane of which nothing was received. */
export function emptyLane(category: string, lane: string): LaneNights {
  return { category, lane, columns: new Map(), setters: new Map() };
}

/** The counts of a lane, night by night, for `count` nights. */
export function inventoryLane(from: LaneNights, count: number): InventoryLane {
  const values = valuesOf(from, INVENTORY);
  const settersAt = settersOf(from);
  const nightAt = (i: number) => ({ ...readNight(values, i, false), setters: settersAt(i) }) as InventoryNight;
  return { category: from.category, lane: from.lane, nights: nightsOf(from, count, nightAt) };
}

/** The amounts and restrictions of a lane, night by night, for `count` nights. */
export function rateLane(from: LaneNights, count: number): RateLane {
  const values = valuesOf(from, RATE);
  const [amountsAt, settersAt] = [amountsOf(from), settersOf(from)];
  const nightAt = (i: number) => ({ ...readNight(values, i, undefined), amounts: amountsAt(i), setters: settersAt(i) }) as RateNight;
  return { category: from.category, lane: from.lane, nights: nightsOf(from, count, nightAt) };
}

const INVENTORY = attributesOf("inventory");
const RATE = attributesOf("rate");

type AttributeValues = { name: NamedAttribute; isFlag: boolean; values: readonly (AttributeValue | undefined)[] };

function valuesOf({ columns }: LaneNights, names: readonly NamedAttribute[]): AttributeValues[] {
  return names.map((name) => ({ name, isFlag: isFlag(name), values: columns.get(name) ?? NOTHING }));
}

/** `absent` stands for a flag that was not received. */
function readNight(all: readonly AttributeValues[], index: number, absent: false | undefined): Record<string, unknown> {
  const night: Record<string, unknown> = {};
  for (const { name, isFlag: asFlag, values } of all) {
    const value = values[index];
    night[name] = asFlag ? flagOf(value, absent) : value;
  }
  return night;
}

/** A night that has the same as the one before is the same record: most do, and a grid has thousands. */
function nightsOf<T>({ columns, setters }: LaneNights, count: number, nightAt: (i: number) => T): T[] {
  const all = [...columns.values(), ...setters.values()];
  const nights: T[] = [];
  for (let i = 0; i < count; i++) {
    const isSame = i > 0 && all.every((values) => values[i] === values[i - 1]);
    nights.push(isSame ? nights[i - 1]! : nightAt(i));
  }
  return nights;
}

/** By code, the lane without one first. */
export function byLane(a: { lane: string }, b: { lane: string }): number {
  return compareText(a.lane, b.lane);
}

function flagOf(value: AttributeValue | undefined, absent: false | undefined): boolean | undefined {
  return value === undefined ? absent : value === 1;
}

function amountsOf({ columns }: LaneNights): (index: number) => RateNight["amounts"] {
  const amounts = [...columns].flatMap(([attribute, values]) => {
    const key = parseAmount(attribute);
    return key ? [{ key, values: values as readonly (number | undefined)[] }] : [];
  });
  return (index) => {
    const found: { key: AmountKey; minor: number }[] = [];
    for (const { key, values } of amounts) if (values[index] !== undefined) found.push({ key, minor: values[index] });
    return found;
  };
}

function settersOf({ setters }: LaneNights): (index: number) => Setters {
  const groups = [...setters];
  return (index) => {
    const found: Setters = {};
    for (const [group, messages] of groups) if (messages[index] !== undefined) found[group] = messages[index];
    return found;
  };
}

const NOTHING: readonly undefined[] = [];
