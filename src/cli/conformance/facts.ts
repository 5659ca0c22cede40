import type { AttributeValue } from "../../calendar/attributes.ts";
import type { LaneKey } from "../../calendar/lane.ts";
import { type Night, weekdayOf } from "../../calendar/night.ts";
import type { MessageCodes } from "./message-codes.ts";
import type { NightValues, Snapshot } from "./nights.ts";

/** The stored nights before and after an accepted message. */
export type Seen = { codes: MessageCodes; first: Night; last: Night; before: Snapshot; after: Snapshot; statuses: readonly string[] };

/** One statement that an expectation can make about what is stored; `check` answers what is wrong, or `undefined`. */
type Fact = { pattern: RegExp; check(seen: Seen, found: RegExpExecArray): string | undefined };

const DAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

/** Every statement that is understood. Amounts are of currencies with two decimals. */
const FACTS: readonly Fact[] = [
  { pattern: /\bcount (\d+)\b/, check: (seen, [, count]) => everyNight(seen, inventoryOf(seen), { available: Number(count) }) },
  { pattern: /(?:master |\/\w+ )open\b/, check: (seen) => everyNight(seen, planOf(seen), { stopSell: 0 }) },
  { pattern: /master closed/, check: (seen) => everyNight(seen, planOf(seen), { stopSell: 1 }) },
  { pattern: /CTA\/CTD untouched/, check: (seen) => kept(seen, ["closedToArrival", "closedToDeparture"]) },
  { pattern: /closed to arrival only/, check: (seen) => onlyClosed(seen, "closedToArrival") },
  { pattern: /closed to departure only/, check: (seen) => onlyClosed(seen, "closedToDeparture") },
  {
    pattern: /min (?:stay )?arrival (\d+)/,
    check: (seen, [, nights]) => everyNight(seen, planOf(seen), { minStayArrival: Number(nights) }),
  },
  { pattern: /max through (\d+)/, check: (seen, [, nights]) => everyNight(seen, planOf(seen), { maxStayThrough: Number(nights) }) },
  {
    pattern: /advance (\d+)\.\.(\d+) days/,
    check: (seen, [, least, most]) => everyNight(seen, planOf(seen), { minAdvance: Number(least), maxAdvance: Number(most) }),
  },
  { pattern: /pattern ([YN]+)/, check: (seen, [, pattern]) => everyNight(seen, planOf(seen), { pattern: pattern! }) },
  { pattern: /(\w+)=(\d+) on (\w{3})-(\w{3}) .*\((\d+) nights\)/, check: (seen, found) => onWeekdays(seen, found) },
  {
    pattern: /per-room rate (\d+\.\d\d)/,
    check: (seen, [, amount]) => everyNight(seen, planOf(seen), { "amount:after:0:10:1": minor(amount) }),
  },
  {
    pattern: /(\d+) guests (\d+\.\d\d) ([A-Z]{3})/,
    check: (seen, [, guests, amount, currency]) =>
      everyNight(seen, planOf(seen), { [`amount:after:${guests}:10:1`]: minor(amount), currency: currency! }),
  },
  { pattern: /means (\d+\.\d\d)/, check: (seen, [, amount]) => everyNight(seen, planOf(seen), { "amount:after:2:10:1": minor(amount) }) },
  {
    pattern: /extra adult (\d+), extra child (\d+)/,
    check: (seen, [, adult, child]) => extras(seen, [10, `${adult}.00`], [8, `${child}.00`]),
  },
  { pattern: /(?:on|for) (\d+) nights/, check: ({ first, last }, [, nights]) => same("nights", last - first + 1, Number(nights)) },
  { pattern: /replaces every stored amount/, check: (seen) => replaced(seen) },
  {
    pattern: /only the (\d)-guest amount changes, (\d)-guest amount kept/,
    check: (seen, [, changed, left]) => changedAlone(seen, changed!, left!),
  },
  { pattern: /stored rates of .* removed/, check: (seen) => nothingLeft(seen, "rate", "amount:") },
  { pattern: /last element wins/, check: (seen) => lastCountWins(seen) },
  { pattern: /clears all availability/, check: (seen) => nothingLeft(seen, "inventory", "available") },
  {
    pattern: /removes all categories/,
    check: ({ statuses }) => statuses.find((status) => status === "active") && "a category is still active",
  },
];

export type Checked = { facts: number; misses: string[] };

/** Checks every statement of the expectation that is understood. */
export function checkFacts(expected: string, seen: Seen): Checked {
  const found = FACTS.flatMap(({ pattern, check }) => {
    const match = pattern.exec(expected);
    return match ? [check(seen, match)] : [];
  });
  return { facts: found.length, misses: found.filter((miss) => miss !== undefined) };
}

function inventoryOf({ codes }: Seen): LaneKey {
  return { kind: "inventory", category: codes.categories[0] ?? "", lane: "" };
}

function planOf({ codes }: Seen): LaneKey {
  return { kind: "rate", category: codes.categories[0] ?? "", lane: codes.plans[0] ?? "" };
}

function nightsOf({ first, last }: Pick<Seen, "first" | "last">): Night[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

function everyNight(seen: Seen, place: LaneKey, wanted: NightValues): string | undefined {
  for (const night of nightsOf(seen)) {
    const held = seen.after.at(place, night);
    for (const [column, value] of Object.entries(wanted)) {
      if (held[column] !== value) return same(column, held[column], value);
    }
  }
  return undefined;
}

function kept(seen: Seen, columns: readonly string[]): string | undefined {
  for (const night of nightsOf(seen)) {
    const [before, after] = [seen.before.at(planOf(seen), night), seen.after.at(planOf(seen), night)];
    const changed = columns.find((column) => before[column] !== after[column]);
    if (changed !== undefined) return `${changed} changed`;
  }
  return undefined;
}

function onlyClosed(seen: Seen, column: string): string | undefined {
  const others = ["stopSell", "closedToArrival", "closedToDeparture"].filter((one) => one !== column);
  return everyNight(seen, planOf(seen), { [column]: 1 }) ?? kept(seen, others);
}

/** The nights before and after those of the message belong to the others that stay as they were. */
function onWeekdays(seen: Seen, [, , count, from, to, nights]: RegExpExecArray): string | undefined {
  const [start, end] = [DAYS.indexOf(from!), DAYS.indexOf(to!)];
  const { first, last, before, after } = seen;
  let set = 0;
  for (const night of nightsOf({ first: first - 1, last: last + 1 })) {
    const held = after.at(inventoryOf(seen), night)["available"];
    const weekday = weekdayOf(night);
    const isMeant = night >= first && night <= last && weekday >= start && weekday <= end;
    if (isMeant) set++;
    const wanted = isMeant ? Number(count) : before.at(inventoryOf(seen), night)["available"];
    if (held !== wanted) return same("available", held, wanted);
  }
  return same("nights", set, Number(nights));
}

function extras(seen: Seen, ...wanted: readonly (readonly [number, string])[]): string | undefined {
  const held = JSON.parse(String(seen.after.at(planOf(seen), seen.first)["extras"] ?? "[]")) as { age: number; amount: number }[];
  const missing = wanted.find(([age, amount]) => !held.some((extra) => extra.age === age && extra.amount === minor(amount)));
  return missing && `no extra amount ${missing[1]} for age code ${missing[0]} in ${JSON.stringify(held)}`;
}

/** Every amount of the message is there, and no other. */
function replaced(seen: Seen): string | undefined {
  const sent = [...seen.codes.text.matchAll(/<BaseByGuestAmt\b[^>]*AmountAfterTax="(\d+\.\d\d)"/g)].map((match) => minor(match[1]));
  for (const night of nightsOf(seen)) {
    const held = Object.entries(seen.after.at(planOf(seen), night)).filter(([column]) => column.startsWith("amount:after:"));
    if (held.map(([, value]) => value).join() !== sent.join()) return `amounts are ${JSON.stringify(Object.fromEntries(held))}`;
  }
  return undefined;
}

function changedAlone(seen: Seen, changed: string, left: string): string | undefined {
  for (const night of nightsOf(seen)) {
    const [before, after] = [seen.before.at(planOf(seen), night), seen.after.at(planOf(seen), night)];
    const columns = Object.keys({ ...before, ...after }).filter((column) => before[column] !== after[column]);
    if (columns.join() !== `amount:after:${changed}:10:1`) return `changed: ${columns.join(", ")}`;
    if (before[`amount:after:${left}:10:1`] === undefined) return `no amount for ${left} guest before`;
  }
  return undefined;
}

function nothingLeft(seen: Seen, kind: LaneKey["kind"], prefix: string): string | undefined {
  for (const place of seen.after.lanes.filter((one) => one.kind === kind)) {
    for (const night of nightsOf(seen)) {
      const column = Object.keys(seen.after.at(place, night)).find((one) => one.startsWith(prefix));
      if (column !== undefined) return `${column} of ${place.category} is still there`;
    }
  }
  return undefined;
}

function lastCountWins(seen: Seen): string | undefined {
  const count = [...seen.codes.text.matchAll(/\sCount="(\d+)"/g)].at(-1)?.[1];
  const { available } = seen.after.at(inventoryOf(seen), seen.last);
  return same("available", available, Number(count));
}

function same(what: string, found: AttributeValue | undefined, wanted: AttributeValue | undefined): string | undefined {
  return found === wanted ? undefined : `${what} is ${found ?? "nothing"}, not ${wanted ?? "nothing"}`;
}

function minor(amount: string | undefined): number {
  return Math.round(Number(amount) * 100);
}
