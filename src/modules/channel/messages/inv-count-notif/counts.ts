import type { Attribute, AttributeValue, Values } from "../../../../calendar/attributes.ts";
import type { Attributes } from "../../../../xml/handler.ts";
import { MAX_COUNT } from "../../limits.ts";
import { type Fault, fieldMissing, invalidNumber, invalidWord, note, notSupportedValue, ruleBroken } from "../../ota-error.ts";
import type { Spot } from "../../report.ts";
import { parseWhole } from "../parts/parse.ts";

/** Counts by type of OpenTravel code list INV, as index. A list costs a third of a map, and lines come by the thousand. */
export type Counts = (number | undefined)[];

const PHYSICAL = 1;
const AVAILABLE = 2;
const SOLD = 4;
const TENTATIVELY_SOLD = 5;
const OUT_OF_ORDER = 6;
const OUT_OF_INVENTORY = 8;
const OFF_MARKET = 9;
const LAST_TYPE = 21;

/** The counts that AlpineBits has. */
export const ALPINEBITS_TYPES: readonly number[] = [AVAILABLE, OUT_OF_ORDER, OFF_MARKET];

/** A type that AlpineBits does not have; -1 without one. */
export function foreignTypeIn(counts: Counts): number {
  return counts.findIndex((count, type) => count !== undefined && !ALPINEBITS_TYPES.includes(type));
}

/** The value of a count that AlpineBits omits: 0, or as it was, where types of others do not say what can be sold. */
export function omittedIn(counts: Counts | undefined): 0 | undefined {
  return counts === undefined || counts[AVAILABLE] !== undefined || foreignTypeIn(counts) < 0 ? 0 : undefined;
}

/** Taken off the physical rooms when no availability is sent. */
const TAKEN = [SOLD, TENTATIVELY_SOLD, OUT_OF_ORDER, OUT_OF_INVENTORY];

/** No counts yet. The places reach up to the availability, where most lines end: a list that grows takes room for 20. */
export function noCounts(): Counts {
  return [undefined, undefined, undefined];
}

/** Most lines have only an availability, so each number of rooms is kept once. */
const shared: Counts[] = [];

/** The counts of a finished line, to keep; warns of those that are not stored. */
export function settled(counts: Counts, spot: Spot): Counts {
  warnOfUnusedCounts(counts, spot);
  const available = counts[AVAILABLE];
  return available !== undefined && isOnlyAvailability(counts) ? (shared[available] ??= counts) : counts;
}

/** Reads one `InvCount` and answers its fault; without a type it is the availability (2). */
export function readCount(counts: Counts, attributes: Attributes): Fault | undefined {
  const action = attributes.get("ActionType");
  if (action !== undefined && NOT_WHAT_IS_LEFT.has(action.trim().toLowerCase()))
    return notSupportedValue(action, "ActionType", "Allocation, Remaining");
  const typeText = attributes.get("CountType");
  const countText = attributes.get("Count");
  const type = typeText === undefined ? AVAILABLE : parseWhole(typeText, LAST_TYPE);
  const count = countText === undefined ? undefined : parseWhole(countText, MAX_COUNT);
  if (!type) return invalidWord(typeText!, "CountType", `1 to ${LAST_TYPE}`);
  if (counts[type] !== undefined) return ruleBroken(`CountType ${type} is given twice`);
  counts[type] = count ?? 0;
  if (countText === undefined) return fieldMissing("Count");
  return count === undefined ? invalidNumber(countText, "Count", `0 to ${MAX_COUNT}`) : undefined;
}

/** Actions that do not tell the rooms left: an adjustment, which is not idempotent, and the rooms sold. */
const NOT_WHAT_IS_LEFT: ReadonlySet<string> = new Set(["adjustment", "used"]);

/** Whether the availability is computed. */
function isDerived(counts: Counts): boolean {
  return counts[AVAILABLE] === undefined && counts[PHYSICAL] !== undefined && counts[SOLD] !== undefined;
}

function derive(counts: Counts): number {
  return TAKEN.reduce((left, type) => left - (counts[type] ?? 0), counts[PHYSICAL]!);
}

function isEmpty(counts: Counts): boolean {
  return counts.length === AVAILABLE + 1 && counts[PHYSICAL] === undefined && counts[AVAILABLE] === undefined;
}

/** The rooms for sale; `undefined` when the counts do not say, 0 without any counts. */
export function availableOf(counts: Counts | undefined): number | undefined {
  if (counts === undefined || isEmpty(counts)) return 0;
  return isDerived(counts) ? Math.max(0, derive(counts)) : counts[AVAILABLE];
}

/** The rooms that the counts speak of; the category cannot have fewer. */
export function roomsIn(counts: Counts | undefined): number {
  return counts === undefined ? 0 : (availableOf(counts) ?? 0) + (counts[OUT_OF_ORDER] ?? 0) + (counts[OFF_MARKET] ?? 0);
}

/** What to store; `omitted` is the value of a count that was not sent: 0, or as it was. */
export function valuesOf(counts: Counts | undefined, omitted: 0 | undefined): Values {
  const available = availableOf(counts) ?? omitted;
  if (available !== undefined && omitted === undefined && isOnlyAvailability(counts)) return availabilityAlone(available);
  const values = new Map<Attribute, AttributeValue | undefined>();
  if (available !== undefined) values.set("available", available).set("derived", counts && isDerived(counts) ? 1 : undefined);
  setCount(values, "physical", counts?.[PHYSICAL]);
  setCount(values, "outOfOrder", counts?.[OUT_OF_ORDER] ?? omitted);
  setCount(values, "offMarket", counts?.[OFF_MARKET] ?? omitted);
  return values;
}

function isOnlyAvailability(counts: Counts | undefined): boolean {
  return counts === undefined || (counts.length === AVAILABLE + 1 && counts[PHYSICAL] === undefined);
}

/** Most lines say only this, so each number is made once. */
const alone: Values[] = [];

function availabilityAlone(available: number): Values {
  return (alone[available] ??= new Map([
    ["available", available],
    ["derived", undefined],
  ]));
}

function setCount(values: Map<Attribute, AttributeValue | undefined>, column: Attribute, count: number | undefined): void {
  if (count !== undefined) values.set(column, count);
}

const STORED: readonly number[] = [PHYSICAL, AVAILABLE, OUT_OF_ORDER, OFF_MARKET];

function warnOfUnusedCounts(counts: Counts, { report, at }: Spot): void {
  for (let type = 0; type < counts.length; type++) {
    if (counts[type] === undefined || STORED.includes(type) || (TAKEN.includes(type) && isDerived(counts))) continue;
    report.warn(note(`count type ${type} is not stored`), at);
  }
  const isPhysicalAlone = counts[PHYSICAL] !== undefined && counts[AVAILABLE] === undefined && !isDerived(counts);
  if (isPhysicalAlone) report.warn(note("physical rooms (CountType 1) alone do not say how many can be sold; send CountType 2"), at);
}
