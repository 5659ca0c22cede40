import type { Profile } from "../profiles/profile.ts";
import type { ElementReference, AttributeKind } from "./element.ts";
import { elements } from "./index.ts";
import { isMisspelledDay, STANDARD_DAYS, parseWeekday } from "./weekdays.ts";
import { isHotelName, isNarrowing } from "./words.ts";

/** An element and how to handle each of its attributes. */
export type ElementRules = Pick<ElementReference, "element" | "is" | "readWith"> & {
  kinds: ReadonlyMap<string, AttributeKind>;
  /** Whether unknown attributes may limit the line. */
  limits: boolean;
  hasDays: boolean;
};

/** Root elements of messages that change nights. In other messages, ignored parts are only logged. */
const NIGHT_MESSAGE_ROOTS: ReadonlySet<string> = new Set([
  "OTA_HotelInvCountNotifRQ",
  "OTA_HotelAvailNotifRQ",
  "OTA_HotelBookingRuleNotifRQ",
  "OTA_HotelRateAmountNotifRQ",
  "OTA_HotelRatePlanNotifRQ",
  "AvailRateUpdateRQ",
  "Transaction",
]);

export function changesNights(root: string): boolean {
  return NIGHT_MESSAGE_ROOTS.has(root);
}

const READ_ROOT_ATTRIBUTES = "EchoToken TimeStamp Version Target";
const HARMLESS_ROOT_ATTRIBUTES =
  "PrimaryLangID AltLangID SequenceNmbr TransactionIdentifier TransactionStatusCode RetransmissionIndicator CorrelationID MessageContentCode";

const rulesByRoot = new Map(Object.entries(elements).map(([root, list]) => [root, listElementRules(root, list)]));

/** Returns a message's elements by name, or `undefined` if it has no list. */
export function findElementRules(root: string): ReadonlyMap<string, ElementRules> | undefined {
  return rulesByRoot.get(root);
}

function listElementRules(root: string, list: readonly ElementReference[]): ReadonlyMap<string, ElementRules> {
  const own: ElementReference = {
    element: root,
    meaning: "",
    attributes: [[READ_ROOT_ATTRIBUTES, ""]],
    harmless: HARMLESS_ROOT_ATTRIBUTES,
  };
  const byName = Map.groupBy([own, ...list], ({ element }) => element);
  return new Map([...byName].map(([name, references]) => [name, mergeReferences(name, references)]));
}

function mergeReferences(element: string, references: readonly ElementReference[]): ElementRules {
  const kinds = new Map<string, AttributeKind>();
  for (const { attributes = [], narrowing = [], notStored = "", harmless = "" } of references) {
    addKind(kinds, harmless, "harmless");
    addKind(kinds, notStored, "notStored");
    for (const [names] of narrowing) addKind(kinds, names, "narrowing");
    for (const [names] of attributes) addKind(kinds, names, "read");
  }
  return {
    element,
    is: references[0]!.is,
    readWith: references[0]!.readWith,
    kinds,
    limits: references.some(({ narrowing }) => narrowing !== undefined),
    hasDays: kinds.has(STANDARD_DAYS[0]!),
  };
}

function addKind(kinds: Map<string, AttributeKind>, names: string, kind: AttributeKind): void {
  for (const name of names.split(" ")) if (name !== "") kinds.set(name, kind);
}

export function isRead({ is, readWith }: ElementRules, profile: Profile): boolean {
  if (is === undefined) return true;
  return readWith !== undefined && Object.entries(readWith).every(([knob, value]) => profile[knob as keyof Profile] === value);
}

/**
 * Returns how to handle an attribute, or `undefined` if it is unknown. Attributes with a prefix are harmless unless their names suggest a
 * limit.
 */
export function attributeKind({ kinds, limits, hasDays }: ElementRules, name: string): AttributeKind | undefined {
  const kind = kinds.get(name);
  if (kind) return kind;
  // The reader refuses misspelled weekdays.
  if (hasDays && (parseWeekday(name) !== undefined || isMisspelledDay(name))) return "read";
  if (name.startsWith("xsi:")) return "read";
  if (limits && canLimit(name.replace(PREFIX_PATTERN, ""), kinds)) return "narrowing";
  return name.includes(":") ? "harmless" : undefined;
}

const PREFIX_PATTERN = /^.*:/;

/**
 * Whether an unknown part limits its line. A part that names a property does, except in the element that identifies the property for all
 * lines.
 */
export function canLimit(name: string, kinds: ElementRules["kinds"]): boolean {
  return isNarrowing(name) || (isHotelName(name) && !kinds.has("HotelCode"));
}
