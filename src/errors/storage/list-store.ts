import { setImmediate as nextTurn } from "node:timers/promises";
import { type ExpressionBuilder, type ExpressionWrapper, type RawBuilder, sql, type SqlBool } from "kysely";
import type { Database } from "../../db/database.ts";
import type { ErrorEntryRow } from "../../db/error-log-rows.ts";
import { containsText } from "../../db/listing.ts";
import type { Tables } from "../../db/schema.ts";
import type { ErrorDetail, ErrorEntry, ErrorSource, ErrorSummary, GroupState, ListPosition } from "../entry.ts";

export type ErrorFilter = {
  q?: string;
  class?: string;
  source?: ErrorSource;
  caught?: boolean;
  status?: number;
  from?: number;
  to?: number;
  state?: GroupState;
  group?: number;
};

/** Up to `limit` entries older than `before` (an entry ID or a position), newest first. */
export type ErrorSlice = { before?: number | ListPosition; limit: number };

/** `next` remains valid if its entry is deleted. `searchedTo` is how far back a search got before reaching its limit. */
export type ErrorPage = { entries: ErrorSummary[]; next: ListPosition | undefined; searchedTo: number | undefined };

/** Text search has no index, so it reads rows in windows that double in size, up to a maximum per page. */
const FIRST_WINDOW_ROWS = 250;
const MAX_WINDOW_ROWS = 8_000;
const MAX_SEARCHED_ROWS = 100_000;

export async function findErrorEntry(database: Database, id: number): Promise<ErrorEntry | undefined> {
  const row = await database.read.selectFrom("error_entry").selectAll().where("id", "=", id).executeTakeFirst();
  return row && { ...toSummary(row), detail: JSON.parse(row.detail) as ErrorDetail };
}

export async function listErrorEntries(database: Database, filter: ErrorFilter, slice: ErrorSlice): Promise<ErrorPage> {
  const start = typeof slice.before === "number" ? await findPosition(database, slice.before) : slice.before;
  const { indexed: indexedFilter, unindexed } = splitFilter(filter);
  if (Object.keys(unindexed).length > 0) return searchEntries(database, { indexed: indexedFilter, filter, start, limit: slice.limit });
  const rows = await readRows(database, { filter, start, limit: slice.limit + 1 });
  const entries = rows.slice(0, slice.limit).map(toSummary);
  return { entries, next: rows.length > slice.limit ? entryPosition(entries.at(-1)!) : undefined, searchedTo: undefined };
}

function entryPosition({ at, id }: Pick<ErrorSummary, "at" | "id">): ListPosition {
  return { value: at, id };
}

/** Returns an entry's position. The position of a deleted entry is just above the entry recorded before it. */
async function findPosition(database: Database, id: number): Promise<ListPosition> {
  const row = await database.read
    .selectFrom("error_entry")
    .select(["at", "id"])
    .where("id", "<=", id)
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  if (!row) return { value: 0, id: 0 };
  return entryPosition(row.id === id ? row : { at: row.at, id: row.id + 1 });
}

/** Splits a filter into an indexed part and the rest. The database uses one index per query: on group, class, status or source. */
function splitFilter({ from, to, ...filter }: ErrorFilter): { indexed: ErrorFilter; unindexed: ErrorFilter } {
  const name = (["group", "class", "status", "source"] as const).find((key) => filter[key] !== undefined);
  const indexedFilter: ErrorFilter = { from, to, ...(name && { [name]: filter[name] }) };
  const otherFilters = Object.fromEntries(Object.entries(filter).filter(([key, value]) => key !== name && value !== undefined));
  return { indexed: indexedFilter, unindexed: otherFilters };
}

type SearchQuery = { indexed: ErrorFilter; filter: ErrorFilter; start: ListPosition | undefined; limit: number };

async function searchEntries(database: Database, { indexed: indexedFilter, filter, start, limit }: SearchQuery): Promise<ErrorPage> {
  const summaries: SummaryRow[] = [];
  let from = start;
  for (let window = FIRST_WINDOW_ROWS, left = MAX_SEARCHED_ROWS; left > 0; left -= window, window = Math.min(2 * window, MAX_WINDOW_ROWS)) {
    const until = await windowEnd(database, { indexed: indexedFilter, start: from, window });
    summaries.push(...(await readRows(database, { filter, start: from, until, limit: limit + 1 - summaries.length })));
    if (summaries.length > limit) {
      const entries = summaries.slice(0, limit).map(toSummary);
      return { entries, next: entryPosition(entries.at(-1)!), searchedTo: undefined };
    }
    if (!until) return { entries: summaries.map(toSummary), next: undefined, searchedTo: undefined };
    from = until;
    await nextTurn();
  }
  return { entries: summaries.map(toSummary), next: from, searchedTo: from?.value };
}

async function windowEnd(
  database: Database,
  { indexed: indexedFilter, start, window }: Pick<SearchQuery, "indexed" | "start"> & { window: number },
): Promise<ListPosition | undefined> {
  return database.read
    .selectFrom("error_entry")
    .select(["at as value", "id"])
    .where((eb) => eb.and([...filterConditions(eb, indexedFilter), ...betweenPositions(start, undefined)]))
    .orderBy("at", "desc")
    .orderBy("id", "desc")
    .offset(window - 1)
    .limit(1)
    .executeTakeFirst();
}

type RowQuery = { filter: ErrorFilter; start: ListPosition | undefined; until?: ListPosition | undefined; limit: number };

async function readRows(database: Database, { filter, start, until, limit }: RowQuery): Promise<SummaryRow[]> {
  return database.read
    .selectFrom("error_entry")
    .select(["id", "at", "class", "message", "source", "caught", "status", "group_id"])
    .where((eb) => eb.and([...filterConditions(eb, filter), ...betweenPositions(start, until)]))
    .orderBy("at", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
}

type QueryCondition = ExpressionWrapper<Tables, "error_entry", SqlBool> | RawBuilder<SqlBool>;

function filterConditions(eb: ExpressionBuilder<Tables, "error_entry">, filter: ErrorFilter): QueryCondition[] {
  const { group, state } = filter;
  const groupCondition = group === undefined ? [] : [eb("group_id", "=", group)];
  return [...sharedConditions(filter, "at"), ...groupCondition, ...(state === undefined ? [] : [hasState(eb, state)])];
}

export function sharedConditions(filter: ErrorFilter, time: "at" | "last_at"): RawBuilder<SqlBool>[] {
  const { q, from, to, caught } = filter;
  const values = {
    class: filter.class,
    source: filter.source,
    status: filter.status,
    caught: caught === undefined ? undefined : Number(caught),
  };
  const equalConditions = Object.entries(values).filter(([, value]) => value !== undefined);
  return [
    ...equalConditions.map(([column, value]) => sql<SqlBool>`${sql.ref(column)} = ${value}`),
    ...(from === undefined ? [] : [sql<SqlBool>`${sql.ref(time)} >= ${from}`]),
    ...(to === undefined ? [] : [sql<SqlBool>`${sql.ref(time)} <= ${to}`]),
    ...(q === undefined ? [] : [sql<SqlBool>`(${containsText("message", q)} or ${containsText("class", q)})`]),
  ];
}

function hasState(eb: ExpressionBuilder<Tables, "error_entry">, state: GroupState): QueryCondition {
  const group = eb.selectFrom("error_group").select("id").whereRef("error_group.id", "=", "error_entry.group_id");
  return state === "open" ? eb.not(eb.exists(group.where("state", "<>", "open"))) : eb.exists(group.where("state", "=", state));
}

function betweenPositions(start: ListPosition | undefined, until: ListPosition | undefined): QueryCondition[] {
  const after = start ? [sql<SqlBool>`(at, id) < (${start.value}, ${start.id})`] : [];
  return until ? [...after, sql<SqlBool>`(at, id) >= (${until.value}, ${until.id})`] : after;
}

type SummaryRow = Omit<ErrorEntryRow, "detail" | "id" | "key"> & { id: number };

function toSummary(row: SummaryRow): ErrorSummary {
  const { id, at, message, status } = row;
  const summary = { id, at, class: row.class, message, source: row.source, caught: row.caught === 1 };
  return { ...summary, status: status ?? undefined, group: row.group_id ?? undefined };
}
