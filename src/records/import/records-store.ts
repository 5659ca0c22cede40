import { type SelectQueryBuilder, sql } from "kysely";
import type { Database, Row } from "../../db/database.ts";
import { readInBatches } from "../../db/listing.ts";
import type { Tables } from "../../db/schema.ts";
import { type ImportKind, IMPORT_KINDS, keyText, type RecordKey, type StoredRecord } from "./kinds.ts";

const BATCH_SIZE = 5_000;

/** Returns all keys, by `keyText` in lower case. */
export async function readKeys({ read }: Database, kind: ImportKind): Promise<Map<string, RecordKey>> {
  const keys = new Map<string, RecordKey>();
  const { name, columns } = kind.table;
  const order = sql.join(columns.map((column) => sql.ref(column)));
  for (let last: readonly string[] | undefined; ;) {
    const start = last ? sql`where (${order}) > (${sql.join(last)})` : sql``;
    const query = sql<Record<string, string>>`select ${order} from ${sql.table(name)} ${start} order by ${order} limit ${BATCH_SIZE}`;
    const { rows } = await query.execute(read);
    for (const row of rows) {
      const [property = "", code = ""] = columns.map((column) => row[column]!);
      keys.set(keyText({ property, code }).toLowerCase(), { property, code });
    }
    if (rows.length < BATCH_SIZE) return keys;
    last = columns.map((column) => rows.at(-1)![column]!);
  }
}

export async function readPropertyCodes(database: Database): Promise<ReadonlySet<string>> {
  const keys = await readKeys(
    database,
    IMPORT_KINDS.find(({ name }) => name === "property")!,
  );
  return new Set(keys.values().map(({ property }) => property));
}

/** Returns the records with these keys, by `keyText`. */
export async function readRecords(
  { read }: Database,
  { table }: ImportKind,
  keys: readonly RecordKey[],
): Promise<Map<string, StoredRecord>> {
  if (keys.length === 0) return new Map();
  const tuples = keys.map((key) => sql`(${sql.join([...table.valuesOf(key)])})`);
  const columns = sql.join(table.columns.map((column) => sql.ref(column)));
  const all = read.selectFrom(table.name).selectAll() as unknown as SelectQueryBuilder<Tables, "property", Row>;
  const rows = await all.where(sql<boolean>`(${columns}) in (values ${sql.join(tuples)})`).execute();
  return new Map(
    rows.map((row) => {
      const [property = "", code = ""] = table.columns.map((column) => String(row[column]));
      return [keyText({ property, code }), table.fromRow(row)];
    }),
  );
}

/** Returns the properties that have stored prices. */
export async function findPriced({ read }: Database, properties: readonly string[]): Promise<ReadonlySet<string>> {
  if (properties.length === 0) return new Set();
  const rows = await read
    .selectFrom("rate_page")
    .select("property")
    .distinct()
    .where("property", "in", properties)
    .where("plan", "<>", "")
    .execute();
  return new Set(rows.map(({ property }) => property));
}

/** Yields all records as exported from lists, ordered by key. */
export async function* streamRecords({ read }: Database, { table, exported }: ImportKind): AsyncGenerator<StoredRecord[]> {
  const all = read.selectFrom(table.name).selectAll() as unknown as SelectQueryBuilder<Tables, "property", Row>;
  for await (const rows of readInBatches(all, { columns: table.columns, direction: "asc" }))
    yield rows.map((row) => exported(table.fromRow(row)));
}
