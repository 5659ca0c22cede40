import { type Kysely, type SelectQueryBuilder, type RawBuilder, sql, type SqlBool } from "kysely";
import type { Database } from "./database.ts";
import type { Tables } from "./schema.ts";

/** The combination of `columns` must be unique. */
export type SortOrder = { columns: readonly string[]; direction: "asc" | "desc" };

export type ListResult<Row> = { lines: Row[]; count: RowCount };

type PageRequest = { page: number; size: number };
type SelectQuery<All, Table extends keyof All, Row> = SelectQueryBuilder<All, Table, Row>;

/** A list. Its sort order ends with the key columns. Queries are built only when needed, because building one takes as long as reading a page. */
export type ListSource<All, Table extends keyof All, Row> = {
  listed(): SelectQuery<All, Table, object>;
  /** The rows without filters. */
  all(): SelectQuery<All, Table, object>;
  select(rows: SelectQuery<All, Table, object>): SelectQuery<All, Table, Row>;
  order: SortOrder;
  key: readonly string[];
  /** Parses a key into its values. Returns undefined if the text is not a key. */
  readKey(text: string): readonly string[] | undefined;
  count(): Promise<RowCount>;
};

/** Reads the page before or after the row in the query. If the query has no row, or the row was deleted, reads the page by number. */
export async function listPage<All, Table extends keyof All, Row>(
  source: ListSource<All, Table, Row>,
  query: ListQuery,
  readNumbered = () => readNumberedPage(source, query),
): Promise<ListResult<Row>> {
  const lastPosition = await findRowPosition(source, query);
  const lines = lastPosition ? await readFrom(source, query, lastPosition) : await readNumbered();
  const knownCount = lastPosition ? undefined : countOnLastPage(lines.length, query);
  return { lines, count: knownCount ?? (await source.count()) };
}

/** Returns the values that a row is sorted by. If the key contains all of them, the row isn't read and may have been deleted. */
async function findRowPosition<All, Table extends keyof All, Row>(
  { all, order, key, readKey }: ListSource<All, Table, Row>,
  { after, before }: ListQuery,
): Promise<readonly unknown[] | undefined> {
  const values = readKey(after ?? before ?? "");
  if (values === undefined || values.length === order.columns.length) return values;
  const row = await all()
    .where(sql<boolean>`${columnTuple(key)} = (${sql.join(values)})`)
    .select(order.columns.map((column) => sql.ref(column).as(columnName(column))))
    .executeTakeFirst();
  return row && rowPosition(row, order);
}

/** Reads the rows before or after a position, or at the start or end of the list. */
async function readFrom<All, Table extends keyof All, Row>(
  { listed, select, order }: ListSource<All, Table, Row>,
  { after, page, size }: ListQuery,
  lastPosition?: readonly unknown[],
): Promise<Row[]> {
  const isBackwards = lastPosition ? after === undefined : page < 0;
  const direction = isBackwards ? reverseOrder(order) : order;
  const remainingRows = lastPosition ? listed().where(afterCondition(lastPosition, direction)) : listed();
  const rows = await orderRows(select(remainingRows), direction).limit(size).execute();
  return isBackwards ? rows.toReversed() : rows;
}

/** Skips rows using only their keys. Otherwise PostgreSQL would count the categories of each skipped property. */
function readNumberedPage<All, Table extends keyof All, Row>(source: ListSource<All, Table, Row>, query: ListQuery): Promise<Row[]> {
  const { listed, all, select, order, key } = source;
  const { page, size } = query;
  if (Math.abs(page) === 1) return readFrom(source, query);
  const keys = orderRows(
    listed().select(key.map((column) => sql.ref(column).as(columnName(column)))),
    page < 0 ? reverseOrder(order) : order,
  )
    .limit(size)
    .offset((Math.abs(page) - 1) * size);
  return orderRows(select(all().where(sql<boolean>`${columnTuple(key)} in ${keys}`)), order).execute();
}

export function orderRows<All, Table extends keyof All, Row>(rows: SelectQuery<All, Table, Row>, { columns, direction }: SortOrder) {
  return columns.reduce((sorted, column) => sorted.orderBy(sql.ref(column), direction), rows);
}

const BATCH_SIZE = 250;

/** Returns the total if the page with `lines` rows is the last page, or undefined if there may be more. */
function countOnLastPage(lines: number, { page, size }: PageRequest): RowCount | undefined {
  const isLast = page > 0 && lines < size && (lines > 0 || page === 1);
  return isLast ? toCount((page - 1) * size + lines) : undefined;
}

/** Reads all rows in order, in batches. Each batch continues after the last row of the previous one. */
export async function* readInBatches<All, Table extends keyof All, Row>(rows: SelectQuery<All, Table, Row>, order: SortOrder) {
  const nextBatch = orderRows(rows, order).limit(BATCH_SIZE);
  const nextAfter = (last: object) => nextBatch.where(afterCondition(rowPosition(last, order), order)).execute();
  for (let batch = await nextBatch.execute(); batch.length > 0; batch = await nextAfter(batch.at(-1)!)) yield batch;
}

export function* splitIntoBatches<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let start = 0; start < items.length; start += BATCH_SIZE) yield items.slice(start, start + BATCH_SIZE);
}

function reverseOrder({ columns, direction }: SortOrder): SortOrder {
  return { columns, direction: direction === "asc" ? "desc" : "asc" };
}

function afterCondition(lastPosition: readonly unknown[], { columns, direction }: SortOrder) {
  return sql<boolean>`${columnTuple(columns)} ${sql.raw(direction === "asc" ? ">" : "<")} (${sql.join(lastPosition)})`;
}

function columnTuple(columns: readonly string[]) {
  return sql`(${sql.join(columns.map(sql.ref))})`;
}

function rowPosition(row: object, { columns }: SortOrder): readonly unknown[] {
  return columns.map((column) => (row as Record<string, unknown>)[columnName(column)]);
}

function columnName(column: string): string {
  return column.slice(column.indexOf(".") + 1);
}

export function pageRows<Row>(rows: readonly Row[], { page, size }: PageRequest): Row[] {
  const start = page < 0 ? rows.length + page * size : (page - 1) * size;
  return rows.slice(Math.max(start, 0), Math.max(start + size, 0));
}

/**
 * Returns a condition for a case-insensitive substring match. SQLite folds only ASCII, so text with non-ASCII letters is also matched
 * case-sensitively.
 */
export function containsText(column: string, text: string): RawBuilder<SqlBool> {
  const name = sql.ref(column);
  const likePattern = `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  const foldedMatch = sql<SqlBool>`lower(${name}) like ${likePattern.toLowerCase()} escape '\\'`;
  if (/^\p{ASCII}*$/u.test(text)) return foldedMatch;
  return sql<SqlBool>`(${foldedMatch} or ${name} like ${likePattern} escape '\\')`;
}

export type RowCount = { total: number; exact: boolean };

const MAX_COUNTED_ROWS = 2_000;

export async function countRows<All extends Tables, Table extends keyof All>(
  { read }: Database,
  rows: SelectQueryBuilder<All, Table, { key: unknown }>,
): Promise<RowCount> {
  const { count } = await countQuery(read, rows).executeTakeFirstOrThrow();
  return toCount(count);
}

export function countQuery<All extends Tables, Table extends keyof All>(
  db: Kysely<Tables>,
  rows: SelectQueryBuilder<All, Table, { key: unknown }>,
) {
  return db.selectFrom(rows.limit(MAX_COUNTED_ROWS + 1).as("some")).select(({ fn }) => fn.countAll<number>().as("count"));
}

export function toCount(count: number): RowCount {
  return { total: Math.min(count, MAX_COUNTED_ROWS), exact: count <= MAX_COUNTED_ROWS };
}

/**
 * `after` or `before` is the key of the adjacent row, which makes deep pages as fast as the first. Negative page numbers count from the
 * end.
 */
export type ListQuery = {
  q: string;
  sort: string;
  direction: "asc" | "desc";
  page: number;
  size: number;
  after?: string | undefined;
  before?: string | undefined;
};
