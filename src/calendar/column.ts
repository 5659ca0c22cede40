import type { Column, Group, Kind } from "./operation.ts";

/** The columns that limit the sale of a night. */
export const RESTRICTIONS = [
  "stopSell",
  "closedToArrival",
  "closedToDeparture",
  "minStayArrival",
  "maxStayArrival",
  "minStayThrough",
  "maxStayThrough",
  "minAdvance",
  "maxAdvance",
  "pattern",
] as const;

const GROUPS: Readonly<Record<Group, readonly Column[]>> = {
  counts: ["available", "physical", "outOfOrder", "offMarket", "threshold", "derived"],
  closed: ["closed"],
  allotment: ["allotment"],
  restrictions: RESTRICTIONS,
  amounts: ["currency", "mealPlan", "extras", "perPerson"],
};

const KINDS: Readonly<Record<Group, Kind>> = {
  counts: "inventory",
  closed: "inventory",
  allotment: "rate",
  restrictions: "rate",
  amounts: "rate",
};

/** The kind of page that has the columns of a group. */
export function pageKindOf(group: Group): Kind {
  return KINDS[group];
}

/** Each group of columns that a message sets together. */
export const ALL_GROUPS = Object.keys(GROUPS) as readonly Group[];

const groups = new Map(ALL_GROUPS.flatMap((group) => GROUPS[group].map((column) => [column, group] as const)));
const texts: ReadonlySet<Column> = new Set(["currency", "mealPlan", "extras", "pattern"]);

/** The group of a column of values; `undefined` for setter columns and unknown names. */
export function groupOf(column: Column): Group | undefined {
  return groups.get(column) ?? (column.startsWith("amount:") ? "amounts" : undefined);
}

const setters = Object.fromEntries(ALL_GROUPS.map((group) => [group, `setter:${group}`])) as Readonly<Record<Group, Column>>;

/** The column with the message that last set the group of each night. */
export function setterColumn(group: Group): Column {
  return setters[group];
}

/** Whether a column holds text; every other one holds numbers. */
export function isText(column: Column): boolean {
  return texts.has(column);
}
