import type { Attribute, AttributeValue, AttributeMap } from "../../../../calendar/attributes.ts";
import type { Attributes } from "../../../../xml/handler.ts";
import { MAX_ROOM_COUNT } from "../../limits.ts";
import { type Fault, fieldMissing, invalidNumber, invalidWord, note, notSupportedValue, ruleBroken } from "../../ota-error.ts";
import type { ReportContext } from "../../report.ts";
import { parseInteger } from "../parts/values.ts";

/** Counts, indexed by type (OpenTravel code list INV). With thousands of lines, arrays take a third of the memory that maps would. */
export type CountsByType = (number | undefined)[];

const PHYSICAL_TYPE = 1;
const AVAILABLE_TYPE = 2;
const SOLD_TYPE = 4;
const TENTATIVELY_SOLD_TYPE = 5;
const OUT_OF_ORDER_TYPE = 6;
const OUT_OF_INVENTORY_TYPE = 8;
const OFF_MARKET_TYPE = 9;
const LAST_COUNT_TYPE = 21;

export const ALPINEBITS_TYPES: readonly number[] = [AVAILABLE_TYPE, OUT_OF_ORDER_TYPE, OFF_MARKET_TYPE];

/** Types of counts to subtract from the physical rooms if no availability is sent. */
const SUBTRACTED_COUNTS = [SOLD_TYPE, TENTATIVELY_SOLD_TYPE, OUT_OF_ORDER_TYPE, OUT_OF_INVENTORY_TYPE];

/** Preallocates the elements up to the availability, because an array that grows from empty would reserve 17. */
export function newCounts(): CountsByType {
  return [undefined, undefined, undefined];
}

/** Reads an `InvCount` and returns its fault, if any. `CountType` defaults to 2, availability. */
export function readCount(counts: CountsByType, attributes: Attributes): Fault | undefined {
  const action = attributes.get("ActionType");
  if (action !== undefined && RELATIVE_ACTIONS.has(action.trim().toLowerCase()))
    return notSupportedValue(action, "ActionType", "Allocation, Remaining");
  const typeText = attributes.get("CountType");
  const countText = attributes.get("Count");
  const type = typeText === undefined ? AVAILABLE_TYPE : parseInteger(typeText, LAST_COUNT_TYPE);
  const count = countText === undefined ? undefined : parseInteger(countText, MAX_ROOM_COUNT);
  if (!type) return invalidWord(typeText!, "CountType", `1 to ${LAST_COUNT_TYPE}`);
  if (counts[type] !== undefined) return ruleBroken(`CountType ${type} appears twice`);
  counts[type] = count ?? 0;
  if (countText === undefined) return fieldMissing("Count");
  return count === undefined ? invalidNumber(countText, "Count", `0 to ${MAX_ROOM_COUNT}`) : undefined;
}

/** Actions that are refused. Neither says how many rooms are left, and resending an adjustment would apply it twice. */
const RELATIVE_ACTIONS: ReadonlySet<string> = new Set(["adjustment", "used"]);

const STORED_COUNT_TYPES: readonly number[] = [PHYSICAL_TYPE, AVAILABLE_TYPE, OUT_OF_ORDER_TYPE, OFF_MARKET_TYPE];

export function warnOfUnusedCounts(counts: CountsByType, { report, at }: ReportContext): void {
  if (hasOnlyAvailability(counts)) return;
  const isAvailabilityDerived = isDerived(counts);
  for (let type = 0; type < counts.length; type++) {
    if (counts[type] === undefined || STORED_COUNT_TYPES.includes(type) || (isAvailabilityDerived && SUBTRACTED_COUNTS.includes(type)))
      continue;
    report.warn(note(`count type ${type} is not stored`), at);
  }
  if (counts[PHYSICAL_TYPE] !== undefined && counts[AVAILABLE_TYPE] === undefined && !isAvailabilityDerived)
    report.warn(note("physical rooms (CountType 1) alone do not set availability; send CountType 2"), at);
}

/** Treats physical rooms as rooms for sale if there are no other counts. */
export function treatPhysicalAsAvailable(counts: CountsByType): void {
  if (!counts.every((count, type) => count === undefined || type === PHYSICAL_TYPE)) return;
  counts[AVAILABLE_TYPE] = counts[PHYSICAL_TYPE];
  counts[PHYSICAL_TYPE] = undefined;
}

export function hasNoCounts(counts: CountsByType | undefined): boolean {
  return counts === undefined || (hasOnlyAvailability(counts) && counts[AVAILABLE_TYPE] === undefined);
}

function isDerived(counts: CountsByType): boolean {
  return counts[AVAILABLE_TYPE] === undefined && counts[PHYSICAL_TYPE] !== undefined && counts[SOLD_TYPE] !== undefined;
}

/** Returns the first count type that AlpineBits doesn't define, or -1. */
export function findForeignType(counts: CountsByType): number {
  return counts.findIndex((count, type) => count !== undefined && !ALPINEBITS_TYPES.includes(type));
}

/** Returns the number of rooms for sale: 0 if there are no counts, or `undefined` if the counts don't determine it. */
export function roomsForSale(counts: CountsByType | undefined): number | undefined {
  if (counts === undefined || hasNoCounts(counts)) return 0;
  if (!isDerived(counts)) return counts[AVAILABLE_TYPE];
  return Math.max(
    0,
    SUBTRACTED_COUNTS.reduce((left, type) => left - (counts[type] ?? 0), counts[PHYSICAL_TYPE]!),
  );
}

function hasOnlyAvailability(counts: CountsByType): boolean {
  return counts.length === AVAILABLE_TYPE + 1 && counts[PHYSICAL_TYPE] === undefined;
}

/**
 * Returns the value for counts that an AlpineBits sender omits: 0, or `undefined` if the line lacks availability but has a count type that
 * AlpineBits doesn't define.
 */
export function inferOmittedCount(counts: CountsByType | undefined): 0 | undefined {
  return counts === undefined || counts[AVAILABLE_TYPE] !== undefined || findForeignType(counts) < 0 ? 0 : undefined;
}

/** Returns the attributes that counts set. `omitted` is the value for counts that were not sent; `undefined` leaves them unchanged. */
export function countValues(counts: CountsByType = newCounts(), omitted: 0 | undefined): AttributeMap {
  const available = roomsForSale(counts) ?? omitted;
  if (available !== undefined && omitted === undefined && hasOnlyAvailability(counts)) return availabilityOnly(available);
  const values = new Map<Attribute, AttributeValue | undefined>();
  if (available !== undefined) values.set("available", available).set("derived", isDerived(counts) ? 1 : undefined);
  setCount(values, "physical", counts[PHYSICAL_TYPE]);
  setCount(values, "outOfOrder", counts[OUT_OF_ORDER_TYPE] ?? omitted);
  setCount(values, "offMarket", counts[OFF_MARKET_TYPE] ?? omitted);
  return values;
}

/** Most lines set only the availability, so equal values share one object. */
const valuesByAvailability: AttributeMap[] = [];

function availabilityOnly(available: number): AttributeMap {
  return (valuesByAvailability[available] ??= new Map([
    ["available", available],
    ["derived", undefined],
  ]));
}

function setCount(values: Map<Attribute, AttributeValue | undefined>, attribute: Attribute, count: number | undefined): void {
  if (count !== undefined) values.set(attribute, count);
}
