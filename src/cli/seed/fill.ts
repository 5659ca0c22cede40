import { todayIn } from "../../calendar/night.ts";
import type { Database } from "../../db/database.ts";
import type { InventoryPageRow, RatePageRow } from "../../db/schema.ts";
import type { NewErrorEntry } from "../../errors/entry.ts";
import { createErrorEntries, toRow } from "../../errors/storage/store.ts";
import { categorySearchRow, planSearchRow, propertySearchRow } from "../../records/search.ts";
import { withSortName } from "../../records/sort-name.ts";
import { type ReportProgress } from "../command.ts";
import {
  bodyRow,
  categoryCode,
  categoryRow,
  inventoryPages,
  messageRow,
  nightsRow,
  planCodes,
  planRow,
  propertyCode,
  propertyRow,
  ratePages,
  type SeededPage,
} from "./records.ts";
import { createRows, resetSummaries } from "./store.ts";

export type SeedCounts = { properties: number; categories: number; plans: number; nights: number; errors: number; messages: number };

const PROPERTIES_PER_BATCH = 200;
const ROWS_PER_BATCH = 20_000;
const VARIANT_COUNT = 16;

export async function fillDatabase(
  database: Database,
  totals: SeedCounts,
  { now, progress }: { now: number; progress: ReportProgress },
): Promise<void> {
  const firstMessage = await database.reserve(totals.messages + 1);
  await createRows(database, "message", [nightsRow(firstMessage, { totals, now })]);
  const nights = { first: todayIn("UTC", now), days: totals.nights, message: firstMessage };
  const counts = buildVariants((variant) => inventoryPages(nights, variant));
  const rates = buildVariants((variant) => ratePages(nights, variant));
  for (let start = 0; start < totals.properties; start += PROPERTIES_PER_BATCH) {
    const indexes = numberRange(start, Math.min(start + PROPERTIES_PER_BATCH, totals.properties));
    await fillProperties(database, indexes, { totals, now, counts, rates });
    progress("properties", start + indexes.length, totals.properties);
  }
  await createInBatches(totals.errors, async (first, last) => {
    const rows = numberRange(first, last).map((index) => toRow(errorEntry(index, now - (totals.errors - index) * 1_000)));
    await createErrorEntries(database, rows, "silent");
    progress("errors", last, totals.errors);
  });
  await createInBatches(totals.messages, async (first, last) => {
    const scope = { totals, now };
    const indexes = numberRange(first, last);
    const rows = indexes.map((index) => messageRow(firstMessage + 1 + index, index, scope));
    const bodies = indexes.map((index) => bodyRow(firstMessage + 1 + index, index, scope));
    await createRows(database, "message", rows);
    await createRows(database, "message_body", bodies);
    progress("messages", last, totals.messages);
  });
  await resetSummaries(database);
}

type SeedPlan = { totals: SeedCounts; now: number; counts: SeededPage[][]; rates: SeededPage[][] };

async function fillProperties(database: Database, indexes: readonly number[], { totals, now, counts, rates }: SeedPlan): Promise<void> {
  const plans = planCodes(totals.plans);
  const categories = indexes.flatMap((index) =>
    numberRange(0, totals.categories).map((number) => ({
      property: propertyCode(index),
      number,
      variant: (index + number) % VARIANT_COUNT,
    })),
  );
  const properties = indexes.map((index) => propertyRow(index, now));
  await createRows(database, "property", properties.map(withSortName));
  await createRows(database, "search_text", properties.map(propertySearchRow));
  const rows = categories.map(({ property, number }) => categoryRow(property, number, now));
  await createRows(database, "category", rows.map(withSortName));
  await createRows(database, "search_text", rows.map(categorySearchRow));
  if (totals.nights === 0) return;
  const activities = properties.map(({ code }) => ({ property: code, last_message_at: now, last_complete_set_at: now }));
  await createRows(database, "property_activity", activities);
  const planRows = indexes.flatMap((index) => plans.map((code) => planRow(propertyCode(index), code, now)));
  await createRows(database, "rate_plan", planRows);
  await createRows(database, "search_text", planRows.map(planSearchRow));
  const inventory = categories.flatMap(({ property, number, variant }): InventoryPageRow[] =>
    counts[variant]!.map(({ span, bytes }) => ({ property, category: categoryCode(number), room: "", span, page: bytes, updated_at: now })),
  );
  await createRows(database, "inventory_page", inventory);
  const ratePageRows = categories.flatMap(({ property, number, variant }) =>
    plans.flatMap((plan, planIndex): RatePageRow[] =>
      rates[(variant + planIndex) % VARIANT_COUNT]!.map(({ span, bytes }) => ({
        property,
        category: categoryCode(number),
        plan,
        span,
        page: bytes,
        updated_at: now,
      })),
    ),
  );
  await createRows(database, "rate_page", ratePageRows);
}

function errorEntry(index: number, at: number): NewErrorEntry {
  const path = `/seed/${index % 5_000}`;
  const message = `Route 'GET ${path}' not found`;
  const server = { REQUEST_METHOD: "GET", REQUEST_URI: path, QUERY_STRING: `_uri=${path}`, REQUEST_TIME: Math.floor(at / 1000) };
  const object = { status: 404, message, code: 0, file: "src/web/error-handler.ts", line: 1 };
  const detail = { object, trace: ["#0 {main}"], server, get: { _uri: path }, session: null, extra: {} };
  return { at, class: "NotFoundException", message, source: "php", caught: false, status: 404, detail };
}

async function createInBatches(count: number, create: (first: number, last: number) => Promise<void>): Promise<void> {
  for (let first = 0; first < count; first += ROWS_PER_BATCH) await create(first, Math.min(first + ROWS_PER_BATCH, count));
}

function buildVariants(make: (variant: number) => SeededPage[]): SeededPage[][] {
  return numberRange(0, VARIANT_COUNT).map(make);
}

function numberRange(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}
