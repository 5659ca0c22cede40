/** Which kind of page: counts of a category, or the amounts and restrictions of a category under a rate plan. */
export type Kind = "inventory" | "rate";

/**
 * A message sets the attributes of a group together, and each night keeps the id of the message that last set each group. `setter` is
 * the number of that id in stored pages. Never change or reuse one.
 */
const GROUPS = {
  counts: { kind: "inventory", label: "counts", setter: 23 },
  closed: { kind: "inventory", label: "hotel closed", setter: 24 },
  allotment: { kind: "rate", label: "allotment", setter: 25 },
  restrictions: { kind: "rate", label: "restrictions", setter: 26 },
  amounts: { kind: "rate", label: "amounts", setter: 27 },
} as const satisfies Record<string, { kind: Kind; label: string; setter: number }>;

export type Group = keyof typeof GROUPS;

/** `mealPlan` is a code of OpenTravel list MPT; `extras` is a JSON list of `Extra`. */
export type AttributeType = "count" | "flag" | "nights" | "days" | "text" | "mealPlan" | "extras";
type TextType = "text" | "mealPlan" | "extras";

type Definition = {
  /** Number of the attribute in stored pages. Never change or reuse one. */
  stored: number;
  group: Group;
  type: AttributeType;
  label: string;
  /** How the summary of a message names a flag that is 0 or 1. Absent: the label. */
  states?: readonly [zero: string, one: string];
  /** Which value wins if two limits apply to the same night. */
  stricter?: "lower" | "higher";
  badge?: Badge;
};

/** A short code in a cell of the grid. The legend shows the example and its meaning. */
export type Badge = {
  code: string;
  example: string;
  meaning: string;
  /** Smaller numbers limit nothing and have no badge. */
  from?: number;
  /** The attribute with the upper end of the range, which shares this badge. */
  upper?: string;
};

/**
 * Every attribute of a night. Types, stored numbers, labels, badges, the legend, JSON fields, CSV columns and the merging of limits
 * derive from this table; the key is the name in JSON and CSV. Amounts have attributes of their own, see `amountAttribute`.
 */
const TABLE = {
  available: { stored: 1, group: "counts", type: "count", label: "available" },
  physical: { stored: 2, group: "counts", type: "count", label: "physical rooms" },
  outOfOrder: {
    stored: 3,
    group: "counts",
    type: "count",
    label: "out of order",
    badge: { code: "OOO", example: "OOO 2", meaning: "rooms out of order", from: 1 },
  },
  offMarket: {
    stored: 4,
    group: "counts",
    type: "count",
    label: "off market",
    badge: { code: "OFF", example: "OFF 1", meaning: "rooms off market", from: 1 },
  },
  threshold: {
    stored: 5,
    group: "counts",
    type: "count",
    label: "on-request threshold",
    badge: { code: "REQ", example: "REQ 3", meaning: "on request if this many or fewer are left", from: 1 },
  },
  derived: {
    stored: 6,
    group: "counts",
    type: "flag",
    label: "computed from other counts",
    badge: { code: "CALC", example: "CALC", meaning: "computed from other counts" },
  },
  closed: {
    stored: 7,
    group: "closed",
    type: "flag",
    label: "hotel closed",
    badge: { code: "CLOSED", example: "CLOSED", meaning: "hotel closed" },
  },
  allotment: { stored: 8, group: "allotment", type: "count", label: "allotment" },
  stopSell: {
    stored: 9,
    group: "restrictions",
    type: "flag",
    label: "stop sell",
    states: ["open", "stop sell"],
    stricter: "higher",
    badge: { code: "SS", example: "SS", meaning: "stop sell" },
  },
  closedToArrival: {
    stored: 10,
    group: "restrictions",
    type: "flag",
    label: "closed to arrival",
    states: ["open to arrival", "closed to arrival"],
    stricter: "higher",
    badge: { code: "CTA", example: "CTA", meaning: "closed to arrival" },
  },
  closedToDeparture: {
    stored: 11,
    group: "restrictions",
    type: "flag",
    label: "closed to departure",
    states: ["open to departure", "closed to departure"],
    stricter: "higher",
    badge: { code: "CTD", example: "CTD", meaning: "closed to departure" },
  },
  minStayArrival: {
    stored: 12,
    group: "restrictions",
    type: "nights",
    label: "minimum stay (arrival)",
    stricter: "higher",
    badge: { code: "MIN", example: "MIN 2", meaning: "minimum stay 2 nights (arrival)", from: 2 },
  },
  maxStayArrival: {
    stored: 13,
    group: "restrictions",
    type: "nights",
    label: "maximum stay (arrival)",
    stricter: "lower",
    badge: { code: "MAX", example: "MAX 7", meaning: "maximum stay 7 nights (arrival)", from: 1 },
  },
  minStayThrough: {
    stored: 14,
    group: "restrictions",
    type: "nights",
    label: "minimum stay (through)",
    stricter: "higher",
    badge: { code: "MIN-T", example: "MIN-T 2", meaning: "minimum stay 2 nights (through)", from: 2 },
  },
  maxStayThrough: {
    stored: 15,
    group: "restrictions",
    type: "nights",
    label: "maximum stay (through)",
    stricter: "lower",
    badge: { code: "MAX-T", example: "MAX-T 7", meaning: "maximum stay 7 nights (through)", from: 1 },
  },
  minAdvance: {
    stored: 16,
    group: "restrictions",
    type: "days",
    label: "minimum advance booking",
    stricter: "higher",
    badge: { code: "ADV", example: "ADV 3-30", meaning: "bookable 3 to 30 days before arrival", upper: "maxAdvance" },
  },
  maxAdvance: { stored: 17, group: "restrictions", type: "days", label: "maximum advance booking", stricter: "lower" },
  pattern: {
    stored: 18,
    group: "restrictions",
    type: "text",
    label: "allowed stays by arrival",
    badge: { code: "PAT", example: "PAT NYYN", meaning: "allowed stays by arrival: 1 night no, 2 yes, 3 yes, 4 no" },
  },
  currency: { stored: 19, group: "amounts", type: "text", label: "currency" },
  perPerson: { stored: 22, group: "amounts", type: "flag", label: "amounts per person" },
  mealPlan: { stored: 20, group: "amounts", type: "mealPlan", label: "meal plan" },
  extras: { stored: 21, group: "amounts", type: "extras", label: "additional guests" },
} as const satisfies Record<string, Definition>;

export type NamedAttribute = keyof typeof TABLE;
/** One of the table, an amount, or the message that last set a group. */
export type Attribute = NamedAttribute | `amount:${"before" | "after"}:${number}:${number}:${number}` | `setter:${Group}`;

export type AttributeIn<G extends Group> = {
  [A in NamedAttribute]: (typeof TABLE)[A]["group"] extends G ? A : never;
}[NamedAttribute];
export type AttributeOf<K extends Kind> = AttributeIn<{ [G in Group]: (typeof GROUPS)[G]["kind"] extends K ? G : never }[Group]>;
export type ValueOf<A extends NamedAttribute> = (typeof TABLE)[A]["type"] extends "flag"
  ? boolean
  : (typeof TABLE)[A]["type"] extends TextType
    ? string
    : number;

/** A stored value. A flag is 0 or 1, a number is a non-negative safe integer, an amount is in minor units of the currency. */
export type AttributeValue = number | string;
/** The attributes to set; `undefined` clears one. */
export type Values = ReadonlyMap<Attribute, AttributeValue | undefined>;
export const NO_VALUES: Values = new Map();

const definitions: Readonly<Record<NamedAttribute, Definition>> = TABLE;
const named: ReadonlyMap<string, Definition> = new Map(Object.entries(definitions));
const TEXT_TYPES: ReadonlySet<string> = new Set<TextType>(["text", "mealPlan", "extras"]);
const texts = new Set([...named].filter(([, { type }]) => TEXT_TYPES.has(type)).map(([name]) => name));

export const NAMED_ATTRIBUTES = Object.keys(TABLE) as readonly NamedAttribute[];
export const ALL_GROUPS = Object.keys(GROUPS) as readonly Group[];
export const RESTRICTIONS = attributesIn("restrictions");

/** The attributes of a group, without amounts. */
export function attributesIn<G extends Group>(group: G): readonly AttributeIn<G>[] {
  return NAMED_ATTRIBUTES.filter((name) => definitions[name].group === group) as AttributeIn<G>[];
}

/** The attributes of a kind of page, without amounts. */
export function attributesOf<K extends Kind>(kind: K): readonly AttributeOf<K>[] {
  return NAMED_ATTRIBUTES.filter((name) => GROUPS[definitions[name].group].kind === kind) as AttributeOf<K>[];
}

/** Returns `undefined` for amounts and setters. */
export function definitionOf(attribute: Attribute): Definition | undefined {
  return named.get(attribute);
}

export function pageKindOf(group: Group): Kind {
  return GROUPS[group].kind;
}

export function groupLabel(group: Group): string {
  return GROUPS[group].label;
}

/** Returns `undefined` for setters. */
export function groupOf(attribute: Attribute): Group | undefined {
  return named.get(attribute)?.group ?? (isAmount(attribute) ? "amounts" : undefined);
}

export function isText(attribute: Attribute): boolean {
  return texts.has(attribute);
}

export function isFlag(attribute: Attribute): boolean {
  return named.get(attribute)?.type === "flag";
}

export function isAmount(attribute: Attribute): boolean {
  return attribute.startsWith("amount:");
}

/** Whether values are in the currency of the night. */
export function isMoney(attribute: Attribute): boolean {
  return attribute === "extras" || isAmount(attribute);
}

/** The attribute with the id of the message that last set a group. */
export function setterOf(group: Group): `setter:${Group}` {
  return `setter:${group}`;
}

export function storedSetter(group: Group): number {
  return GROUPS[group].setter;
}

/** The stricter of two limits for the same night. */
export function stricterOf(attribute: Attribute, a: number, b: number): number {
  return named.get(attribute)?.stricter === "lower" ? Math.min(a, b) : Math.max(a, b);
}
