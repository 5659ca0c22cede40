import { type AmountKey, parseAmount } from "./amounts.ts";
import {
  type AttributeOf,
  pageAttributes,
  type AttributeValue,
  type Group,
  isFlag,
  type NamedAttribute,
  type ValueOf,
} from "./attributes.ts";
import { compareText } from "./compare-text.ts";
import type { LaneNights } from "./lane.ts";

type TypedLane<T> = { category: string; lane: string; nights: readonly T[] };

export type InventoryLane = TypedLane<InventoryNight>;
export type RateLane = TypedLane<RateNight>;

export type SettersByGroup = Partial<Record<Group, number>>;

/** Values that were not received are `undefined`; flags are then false. */
export type InventoryNight = {
  [A in AttributeOf<"inventory">]: ValueOf<A> extends boolean ? boolean : ValueOf<A> | undefined;
} & { setters: SettersByGroup };

export type RateNight = { [A in AttributeOf<"rate">]: ValueOf<A> | undefined } & {
  amounts: readonly { key: AmountKey; minor: number }[];
  setters: SettersByGroup;
};

/**
 * `summed` means that the counts of the category's physical rooms were added up. `stopSell` is whether the whole category is closed, as set
 * by the message in `setters.restrictions`; undefined if not received.
 */
export type CountNight = InventoryNight & { summed?: boolean; stopSell?: boolean | undefined };

const INVENTORY_ATTRIBUTES = pageAttributes("inventory");
const RATE_ATTRIBUTES = pageAttributes("rate");

export function emptyLane(category: string, lane: string): LaneNights {
  return { category, lane, columns: new Map(), setters: new Map() };
}

export function inventoryLane(from: LaneNights, count: number): InventoryLane {
  const values = readValues(from, INVENTORY_ATTRIBUTES);
  const settersAt = setterReader(from);
  return toTypedLane(from, count, (i) => ({ ...readNight(values, i, false), setters: settersAt(i) }) as InventoryNight);
}

export function rateLane(from: LaneNights, count: number): RateLane {
  const values = readValues(from, RATE_ATTRIBUTES);
  const [amountsAt, settersAt] = [amountReader(from), setterReader(from)];
  return toTypedLane(
    from,
    count,
    (i) => ({ ...readNight(values, i, undefined), amounts: amountsAt(i), setters: settersAt(i) }) as RateNight,
  );
}

export const EMPTY_NIGHT: CountNight = inventoryLane(emptyLane("", ""), 1).nights[0]!;

type CountLanes = { inventory: readonly InventoryLane[]; general: readonly RateNight[] | undefined; count: number };

/**
 * Returns a category's nights. If a night has no count for the category, its rooms' counts are added up. `general` contains the category's
 * rates without a rate plan. A stop sell on these closes the whole category.
 */
export function categoryNights({ inventory, general, count }: CountLanes): readonly CountNight[] {
  const own = (inventory.find((lane) => lane.lane === "") ?? inventoryLane(emptyLane("", ""), count)).nights;
  const rooms = inventory.filter((lane) => lane.lane !== "");
  const countedNights =
    rooms.length === 0 ? own : own.map((night, index) => (night.available === undefined ? addRoomTotal(night, rooms, index) : night));
  return withStopSells(countedNights, general);
}

/**
 * Adds the stop sell for the whole category, which is part of its rates without a rate plan. Consecutive nights with the same values still
 * share one object.
 */
export function withStopSells(nights: readonly CountNight[], general: readonly RateNight[] | undefined): readonly CountNight[] {
  if (general === undefined) return nights;
  const closedNights: CountNight[] = [];
  for (const [index, night] of nights.entries()) {
    const isSameNight = night === nights[index - 1] && general[index] === general[index - 1];
    closedNights.push(isSameNight ? closedNights[index - 1]! : withStopSell(night, general[index]!));
  }
  return closedNights;
}

function withStopSell(night: CountNight, { stopSell, setters }: RateNight): CountNight {
  if (stopSell === undefined) return night;
  return { ...night, stopSell, setters: { ...night.setters, restrictions: setters.restrictions } };
}

export function compareLanes(a: { lane: string }, b: { lane: string }): number {
  return compareText(a.lane, b.lane);
}

/** Consecutive nights with the same values share one object, because most nights are the same as the night before. */
function toTypedLane<T>({ category, lane, columns, setters }: LaneNights, count: number, nightAt: (i: number) => T): TypedLane<T> {
  const all = [...columns.values(), ...setters.values()];
  const nights: T[] = [];
  for (let i = 0; i < count; i++) {
    const isSameNight = i > 0 && all.every((values) => values[i] === values[i - 1]);
    nights.push(isSameNight ? nights[i - 1]! : nightAt(i));
  }
  return { category, lane, nights };
}

type AttributeValues = { name: NamedAttribute; isFlag: boolean; values: readonly (AttributeValue | undefined)[] };

function readValues({ columns }: LaneNights, names: readonly NamedAttribute[]): AttributeValues[] {
  return names.map((name) => ({ name, isFlag: isFlag(name), values: columns.get(name) ?? [] }));
}

function readNight(all: readonly AttributeValues[], index: number, absentFlag: false | undefined): Record<string, unknown> {
  const night: Record<string, unknown> = {};
  for (const { name, isFlag: asFlag, values } of all) {
    const value = values[index];
    night[name] = asFlag ? toFlag(value, absentFlag) : value;
  }
  return night;
}

function toFlag(value: AttributeValue | undefined, absent: false | undefined): boolean | undefined {
  return value === undefined ? absent : value === 1;
}

function amountReader({ columns }: LaneNights): (index: number) => RateNight["amounts"] {
  const amounts = [...columns].flatMap(([attribute, values]) => {
    const key = parseAmount(attribute);
    return key ? [{ key, values: values as readonly (number | undefined)[] }] : [];
  });
  return (index) => {
    const nightAmounts: { key: AmountKey; minor: number }[] = [];
    for (const { key, values } of amounts) if (values[index] !== undefined) nightAmounts.push({ key, minor: values[index] });
    return nightAmounts;
  };
}

function setterReader({ setters }: LaneNights): (index: number) => SettersByGroup {
  const groups = [...setters];
  return (index) => {
    const nightSetters: SettersByGroup = {};
    for (const [group, messages] of groups) if (messages[index] !== undefined) nightSetters[group] = messages[index];
    return nightSetters;
  };
}

function addRoomTotal(night: CountNight, rooms: readonly InventoryLane[], index: number): CountNight {
  const countedRooms = rooms.map((room) => room.nights[index]!).filter((room) => room.available !== undefined);
  if (countedRooms.length === 0) return night;
  const availableRooms = countedRooms.reduce((sum, room) => sum + room.available!, 0);
  return { ...night, available: availableRooms, summed: true, setters: { ...night.setters, counts: countedRooms.at(-1)!.setters.counts } };
}
