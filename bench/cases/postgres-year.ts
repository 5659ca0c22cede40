import { availableParallelism } from "node:os";
import { Pool } from "pg";
import { stopwatch } from "../../src/clock.ts";
import type { Bench } from "../bench.ts";
import type { Row } from "../support/figures.ts";
import { compareLarge } from "../support/large-messages.ts";
import { linesMessage, yearMessage } from "../support/messages.ts";

const NIGHTS = 3_650;
const CONNECTIONS = 2 * availableParallelism();

/** Measures nights per second on PostgreSQL. The reference upserts one row per night with `unnest`. */
export const postgresYear: Bench = {
  name: "postgres-year",
  engines: ["PostgreSQL"],
  async run(context) {
    await using rowPerNight = await RowPerNight.open(await context.newDatabase());
    const reference = {
      connections: CONNECTIONS,
      reference: (seconds: number) => rowPerNight.measure(seconds),
      format: (perSecond: number) => `${((perSecond * NIGHTS) / 1e6).toFixed(2)} M nights/s`,
      referenceSuffix: " as rows",
    };
    const rows: Row[] = [];
    for (const message of MESSAGES) rows.push(await compareLarge({ ...message, ...reference }, context));
    return rows;
  },
};

const MESSAGES = [
  { label: "POST /channel, 10 ranges x 365 nights", message: yearMessage, target: 10 },
  { label: "POST /channel, 3,650 lines of one night", message: linesMessage, target: 1 },
];

/** A table with one row per night. One statement upserts all nights in a message. */
class RowPerNight {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  static async open(url: string): Promise<RowPerNight> {
    const pool = new Pool({ connectionString: url, max: CONNECTIONS });
    await pool.query(`create table night (property text not null, category text not null, night date not null, available int, message bigint,
      primary key (property, category, night))`);
    return new RowPerNight(pool);
  }

  async measure(seconds: number): Promise<number> {
    const elapsed = stopwatch();
    let messages = 0;
    const connection = async (index: number) => {
      for (let turn = 0; elapsed() < seconds * 1000; turn++) {
        await this.#upsert(`SEED${index * 2 + (turn % 2)}`, turn);
        messages++;
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, (_, index) => connection(index)));
    return (messages * 1000) / elapsed();
  }

  async #upsert(property: string, turn: number): Promise<void> {
    const categories: string[] = [];
    const nights: string[] = [];
    const counts: number[] = [];
    for (let category = 0; category < 10; category++) {
      for (let night = 0; night < 365; night++) {
        categories.push(`C${category}`);
        nights.push(DATES[night]!);
        counts.push((category + night + turn) % 10);
      }
    }
    const sql = `insert into night select $1, category, night, available, $5 from unnest($2::text[], $3::date[], $4::int[]) as given (category, night, available)
      on conflict (property, category, night) do update set available = excluded.available, message = excluded.message`;
    await this.#pool.query({ name: "upsert", text: sql, values: [property, categories, nights, counts, turn] });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#pool.end();
  }
}

const DATES = Array.from({ length: 365 }, (_, night) => new Date(Date.UTC(2027, 0, 1 + night)).toISOString().slice(0, 10));
