import type { AttributeMap, Attribute, AttributeValue } from "../../src/calendar/attributes.ts";
import type { Night } from "../../src/calendar/night.ts";
import { type AssignOperation, EVERY_DAY, type Operation } from "../../src/calendar/operation.ts";
import { PLAIN_CATEGORY, PLAIN_PROPERTY } from "../../src/cli/seed/records.ts";
import type { Database } from "../../src/db/database.ts";
import type { CategoryRow, PropertyRow } from "../../src/db/schema.ts";
import type { PageRequest, ReceivedMessage, HttpResponse, MessageVerdict, MessageWork } from "../../src/journal/work.ts";
import { withSortName } from "../../src/records/sort-name.ts";

/** 2027-03-01 */
export const MARCH: Night = 20_878;
export const RECEIVED_AT = Date.UTC(2027, 0, 15, 12);

const NOTES = { errors: [], warnings: [], advisories: [], ignored: [], headers: {} };

export type SampleMessage = Partial<Omit<MessageWork, "received" | "decide">> & {
  received?: Partial<ReceivedMessage>;
  verdict?: Partial<MessageVerdict>;
};

/** Returns a message that applies `operations` to hotel H1. The second argument overrides defaults. */
export function sampleWork(operations: readonly Operation[], { received, verdict, ...work }: SampleMessage = {}): MessageWork {
  const decided = { ...acceptance(operations), ...verdict };
  return {
    property: "H1",
    pages: operations.map(requestOf),
    request: Buffer.from(`<Message>${JSON.stringify(operations)}</Message>`),
    received: { ...RECEIVED, ...received },
    decide: () => decided,
    ...work,
  };
}

const RECEIVED: ReceivedMessage = {
  claimed: undefined,
  at: RECEIVED_AT,
  sender: "pms",
  via: "channel",
  transport: "raw",
  root: "OTA_HotelInvCountNotifRQ",
  action: undefined,
  echoToken: "echo-1",
  stamp: undefined,
  remote: "127.0.0.1",
  lines: 1,
  dryRun: false,
  elapsed: () => 2,
};

function acceptance(operations: readonly Operation[]): MessageVerdict {
  return {
    outcome: "ok",
    reply: replyOf("<Success/>"),
    summary: `${operations.length} operations`,
    notes: NOTES,
    operations,
    plans: [],
    categories: [],
    history: [],
    completeSet: undefined,
  };
}

export function replyOf(text: string, status = 200): HttpResponse {
  return { status, headers: {}, body: Buffer.from(text) };
}

function requestOf(operation: Operation): PageRequest {
  const { kind, category, lane } = operation;
  const range = operation.type === "clear" ? { first: operation.from, last: operation.to ?? 1_000_000 } : operation;
  return { kind, ...(category !== undefined && { category }), ...(lane !== undefined && { lane }), first: range.first, last: range.last };
}

type Nights = { category?: string; first?: Night; last?: Night };

export function countOf(
  available: AttributeValue | undefined,
  { category = "DBL", first = MARCH, last = first }: Nights = {},
): AssignOperation {
  const values: AttributeMap = new Map([["available", available]]);
  return { type: "assign", kind: "inventory", category, lane: "", first, last, days: EVERY_DAY, group: "counts", replace: false, values };
}

/** Returns an operation that sets the amount for two guests in minor units. */
export function amountOf(minor: number, plan: string): AssignOperation {
  const values = new Map<Attribute, AttributeValue>([
    ["currency", "EUR"],
    ["amount:after:2:10:1", minor],
  ]);
  return { ...countOf(undefined), kind: "rate", lane: plan, group: "amounts", replace: true, values };
}

export async function addHotels(database: Database): Promise<void> {
  for (const code of ["H1", "H2"]) {
    await database.write
      .insertInto("property")
      .values(withSortName(propertyRow(code)))
      .execute();
    await database.write
      .insertInto("category")
      .values([categoryRow(code, "DBL"), categoryRow(code, "SGL")].map(withSortName))
      .execute();
  }
}

export async function openHotels(open: () => Promise<Database>): Promise<Database> {
  const database = await open();
  await addHotels(database);
  return database;
}

function propertyRow(code: string): PropertyRow {
  return { ...PLAIN_PROPERTY, code, name: `Hotel ${code}`, time_zone: "Europe/Rome", created_at: RECEIVED_AT, updated_at: RECEIVED_AT };
}

export function categoryRow(property: string, code: string): CategoryRow {
  return { ...PLAIN_CATEGORY, property, code, name: code, created_at: RECEIVED_AT, updated_at: RECEIVED_AT };
}
