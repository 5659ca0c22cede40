import { setImmediate as nextTurn } from "node:timers/promises";
import { type ExpressionBuilder, type ExpressionWrapper, type SqlBool, sql } from "kysely";
import { contains } from "../../db/contains.ts";
import type { Database } from "../../db/database.ts";
import type { ErrorEntryRow, Tables } from "../../db/schema.ts";
import type { ErrorDetail, ErrorEntry, ErrorSource, ErrorSummary } from "../entry.ts";
import type { GroupState, Position } from "./group.ts";

/** What the list is narrowed to; `from` and `to` are UTC milliseconds, both inclusive. */
export type ErrorFilter = {
  q?: string;
  class?: string;
  source?: ErrorSource;
  caught?: boolean;
  status?: number;
  from?: number;
  to?: number;
  /** Of the group; an entry that is in none is open. */
  state?: GroupState;
  group?: number;
};

/** Newest first, at most `limit`, from after the entry `before`, which is told by its id, or by where it stands: its `at` and id. */
export type ErrorSlice = { before?: number | Position; limit: number };

/**
 * Entries of one page. `next` is where to go on after, undefined at the end: an entry that is pruned meanwhile stood there, too.
 * `searchedTo` is set where the search stopped early: the time that it came back to.
 */
export type ErrorPage = { entries: ErrorSummary[]; next: Position | undefined; searchedTo: number | undefined };

/** Rows that the first step of a search reads, twice as many each further one, and all steps for one page: no index serves a search for text. */
const FIRST_WINDOW = 250;
const LARGEST_WINDOW = 8_000;
const SEARCHED = 100_000;

/** The entry with this id; undefined when there is none, or none any more. */
export async function findErrorEntry(database: Database, id: number): Promise<ErrorEntry | undefined> {
  const row = await database.read.selectFrom("error_entry").selectAll().where("id", "=", id).executeTakeFirst();
  return row && { ...toSummary(row), detail: JSON.parse(row.detail) as ErrorDetail };
}

/** One page of the list. Never counts; what no index serves is searched in bounded steps. */
export async function listErrorEntries(database: Database, filter: ErrorFilter, slice: ErrorSlice): Promise<ErrorPage> {
  const start = typeof slice.before === "number" ? await findPosition(database, slice.before) : slice.before;
  const { driving, residual } = splitFilter(filter);
  if (Object.keys(residual).length > 0) return search(database, { driving, filter, start, limit: slice.limit });
  const rows = await readRows(database, { filter, start, limit: slice.limit + 1 });
  const entries = rows.slice(0, slice.limit).map(toSummary);
  return { entries, next: rows.length > slice.limit ? positionOf(entries.at(-1)!) : undefined, searchedTo: undefined };
}

/** Where an entry stands in the order of the list. */
function positionOf({ at, id }: Pick<ErrorSummary, "at" | "id">): Position {
  return { value: at, id };
}

/** That of an entry which was pruned meanwhile is above the next one that was recorded before it. */
async function findPosition(database: Database, id: number): Promise<Position> {
  const found = await database.read
    .selectFrom("error_entry")
    .select(["at", "id"])
    .where("id", "<=", id)
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  if (!found) return { value: 0, id: 0 };
  return positionOf(found.id === id ? found : { at: found.at, id: found.id + 1 });
}

/** One of group, class, status and source is looked up in its index; every other condition is a search along it. */
function splitFilter({ from, to, ...filter }: ErrorFilter): { driving: ErrorFilter; residual: ErrorFilter } {
  const name = (["group", "class", "status", "source"] as const).find((one) => filter[one] !== undefined);
  const driving: ErrorFilter = { from, to, ...(name && { [name]: filter[name] }) };
  const residual = Object.fromEntries(Object.entries(filter).filter(([key, value]) => key !== name && value !== undefined));
  return { driving, residual };
}

type Search = { driving: ErrorFilter; filter: ErrorFilter; start: Position | undefined; limit: number };

async function search(database: Database, { driving, filter, start, limit }: Search): Promise<ErrorPage> {
  const found: SummaryRow[] = [];
  let from = start;
  for (let window = FIRST_WINDOW, left = SEARCHED; left > 0; left -= window, window = Math.min(2 * window, LARGEST_WINDOW)) {
    const until = await windowEnd(database, { driving, start: from, window });
    found.push(...(await readRows(database, { filter, start: from, until, limit: limit + 1 - found.length })));
    if (found.length > limit) {
      const entries = found.slice(0, limit).map(toSummary);
      return { entries, next: positionOf(entries.at(-1)!), searchedTo: undefined };
    }
    if (!until) return { entries: found.map(toSummary), next: undefined, searchedTo: undefined };
    from = until;
    await nextTurn();
  }
  return { entries: found.map(toSummary), next: from, searchedTo: from?.value };
}

/** The last position of the next window; undefined when the rest of the list is shorter. */
async function windowEnd(
  database: Database,
  { driving, start, window }: Pick<Search, "driving" | "start"> & { window: number },
): Promise<Position | undefined> {
  return database.read
    .selectFrom("error_entry")
    .select(["at as value", "id"])
    .where((where) => where.and([...conditions(where, driving), ...between(start, undefined)]))
    .orderBy("at", "desc")
    .orderBy("id", "desc")
    .offset(window - 1)
    .limit(1)
    .executeTakeFirst();
}

type Read = { filter: ErrorFilter; start: Position | undefined; until?: Position | undefined; limit: number };

async function readRows(database: Database, { filter, start, until, limit }: Read): Promise<SummaryRow[]> {
  return database.read
    .selectFrom("error_entry")
    .select(["id", "at", "class", "message", "source", "caught", "status", "group_id"])
    .where((where) => where.and([...conditions(where, filter), ...between(start, until)]))
    .orderBy("at", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}

type Condition = ExpressionWrapper<Tables, "error_entry", SqlBool> | ReturnType<typeof sql<SqlBool>>;

function conditions(where: ExpressionBuilder<Tables, "error_entry">, filter: ErrorFilter): Condition[] {
  const all: (Condition | undefined)[] = [
    filter.class === undefined ? undefined : where("class", "=", filter.class),
    filter.source === undefined ? undefined : where("source", "=", filter.source),
    filter.caught === undefined ? undefined : where("caught", "=", Number(filter.caught)),
    filter.status === undefined ? undefined : where("status", "=", filter.status),
    filter.group === undefined ? undefined : where("group_id", "=", filter.group),
    filter.state === undefined ? undefined : isInState(where, filter.state),
    filter.from === undefined ? undefined : where("at", ">=", filter.from),
    filter.to === undefined ? undefined : where("at", "<=", filter.to),
    filter.q === undefined ? undefined : where.or([contains("message", filter.q), contains("class", filter.q)]),
  ];
  return all.filter((one) => one !== undefined);
}

function isInState(where: ExpressionBuilder<Tables, "error_entry">, state: GroupState): Condition {
  const group = where.selectFrom("error_group").select("id").whereRef("error_group.id", "=", "error_entry.group_id");
  return state === "open" ? where.not(where.exists(group.where("state", "<>", "open"))) : where.exists(group.where("state", "=", state));
}

/** After `start` and up to `until`, in the order of the list. */
function between(start: Position | undefined, until: Position | undefined): Condition[] {
  const after = start ? [sql<SqlBool>`(at, id) < (${start.value}, ${start.id})`] : [];
  return until ? [...after, sql<SqlBool>`(at, id) >= (${until.value}, ${until.id})`] : after;
}

type SummaryRow = Omit<ErrorEntryRow, "detail" | "id"> & { id: number };

function toSummary(row: SummaryRow): ErrorSummary {
  const { id, at, message, status } = row;
  const common = { id, at, class: row.class, message, source: row.source, caught: row.caught === 1 };
  return { ...common, status: status ?? undefined, group: row.group_id ?? undefined };
}
