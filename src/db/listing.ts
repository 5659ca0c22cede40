import { type Kysely, type SelectQueryBuilder, type RawBuilder, sql, type SqlBool } from "kysely";
import type { Database } from "./database.ts";
import type { Tables } from "./schema.ts";

/** The combination of `columns` must be unique. */
export type Order = { columns: readonly string[]; direction: "asc" | "desc" };

export type Listed<Row> = { lines: Row[]; count: Count };

type Page = { page: number; size: number };
type Rows<All, Table extends keyof All, Row> = SelectQueryBuilder<All, Table, Row>;

export function inOrder<All, Table extends keyof All, Row>(rows: Rows<All, Table, Row>, { columns, direction }: Order) {
  return columns.reduce((sorted, column) => sorted.orderBy(sql.ref(column), direction), rows);
}

export function pageOf<All, Table extends keyof All, Row>(rows: Rows<All, Table, Row>, order: Order, { page, size }: Page) {
  const sorted = inOrder(rows, order).limit(size);
  return sorted.offset((page - 1) * size);
}

const BATCH_SIZE = 250;

/** Returns the total if the page with `lines` rows is the last page, or undefined if there may be more. */
export function countAtEnd(lines: number, { page, size }: Page): Count | undefined {
  const isLast = lines < size && (lines > 0 || page === 1);
  return isLast ? toCount((page - 1) * size + lines) : undefined;
}

/** Reads all rows in order, in batches. Each batch continues after the last row of the previous one. */
export async function* inBatches<All, Table extends keyof All, Row>(rows: Rows<All, Table, Row>, order: Order) {
  const next = inOrder(rows, order).limit(BATCH_SIZE);
  for (let batch = await next.execute(); batch.length > 0; batch = await next.where(isAfter(batch.at(-1)!, order)).execute()) yield batch;
}

export function* batchesOf<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  for (let start = 0; start < items.length; start += BATCH_SIZE) yield items.slice(start, start + BATCH_SIZE);
}

export function reverse({ columns, direction }: Order): Order {
  return { columns, direction: direction === "asc" ? "desc" : "asc" };
}

/** Whether a row comes after `last`, which has the columns of the order. */
export function isAfter(last: object, { columns, direction }: Order) {
  const values = columns.map((column) => (last as Record<string, unknown>)[column.slice(column.indexOf(".") + 1)]);
  return sql<boolean>`(${sql.join(columns.map(sql.ref))}) ${sql.raw(direction === "asc" ? ">" : "<")} (${sql.join(values)})`;
}

export function slice<Row>(rows: readonly Row[], { page, size }: Page): Row[] {
  return rows.slice((page - 1) * size, page * size);
}

/** Case-insensitive substring match. SQLite folds only ASCII, so text with non-ASCII letters is also matched case-sensitively. */
export function contains(column: string, text: string): RawBuilder<SqlBool> {
  const name = sql.ref(column);
  const likePattern = `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  const foldedMatch = sql<SqlBool>`lower(${name}) like ${likePattern.toLowerCase()} escape '\\'`;
  if (/^\p{ASCII}*$/u.test(text)) return foldedMatch;
  return sql<SqlBool>`(${foldedMatch} or ${name} like ${likePattern} escape '\\')`;
}

export type Count = { total: number; exact: boolean };

const MAX_COUNTED = 2_000;

export async function countRows<All extends Tables, Table extends keyof All>(
  { read }: Database,
  rows: SelectQueryBuilder<All, Table, { key: unknown }>,
): Promise<Count> {
  const { count } = await countQuery(read, rows).executeTakeFirstOrThrow();
  return toCount(count);
}

export function countQuery<All extends Tables, Table extends keyof All>(
  db: Kysely<Tables>,
  rows: SelectQueryBuilder<All, Table, { key: unknown }>,
) {
  return db.selectFrom(rows.limit(MAX_COUNTED + 1).as("some")).select(({ fn }) => fn.countAll<number>().as("count"));
}

export function toCount(count: number): Count {
  return { total: Math.min(count, MAX_COUNTED), exact: count <= MAX_COUNTED };
}

/** `after` or `before` is the key of the row next to the page, so that deep pages are as fast as the first. */
export type ListQuery = {
  q: string;
  sort: string;
  direction: "asc" | "desc";
  page: number;
  size: number;
  after?: string | undefined;
  before?: string | undefined;
};
