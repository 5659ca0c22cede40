/** Inventory pages have counts; rate pages have amounts, restrictions and allotments. */
export type PageKind = "inventory" | "rate";

/** `mealPlan` is a code from OpenTravel list MPT; `extras` is a JSON list of `ExtraAmount`. */
export type AttributeType = "count" | "flag" | "nights" | "days" | "text" | "mealPlan" | "extras";
type TextType = "text" | "mealPlan" | "extras";

type AttributeDefinition = {
  /** Column number in stored pages, at most 255. Never change or reuse a number. `codec.ts` uses 28 to 49 for amounts. */
  stored: number;
  type: AttributeType;
  label: string;
  /** Labels for 0 and 1 in message summaries. Default: the attribute's label. */
  states?: readonly [zero: string, one: string];
  /** Which value applies if two limits are set for the same night. */
  stricter?: "lower" | "higher";
  /** Example of the attribute's badge in the grid: a symbol, a code with a value, or a value with a unit. */
  badge?: string;
  meaning?: string;
  /** Lowest value that restricts anything. Smaller values have no badge. */
  from?: number;
  /** The attribute with the upper limit, shown in the same badge. */
  upper?: string;
};

/** For each group, a night stores the ID of the message that last set it. `setter` is the number of the column with these IDs. */
type GroupDefinition = { kind: PageKind; label: string; setter: number; attributes: Readonly<Record<string, AttributeDefinition>> };

/**
 * All attributes of a night except amounts (`amountAttribute`). Types, storage, labels, badges, the legend, JSON and CSV are derived from
 * this table. Keys are the names in JSON and CSV.
 */
const ATTRIBUTE_TABLE = {
  counts: {
    kind: "inventory",
    label: "counts",
    setter: 23,
    attributes: {
      available: { stored: 1, type: "count", label: "available" },
      physical: { stored: 2, type: "count", label: "physical rooms" },
      outOfOrder: { stored: 3, type: "count", label: "out of order", badge: "OOO 2", meaning: "rooms out of order", from: 1 },
      offMarket: { stored: 4, type: "count", label: "off market", badge: "OFF 1", meaning: "rooms off market", from: 1 },
      threshold: {
        stored: 5,
        type: "count",
        label: "on-request threshold",
        badge: "REQ 3",
        meaning: "on request if 3 or fewer rooms are left",
        from: 1,
      },
      derived: { stored: 6, type: "flag", label: "computed from other counts", badge: "CALC" },
    },
  },
  closed: {
    kind: "inventory",
    label: "hotel closed",
    setter: 24,
    attributes: { closed: { stored: 7, type: "flag", label: "hotel closed" } },
  },
  allotment: {
    kind: "rate",
    label: "allotment",
    setter: 25,
    attributes: {
      allotment: { stored: 8, type: "count", label: "allotment", badge: "ALT 5", meaning: "rooms that may be sold under this rate plan" },
    },
  },
  restrictions: {
    kind: "rate",
    label: "restrictions",
    setter: 26,
    attributes: {
      stopSell: { stored: 9, type: "flag", label: "stop sell", stricter: "higher", states: ["open", "stop sell"] },
      closedToArrival: {
        stored: 10,
        type: "flag",
        label: "closed to arrival",
        stricter: "higher",
        badge: "⊣",
        states: ["open to arrival", "closed to arrival"],
      },
      closedToDeparture: {
        stored: 11,
        type: "flag",
        label: "closed to departure",
        stricter: "higher",
        badge: "⊢",
        states: ["open to departure", "closed to departure"],
      },
      minStayArrival: { stored: 12, type: "nights", label: "minimum stay (arrival)", stricter: "higher", badge: "2n", from: 2 },
      maxStayArrival: { stored: 13, type: "nights", label: "maximum stay (arrival)", stricter: "lower", badge: "MAX 7", from: 1 },
      minStayThrough: { stored: 14, type: "nights", label: "minimum stay (through)", stricter: "higher", badge: "MIN-T 2", from: 2 },
      maxStayThrough: { stored: 15, type: "nights", label: "maximum stay (through)", stricter: "lower", badge: "MAX-T 7", from: 1 },
      minAdvance: {
        stored: 16,
        type: "days",
        label: "book at least",
        stricter: "higher",
        badge: "ADV 3-30",
        meaning: "bookable 3 to 30 days before arrival",
        upper: "maxAdvance",
      },
      maxAdvance: { stored: 17, type: "days", label: "book at most", stricter: "lower" },
      pattern: {
        stored: 18,
        type: "text",
        label: "allowed stays by arrival",
        badge: "PAT NYYN",
        meaning: "allowed stays by arrival: 1 night no, 2 yes, 3 yes, 4 no",
      },
    },
  },
  amounts: {
    kind: "rate",
    label: "amounts",
    setter: 27,
    attributes: {
      currency: { stored: 19, type: "text", label: "currency" },
      perPerson: { stored: 22, type: "flag", label: "amounts per person" },
      mealPlan: { stored: 20, type: "mealPlan", label: "meal plan" },
      extras: { stored: 21, type: "extras", label: "additional guests" },
    },
  },
} as const satisfies Record<string, GroupDefinition>;

type AttributeTable = typeof ATTRIBUTE_TABLE;
export type Group = keyof AttributeTable;
export type AttributeIn<G extends Group> = { [H in G]: keyof AttributeTable[H]["attributes"] }[G];
export type AttributeOf<K extends PageKind> = AttributeIn<{ [G in Group]: AttributeTable[G]["kind"] extends K ? G : never }[Group]>;
export type NamedAttribute = AttributeIn<Group>;
export type Tax = "before" | "after";
/** A named attribute, an amount, or the attribute with the ID of the message that last set a group. */
export type Attribute = NamedAttribute | `amount:${Tax}:${number}:${number}:${number}${"" | `:${string}`}` | `setter:${Group}`;

type TypeOf<A extends NamedAttribute> = {
  [G in Group]: AttributeTable[G]["attributes"] extends Record<A, { type: infer T }> ? T : never;
}[Group];
export type ValueOf<A extends NamedAttribute> = TypeOf<A> extends "flag" ? boolean : TypeOf<A> extends TextType ? string : number;

/** A stored value. Flags are 0 or 1, numbers are non-negative safe integers, amounts are in minor units of the currency. */
export type AttributeValue = number | string;
/** Attribute values to set. `undefined` clears an attribute. */
export type AttributeMap = ReadonlyMap<Attribute, AttributeValue | undefined>;
export const NO_VALUES: AttributeMap = new Map();

const groupDefinitions: Readonly<Record<Group, GroupDefinition>> = ATTRIBUTE_TABLE;
export const ALL_GROUPS = Object.keys(groupDefinitions) as readonly Group[];
const attributeDefinitions: ReadonlyMap<string, AttributeDefinition & { group: Group }> = new Map(
  ALL_GROUPS.flatMap((group) =>
    Object.entries(groupDefinitions[group].attributes).map(([name, definition]) => [name, { ...definition, group }]),
  ),
);
const TEXT_TYPES: ReadonlySet<string> = new Set<TextType>(["text", "mealPlan", "extras"]);
const textAttributes = new Set([...attributeDefinitions].filter(([, { type }]) => TEXT_TYPES.has(type)).map(([name]) => name));

export const NAMED_ATTRIBUTES = [...attributeDefinitions.keys()] as readonly NamedAttribute[];
export const RESTRICTION_ATTRIBUTES = attributesIn("restrictions");

export function attributesIn<G extends Group>(group: G): readonly AttributeIn<G>[] {
  return Object.keys(groupDefinitions[group].attributes) as AttributeIn<G>[];
}

export function pageAttributes<K extends PageKind>(kind: K): readonly AttributeOf<K>[] {
  return NAMED_ATTRIBUTES.filter((name) => pageKind(findGroup(name)!) === kind) as AttributeOf<K>[];
}

export function findDefinition(attribute: NamedAttribute): AttributeDefinition;
export function findDefinition(attribute: Attribute): AttributeDefinition | undefined;
export function findDefinition(attribute: Attribute): AttributeDefinition | undefined {
  return attributeDefinitions.get(attribute);
}

export function pageKind(group: Group): PageKind {
  return groupDefinitions[group].kind;
}

export function groupLabel(group: Group): string {
  return groupDefinitions[group].label;
}

export function findGroup(attribute: Attribute): Group | undefined {
  return attributeDefinitions.get(attribute)?.group ?? (isAmount(attribute) ? "amounts" : undefined);
}

export function isText(attribute: Attribute): boolean {
  return textAttributes.has(attribute);
}

export function isFlag(attribute: Attribute): boolean {
  return attributeDefinitions.get(attribute)?.type === "flag";
}

export function isAmount(attribute: Attribute): boolean {
  return attribute.startsWith("amount:");
}

/** Whether the attribute's value is an amount in the night's currency. */
export function isMoney(attribute: Attribute): boolean {
  return attribute === "extras" || isAmount(attribute);
}

export function setterName(group: Group): `setter:${Group}` {
  return `setter:${group}`;
}

export function setterNumber(group: Group): number {
  return groupDefinitions[group].setter;
}

export function stricterValue(attribute: Attribute, a: number, b: number): number {
  return attributeDefinitions.get(attribute)?.stricter === "lower" ? Math.min(a, b) : Math.max(a, b);
}
