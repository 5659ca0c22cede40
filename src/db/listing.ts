import { type SelectQueryBuilder, sql } from "kysely";
import { type Count, toCount } from "./count.ts";

/** The columns by which a list is sorted, which together tell any two rows apart. */
export type Order = { columns: readonly string[]; direction: "asc" | "desc" };

/** One page of a list, and how many rows all its pages have. */
export type Listed<Row> = { lines: Row[]; count: Count };

type Page = { page: number; size: number };
type Rows<All, Table extends keyof All, Row> = SelectQueryBuilder<All, Table, Row>;

/** The rows in their order. */
export function inOrder<All, Table extends keyof All, Row>(rows: Rows<All, Table, Row>, { columns, direction }: Order) {
  return columns.reduce((sorted, column) => sorted.orderBy(sql.ref(column), direction), rows);
}

/** The rows of one page, in their order. */
export function pageOf<All, Table extends keyof All, Row>(rows: Rows<All, Table, Row>, order: Order, { page, size }: Page) {
  const sorted = inOrder(rows, order).limit(size);
  return sorted.offset((page - 1) * size);
}

const READ_AT_ONCE = 250;

/** How many rows a list has, without counting, if its last page has `lines`; undefined if there may be more pages. */
export function countAtEnd(lines: number, { page, size }: Page): Count | undefined {
  const isLast = lines < size && (lines > 0 || page === 1);
  return isLast ? toCount((page - 1) * size + lines) : undefined;
}

/** All the rows in their order, in batches that begin behind the last row of the one before. */
export async function* inBatches<All, Table extends keyof All, Row>(rows: Rows<All, Table, Row>, order: Order) {
  const some = inOrder(rows, order).limit(READ_AT_ONCE);
  for (let batch = await some.execute(); batch.length > 0; batch = await some.where(isBehind(batch.at(-1)!, order)).execute()) yield batch;
}

/** The same of records that are known already. */
export function* batchesOf<Thing>(things: readonly Thing[]): Generator<readonly Thing[]> {
  for (let at = 0; at < things.length; at += READ_AT_ONCE) yield things.slice(at, at + READ_AT_ONCE);
}

function isBehind(last: object, { columns, direction }: Order) {
  const values = columns.map((column) => (last as Record<string, unknown>)[column.slice(column.indexOf(".") + 1)]);
  return sql<boolean>`(${sql.join(columns.map(sql.ref))}) ${sql.raw(direction === "asc" ? ">" : "<")} (${sql.join(values)})`;
}

/** The rows of one page of a list that was read whole. */
export function slice<Row>(rows: readonly Row[], { page, size }: Page): Row[] {
  return rows.slice((page - 1) * size, page * size);
}
