import type { Attribute, AttributeValue } from "../../../../calendar/attributes.ts";
import { MAX_DAY_OFFSET, MAX_PATTERN_LENGTH, MAX_STAY_NIGHTS } from "../../limits.ts";
import { fieldMissing, invalidNumber, invalidWord, note } from "../../ota-error.ts";
import type { Profile } from "../../profiles/profile.ts";
import { NO_LIMIT_MARK } from "../../profiles/translate.ts";
import type { ElementContext, ReportContext } from "../../report.ts";
import { type ArrivalLimit, type ParsedStayLimits, THROUGH_LIMITS } from "../../updates/update.ts";
import { approximateDays, parseDuration } from "./duration.ts";
import { readFlag, parseInteger } from "./values.ts";

export class Restrictions extends Map<Attribute, AttributeValue | undefined> implements ParsedStayLimits {
  readonly profile: Profile;
  /** Value of `ArrivalDateBased` in the open `LengthsOfStay`. */
  arrivalBased: boolean | undefined;
  byArrival = false;
  readonly unmarked = new Set<ArrivalLimit>();

  constructor(profile: Profile) {
    super();
    this.profile = profile;
  }

  /** Sets a stay limit. If the line also has arrival-based limits, limits without `ArrivalDateBased` become stay-through limits. */
  setStay(limit: ArrivalLimit, isByArrival: boolean | undefined, nights: number | undefined): void {
    if (isByArrival === false || (isByArrival === undefined && this.byArrival)) return void this.set(THROUGH_LIMITS[limit], nights);
    if (isByArrival) {
      for (const unmarkedLimit of this.unmarked) this.#moveThrough(unmarkedLimit);
      this.unmarked.delete(limit);
      this.byArrival = true;
    } else this.unmarked.add(limit);
    this.set(limit, nights);
  }

  /** Turns an arrival-based limit into a stay-through limit, unless the line already has one. */
  #moveThrough(limit: ArrivalLimit): void {
    if (this.has(THROUGH_LIMITS[limit])) return;
    this.set(THROUGH_LIMITS[limit], this.get(limit));
    this.delete(limit);
    this.unmarked.delete(limit);
  }
}

const RESTRICTION_ATTRIBUTES: ReadonlyMap<string, Attribute> = new Map([
  ["master", "stopSell"],
  ["arrival", "closedToArrival"],
  ["departure", "closedToDeparture"],
]);
const NOT_STORED_NAMES: ReadonlySet<string> = new Set(["nonguarantee", "travelagent"]);

/** Reads `RestrictionStatus`. `Restriction` defaults to `Master`. */
export function readRestrictionStatus(restrictions: Restrictions, reading: ElementContext): void {
  const { attributes, report, at } = reading;
  const status = attributes.get("Status");
  const restrictionName = attributes.get("Restriction");
  const restriction = restrictionName ?? "Master";
  const word = restriction.trim().toLowerCase();
  readBookingWindow(restrictions, reading);
  readStatusStays(restrictions, reading);
  if (status === undefined) {
    if (restrictionName !== undefined) report.warn(note("RestrictionStatus without Status changes nothing"), at);
    return;
  }
  if (NOT_STORED_NAMES.has(word)) return report.warn(note(`restriction ${restriction} is not stored`), at);
  const attribute = RESTRICTION_ATTRIBUTES.get(word);
  if (!attribute) report.error(invalidWord(restriction, "Restriction", "Master, Arrival, Departure"), at);
  setStatus(restrictions, { attribute, status }, reading);
}

/** Whether each status closes. `means` overrides the restriction that the element names. */
const STATUS_MEANINGS: ReadonlyMap<string, { closed: 0 | 1; means?: Attribute }> = new Map([
  ["open", { closed: 0 }],
  ["close", { closed: 1 }],
  ["onrequest", { closed: 1 }],
  ["closedonarrival", { closed: 1, means: "closedToArrival" }],
  ["closedonarrivalonrequest", { closed: 1, means: "closedToArrival" }],
  ["removecloseonly", { closed: 0, means: "stopSell" }],
]);

function setStatus(
  restrictions: Restrictions,
  { attribute, status }: { attribute: Attribute | undefined; status: string },
  { report, at }: ReportContext,
): void {
  const word = status.trim().toLowerCase();
  const statusMeaning = STATUS_MEANINGS.get(word);
  if (!statusMeaning)
    return report.error(
      invalidWord(status, "Status", "Open, Close, OnRequest, ClosedOnArrival, ClosedOnArrivalOnRequest, RemoveCloseOnly"),
      at,
    );
  if (!attribute) return;
  if (word.includes("onrequest")) report.warn(note(`status ${status.trim()} was stored as closed`), at);
  restrictions.set(statusMeaning.means ?? attribute, statusMeaning.closed);
}

const OFFSET_ATTRIBUTES = [
  ["minAdvance", "MinAdvancedBookingOffset"],
  ["maxAdvance", "MaxAdvancedBookingOffset"],
] as const;

export function readBookingWindow(restrictions: Restrictions, { attributes, report, at }: ElementContext): void {
  for (const [attribute, field] of OFFSET_ATTRIBUTES) {
    const text = attributes.get(field);
    if (text === undefined) continue;
    if (text === NO_LIMIT_MARK) {
      restrictions.set(attribute, undefined);
      continue;
    }
    // The OpenTravel schema defines this value as a duration.
    const duration = parseDuration(text);
    const days = parseInteger(duration ? String(approximateDays(duration)) : text, MAX_DAY_OFFSET);
    if (days === undefined) report.error(invalidWord(text, field, `whole days up to ${MAX_DAY_OFFSET}, such as 3 or P3D`), at);
    else if (duration && duration.months > 0) report.warn(note(`${field} ${text.trim()} was stored as ${days} days`), at);
    if (attribute === "maxAdvance" && days === 0) restrictions.set(attribute, readZeroMaxAdvance(restrictions.profile, { report, at }));
    else restrictions.set(attribute, days);
  }
}

/** Some senders use 0 for "no limit". Taken literally, 0 would allow booking only on the day of arrival. */
function readZeroMaxAdvance({ maxAdvance0: meaning }: Profile, { report, at }: ReportContext): 0 | undefined {
  if (meaning === "clears") return undefined;
  report.warn(note("MaxAdvancedBookingOffset 0 was stored: these nights can be booked only on the day of arrival"), at);
  return 0;
}

/** `unlimited` is the value that means "no limit". If `isByArrival` is absent, `ArrivalDateBased` decides. */
type StayLimit = { limit: ArrivalLimit; unlimited: number; isByArrival?: boolean | undefined; removes?: true };

const STAY_LIMITS: ReadonlyMap<string, StayLimit> = new Map([
  ["setminlos", { limit: "minStayArrival", unlimited: 1 }],
  ["setmaxlos", { limit: "maxStayArrival", unlimited: 0 }],
  ["minlos", { limit: "minStayArrival", unlimited: 1 }],
  ["maxlos", { limit: "maxStayArrival", unlimited: 0 }],
  ["setforwardminstay", { limit: "minStayArrival", unlimited: 1, isByArrival: false }],
  ["setforwardmaxstay", { limit: "maxStayArrival", unlimited: 0, isByArrival: false }],
  ["removeminlos", { limit: "minStayArrival", unlimited: 0, removes: true }],
  ["removemaxlos", { limit: "maxStayArrival", unlimited: 0, removes: true }],
  ["removeforwardminstay", { limit: "minStayArrival", unlimited: 0, isByArrival: false, removes: true }],
  ["removeforwardmaxstay", { limit: "maxStayArrival", unlimited: 0, isByArrival: false, removes: true }],
]);

/** Some senders append the kind of limit to the type, such as `SetMinLOS_Through`. */
const STAY_KIND_PATTERN = /_(?<kind>through|arrival)$/;

function parseStayLimit(word: string): StayLimit | undefined {
  const kind = STAY_KIND_PATTERN.exec(word)?.groups!["kind"];
  const limit = STAY_LIMITS.get(word.replace(STAY_KIND_PATTERN, ""));
  return limit && kind !== undefined ? { ...limit, isByArrival: kind === "arrival" } : limit;
}

/** Reads `LengthsOfStay`. With `FixedPatternLength`, only the listed lengths are open, as in OpenTravel's examples. */
export function readLengthsOfStay(restrictions: Restrictions, reading: ElementContext): void {
  const { attributes } = reading;
  const length = parseInteger(attributes.get("FixedPatternLength") ?? "", MAX_PATTERN_LENGTH);
  if (length) restrictions.set("pattern", UNSET_MARK.repeat(length));
  restrictions.arrivalBased = readFlag("ArrivalDateBased", reading);
}

/** Reads stay limits that some senders send as attributes of `RestrictionStatus`. */
function readStatusStays(restrictions: Restrictions, reading: ElementContext): void {
  for (const name of ["MinLOS", "MaxLOS"]) {
    const text = reading.attributes.get(name);
    if (text !== undefined) setStay(restrictions, STAY_LIMITS.get(name.toLowerCase())!, { ...reading, text, field: name });
  }
}

const FULL_PATTERN_NAME = "fullpatternlos";
/** Placeholder for a pattern until its `LOS_Pattern` is read. */
const EXPECTED_TEXT = "";

/** Reads `LengthOfStay`. A limit without `Time` removes the stored limit. */
export function readLengthOfStay(restrictions: Restrictions, reading: ElementContext): void {
  const { attributes, report, at } = reading;
  const type = attributes.get("MinMaxMessageType");
  const unit = attributes.get("TimeUnit");
  if (unit !== undefined && unit.trim().toLowerCase() !== "day") report.error(invalidWord(unit, "TimeUnit", "Day"), at);
  const openIndicator = attributes.get("OpenStatusIndicator");
  const word = type?.trim().toLowerCase();
  const isLetter = openIndicator !== undefined && (word === undefined || word === FULL_PATTERN_NAME);
  const isListed = word === FULL_PATTERN_NAME && attributes.get("Time") !== undefined && restrictions.get("pattern");
  if (isLetter || isListed) return addToPattern(restrictions, reading);
  if (word === FULL_PATTERN_NAME) return void restrictions.set("pattern", EXPECTED_TEXT);
  // `FixedPatternLength` may also appear with stay limits. It means a pattern only if it lists a length.
  const pattern = restrictions.get("pattern");
  if (isUnsetPattern(pattern)) restrictions.set("pattern", UNUSED_MARK.repeat(pattern.length));
  if (word === undefined) return report.error(fieldMissing("MinMaxMessageType"), at);
  const limit = parseStayLimit(word);
  if (!limit) report.warn(note(`length of stay ${type} is not stored`), at);
  else {
    const markedLimit = { ...limit, isByArrival: limit.isByArrival ?? restrictions.arrivalBased };
    setStay(restrictions, markedLimit, { report, at, text: attributes.get("Time"), field: "Time" });
  }
}

type StayAttribute = ReportContext & { text: string | undefined; field: string };

/** Sets a stay limit. AlpineBits writes nights as decimals, such as `3.0`. */
function setStay(restrictions: Restrictions, { limit, unlimited, isByArrival, removes }: StayLimit, time: StayAttribute): void {
  const { report, at, text, field } = time;
  const nights = text === undefined || removes ? 0 : parseInteger(text.replace(/\.0*\s*$/, ""), MAX_STAY_NIGHTS);
  if (nights === undefined) report.error(invalidNumber(text!, field, `0 to ${MAX_STAY_NIGHTS}`), at);
  const value = nights === undefined || nights <= unlimited ? undefined : nights;
  restrictions.setStay(limit, isByArrival, value);
}

/** Placeholders used while a pattern is read: for a length without a status, and for a length alongside stay limits. */
const UNSET_MARK = "?";
const UNUSED_MARK = "-";

function addToPattern(restrictions: Restrictions, reading: ElementContext): void {
  const { attributes, report, at } = reading;
  const time = attributes.get("Time") ?? "";
  const nights = parseInteger(time, MAX_PATTERN_LENGTH);
  const letter = (readFlag("OpenStatusIndicator", reading) ?? true) ? "Y" : "N";
  if (!nights) return report.error(invalidNumber(time, "Time", `1 to ${MAX_PATTERN_LENGTH}`), at);
  const pattern = String(restrictions.get("pattern") ?? "").padEnd(nights, UNSET_MARK);
  restrictions.set("pattern", pattern.slice(0, nights - 1) + letter + pattern.slice(nights));
}

function isUnsetPattern(pattern: AttributeValue | undefined): pattern is string {
  return typeof pattern === "string" && pattern !== EXPECTED_TEXT && pattern === UNSET_MARK.repeat(pattern.length);
}

export function finishRestrictions(restrictions: Restrictions, { report, at }: ReportContext): void {
  if (restrictions.get("pattern") === EXPECTED_TEXT) report.error(fieldMissing("LOS_Pattern"), at);
  finishPattern(restrictions);
  if (restrictions.get("pattern") !== undefined && restrictions.arrivalBased === false)
    report.warn(note('allowed lengths of stay were stored as arrival-based; ArrivalDateBased="false" is not supported for them'), at);
  for (const [min, max, describe] of LIMIT_PAIRS) {
    const [from, to] = [restrictions.get(min), restrictions.get(max)];
    if (from !== undefined && to !== undefined && from > to) report.warn(note(describe(from, to)), at);
  }
}

const LIMIT_PAIRS: readonly (readonly [min: Attribute, max: Attribute, describe: (from: AttributeValue, to: AttributeValue) => string])[] =
  [
    ["minStayArrival", "maxStayArrival", describeStay],
    ["minStayThrough", "maxStayThrough", describeStay],
    [
      "minAdvance",
      "maxAdvance",
      (from, to) => `the minimum of ${from} days before arrival exceeds the maximum of ${to}, so no booking is possible`,
    ],
  ];

function describeStay(from: AttributeValue, to: AttributeValue): string {
  return `the minimum stay of ${from} nights exceeds the maximum of ${to}, so no stay is possible`;
}

/** Completes the pattern. Lengths without a status are open if all others are closed. */
function finishPattern(restrictions: Restrictions): void {
  const pattern = restrictions.get("pattern");
  if (typeof pattern !== "string") return;
  const unlistedLetter = pattern.includes("Y") || isUnsetPattern(pattern) ? "N" : "Y";
  if (/^-+$/.test(pattern)) restrictions.delete("pattern");
  else restrictions.set("pattern", pattern.replaceAll(UNSET_MARK, unlistedLetter).replaceAll(UNUSED_MARK, unlistedLetter));
}

/** Reads `LOS_Pattern`, which has one letter per length of stay: Y for allowed, N for not allowed. The standard also allows 1 and 0. */
export function readPattern(restrictions: Restrictions, { attributes, report, at }: ElementContext): void {
  const pattern = attributes.get("FullPatternLOS");
  restrictions.delete("pattern");
  if (pattern === undefined) return report.error(fieldMissing("FullPatternLOS"), at);
  const letters = pattern.trim().toUpperCase();
  const isPattern = /^(?:[YN]+|[10]+)$/.test(letters) && letters.length <= MAX_PATTERN_LENGTH;
  if (isPattern) restrictions.set("pattern", letters.replaceAll("1", "Y").replaceAll("0", "N"));
  else report.error(invalidWord(pattern, "FullPatternLOS", `1 to ${MAX_PATTERN_LENGTH} letters Y or N, or digits 1 or 0`), at);
}
