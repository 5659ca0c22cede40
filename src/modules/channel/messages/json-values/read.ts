import { EVERY_DAY } from "../../../../calendar/operation.ts";
import { normalCode } from "../../../../text.ts";
import { isArray, isObject, type Json } from "../../document/json.ts";
import { MAX_LINES } from "../../limits.ts";
import type { HotelReference, HotelRequest, ReadContext } from "../../message.ts";
import { fieldMissing, invalidWord, note, notSupportedValue, ruleBroken, tooManyLines } from "../../ota-error.ts";
import type { SourceLocation, MessageReport } from "../../report.ts";
import { updatesRequest } from "../../updates/decide.ts";
import { NO_NARROWING, type WeekdayRange, type Update } from "../../updates/update.ts";
import { newDates, toRange } from "../parts/dates.ts";
import { newHotelReference } from "../parts/hotel.ts";
import { FIELD_DEFINITIONS, shortJson, type ParsedValue, locationWithin } from "./fields.ts";

const ROOT_LOCATION: SourceLocation = { offset: -1, record: "" };
const HOTEL_LOCATION: SourceLocation = { offset: 0, record: "/values/0/property_id" };

type ValuesContext = Pick<ReadContext, "profile" | "report">;

/** Reads `{"values": [...]}`. Positions are JSON pointers. */
export function readValues(document: Json, context: ValuesContext): HotelRequest {
  const { report } = context;
  const list = readList(document, context);
  const values = list.slice(0, MAX_LINES + 1).map((item, index) => readValue(item, { offset: index, record: `/values/${index}` }, context));
  const hotel = { ...newHotelReference(), at: HOTEL_LOCATION, code: values[0]?.texts.get("property_id") };
  for (const value of values) checkProperty(value, hotel.code, report);
  if (list.length > MAX_LINES) report.error(tooManyLines(MAX_LINES));
  return updatesRequest({
    hotel,
    lines: list.length,
    updates: values.map((value) => toUpdate(value, report)),
    replaces: undefined,
    dueSet: undefined,
  });
}

/** Returns the property in the first value, even if the document is truncated. */
export function readHotel(document: Json): HotelReference {
  const list = isObject(document) ? document.get("values") : undefined;
  const [first] = list !== undefined && isArray(list) ? list : [];
  const code = first !== undefined && isObject(first) ? first.get("property_id") : undefined;
  return { ...newHotelReference(), at: HOTEL_LOCATION, code: typeof code === "string" ? normalCode(code) || undefined : undefined };
}

function readList(document: Json, context: ValuesContext): readonly Json[] {
  const { report } = context;
  if (!isObject(document)) {
    report.error(invalidWord(shortJson(document), "the request", '{"values": [...]}'), ROOT_LOCATION);
    return [];
  }
  for (const [name, sent] of document) if (name !== "values") reportUnknown({ name, sent }, locationWithin(ROOT_LOCATION, name), context);
  const list = document.get("values") ?? [];
  if (!isArray(list) || list.length === 0)
    report.error(fieldMissing("values (a list with at least one value)"), locationWithin(ROOT_LOCATION, "values"));
  return isArray(list) ? list : [];
}

function readValue(item: Json, at: SourceLocation, context: ValuesContext): ParsedValue {
  const { report } = context;
  const value: ParsedValue = {
    at,
    texts: new Map(),
    days: undefined,
    availability: undefined,
    set: new Map(),
    amounts: [],
    currency: undefined,
  };
  if (!isObject(item)) {
    report.error(invalidWord(shortJson(item), "a value", "objects"), at);
    return value;
  }
  for (const [name, sent] of item) readField(value, { name, sent }, context);
  if (item.has("min_stay") && item.has("min_stay_arrival")) report.error(ruleBroken("Send min_stay or min_stay_arrival, not both"), at);
  return value;
}

/** Reads a field. Ignores `null`, because serializers write it for unset fields. */
function readField(value: ParsedValue, { name, sent }: { name: string; sent: Json }, context: ValuesContext): void {
  const { report } = context;
  const at = locationWithin(value.at, name);
  const field = Object.hasOwn(FIELD_DEFINITIONS, name) ? FIELD_DEFINITIONS[name] : undefined;
  if (!field) return reportUnknown({ name, sent }, at, context);
  if (sent !== null) field.read(value, sent, { name, report, at });
  else if (!field.limits) report.warn(note(`${name} is null and changes nothing`), at);
}

/** Words that suggest a limit if they occur in a field's name. */
const LIMITING_PATTERN =
  /account|adult|age|arrival|block|board|channel|child|closed|code|country|currency|date|day|depart|device|end|for|from|group|guest|hotel|id$|infant|length|los|market|meal|member|night|occupan|ota|person|plan|product|promo|property|room|segment|source|start|stay|stop|tax|time|to$|type|unit|until|week/i;

const ALLOWED_FIELDS_TEXT = `the fields of /channel/schema.json, and those in the sender's "ignored" setting`;

function reportUnknown({ name, sent }: { name: string; sent: Json }, at: SourceLocation, { profile, report }: ValuesContext): void {
  if (profile.ignored.includes(name)) report.ignore(name);
  else if (sent !== null && sent !== "" && LIMITING_PATTERN.test(name))
    report.error(notSupportedValue(shortJson(sent), name.slice(0, 100), ALLOWED_FIELDS_TEXT), at);
  else report.warn(note(`field ${name.slice(0, 100)} is not stored`), at);
}

function checkProperty({ at, texts }: ParsedValue, hotel: string | undefined, report: MessageReport): void {
  if (texts.get("property_id") !== hotel)
    report.error(ruleBroken("All values in a request must be for the same property"), locationWithin(at, "property_id"));
}

function toUpdate(value: ParsedValue, report: MessageReport): Update {
  const { at, texts, amounts, currency } = value;
  const category = texts.get("room_type_id");
  const plan = texts.get("rate_plan_id");
  if (category === undefined && plan === undefined) report.error(fieldMissing("room_type_id or rate_plan_id"), at);
  const isOnlyCategory = category === undefined && plan !== undefined;
  const set = valuesToSet(value);
  if (set.size === 0 && amounts.length === 0) report.warn(note("a value without availability, rates or restrictions changes nothing"), at);
  const rate = { at, stay: undefined, amounts, extras: [], currency, perPerson: undefined, mealPlan: undefined };
  return {
    at,
    target: { category, room: undefined, plan, wholeHotel: false, ...(isOnlyCategory && { isOnlyCategory }) },
    narrowedBy: NO_NARROWING,
    nights: category === undefined && plan === undefined ? undefined : readRange(value, report),
    set,
    ...(amounts.length > 0 && { amounts: { rates: [rate], replace: false } }),
  };
}

/** If the value has a plan, the decision may turn its rooms into the plan's allotment. */
function valuesToSet({ availability, set }: ParsedValue): ParsedValue["set"] {
  return availability === undefined
    ? set
    : new Map([["available", availability], ["threshold", undefined], ["derived", undefined], ...set]);
}

function readRange({ at, texts, days = EVERY_DAY }: ParsedValue, report: MessageReport): WeekdayRange | undefined {
  const [date, from, to] = [texts.get("date"), texts.get("date_from"), texts.get("date_to")];
  const isMixed = date !== undefined && (from !== undefined || to !== undefined);
  if (isMixed) report.error(ruleBroken("Send date, or date_from and date_to, not both"), at);
  if (date === undefined && from === undefined) report.error(fieldMissing("date, or date_from and date_to"), at);
  else if (date === undefined && to === undefined) report.error(fieldMissing("date_to"), at);
  if (isMixed || (date ?? from) === undefined || (date ?? to) === undefined) return undefined;
  const names = date === undefined ? (["date_from", "date_to"] as const) : (["date", "date"] as const);
  const range = toRange({ ...newDates(), start: date ?? from, end: date ?? to, names }, { report, at });
  return range && { ...range, days };
}
