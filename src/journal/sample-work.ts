import type { Night } from "../calendar/night.ts";
import { type Assign, type ColumnValue, EVERY_DAY, type Operation } from "../calendar/operation.ts";
import type { Database } from "../db/database.ts";
import type { CategoryRow, PropertyRow } from "../db/schema.ts";
import type { PageRequest, Received, Verdict, Work } from "./work.ts";

/** 2027-03-01 */
export const MARCH: Night = 20_878;
/** 2027-01-15T12:00:00Z */
export const NOON = 1_800_014_400_000;

const NOTES = { errors: [], warnings: [], advisories: [], ignored: [], headers: {} };

export type SampleMessage = Partial<Omit<Work, "received" | "decide">> & { received?: Partial<Received>; verdict?: Partial<Verdict> };

/** A message that does `operations` to hotel H1; everything else can be said otherwise. */
export function sampleWork(operations: readonly Operation[], { received, verdict, ...work }: SampleMessage = {}): Work {
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

const RECEIVED: Received = {
  at: NOON,
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

function acceptance(operations: readonly Operation[]): Verdict {
  return {
    outcome: "ok",
    status: 200,
    answer: Buffer.from("<Success/>"),
    summary: `${operations.length} operations`,
    notes: NOTES,
    operations,
    plans: [],
    categories: [],
    completeSet: false,
  };
}

function requestOf(operation: Operation): PageRequest {
  const { kind, category, lane } = operation;
  const range = operation.type === "clear" ? { first: operation.from, last: operation.to ?? 1_000_000 } : operation;
  return { kind, ...(category !== undefined && { category }), ...(lane !== undefined && { lane }), first: range.first, last: range.last };
}

type Nights = { category?: string; first?: Night; last?: Night };

/** Sets how many rooms are available. */
export function countOf(available: ColumnValue | undefined, { category = "DBL", first = MARCH, last = first }: Nights = {}): Assign {
  const values = [["available", available]] as const;
  return { type: "assign", kind: "inventory", category, lane: "", first, last, days: EVERY_DAY, group: "counts", replace: false, values };
}

/** Sets the amount for two guests. */
export function amountOf(minor: number, plan: string): Assign {
  const values = [
    ["currency", "EUR"],
    ["amount:after:2:10:1", minor],
  ] as const;
  return { ...countOf(undefined), kind: "rate", lane: plan, group: "amounts", replace: true, values };
}

/** Hotels H1 and H2 with the categories DBL and SGL. */
export async function addHotels(database: Database): Promise<void> {
  for (const code of ["H1", "H2"]) {
    await database.write.insertInto("property").values(propertyRow(code)).execute();
    await database.write
      .insertInto("category")
      .values([categoryRow(code, "DBL"), categoryRow(code, "SGL")])
      .execute();
  }
}

function propertyRow(code: string): PropertyRow {
  const texts = [
    "country",
    "street",
    "city",
    "region",
    "postal_code",
    "latitude",
    "longitude",
    "phone",
    "email",
    "website",
    "contact_name",
  ];
  const more = ["stars", "check_in_from", "check_in_until", "check_out_until", "languages", "min_child_age", "max_child_age"];
  const rest = ["description", "notes", "group_name", "external_id"];
  return {
    ...(Object.fromEntries([...texts, ...more, ...rest].map((column) => [column, null])) as Partial<PropertyRow>),
    code,
    name: `Hotel ${code}`,
    status: "active",
    currency: "EUR",
    time_zone: "Europe/Rome",
    property_type: "20",
    assume_open: 1,
    known_plans_only: 0,
    horizon_days: 750,
    prices_include_tax: 1,
    version: 1,
    created_at: NOON,
    updated_at: NOON,
  } as PropertyRow;
}

export function categoryRow(property: string, code: string): CategoryRow {
  return {
    property,
    code,
    name: code,
    description: null,
    kind: "room",
    standard_occupancy: 2,
    min_occupancy: 1,
    max_occupancy: 2,
    max_adults: null,
    max_children: null,
    max_infants: null,
    rooms: 5,
    room_names: null,
    size: null,
    beds: null,
    smoking: 0,
    accessible: 0,
    amenities: null,
    photos: null,
    status: "active",
    sort_order: 0,
    version: 1,
    created_at: NOON,
    updated_at: NOON,
  };
}
