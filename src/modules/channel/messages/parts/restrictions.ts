import type { Attribute, AttributeValue } from "../../../../calendar/attributes.ts";
import { MAX_DAY_OFFSET, MAX_PATTERN, MAX_STAY } from "../../limits.ts";
import { fieldMissing, invalidNumber, invalidWord, note } from "../../ota-error.ts";
import type { Reading } from "../../report.ts";
import { flagIn } from "./attributes.ts";
import { daysOf, parseDuration } from "./duration.ts";
import { parseWhole } from "./parse.ts";

/** Restriction columns to set; `undefined` clears one. */
export type Restrictions = Map<Attribute, AttributeValue | undefined>;

const COLUMN_OF_RESTRICTION: ReadonlyMap<string, Attribute> = new Map(
  Object.entries<Attribute>({
    master: "stopSell",
    arrival: "closedToArrival",
    departure: "closedToDeparture",
  }),
);
const NOT_STORED: ReadonlySet<string> = new Set(["nonguarantee", "travelagent"]);

/** Reads `RestrictionStatus`. Without `Restriction` it opens or closes the whole sale (Master). */
export function readRestrictionStatus(restrictions: Restrictions, reading: Reading): void {
  const { attributes, report, at } = reading;
  const status = attributes.get("Status");
  const named = attributes.get("Restriction");
  const restriction = named ?? "Master";
  const column = COLUMN_OF_RESTRICTION.get(restriction.trim().toLowerCase());
  readBookingWindow(restrictions, reading);
  if (status === undefined && named !== undefined) report.warn(note("RestrictionStatus without Status neither opens nor closes"), at);
  if (status === undefined) return;
  if (NOT_STORED.has(restriction.trim().toLowerCase())) return report.warn(note(`restriction ${restriction} is not stored`), at);
  if (!column) report.error(invalidWord(restriction, "Restriction", "Master, Arrival, Departure"), at);
  setStatus(restrictions, column, reading);
}

/** What each status does to a restriction, its own where it has one: 1 closes. */
const STATUSES: ReadonlyMap<string, { own?: Attribute; closed: 0 | 1 }> = new Map([
  ["open", { closed: 0 }],
  ["close", { closed: 1 }],
  ["onrequest", { closed: 1 }],
  ["closedonarrival", { own: "closedToArrival", closed: 1 }],
  ["closedonarrivalonrequest", { own: "closedToArrival", closed: 1 }],
  ["removecloseonly", { own: "stopSell", closed: 0 }],
]);

/** Without a column only what is wrong is told. */
function setStatus(restrictions: Restrictions, column: Attribute | undefined, { attributes, report, at }: Reading): void {
  const status = attributes.get("Status")!;
  const word = status.trim().toLowerCase();
  const said = STATUSES.get(word);
  if (!said) return report.error(invalidWord(status, "Status", STATUSES_ALLOWED), at);
  if (!column) return;
  if (word.includes("onrequest")) report.warn(note(`status ${status.trim()} was stored as closed`), at);
  restrictions.set(said.own ?? column, said.closed);
}

const STATUSES_ALLOWED = "Open, Close, OnRequest, ClosedOnArrival, ClosedOnArrivalOnRequest, RemoveCloseOnly";

const OFFSETS = [
  ["minAdvance", "MinAdvancedBookingOffset"],
  ["maxAdvance", "MaxAdvancedBookingOffset"],
] as const;

/** Reads how many days before arrival a stay can be booked. */
export function readBookingWindow(restrictions: Restrictions, { attributes, report, at }: Reading): void {
  for (const [column, field] of OFFSETS) {
    const text = attributes.get(field);
    if (text === undefined) continue;
    const days = parseDayOffset(text);
    if (days === undefined) report.error(invalidWord(text, field, OFFSETS_ALLOWED), at);
    else if ((parseDuration(text)?.months ?? 0) > 0) report.warn(note(`${field} ${text.trim()} was stored as ${days} days`), at);
    restrictions.set(column, days);
  }
}

/** Days of a booking window: a whole number, or a duration, as in the OpenTravel schema. */
function parseDayOffset(text: string): number | undefined {
  const duration = parseDuration(text);
  return parseWhole(duration ? String(daysOf(duration)) : text, MAX_DAY_OFFSET);
}

const OFFSETS_ALLOWED = `whole days up to ${MAX_DAY_OFFSET}, such as 3 or P3D`;

type StayRule = { column: Attribute; unlimited: number; removes: boolean };

/** `unlimited` is the value without effect: a minimum of 1, a maximum of 0. OpenTravel has MinLOS and MaxLOS beside their Set forms. */
const STAY_RULES: ReadonlyMap<string, StayRule> = new Map(
  Object.entries<StayRule>({
    setminlos: { column: "minStayArrival", unlimited: 1, removes: false },
    setmaxlos: { column: "maxStayArrival", unlimited: 0, removes: false },
    minlos: { column: "minStayArrival", unlimited: 1, removes: false },
    maxlos: { column: "maxStayArrival", unlimited: 0, removes: false },
    setforwardminstay: { column: "minStayThrough", unlimited: 1, removes: false },
    setforwardmaxstay: { column: "maxStayThrough", unlimited: 0, removes: false },
    removeminlos: { column: "minStayArrival", unlimited: 0, removes: true },
    removemaxlos: { column: "maxStayArrival", unlimited: 0, removes: true },
    removeforwardminstay: { column: "minStayThrough", unlimited: 0, removes: true },
    removeforwardmaxstay: { column: "maxStayThrough", unlimited: 0, removes: true },
  }),
);

/**
 * Reads `LengthsOfStay`. The type of each `LengthOfStay` tells whether it counts by arrival or for all stays through a night. Where the
 * length of a pattern is told, those that are listed are open, and none without any: so do OpenTravel's own examples.
 */
export function readLengthsOfStay(restrictions: Restrictions, reading: Reading): void {
  const { attributes, report, at } = reading;
  const length = parseWhole(attributes.get("FixedPatternLength") ?? "", MAX_PATTERN);
  if (length) restrictions.set("pattern", UNSAID.repeat(length));
  if (flagIn("ArrivalDateBased", reading) !== false) return;
  report.warn(note("SetMinLOS and SetMaxLOS are stored by arrival, whatever ArrivalDateBased says"), at);
}

const FULL_PATTERN = "fullpatternlos";
/** The pattern until its `LOS_Pattern` comes. */
const ANNOUNCED = "";

/** Reads `LengthOfStay`; a `Set...` without a time removes the limit. */
export function readLengthOfStay(restrictions: Restrictions, reading: Reading): void {
  const { attributes, report, at } = reading;
  const kind = attributes.get("MinMaxMessageType");
  const unit = attributes.get("TimeUnit");
  if (unit !== undefined && unit.trim().toLowerCase() !== "day") report.error(invalidWord(unit, "TimeUnit", "Day"), at);
  const open = attributes.get("OpenStatusIndicator");
  const word = kind?.trim().toLowerCase();
  const isLetter = open !== undefined && (word === undefined || word === FULL_PATTERN);
  const isListed = word === FULL_PATTERN && attributes.get("Time") !== undefined && restrictions.get("pattern");
  if (isLetter || isListed) return addToPattern(restrictions, reading);
  if (word === FULL_PATTERN) return void restrictions.set("pattern", ANNOUNCED);
  putAside(restrictions);
  if (word === undefined) return report.error(fieldMissing("MinMaxMessageType"), at);
  const rule = STAY_RULES.get(word);
  if (!rule) report.warn(note(`length of stay ${kind} is not stored`), at);
  else setStay(restrictions, rule, reading);
}

/** AlpineBits writes the nights of a stay as a decimal: `3.0` is 3. */
function setStay(restrictions: Restrictions, rule: StayRule, { attributes, report, at }: Reading): void {
  const time = attributes.get("Time");
  const nights = time === undefined || rule.removes ? 0 : parseWhole(time.replace(/\.0*\s*$/, ""), MAX_STAY);
  if (nights === undefined) report.error(invalidNumber(time!, "Time", `0 to ${MAX_STAY}`), at);
  restrictions.set(rule.column, nights === undefined || nights <= rule.unlimited ? undefined : nights);
}

/** A `LengthOfStay` is one letter of a pattern, open without `OpenStatusIndicator`; those of shorter stays are open questions. */
function addToPattern(restrictions: Restrictions, reading: Reading): void {
  const { attributes, report, at } = reading;
  const nights = parseWhole(attributes.get("Time") ?? "", MAX_PATTERN);
  const open = flagIn("OpenStatusIndicator", reading) ?? true;
  if (!nights) return report.error(invalidNumber(attributes.get("Time") ?? "", "Time", `1 to ${MAX_PATTERN}`), at);
  const pattern = String(restrictions.get("pattern") ?? "").padEnd(nights, UNSAID);
  const letter = open ? "Y" : "N";
  restrictions.set("pattern", pattern.slice(0, nights - 1) + letter + pattern.slice(nights));
}

/** A length of which nothing was told, and one where limits of stays were. */
const UNSAID = "?";
const ASIDE = "-";

/** A fixed length belongs to limits of stays too: beside these there is a pattern only where a length of it is told. */
function putAside(restrictions: Restrictions): void {
  const pattern = restrictions.get("pattern");
  if (isUnsaid(pattern)) restrictions.set("pattern", ASIDE.repeat(pattern.length));
}

/** Whether no length of a pattern was told. */
function isUnsaid(pattern: AttributeValue | undefined): pattern is string {
  return typeof pattern === "string" && pattern !== ANNOUNCED && pattern === UNSAID.repeat(pattern.length);
}

/** Ends what one line or rule says: a pattern that was announced is refused without it, limits that no stay keeps to get a warning. */
export function settleRestrictions(restrictions: Restrictions, { report, at }: Pick<Reading, "report" | "at">): void {
  if (restrictions.get("pattern") === ANNOUNCED) report.error(fieldMissing("LOS_Pattern"), at);
  settlePattern(restrictions);
  for (const [least, most, words] of LIMITS) {
    const [from, to] = [restrictions.get(least), restrictions.get(most)];
    if (from !== undefined && to !== undefined && from > to) report.warn(note(words(from, to)), at);
  }
}

const LIMITS: readonly (readonly [least: Attribute, most: Attribute, words: (from: AttributeValue, to: AttributeValue) => string])[] = [
  ["minStayArrival", "maxStayArrival", noStay],
  ["minStayThrough", "maxStayThrough", noStay],
  ["minAdvance", "maxAdvance", (from, to) => `no day is at least ${from} and at most ${to} days before arrival`],
];

function noStay(from: AttributeValue, to: AttributeValue): string {
  return `no stay has at least ${from} and at most ${to} nights`;
}

/** Answers the questions of a pattern: where only some lengths were closed the others are open, as with days. */
function settlePattern(restrictions: Restrictions): void {
  const pattern = restrictions.get("pattern");
  if (typeof pattern !== "string") return;
  const others = pattern.includes("Y") || isUnsaid(pattern) ? "N" : "Y";
  if (/^-+$/.test(pattern)) restrictions.delete("pattern");
  else restrictions.set("pattern", pattern.replaceAll(UNSAID, others).replaceAll(ASIDE, others));
}

/** Reads `LOS_Pattern`: a letter for each length of stay, Y where it is allowed. The standard writes them as 1 and 0, too. */
export function readPattern(restrictions: Restrictions, { attributes, report, at }: Reading): void {
  const pattern = attributes.get("FullPatternLOS");
  restrictions.delete("pattern");
  if (pattern === undefined) return report.error(fieldMissing("FullPatternLOS"), at);
  const letters = pattern.trim().toUpperCase();
  const isPattern = /^(?:[YN]+|[10]+)$/.test(letters) && letters.length <= MAX_PATTERN;
  if (!isPattern) return report.error(invalidWord(pattern, "FullPatternLOS", PATTERNS_ALLOWED), at);
  restrictions.set("pattern", letters.replaceAll("1", "Y").replaceAll("0", "N"));
}

const PATTERNS_ALLOWED = `1 to ${MAX_PATTERN} letters Y or N, or digits 1 or 0`;
