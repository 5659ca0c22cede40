import { ADULT_CODE, type AmountKey, parseAmount, ageRangeKey } from "../../../calendar/amounts.ts";
import { type Attribute, type AttributeValue, findDefinition, type AttributeMap } from "../../../calendar/attributes.ts";
import { readableAmount } from "../../../calendar/money.ts";
import { formatNight } from "../../../calendar/night.ts";
import { formatNumber, formatCount } from "../../../web/parts/amount.ts";
import { type CodeMap, toOurCode } from "../senders/codes.ts";
import type { AmountValues } from "./amounts.ts";
import type { WeekdayRange } from "./update.ts";

/** Builds a message's summary for the log: a single update in full, or the number and range of several updates. */
export class UpdateSummary {
  /** Description of the first update, shown if there is only one. */
  what: string | undefined;
  readonly #targets = new Set<string>();
  #lines = 0;
  #first = Number.POSITIVE_INFINITY;
  #last = Number.NEGATIVE_INFINITY;

  add(target: string, { first, last }: WeekdayRange): void {
    this.#lines++;
    if (this.#targets.size < 4) this.#targets.add(target);
    if (first < this.#first) this.#first = first;
    if (last > this.#last) this.#last = last;
  }

  text(): string {
    if (this.#lines === 0) return "Nothing to store";
    const [first, last] = [formatNight(this.#first), formatNight(this.#last)];
    const range = first === last ? first : `${first} to ${last}`;
    const targets = [...this.#targets];
    if (this.#lines === 1) return `${targets[0]} ${range}: ${this.what}`;
    const targetsText = targets.length < 4 ? targets.join(", ") : `${targets.slice(0, 3).join(", ")} and more`;
    return `${targetsText}, ${range}: ${formatCount(this.#lines, "line")}`;
  }
}

export function roomName(category: string, room: string): string {
  return room === "" ? category : `${category} room ${room}`;
}

/** Returns a category's code, followed by the rate plan's unless `plan` is empty. */
export function rateName(category: string, plan: string): string {
  return plan === "" ? category : `${category}/${plan}`;
}

/** Describes attributes and values, such as `minimum stay (arrival) 2 nights`. */
export function describeValues(values: AttributeMap): string {
  return [...values].map(([attribute, value]) => describeValue(attribute, value)).join(", ");
}

export function describeCounts(values: AttributeMap): string {
  const counts = [...values].filter(([attribute, value]) => value !== undefined && attribute !== "derived");
  return counts.length === 0 ? "limit removed" : describeValues(new Map(counts));
}

function describeValue(attribute: Attribute, value: AttributeValue | undefined): string {
  const { label, states, type } = findDefinition(attribute)!;
  if (value === undefined) return `${label} removed`;
  if (type === "count") return `${label} ${formatNumber(Number(value))}`;
  if (type === "nights") return `${label} ${formatCount(Number(value), "night")}`;
  if (type === "days") return `${label} ${formatCount(Number(value), "day")} ahead`;
  return states?.[Number(value)] ?? `${label} ${value}`;
}

export function describeAmounts(amounts: AmountValues): string {
  const currency = String(amounts.get("currency") ?? "");
  const words: string[] = [];
  for (const [attribute, value] of amounts) {
    const key = parseAmount(attribute);
    if (key && words.length < 4) words.push(`${describeGuests(key)} ${readableAmount(Number(value), currency)}${describeTerms(key)}`);
  }
  if (words.length > 0) return `${words.join(", ")} ${currency}`;
  if (amounts.size === 0) return "amounts removed";
  return amounts.has("extras") ? `additional guests ${currency}` : "meals";
}

/** Guest types by code in OpenTravel code list AQC. */
const GUEST_NOUNS: Readonly<Record<number, readonly [one: string, many: string]>> = {
  7: ["infant", "infants"],
  8: ["child", "children"],
  [ADULT_CODE]: ["guest", "guests"],
};

function describeGuests({ guests, age, ...years }: AmountKey): string {
  const [one, many] = GUEST_NOUNS[age] ?? [`guest of age code ${age}`, `guests of age code ${age}`];
  const text = ageRangeKey(years) === "" ? "" : ` (${ageRangeKey(years)} years)`;
  if (guests === 0) return (age === ADULT_CODE ? "room" : many) + text;
  return `${guests} ${guests === 1 ? one : many}${text}`;
}

function describeTerms({ tax, nights }: AmountKey): string {
  return `${tax === "before" ? " before tax" : ""}${nights > 1 ? ` for ${nights} nights` : ""}`;
}

type CodesContext = { codes?: CodeMap | undefined };

export function ourRoomName(context: CodesContext, category: string, room: string): string {
  return roomName(toOurCode(context, "category", category), room);
}

export function ourRateName(context: CodesContext, category: string, plan: string): string {
  return rateName(toOurCode(context, "category", category), toOurCode(context, "plan", plan));
}
