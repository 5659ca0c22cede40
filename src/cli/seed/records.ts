import { ADULT_CODE, amountAttribute } from "../../calendar/amounts.ts";
import { applyOperations } from "../../calendar/apply.ts";
import { type Attribute, type AttributeValue, type Group, pageKind } from "../../calendar/attributes.ts";
import { formatNight, type Night, todayIn } from "../../calendar/night.ts";
import { type AssignOperation, EVERY_DAY } from "../../calendar/operation.ts";
import type { CategoryRow, MessageBodyRow, MessageRow, PropertyRow, RatePlanRow } from "../../db/schema.ts";
import { newCategoryForm } from "../../records/category/category.ts";
import { toRow as categoryToRow } from "../../records/category/store.ts";
import { newPropertyForm } from "../../records/property/property.ts";
import { toRow as propertyToRow } from "../../records/property/store.ts";

const TOWNS = ["Merano", "Innsbruck", "Bergen", "Porto", "Kyoto", "Galway", "Tartu", "Valparaíso", "Tromsø", "Lucca"];
const PROPERTY_NAMES = [
  "Hotel Aurora",
  "Pension Linde",
  "The Old Mill",
  "Casa Verde",
  "Harbour House",
  "Alpenblick",
  "Villa Rosa",
  "Station Hotel",
];
const CATEGORY_NAMES = ["Single", "Double", "Twin", "Triple", "Family room", "Junior suite", "Suite", "Apartment", "Dormitory", "Loft"];
const PLAN_CODES = ["BAR", "NRF", "HB"];

export function propertyCode(index: number): string {
  return `SEED${String(index + 1).padStart(5, "0")}`;
}

export function categoryCode(index: number): string {
  return `C${String(index + 1).padStart(2, "0")}`;
}

export function planCodes(count: number): string[] {
  return Array.from({ length: count }, (_, index) => PLAN_CODES[index] ?? `PLAN${index + 1}`);
}

/** Returns the row for a seeded property. `index` starts at 0; `now` is in milliseconds since 1970. */
export function propertyRow(index: number, now: number): PropertyRow {
  return {
    ...PLAIN_PROPERTY,
    stars: 3,
    code: propertyCode(index),
    name: `${PROPERTY_NAMES[index % PROPERTY_NAMES.length]} ${index + 1}`,
    city: TOWNS[index % TOWNS.length]!,
    created_at: now,
    updated_at: now,
  };
}

export function categoryRow(property: string, index: number, now: number): CategoryRow {
  const name = CATEGORY_NAMES[index % CATEGORY_NAMES.length]!;
  const guests = 1 + (index % 4);
  return {
    ...PLAIN_CATEGORY,
    property,
    code: categoryCode(index),
    name: index < CATEGORY_NAMES.length ? name : `${name} ${index + 1}`,
    standard_occupancy: guests,
    max_occupancy: guests + 1,
    rooms: 5 + (index % 7),
    sort_order: index,
    created_at: now,
    updated_at: now,
  };
}

export function planRow(property: string, code: string, now: number): RatePlanRow {
  const absentColumns = { price_basis: null, meal_plan: null, taxes: null, details: null, parent_note: null, updated_at: null };
  return {
    property,
    code,
    name: null,
    currency: "EUR",
    status: "active",
    sender: "seed",
    first_seen_at: now,
    last_seen_at: now,
    version: 1,
    ...absentColumns,
  };
}

const UNEDITED_METADATA = { version: 1, createdAt: 0, updatedAt: 0 };

export const PLAIN_PROPERTY: PropertyRow = propertyToRow({
  ...newPropertyForm.parse({ code: "PLAIN", name: "Hotel" }),
  ...UNEDITED_METADATA,
});

export const PLAIN_CATEGORY: CategoryRow = categoryToRow({
  ...newCategoryForm.parse({ hotelCode: "PLAIN", code: "PLAIN", name: "Category", rooms: "5" }),
  ...UNEDITED_METADATA,
});

const REFUSAL_INTERVAL = 20;
const MESSAGE_DAYS = 28;

type SeedScope = { totals: { properties: number; categories: number; messages: number }; now: number };

export function messageRow(id: number, index: number, scope: SeedScope): MessageRow {
  const { totals, now } = scope;
  return {
    id,
    received_at: now - (totals.messages - index) * 1_000,
    property: propertyForIndex(index, totals),
    sender: "seed",
    via: "channel",
    transport: "raw",
    root: "OTA_HotelInvCountNotifRQ",
    action: null,
    status: 200,
    micros: 900 + (index % 500),
    request_bytes: seededRequest(index, scope).length,
    lines: 1,
    last_night: null,
    dry_run: 0,
    echo_token: echoToken(index),
    stamp: null,
    remote: "127.0.0.1",
    body_hash: index,
    same_as: null,
    pruned: 0,
    ...(isRefused(index) ? refusedVerdict : acceptedOutcome(index, scope)),
  };
}

type MessageOutcome = Pick<MessageRow, "outcome" | "answer_bytes" | "changed_nights" | "summary">;

function acceptedOutcome(index: number, { totals }: SeedScope): MessageOutcome {
  const summary = `${categoryForIndex(index, totals)}: available ${seededAvailability(index)}`;
  return { outcome: "ok", answer_bytes: SUCCESS_RESPONSE.length, changed_nights: index % 4, summary };
}

/** Returns the message shown as the source of all seeded nights. It has no body. */
export function nightsRow(id: number, scope: SeedScope): MessageRow {
  return { ...messageRow(id, 1, scope), property: "", echo_token: null, summary: "sample data", pruned: 1 };
}

export function bodyRow(id: number, index: number, scope: SeedScope): MessageBodyRow {
  const body = isRefused(index)
    ? { answer: REFUSAL_RESPONSE, notes: REFUSAL_NOTES }
    : { answer: SUCCESS_RESPONSE, notes: EMPTY_NOTES_JSON };
  return {
    message: id,
    message_property: propertyForIndex(index, scope.totals),
    encoding: "plain",
    request: seededRequest(index, scope),
    ...body,
  };
}

function seededRequest(index: number, { totals, now }: SeedScope): Buffer {
  const night = formatNight(todayIn("UTC", now) + (index % MESSAGE_DAYS));
  const control = `<StatusApplicationControl Start="${night}" End="${night}" InvTypeCode="${categoryForIndex(index, totals)}"/>`;
  const counts = `<InvCounts><InvCount CountType="2" Count="${seededAvailability(index)}"/></InvCounts>`;
  return Buffer.from(
    `<OTA_HotelInvCountNotifRQ xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.0" EchoToken="${echoToken(index)}">` +
      `<Inventories HotelCode="${propertyForIndex(index, totals)}">` +
      `${isRefused(index) ? "" : `<Inventory>${control}${counts}</Inventory>`}</Inventories></OTA_HotelInvCountNotifRQ>`,
  );
}

const isRefused = (index: number) => index % REFUSAL_INTERVAL === 0;
const echoToken = (index: number) => `seed-${index}`;
const seededAvailability = (index: number) => index % 9;
const propertyForIndex = (index: number, { properties }: SeedScope["totals"]) => propertyCode(index % Math.max(1, properties));
const categoryForIndex = (index: number, { categories }: SeedScope["totals"]) => categoryCode(index % Math.max(1, categories));

const seededResponse = (content: string) =>
  Buffer.from(
    `<OTA_HotelInvCountNotifRS xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.0">${content}</OTA_HotelInvCountNotifRS>`,
  );

const SUCCESS_RESPONSE = seededResponse("<Success/>");
const ERROR_TEXT = "Required field missing: Inventory";
const REFUSAL_RESPONSE = seededResponse(
  `<Errors><Error Type="10" Code="321" ShortText="${ERROR_TEXT}" Status="NotProcessed">${ERROR_TEXT}</Error></Errors>`,
);
const NO_NOTES = { errors: [], warnings: [], advisories: [], ignored: [], headers: {} };
const EMPTY_NOTES_JSON = JSON.stringify(NO_NOTES);
const REFUSAL_NOTES = JSON.stringify({ ...NO_NOTES, errors: [{ type: 10, code: 321, text: ERROR_TEXT }] });

const refusedVerdict: MessageOutcome = {
  outcome: "refused",
  answer_bytes: REFUSAL_RESPONSE.length,
  changed_nights: 0,
  summary: ERROR_TEXT,
};

const DAYS_PER_WEEK = 7;

export type SeededPage = { span: number; bytes: Uint8Array };

export type SeededNights = { first: Night; days: number; message: number };

export function inventoryPages(nights: SeededNights, variant: number): SeededPage[] {
  return buildPages(nights, (first, last, week) => [assignValues("counts", { first, last }, [["available", (variant + week * 3) % 6]])]);
}

export function ratePages(nights: SeededNights, variant: number): SeededPage[] {
  return buildPages(nights, (first, last, week) => [
    assignValues("amounts", { first, last }, [
      ["currency", "EUR"],
      [amountAttribute({ tax: "after", guests: 1, age: ADULT_CODE, nights: 1 }), 8_000 + variant * 500 + (week % 5) * 250],
      [amountAttribute({ tax: "after", guests: 2, age: ADULT_CODE, nights: 1 }), 11_000 + variant * 500 + (week % 5) * 250],
    ]),
    assignValues("restrictions", { first, last }, [
      ["stopSell", Number((week + variant) % 9 === 0)],
      ["minStayArrival", 1 + ((week + variant) % 3)],
    ]),
  ]);
}

function assignValues(
  group: Group,
  range: { first: Night; last: Night },
  values: readonly (readonly [Attribute, AttributeValue])[],
): AssignOperation {
  const target = { kind: pageKind(group), category: "", lane: "", days: EVERY_DAY };
  return { type: "assign", ...target, group, replace: false, values: new Map(values), ...range };
}

function buildPages(
  { first, days, message }: SeededNights,
  week: (first: Night, last: Night, week: number) => AssignOperation[],
): SeededPage[] {
  const operations: AssignOperation[] = [];
  for (let day = 0; day < days; day += DAYS_PER_WEEK)
    operations.push(...week(first + day, first + Math.min(day + DAYS_PER_WEEK, days) - 1, day / DAYS_PER_WEEK));
  return applyOperations([], operations, message).pages.map(({ span, bytes }) => ({ span, bytes: bytes! }));
}
