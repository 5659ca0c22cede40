import type { Amounts } from "../src/cli/seed/fill.ts";
import type { Row } from "./support/figures.ts";
import type { Pace } from "./support/pace.ts";
import type { Engine, Store } from "./support/service.ts";

/** What a benchmark is run with. `seeded` makes a new store, which goes when the benchmark ends. */
export type Context = {
  pace: Pace;
  engine: Engine;
  seeded(amounts: Partial<Amounts>): Promise<Store>;
  /** The address of a new, empty database where the engine is PostgreSQL. */
  newDatabase(): Promise<string>;
};

/** One benchmark; it is run once on each engine it names. `quick`: in a quick run on these alone. */
export type Bench = { name: string; engines: readonly Engine[]; quick?: readonly Engine[]; run(context: Context): Promise<Row[]> };
