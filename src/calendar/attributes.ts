/** Which kind of page: counts of a category, or the amounts and restrictions of a category under a rate plan. */
export type Kind = "inventory" | "rate";

/** The page kind of each group. A message sets the attributes of a group together, and each night keeps the message that last set each group. */
const GROUPS = {
  counts: "inventory",
  closed: "inventory",
  allotment: "rate",
  restrictions: "rate",
  amounts: "rate",
} as const satisfies Record<string, Kind>;

export type Group = keyof typeof GROUPS;

export type AttributeType = "count" | "flag" | "nights" | "days" | "text";

type Definition = {
  /** Number of the attribute in stored pages. Never change or reuse one. */
  stored: number;
  group: Group;
  type: AttributeType;
  /** Name in the history of a night. */
  label: string;
  /** Summary of a message that sets a flag: its text for 0 and for 1. Absent: the label. */
  states?: readonly [zero: string, one: string];
  /** Which value limits more if two limits apply to one night. */
  stricter?: "lower" | "higher";
  /** How the grid shows it: a code, an example and its meaning for the legend. A number below `from` limits nothing and has no badge. */
  badge?: { code: string; example: string; meaning: string; from?: number };
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
    badge: { code: "OFF", example: "OFF 1", meaning: "rooms off the market", from: 1 },
  },
  threshold: {
    stored: 5,
    group: "counts",
    type: "count",
    label: "on request from",
    badge: { code: "REQ", example: "REQ 3", meaning: "only on request above this number", from: 1 },
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
  minAdvance: { stored: 16, group: "restrictions", type: "days", label: "book at least", stricter: "higher" },
  maxAdvance: { stored: 17, group: "restrictions", type: "days", label: "book at most", stricter: "lower" },
  pattern: { stored: 18, group: "restrictions", type: "text", label: "allowed stays by arrival" },
  currency: { stored: 19, group: "amounts", type: "text", label: "currency" },
  mealPlan: { stored: 20, group: "amounts", type: "text", label: "meal plan" },
  extras: { stored: 21, group: "amounts", type: "text", label: "additional guests" },
  perPerson: { stored: 22, group: "amounts", type: "flag", label: "amounts per person" },
} as const satisfies Record<string, Definition>;

export type NamedAttribute = keyof typeof TABLE;
/** An attribute of a night: one of the table, an amount, or the message that last set a group. */
/** Whether an amount was sent before or after tax. */
export type Tax = "before" | "after";

export type Attribute = NamedAttribute | `amount:${Tax}:${number}:${number}:${number}` | `setter:${Group}`;

export type AttributeOf<K extends Kind> = {
  [A in NamedAttribute]: (typeof GROUPS)[(typeof TABLE)[A]["group"]] extends K ? A : never;
}[NamedAttribute];
export type AttributeIn<G extends Group> = {
  [A in NamedAttribute]: (typeof TABLE)[A]["group"] extends G ? A : never;
}[NamedAttribute];
export type ValueOf<A extends NamedAttribute> = (typeof TABLE)[A]["type"] extends "flag"
  ? boolean
  : (typeof TABLE)[A]["type"] extends "text"
    ? string
    : number;

/** In stored numbers a flag is 1 for yes and 0 for no. A number is a non-negative safe integer; amounts are minor units of the currency. */
export type AttributeValue = number | string;
/** The attributes to set; `undefined` clears one. */
export type Values = ReadonlyMap<Attribute, AttributeValue | undefined>;
export const NO_VALUES: Values = new Map();

const definitions: Readonly<Record<NamedAttribute, Definition>> = TABLE;
const named: ReadonlyMap<string, Definition> = new Map(Object.entries(definitions));

export const NAMED_ATTRIBUTES = Object.keys(TABLE) as readonly NamedAttribute[];
export const ALL_GROUPS: readonly Group[] = ["counts", "closed", "allotment", "restrictions", "amounts"];

/** The attributes that limit the sale of a night. */
export const RESTRICTIONS = attributesIn("restrictions");

/** The attributes of a group, without amounts. */
export function attributesIn<G extends Group>(group: G): readonly AttributeIn<G>[] {
  return NAMED_ATTRIBUTES.filter((name) => definitions[name].group === group) as AttributeIn<G>[];
}

/** The attributes of a kind of page, without amounts, in the order of the table. */
export function attributesOf<K extends Kind>(kind: K): readonly AttributeOf<K>[] {
  return NAMED_ATTRIBUTES.filter((name) => GROUPS[definitions[name].group] === kind) as AttributeOf<K>[];
}

/** What the table says about an attribute; `undefined` for amounts and setters. */
export function definitionOf(attribute: Attribute): Definition | undefined {
  return named.get(attribute);
}

/** The kind of page that holds the attributes of a group. */
export function pageKindOf(group: Group): Kind {
  return GROUPS[group];
}

/** The group of an attribute; `undefined` for setters. */
export function groupOf(attribute: Attribute): Group | undefined {
  return named.get(attribute)?.group ?? (attribute.startsWith("amount:") ? "amounts" : undefined);
}

export function isText(attribute: Attribute): boolean {
  return named.get(attribute)?.type === "text";
}

export function isFlag(attribute: Attribute): boolean {
  return named.get(attribute)?.type === "flag";
}

/** The attribute with the id of the message that last set a group. */
export function setterOf(group: Group): `setter:${Group}` {
  return `setter:${group}`;
}

/** The stricter of two limits for the same night. */
export function stricterOf(attribute: Attribute, a: number, b: number): number {
  return named.get(attribute)?.stricter === "lower" ? Math.min(a, b) : Math.max(a, b);
}
