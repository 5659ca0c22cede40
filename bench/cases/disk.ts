import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { Client } from "pg";
import { formatNight, todayIn } from "../../src/calendar/night.ts";
import type { Operation } from "../../src/calendar/operation.ts";
import { categoryCode, propertyCode } from "../../src/cli/seed/records.ts";
import { readConfig } from "../../src/config.ts";
import type { Database } from "../../src/db/database.ts";
import { openDatabase } from "../../src/db/open.ts";
import { receiveMessage } from "../../src/journal/receive.ts";
import { countOf, sampleWork } from "../../test/support/work.ts";
import type { Bench } from "../bench.ts";
import type { Row } from "../support/figures.ts";

const CATEGORIES = 10;
const NIGHTS = 365;
const PROPERTIES = 20;
const REFRESHES = 20;
const CHANGED_SHARE = 0.05;

/**
 * Measures the bytes on disk per night and category after 20 full refreshes, with and without history. The reference is a table with one
 * row per night.
 */
export const disk: Bench = {
  name: "disk",
  engines: ["SQLite", "PostgreSQL"],
  async run({ engine, seeded }) {
    const store = await seeded({ properties: PROPERTIES, categories: CATEGORIES, nights: 0 });
    const { values, dataDir } = readConfig(store.env);
    const database = await openDatabase(values.DATABASE_URL, dataDir);
    const counts = new Counts();
    for (let turn = 0; turn < REFRESHES; turn++) await refresh(database, counts, turn);
    await database.close();
    const sizes = values.DATABASE_URL
      ? await postgresSizes(values.DATABASE_URL, counts)
      : sqliteSizes(join(dataDir, "roomrack.sqlite"), counts);
    return [
      rowOf("disk per night, without history", sizes.pages, { ...sizes, engine, target: 1 / 6 }),
      rowOf("disk per night, with history of 20 refreshes", sizes.pages + sizes.undo, { ...sizes, engine, target: 1 }),
    ];
  },
};

type Sizes = { pages: number; undo: number; rows: number };

function rowOf(name: string, bytes: number, { rows, engine, target }: Sizes & { engine: string; target: number }): Row {
  const nights = PROPERTIES * CATEGORIES * NIGHTS;
  const format = (size: number) => `${(size / nights).toFixed(1)} bytes`;
  return {
    name,
    engine,
    measured: format(bytes),
    reference: `${format(rows)} as rows`,
    ratio: bytes / rows,
    spread: undefined,
    target: { at: "most", value: target },
  };
}

/** The counts for all nights. Changes are pseudo-random, but the same in every run. */
class Counts {
  #seed = 7;
  readonly values = new Uint8Array(PROPERTIES * CATEGORIES * NIGHTS).map(() => Math.floor(this.#random() * 10));

  change(): void {
    for (let i = 0; i < this.values.length; i++) if (this.#random() < CHANGED_SHARE) this.values[i] = Math.floor(this.#random() * 10);
  }

  at(property: number, category: number, night: number): number {
    return this.values[(property * CATEGORIES + category) * NIGHTS + night]!;
  }

  #random(): number {
    this.#seed = (this.#seed * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return this.#seed / 4_294_967_296;
  }
}

const FIRST = todayIn("UTC", Date.now());

async function refresh(database: Database, counts: Counts, turn: number): Promise<void> {
  if (turn > 0) counts.change();
  for (let property = 0; property < PROPERTIES; property++) {
    const code = propertyCode(property);
    const work = sampleWork(operationsOf(counts, property), { property: code, received: { at: Date.now(), sender: "bench" } });
    const pages = [{ kind: "inventory", lane: "", first: FIRST, last: FIRST + NIGHTS }] as const;
    await receiveMessage(database, { ...work, pages, request: Buffer.from(`refresh ${turn} of ${code}`) });
  }
}

function operationsOf(counts: Counts, property: number): Operation[] {
  const operations: Operation[] = [];
  for (let category = 0; category < CATEGORIES; category++) {
    for (let night = 0; night < NIGHTS; night++)
      operations.push(countOf(counts.at(property, category, night), { category: categoryCode(category), first: FIRST + night }));
  }
  return operations;
}

const ROW_TABLE =
  "create table night (property text not null, category text not null, night text not null, available integer, message integer, primary key (property, category, night))";

function* rowsOf(counts: Counts): Generator<[string, string, string, number]> {
  for (let property = 0; property < PROPERTIES; property++) {
    for (let category = 0; category < CATEGORIES; category++) {
      for (let night = 0; night < NIGHTS; night++) {
        yield [propertyCode(property), categoryCode(category), formatNight(FIRST + night), counts.at(property, category, night)];
      }
    }
  }
}

/** Copies each table into a separate file and vacuums it. */
function sqliteSizes(path: string, counts: Counts): Sizes {
  const folder = mkdtempSync(join(tmpdir(), "roomrack-bench-"));
  try {
    const rows = sizeOf(join(folder, "rows"), (db) => {
      db.exec(`${ROW_TABLE} without rowid; begin`);
      const insert = db.prepare("insert into night values (?, ?, ?, ?, 1)");
      for (const row of rowsOf(counts)) insert.run(...row);
      db.exec("commit");
    });
    return { rows, pages: copyOf(path, "inventory_page", folder), undo: copyOf(path, "night_undo", folder) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function copyOf(path: string, table: string, folder: string): number {
  return sizeOf(join(folder, table), (db) => {
    db.prepare("attach ? as source").run(path);
    const schema = db
      .prepare("select sql from source.sqlite_master where name = ? or (tbl_name = ? and sql is not null)")
      .all(table, table);
    for (const { sql } of schema) db.exec(String(sql));
    db.exec(`insert into ${table} select * from source.${table}; detach source`);
  });
}

function sizeOf(file: string, fill: (db: DatabaseSync) => void): number {
  const db = new DatabaseSync(file);
  fill(db);
  db.exec("vacuum");
  db.close();
  return statSync(file).size;
}

async function postgresSizes(url: string, counts: Counts): Promise<Sizes> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(ROW_TABLE.replace("night text", "night date"));
    const rows = [...rowsOf(counts)];
    const columns = [0, 1, 2, 3].map((column) => rows.map((row) => row[column]));
    await client.query("insert into night select *, 1 from unnest($1::text[], $2::text[], $3::date[], $4::int[])", columns);
    for (const table of ["night", "inventory_page", "night_undo"]) await client.query(`vacuum full ${table}`);
    const size = async (table: string) => {
      const { rows: sizes } = await client.query<{ size: string }>(`select pg_total_relation_size('${table}') as size`);
      return Number(sizes[0]!.size);
    };
    return { rows: await size("night"), pages: await size("inventory_page"), undo: await size("night_undo") };
  } finally {
    await client.end();
  }
}
