import { BLOCK_NIGHTS, blockOf, EMPTY_BLOCK, encodeSummaries, type NightSummary, summariseNights } from "../../calendar/night-summary.ts";
import { todayIn } from "../../calendar/night.ts";
import { SPAN_DAYS } from "../../calendar/runs.ts";
import type { Database } from "../../db/database.ts";
import type { NightSummaryRow } from "../../db/schema.ts";
import { categoriesOf } from "../../records/category/store.ts";
import { findPropertyBrief } from "../../records/property/store.ts";
import type { NightRange } from "../feed/expand.ts";
import { readNights } from "../nights.ts";
import type { PropertySummaries } from "./store.ts";

/** Nights to summarise; undefined for all that can be on sale. */
export type SummaryRequest = { property: string; nights: readonly NightRange[] | undefined };

/** Summarises nights of one property, as they are stored now. `now` is in milliseconds since 1970. */
export async function makeSummaries(
  database: Database,
  { property: code, nights }: SummaryRequest,
  now: number,
): Promise<PropertySummaries> {
  const property = await findPropertyBrief(database, code);
  if (!property) return { property: code, from: 0, rows: [] };
  const categories = await categoriesOf(database, code);
  // No time zone is a day behind yesterday.
  const firstBlock = blockOf(todayIn("UTC", now) - 1);
  const lastBlock = blockOf(todayIn("UTC", now) + property.horizonDays + 1);
  const all = Array.from({ length: lastBlock - firstBlock + 1 }, (_, index) => firstBlock + index);
  const blocks = nights === undefined ? all : all.filter((block) => nights.some((range) => isIn(block, range)));
  const sources = { property, categories };
  const empty = encodeSummaries(summariseNights({ ...sources, inventory: [], rates: [] }, 1));
  const rows: NightSummaryRow[] = nights === undefined ? [{ block: EMPTY_BLOCK, property: code, nights: empty }] : [];
  for (const run of consecutive(blocks)) {
    const range = { property: code, first: run[0]! * BLOCK_NIGHTS, last: (run.at(-1)! + 1) * BLOCK_NIGHTS - 1 };
    const [inventory, rates] = await Promise.all([
      readNights(database, { ...range, kind: "inventory" }),
      readNights(database, { ...range, kind: "rate" }),
    ]);
    const summaries = summariseNights({ ...sources, inventory, rates }, run.length * BLOCK_NIGHTS);
    rows.push(...run.map((block, index) => blockRow(code, block, summaries.slice(index * BLOCK_NIGHTS, (index + 1) * BLOCK_NIGHTS))));
  }
  return {
    property: code,
    from: nights === undefined ? firstBlock : undefined,
    rows: nights === undefined ? withoutEmpty(rows, empty) : rows,
  };
}

function isIn(block: number, { first, last }: NightRange): boolean {
  return block >= blockOf(first) && block <= blockOf(last);
}

/** Long ranges are split, so that one step neither takes long nor needs much memory. */
const MAX_RUN = Math.ceil(SPAN_DAYS / BLOCK_NIGHTS);

function consecutive(blocks: readonly number[]): number[][] {
  const runs: number[][] = [];
  for (const block of blocks) {
    const last = runs.at(-1);
    if (last?.at(-1) === block - 1 && last.length < MAX_RUN) last.push(block);
    else runs.push([block]);
  }
  return runs;
}

function blockRow(property: string, block: number, nights: readonly NightSummary[]): NightSummaryRow {
  return { block, property, nights: encodeSummaries(nights) };
}

/** Blocks in which nothing was received are not stored. */
function withoutEmpty(rows: readonly NightSummaryRow[], empty: Uint8Array): NightSummaryRow[] {
  const block = Buffer.concat(Array.from({ length: BLOCK_NIGHTS }, () => empty));
  return rows.filter((row) => row.block === EMPTY_BLOCK || !block.equals(row.nights));
}
