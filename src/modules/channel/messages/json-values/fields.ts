import { ADULT_CODE } from "../../../../calendar/amounts.ts";
import type { Attribute, AttributeValue } from "../../../../calendar/attributes.ts";
import { isCurrency } from "../../../../calendar/money.ts";
import { normalCode } from "../../../../text.ts";
import { isArray, isObject, type Json, JsonNumber } from "../../document/json.ts";
import { MAX_CODE_LENGTH, MAX_ROOM_COUNT, MAX_GUESTS, MAX_STAY_NIGHTS } from "../../limits.ts";
import { fieldMissing, invalidCurrency, invalidWord, note } from "../../ota-error.ts";
import type { SourceLocation, MessageReport } from "../../report.ts";
import type { ParsedAmount } from "../../updates/update.ts";
import { parseInteger } from "../parts/values.ts";

/** An item in `values`. */
export type ParsedValue = {
  at: SourceLocation;
  texts: Map<"property_id" | "room_type_id" | "rate_plan_id" | "date" | "date_from" | "date_to", string>;
  days: number | undefined;
  availability: number | undefined;
  set: Map<Attribute, AttributeValue | undefined>;
  amounts: ParsedAmount[];
  currency: string | undefined;
};

export type JsonReportContext = { name: string; report: MessageReport; at: SourceLocation };

/** A field's JSON Schema and reader. `limits` means that the field restricts what the value applies to. */
type FieldDefinition = { schema: object; limits?: true; read(value: ParsedValue, sent: Json, spot: JsonReportContext): void };

/** All supported fields. The published schema is generated from this table. */
export const FIELD_DEFINITIONS: Readonly<Record<string, FieldDefinition>> = {
  property_id: textField("property_id", "Property code. Must be the same in all values.", { maxLength: MAX_CODE_LENGTH }),
  room_type_id: textField("room_type_id", "Category code.", { maxLength: MAX_CODE_LENGTH }),
  rate_plan_id: textField("rate_plan_id", "Rate plan code. If the plan is stored for only one category, room_type_id may be omitted.", {
    maxLength: MAX_CODE_LENGTH,
  }),
  date: textField("date", "One night.", { format: "date" }),
  date_from: textField("date_from", "First night.", { format: "date" }),
  date_to: textField("date_to", "Last night, inclusive.", { format: "date" }),
  days: {
    schema: {
      type: ["array", "null"],
      minItems: 1,
      items: { enum: ["mo", "tu", "we", "th", "fr", "sa", "su"] },
      description: "Weekdays of the range. Default: all.",
    },
    limits: true,
    read: readDays,
  },
  availability: {
    schema: integerSchema(
      MAX_ROOM_COUNT,
      "Number of rooms that can be sold. If it differs by rate_plan_id, each number is that plan's allotment.",
    ),
    read: (value, sent, spot) => (value.availability = readInteger(sent, MAX_ROOM_COUNT, spot)),
  },
  rate: {
    schema: moneySchema("Room price. A string is a decimal amount; an integer is in minor units."),
    read: (value, sent, spot) => readRate(value, { sent, guests: 0 }, spot),
  },
  rates: {
    schema: {
      type: ["array", "null"],
      minItems: 1,
      items: {
        type: "object",
        required: ["occupancy", "rate"],
        properties: { occupancy: { type: "integer", minimum: 1, maximum: MAX_GUESTS }, rate: moneySchema("Same as rate.") },
      },
      description: "Prices by number of guests.",
    },
    read: readRates,
  },
  currency: {
    schema: { type: ["string", "null"], pattern: "^[A-Z]{3}$", description: "ISO 4217 code. Default: the property's currency." },
    read: readCurrency,
  },
  min_stay_arrival: nightsField("minStayArrival", "Minimum stay for guests who arrive on the night. 0 or 1: no limit.", 1),
  min_stay_through: nightsField("minStayThrough", "Minimum stay for every stay that includes the night. 0 or 1: no limit.", 1),
  min_stay: {
    ...nightsField("minStayArrival", "Treated as min_stay_arrival, with a warning.", 1),
    read(value, sent, spot) {
      spot.report.warn(note("min_stay was stored as min_stay_arrival"), spot.at);
      readNights(value, { sent, attribute: "minStayArrival", unlimited: 1 }, spot);
    },
  },
  max_stay: nightsField("maxStayArrival", "Maximum stay for guests who arrive on the night. 0: no limit.", 0),
  closed_to_arrival: flagField("closedToArrival", "Closed to arrival."),
  closed_to_departure: flagField("closedToDeparture", "Closed to departure."),
  stop_sell: flagField("stopSell", "Not for sale."),
};

function textField(name: Parameters<ParsedValue["texts"]["set"]>[0], description: string, more: object): FieldDefinition {
  return {
    schema: { type: ["string", "null"], minLength: 1, ...more, description },
    limits: true,
    read(value, sent, { report, at }) {
      const text = typeof sent === "string" ? normalCode(sent) : "";
      if (text === "" || text.length > MAX_CODE_LENGTH)
        report.error(invalidWord(shortJson(sent), name, `a string of 1 to ${MAX_CODE_LENGTH} characters`), at);
      else value.texts.set(name, text);
    },
  };
}

function nightsField(attribute: Attribute, description: string, unlimited: number): FieldDefinition {
  const read: FieldDefinition["read"] = (value, sent, spot) => readNights(value, { sent, attribute, unlimited }, spot);
  return { schema: integerSchema(MAX_STAY_NIGHTS, description), read };
}

function flagField(attribute: Attribute, description: string): FieldDefinition {
  return {
    schema: { type: ["boolean", "null"], description },
    read(value, sent, { name, report, at }) {
      if (typeof sent === "boolean") value.set.set(attribute, Number(sent));
      else report.error(invalidWord(shortJson(sent), name, "true, false"), at);
    },
  };
}

function integerSchema(maximum: number, description: string): object {
  return { type: ["integer", "null"], minimum: 0, maximum, description };
}

function moneySchema(description: string): object {
  return { type: ["string", "integer", "null"], pattern: String.raw`^\d+(\.\d+)?$`, minimum: 0, description };
}

function readNights(
  value: ParsedValue,
  { sent, attribute, unlimited }: { sent: Json; attribute: Attribute; unlimited: number },
  spot: JsonReportContext,
) {
  const nights = readInteger(sent, MAX_STAY_NIGHTS, spot) ?? 0;
  value.set.set(attribute, nights <= unlimited ? undefined : nights);
}

function readInteger(sent: Json, max: number, { name, report, at }: JsonReportContext): number | undefined {
  const number = sent instanceof JsonNumber ? parseInteger(sent.text, max) : undefined;
  if (number === undefined) report.error(invalidWord(shortJson(sent), name, `whole numbers from 0 to ${max}`), at);
  return number;
}

const DAY_MASKS: ReadonlyMap<Json, number> = new Map(["mo", "tu", "we", "th", "fr", "sa", "su"].map((day, bit) => [day, 1 << bit]));

function readDays(value: ParsedValue, sent: Json, { name, report, at }: JsonReportContext): void {
  const bits = isArray(sent) ? sent.map((day) => DAY_MASKS.get(day)) : [];
  if (bits.length === 0 || bits.includes(undefined))
    report.error(invalidWord(shortJson(sent), name, `a list of mo, tu, we, th, fr, sa, su`), at);
  value.days = bits.reduce<number>((days, bit = 0) => days | bit, 0);
}

/** Reads a price. Refuses fractions, because `200.0` may mean 200.00 or minor units. */
function readRate(value: ParsedValue, { sent, guests }: { sent: Json; guests: number }, { name, report, at }: JsonReportContext): void {
  const isInteger = sent instanceof JsonNumber && /^\d+$/.test(sent.text);
  if (!isInteger && typeof sent !== "string")
    return report.error(
      invalidWord(shortJson(sent), name, 'a decimal as a string, such as "120.50", or whole minor units, such as 12050'),
      at,
    );
  const text = isInteger ? sent.text : (sent as string);
  const decimalPlaces = isInteger ? "minor units" : undefined;
  const adults = { guests, age: ADULT_CODE, minAge: undefined, maxAge: undefined };
  value.amounts.push({ ...adults, at, tax: "property", field: name, text, currency: undefined, decimalPlaces });
}

function readRates(value: ParsedValue, sent: Json, spot: JsonReportContext): void {
  const { report, at } = spot;
  if (!isArray(sent) || sent.length === 0)
    return report.error(invalidWord(shortJson(sent), "rates", 'a list such as [{"occupancy": 2, "rate": "120.00"}]'), at);
  for (const [index, item] of sent.entries()) readOccupancy(value, item, { report, at: locationWithin(at, String(index), index + 1) });
}

function readOccupancy(value: ParsedValue, item: Json, { report, at }: Pick<JsonReportContext, "report" | "at">): void {
  if (!isObject(item)) return report.error(invalidWord(shortJson(item), "rates", "objects with occupancy and rate"), at);
  for (const name of item.keys())
    if (name !== "occupancy" && name !== "rate")
      report.error(invalidWord(name, "the fields of rates", "occupancy, rate"), locationWithin(at, name));
  const { occupancy, rate } = Object.fromEntries(item);
  const guests = occupancy instanceof JsonNumber ? parseInteger(occupancy.text, MAX_GUESTS) : undefined;
  if (!guests)
    report.error(
      invalidWord(shortJson(occupancy ?? null), "occupancy", `whole numbers from 1 to ${MAX_GUESTS}`),
      locationWithin(at, "occupancy"),
    );
  if (rate === undefined || rate === null) report.error(fieldMissing("rate"), at);
  else readRate(value, { sent: rate, guests: guests ?? 0 }, { name: "rate", report, at: locationWithin(at, "rate") });
}

function readCurrency(value: ParsedValue, sent: Json, { report, at }: JsonReportContext): void {
  if (typeof sent === "string" && isCurrency(sent)) value.currency = sent;
  else report.error(invalidCurrency(shortJson(sent)), at);
}

/** Returns the location of a field or item, with its JSON pointer (RFC 6901). `order` distinguishes the items of a list. */
export function locationWithin({ offset, record }: SourceLocation, name: string, order = 0): SourceLocation {
  return { offset: offset + order / 1_000, record: `${record ?? ""}/${name.slice(0, 100).replaceAll("~", "~0").replaceAll("/", "~1")}` };
}

export function shortJson(value: Json): string {
  if (value instanceof JsonNumber) return value.text;
  if (isObject(value)) return "{…}";
  return isArray(value) ? "[…]" : String(value);
}
