import { availableParallelism } from "node:os";
import { Pool } from "pg";
import type { Bench } from "../bench.ts";
import { figure } from "../support/figures.ts";
import { measure } from "../support/load.ts";
import { linesMessage, yearMessage } from "../support/messages.ts";
import { checkReadBack } from "../support/read-back.ts";
import { addSender, startService } from "../support/service.ts";

const NIGHTS = 3_650;
const PROPERTIES = 8;

/** Nights a second on PostgreSQL, against upserting a row a night with `unnest` into the same server. */
export const postgresYear: Bench = {
  name: "postgres-year",
  engines: ["PostgreSQL"],
  async run({ pace, engine, seeded, newDatabase }) {
    const store = await seeded({ properties: PROPERTIES, categories: 10, nights: 0 });
    const headers = { "content-type": "application/xml", ...addSender(store, "bench") };
    const service = await startService(store);
    const rowNight = await RowANight.open(await newDatabase());
    try {
      const rows = [];
      for (const { name, message, target } of MESSAGES) {
        const requests = Array.from({ length: 16 }, (_, turn) => ({
          method: "POST" as const,
          path: "/channel",
          headers,
          body: message(turn % PROPERTIES, turn),
        }));
        const load = { url: service.url, requests, connections: 2 * availableParallelism(), status: 200, contains: "<Success/>" };
        await measure({ ...load, seconds: pace.warmUpSeconds });
        const rounds: { reference: number; measured: number }[] = [];
        for (let i = 0; i < pace.rounds; i++) {
          const reference = await rowNight.measure(pace.seconds);
          rounds.push({ reference, measured: NIGHTS * (await measure({ ...load, seconds: pace.seconds })).perSecond });
        }
        const ratios = figure(rounds.map((round) => round.measured / round.reference));
        const text = (which: "reference" | "measured") =>
          `${(figure(rounds.map((round) => round[which])).median / 1e6).toFixed(2)} M nights/s`;
        rows.push({
          name,
          engine,
          measured: text("measured"),
          reference: `${text("reference")} as rows`,
          ratio: ratios.median,
          spread: ratios.spread,
          target: { at: "least" as const, value: target },
        });
      }
      await checkReadBack(service.url, headers);
      return rows;
    } finally {
      await rowNight.close();
      await service.stop();
    }
  },
};

const MESSAGES = [
  { name: "POST /channel, 10 ranges x 365 nights", message: yearMessage, target: 10 },
  { name: "POST /channel, 3,650 lines of a night", message: linesMessage, target: 1 },
];

/** The reference: a table with a row a night, upserted a message at a time, two connections a core. */
class RowANight {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  static async open(url: string): Promise<RowANight> {
    const pool = new Pool({ connectionString: url, max: 2 * availableParallelism() });
    await pool.query(`create table night (property text not null, category text not null, night date not null, available int, message bigint,
      primary key (property, category, night))`);
    return new RowANight(pool);
  }

  /** Nights a second. */
  async measure(seconds: number): Promise<number> {
    const end = performance.now() + seconds * 1000;
    const start = performance.now();
    let nights = 0;
    const connection = async (index: number) => {
      for (let turn = 0; performance.now() < end; turn++) {
        await this.#upsert(`SEED${(index * 2 + (turn % 2)).toString()}`, turn);
        nights += NIGHTS;
      }
    };
    await Promise.all(Array.from({ length: 2 * availableParallelism() }, (_, index) => connection(index)));
    return (nights * 1000) / (performance.now() - start);
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

  close(): Promise<void> {
    return this.#pool.end();
  }
}

const DATES = Array.from({ length: 365 }, (_, night) => new Date(Date.UTC(2027, 0, 1 + night)).toISOString().slice(0, 10));
