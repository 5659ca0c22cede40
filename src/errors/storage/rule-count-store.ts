import { compareText } from "../../calendar/compare-text.ts";
import type { Database } from "../../db/database.ts";
import { SingleFlight, withTimeout } from "../tasks.ts";

const STORE_INTERVAL_MS = 1_000;

export type RuleCount = { rule: string; count: number; firstAt: number; lastAt: number };

/** Counts in memory and writes once a second. If a write fails, keeps the counts for the next one. */
export class RuleCounter {
  readonly #database: Database;
  readonly #timer: NodeJS.Timeout;
  #counts = new Map<string, RuleCount>();
  readonly #storing = new SingleFlight(() => this.#store());

  constructor(database: Database) {
    this.#database = database;
    this.#timer = setInterval(() => void this.store(), STORE_INTERVAL_MS).unref();
  }

  add(added: RuleCount): void {
    const pendingCount = this.#counts.get(added.rule);
    this.#counts.set(added.rule, pendingCount ? { ...pendingCount, count: pendingCount.count + added.count, lastAt: added.lastAt } : added);
  }

  store(): Promise<void> {
    return this.#storing.run();
  }

  async #store(): Promise<void> {
    const counts = [...this.#counts.values()];
    if (counts.length === 0) return;
    this.#counts = new Map();
    await addRuleCounts(this.#database, counts).catch(() => {
      for (const count of counts) this.add(count);
    });
  }

  async list(): Promise<RuleCount[]> {
    await withTimeout(STORE_INTERVAL_MS, this.store());
    return listRuleCounts(this.#database);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await withTimeout(STORE_INTERVAL_MS, this.store());
  }
}

async function addRuleCounts(database: Database, counts: readonly RuleCount[]): Promise<void> {
  const sortedCounts = counts.toSorted((a, b) => compareText(a.rule, b.rule));
  const write = sortedCounts.map(({ rule, count, firstAt, lastAt }) => ({ sql: ADD, values: [rule, count, firstAt, lastAt] }));
  await database.commit({ lock: undefined, read: [], decide: () => ({ write, result: undefined }) });
}

const ADD = `insert into error_drop (rule, count, first_at, last_at) values (?, ?, ?, ?)
  on conflict (rule) do update set count = error_drop.count + excluded.count,
    last_at = case when excluded.last_at > error_drop.last_at then excluded.last_at else error_drop.last_at end`;

async function listRuleCounts({ read }: Database): Promise<RuleCount[]> {
  const rows = await read.selectFrom("error_drop").selectAll().orderBy("rule").execute();
  return rows.map(({ rule, count, first_at: firstAt, last_at: lastAt }) => ({ rule, count, firstAt, lastAt }));
}

export async function pruneRuleCounts({ write }: Database, at: number): Promise<void> {
  await write.deleteFrom("error_drop").where("last_at", "<", at).execute();
}
