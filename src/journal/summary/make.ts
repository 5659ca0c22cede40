import type { LaneNights } from "../../calendar/lane.ts";
import {
  BLOCK_NIGHTS,
  blockOf,
  EMPTY_BLOCK_ID,
  encodeSummaries,
  summariseNights,
  type SummarySources,
} from "../../calendar/night-summary.ts";
import { todayIn } from "../../calendar/night.ts";
import { SPAN_DAYS } from "../../calendar/runs.ts";
import type { Database } from "../../db/database.ts";
import type { NightSummaryRow } from "../../db/schema.ts";
import { listCategoryBriefs } from "../../records/category/store.ts";
import { listRetiredPlans } from "../../records/plan/store.ts";
import { findPropertyBrief } from "../../records/property/store.ts";
import type { NightRange } from "../feed/expand.ts";
import { readNights } from "../nights.ts";
import type { PropertySummaries } from "./store.ts";

/** If `nights` is undefined, summarises all nights that can be on sale. */
export type SummaryRequest = { property: string; nights: readonly NightRange[] | undefined };

/** Summarises one property's nights from current data. `now` is in milliseconds since 1970. */
export async function makeSummaries(
  database: Database,
  { property: code, nights }: SummaryRequest,
  now: number,
): Promise<PropertySummaries> {
  const property = await findPropertyBrief(database, code);
  if (!property) return { property: code, from: 0, rows: [] };
  const [categories, retired] = await Promise.all([listCategoryBriefs(database, code), listRetiredPlans(database, code)]);
  const records = { code, property, categories, retired };
  // Yesterday in UTC is the earliest current date in any time zone.
  const first = blockOf(todayIn("UTC", now) - 1);
  const last = blockOf(todayIn("UTC", now) + property.horizonDays + 1);
  const blocks = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  if (nights === undefined)
    return { property: code, from: first, rows: [emptyBlock(records), ...(await makeBlocks(database, records, blocks))] };
  const changedBlocks = blocks.filter((block) => nights.some((range) => isBlockInRange(block, range)));
  const rows = new Map((await makeBlocks(database, records, changedBlocks)).map((row) => [row.block, row]));
  return { property: code, from: undefined, rows: changedBlocks.map((block) => rows.get(block) ?? blockWithoutData(records, block)) };
}

type SummaryRecords = Pick<SummarySources, "property" | "categories" | "retired"> & { code: string };

function isBlockInRange(block: number, { first, last }: NightRange): boolean {
  return block >= blockOf(first) && block <= blockOf(last);
}

const NO_LANES = { inventory: [], rates: [] };

function emptyBlock(records: SummaryRecords): NightSummaryRow {
  return { block: EMPTY_BLOCK_ID, property: records.code, nights: encodeSummaries(summariseNights({ ...records, ...NO_LANES }, 1)) };
}

/** Returns the summary of nights whose data was deleted, to replace an earlier one. */
function blockWithoutData(records: SummaryRecords, block: number): NightSummaryRow {
  return { block, property: records.code, nights: encodeSummaries(summariseNights({ ...records, ...NO_LANES }, BLOCK_NIGHTS)) };
}

/** Returns the blocks for which anything was received. */
async function makeBlocks(database: Database, records: SummaryRecords, blocks: readonly number[]): Promise<NightSummaryRow[]> {
  const rows: NightSummaryRow[] = [];
  for (const run of splitIntoConsecutive(blocks)) {
    const range = { property: records.code, first: run[0]! * BLOCK_NIGHTS, last: (run.at(-1)! + 1) * BLOCK_NIGHTS - 1 };
    const [inventory, rates] = await Promise.all([
      readNights(database, { ...range, kind: "inventory" }),
      readNights(database, { ...range, kind: "rate" }),
    ]);
    for (const [index, block] of run.entries()) {
      const lanes = { inventory: selectLanes(inventory, index), rates: selectLanes(rates, index) };
      if (lanes.inventory.length + lanes.rates.length === 0) continue;
      rows.push({ block, property: records.code, nights: encodeSummaries(summariseNights({ ...records, ...lanes }, BLOCK_NIGHTS)) });
    }
  }
  return rows;
}

/** Maximum number of blocks read together, which is the number in one stored page. */
const MAX_BLOCKS_PER_READ = SPAN_DAYS / BLOCK_NIGHTS;

function splitIntoConsecutive(blocks: readonly number[]): number[][] {
  const runs: number[][] = [];
  for (const block of blocks) {
    const last = runs.at(-1);
    if (last?.at(-1) === block - 1 && block % MAX_BLOCKS_PER_READ !== 0) last.push(block);
    else runs.push([block]);
  }
  return runs;
}

/** Returns the lanes that have values in the block with this index, trimmed to the block's nights. */
function selectLanes(lanes: readonly LaneNights[], index: number): LaneNights[] {
  const [from, to] = [index * BLOCK_NIGHTS, (index + 1) * BLOCK_NIGHTS];
  return lanes.flatMap((lane) => {
    const columns = new Map([...lane.columns].map(([name, values]) => [name, values.slice(from, to)] as const));
    const hasValues = [...columns.values()].some((values) => values.some((value) => value !== undefined));
    return hasValues ? [{ ...lane, columns, setters: NO_SETTERS }] : [];
  });
}

/** Empty, because summaries don't contain message IDs. */
const NO_SETTERS: LaneNights["setters"] = new Map();
