import type { SeedCounts } from "../src/cli/seed/fill.ts";
import type { Row } from "./support/figures.ts";
import type { Engine, Store } from "./support/service.ts";

/** Duration and number of measurements per case. `scale` multiplies the size of the large store. */
export type Pace = { warmUpSeconds: number; seconds: number; rounds: number; scale: number };

export const THOROUGH: Pace = { warmUpSeconds: 2, seconds: 4, rounds: 3, scale: 1 };
export const QUICK: Pace = { warmUpSeconds: 0.5, seconds: 1, rounds: 1, scale: 0.05 };

export type Context = {
  pace: Pace;
  engine: Engine;
  seeded(amounts: Partial<SeedCounts>): Promise<Store>;
  /** Creates an empty PostgreSQL database and returns its URL. */
  newDatabase(): Promise<string>;
};

/** Runs once on each of the `engines`. A quick run uses the engines in `quick` instead. */
export type Bench = { name: string; engines: readonly Engine[]; quick?: readonly Engine[]; run(context: Context): Promise<Row[]> };
