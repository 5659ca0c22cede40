import type { AttributeValue } from "../../calendar/attributes.ts";
import { type LaneKey, laneName } from "../../calendar/lane.ts";
import { type Night, weekdayIndex } from "../../calendar/night.ts";
import type { Database } from "../../db/database.ts";
import { readNights } from "../../journal/nights.ts";
import type { MessageCodes } from "./requests.ts";

export type Observation = {
  codes: MessageCodes;
  first: Night;
  last: Night;
  before: Snapshot;
  after: Snapshot;
  statuses: readonly string[];
};

type FactRule = { pattern: RegExp; check(observed: Observation, found: RegExpExecArray): string | undefined };

const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

const FACT_RULES: readonly FactRule[] = [
  {
    pattern: /\bcount (\d+)\b/,
    check: (observed, [, count]) => checkEveryNight(observed, inventoryLane(observed), { available: Number(count) }),
  },
  { pattern: /(?:master |\/\w+ )open\b/, check: (observed) => checkEveryNight(observed, planLane(observed), { stopSell: 0 }) },
  { pattern: /master closed/, check: (observed) => checkEveryNight(observed, planLane(observed), { stopSell: 1 }) },
  { pattern: /CTA\/CTD untouched/, check: (observed) => checkColumnsUnchanged(observed, ["closedToArrival", "closedToDeparture"]) },
  { pattern: /closed to arrival only/, check: (observed) => checkOnlyClosed(observed, "closedToArrival") },
  { pattern: /closed to departure only/, check: (observed) => checkOnlyClosed(observed, "closedToDeparture") },
  {
    pattern: /min (?:stay )?arrival (\d+)/,
    check: (observed, [, nights]) => checkEveryNight(observed, planLane(observed), { minStayArrival: Number(nights) }),
  },
  {
    pattern: /max through (\d+)/,
    check: (observed, [, nights]) => checkEveryNight(observed, planLane(observed), { maxStayThrough: Number(nights) }),
  },
  {
    pattern: /advance (\d+)\.\.(\d+) days/,
    check: (observed, [, min, max]) => checkEveryNight(observed, planLane(observed), { minAdvance: Number(min), maxAdvance: Number(max) }),
  },
  { pattern: /pattern ([YN]+)/, check: (observed, [, pattern]) => checkEveryNight(observed, planLane(observed), { pattern: pattern! }) },
  { pattern: /(\w+)=(\d+) on (\w{3})-(\w{3}) .*\((\d+) nights\)/, check: (observed, found) => checkWeekdays(observed, found) },
  {
    pattern: /per-room rate (\d+\.\d\d)/,
    check: (observed, [, amount]) => checkEveryNight(observed, planLane(observed), { "amount:after:0:10:1": toMinorUnits(amount) }),
  },
  {
    pattern: /(\d+) guests (\d+\.\d\d) ([A-Z]{3})/,
    check: (observed, [, guests, amount, currency]) =>
      checkEveryNight(observed, planLane(observed), { [`amount:after:${guests}:10:1`]: toMinorUnits(amount), currency: currency! }),
  },
  {
    pattern: /means (\d+\.\d\d)/,
    check: (observed, [, amount]) => checkEveryNight(observed, planLane(observed), { "amount:after:2:10:1": toMinorUnits(amount) }),
  },
  {
    pattern: /extra adult (\d+), extra child (\d+)/,
    check: (observed, [, adult, child]) => checkExtras(observed, [10, `${adult}.00`], [8, `${child}.00`]),
  },
  { pattern: /(?:on|for) (\d+) nights/, check: ({ first, last }, [, nights]) => compareValue("nights", last - first + 1, Number(nights)) },
  { pattern: /replaces every stored amount/, check: (observed) => checkAmountsReplaced(observed) },
  {
    pattern: /only the (\d)-guest amount changes, (\d)-guest amount kept/,
    check: (observed, [, changedColumn, unchanged]) => checkOnlyAmountChanged(observed, changedColumn!, unchanged!),
  },
  { pattern: /stored rates of .* removed/, check: (observed) => checkNothingStored(observed, "rate", "amount:") },
  {
    pattern: /those not sent become inactive/,
    check: ({ statuses }) => (statuses.includes("inactive") ? undefined : "every category is still active"),
  },
  { pattern: /last element wins/, check: (observed) => checkLastCountStored(observed) },
  { pattern: /clears all availability/, check: (observed) => checkNothingStored(observed, "inventory", "available") },
  {
    pattern: /removes all categories/,
    check: ({ statuses }) => statuses.find((status) => status === "active") && "a category is still active",
  },
];

export type FactResult = { facts: number; mismatches: string[] };

export function checkFacts(expected: string, observed: Observation): FactResult {
  const matchingFacts = FACT_RULES.flatMap(({ pattern, check }) => {
    const match = pattern.exec(expected);
    return match ? [check(observed, match)] : [];
  });
  return { facts: matchingFacts.length, mismatches: matchingFacts.filter((mismatch) => mismatch !== undefined) };
}

function inventoryLane({ codes }: Observation): LaneKey {
  return { kind: "inventory", category: codes.categories[0] ?? "", lane: "" };
}

function planLane({ codes }: Observation): LaneKey {
  return { kind: "rate", category: codes.categories[0] ?? "", lane: codes.plans[0] ?? "" };
}

function listNights({ first, last }: Pick<Observation, "first" | "last">): Night[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

function checkEveryNight(observed: Observation, laneKey: LaneKey, expected: NightValues): string | undefined {
  for (const night of listNights(observed)) {
    const storedValues = observed.after.at(laneKey, night);
    for (const [column, value] of Object.entries(expected)) {
      if (storedValues[column] !== value) return compareValue(column, storedValues[column], value);
    }
  }
  return undefined;
}

function checkColumnsUnchanged(observed: Observation, columns: readonly string[]): string | undefined {
  for (const night of listNights(observed)) {
    const [before, after] = [observed.before.at(planLane(observed), night), observed.after.at(planLane(observed), night)];
    const changedColumn = columns.find((column) => before[column] !== after[column]);
    if (changedColumn !== undefined) return `${changedColumn} changed`;
  }
  return undefined;
}

function checkOnlyClosed(observed: Observation, column: string): string | undefined {
  const otherColumns = ["stopSell", "closedToArrival", "closedToDeparture"].filter((other) => other !== column);
  return checkEveryNight(observed, planLane(observed), { [column]: 1 }) ?? checkColumnsUnchanged(observed, otherColumns);
}

/**
 * Checks the count on certain weekdays. Also checks that the other nights are unchanged, including the nights just before and after the
 * range.
 */
function checkWeekdays(observed: Observation, [, , count, from, to, nights]: RegExpExecArray): string | undefined {
  const [start, end] = [WEEKDAYS.indexOf(from!), WEEKDAYS.indexOf(to!)];
  const { first, last, before, after } = observed;
  let set = 0;
  for (const night of listNights({ first: first - 1, last: last + 1 })) {
    const storedCount = after.at(inventoryLane(observed), night)["available"];
    const weekday = weekdayIndex(night);
    const isSelected = night >= first && night <= last && weekday >= start && weekday <= end;
    if (isSelected) set++;
    const expectedCount = isSelected ? Number(count) : before.at(inventoryLane(observed), night)["available"];
    if (storedCount !== expectedCount) return compareValue("available", storedCount, expectedCount);
  }
  return compareValue("nights", set, Number(nights));
}

function checkExtras(observed: Observation, ...expected: readonly (readonly [number, string])[]): string | undefined {
  const storedExtras = JSON.parse(String(observed.after.at(planLane(observed), observed.first)["extras"] ?? "[]")) as {
    age: number;
    amount: number;
  }[];
  const missingExtra = expected.find(
    ([age, amount]) => !storedExtras.some((extra) => extra.age === age && extra.amount === toMinorUnits(amount)),
  );
  return missingExtra && `no extra amount ${missingExtra[1]} for age code ${missingExtra[0]} in ${JSON.stringify(storedExtras)}`;
}

function checkAmountsReplaced(observed: Observation): string | undefined {
  const sentAmounts = [...observed.codes.text.matchAll(/<BaseByGuestAmt\b[^>]*AmountAfterTax="(\d+\.\d\d)"/g)].map((match) =>
    toMinorUnits(match[1]),
  );
  for (const night of listNights(observed)) {
    const storedAmounts = Object.entries(observed.after.at(planLane(observed), night)).filter(([column]) =>
      column.startsWith("amount:after:"),
    );
    if (storedAmounts.map(([, value]) => value).join() !== sentAmounts.join())
      return `amounts are ${JSON.stringify(Object.fromEntries(storedAmounts))}`;
  }
  return undefined;
}

function checkOnlyAmountChanged(observed: Observation, changedColumn: string, unchanged: string): string | undefined {
  for (const night of listNights(observed)) {
    const [before, after] = [observed.before.at(planLane(observed), night), observed.after.at(planLane(observed), night)];
    const columns = Object.keys({ ...before, ...after }).filter((column) => before[column] !== after[column]);
    if (columns.join() !== `amount:after:${changedColumn}:10:1`) return `changed: ${columns.join(", ")}`;
    if (before[`amount:after:${unchanged}:10:1`] === undefined) return `no amount was stored for guest count ${unchanged} before`;
  }
  return undefined;
}

function checkNothingStored(observed: Observation, kind: LaneKey["kind"], prefix: string): string | undefined {
  for (const laneKey of observed.after.lanes.filter((lane) => lane.kind === kind)) {
    for (const night of listNights(observed)) {
      const column = Object.keys(observed.after.at(laneKey, night)).find((name) => name.startsWith(prefix));
      if (column !== undefined) return `${column} of ${laneKey.category} is still stored`;
    }
  }
  return undefined;
}

function checkLastCountStored(observed: Observation): string | undefined {
  const count = [...observed.codes.text.matchAll(/\sCount="(\d+)"/g)].at(-1)?.[1];
  const { available } = observed.after.at(inventoryLane(observed), observed.last);
  return compareValue("available", available, Number(count));
}

function compareValue(name: string, found: AttributeValue | undefined, expected: AttributeValue | undefined): string | undefined {
  return found === expected ? undefined : `${name} is ${found ?? "nothing"}, not ${expected ?? "nothing"}`;
}

function toMinorUnits(amount: string | undefined): number {
  return Math.round(Number(amount) * 100);
}

export type NightValues = Readonly<Record<string, AttributeValue>>;

export type Snapshot = {
  at(laneKey: LaneKey, night: Night): NightValues;
  lanes: readonly LaneKey[];
};

export async function takeSnapshot(
  database: Database,
  property: string,
  { first, last }: { first: Night; last: Night },
): Promise<Snapshot> {
  const lanes = new Map<string, ReadonlyMap<string, readonly (AttributeValue | undefined)[]>>();
  const lanesToCheck: LaneKey[] = [];
  for (const kind of ["inventory", "rate"] as const) {
    for (const { category, lane, columns } of await readNights(database, { property, kind, first, last })) {
      lanesToCheck.push({ kind, category, lane });
      lanes.set(laneName({ kind, category, lane }), columns);
    }
  }
  const at = (laneKey: LaneKey, night: Night): NightValues => {
    const columns = [...(lanes.get(laneName(laneKey)) ?? [])].map(([column, values]) => [column, values[night - first]] as const);
    return Object.fromEntries(columns.filter((pair): pair is [string, AttributeValue] => pair[1] !== undefined));
  };
  return { at, lanes: lanesToCheck };
}
