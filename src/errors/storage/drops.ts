import type { Database } from "../../db/database.ts";
import { Single } from "../single.ts";
import { within } from "../within.ts";
import { addDrops, type Drop, listDrops } from "./drop-store.ts";

const STORE_EVERY_MS = 1_000;

/** Counts what is left out of the log; a flood of it costs one statement a second. What the database does not take is counted still. */
export class Drops {
  readonly #database: Database;
  readonly #timer: NodeJS.Timeout;
  #counted = new Map<string, Drop>();
  readonly #storing = new Single(() => this.#store());

  constructor(database: Database) {
    this.#database = database;
    this.#timer = setInterval(() => void this.store(), STORE_EVERY_MS).unref();
  }

  count(drop: Drop): void {
    const known = this.#counted.get(drop.rule);
    this.#counted.set(drop.rule, known ? { ...known, count: known.count + drop.count, lastAt: drop.lastAt } : drop);
  }

  /** Never rejects. */
  store(): Promise<void> {
    return this.#storing.run();
  }

  async #store(): Promise<void> {
    const drops = [...this.#counted.values()];
    if (drops.length === 0) return;
    this.#counted = new Map();
    await addDrops(this.#database, drops).catch(() => {
      for (const drop of drops) this.count(drop);
    });
  }

  /** All that was ever counted, unless the database takes too long to write it. */
  async list(): Promise<Drop[]> {
    await within(STORE_EVERY_MS, this.store());
    return listDrops(this.#database);
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await within(STORE_EVERY_MS, this.store());
  }
}
