import type { Clock } from "../../clock.ts";
import type { Schema } from "../../db/catalog.ts";
import type { Database } from "../../db/database.ts";
import { changeSchema, migrate, type MigrationScript, type MigrationState, migrationState } from "../../db/migrate.ts";
import { MemoryCache } from "../../web/caches.ts";
import { backupPath } from "./backups.ts";
import { makePlan, type Plan, type Step } from "./schema-plan.ts";
import type { ToolNeeds } from "./tool.ts";

/** The live schema beside the declared one. `unknown` are migrations of a newer version: then no step is safe. */
export type Comparison = Plan & MigrationState & { live: Schema; declared: Schema };

/** The plan that was agreed to is no longer the one at hand. */
export class PlanChangedError extends Error {
  override readonly name = "PlanChangedError";
}

type Needed = Pick<ToolNeeds, "database" | "config" | "clock">;

/** What apply ran and how many steps it left; `backup` is the file that was written before, where the engine is asked for one. */
export type Applied = { steps: readonly Step[]; left: number; backup: string | undefined };

/** Where the declared schema is kept; there is one. */
export type DeclaredSchemas = MemoryCache<Schema>;
const ONLY = "declared";

/** Kept until somebody clears it: the migrations do not change while the process runs. */
export function makeDeclaredSchemas(): DeclaredSchemas {
  const about = "The schema that the migrations declare, drafted in a scratch database; kept for as long as the process runs.";
  return new MemoryCache<Schema>({ name: "tools declared schema", about, limit: 1, lifetime: Number.POSITIVE_INFINITY });
}

/** Compares and repairs one database. */
export class SchemaComparison {
  readonly #declared: DeclaredSchemas;
  readonly #clock: Clock;
  /** What is applied comes one after the other: two copies at once would go into one file. */
  #applied: Promise<unknown> = Promise.resolve();

  constructor(declared: DeclaredSchemas, clock: Clock) {
    this.#declared = declared;
    this.#clock = clock;
  }

  async compare(database: Database): Promise<Comparison> {
    const [live, state] = await Promise.all([database.catalog.read(database.read), migrationState(database)]);
    const declared = await this.#declare(database, state.scripts);
    const { hash, steps } = makePlan(live, declared, state.pending);
    const allowed = state.unknown.length === 0 ? steps : steps.map((step) => ({ ...step, safe: false }));
    return { ...state, hash, steps: allowed, live, declared };
  }

  /** Runs the safe steps of the plan with this hash, after a backup. Throws `PlanChangedError` when the plan has changed. */
  apply(services: Needed, hash: string): Promise<Applied> {
    const applied = this.#applied.then(() => this.#apply(services, hash));
    this.#applied = applied.catch(() => {});
    return applied;
  }

  async #apply(services: Needed, hash: string): Promise<Applied> {
    const { database } = services;
    const found = await this.compare(database);
    if (found.hash !== hash) throw new PlanChangedError();
    const steps = found.steps.filter((step) => step.safe);
    const left = found.steps.length - steps.length;
    if (steps.length === 0) return { steps, left, backup: undefined };
    const backup = await backUp(services);
    if (found.pending.length > 0) await migrate(database);
    else await repair(database, found);
    return { steps, left, backup };
  }

  async #declare(database: Database, scripts: readonly MigrationScript[]): Promise<Schema> {
    const kept = this.#declared.get(ONLY, this.#clock.now());
    if (kept) return kept;
    const drafted = await database.catalog.draft(scripts.flatMap((script) => script.statements));
    this.#declared.set(ONLY, drafted, this.#clock.now());
    return drafted;
  }
}

/** Compares again once nobody else can change the schema, so that only the agreed plan runs. */
async function repair(database: Database, { declared, hash }: Comparison): Promise<void> {
  await changeSchema(database, (live) => {
    const plan = makePlan(live, declared, []);
    if (plan.hash !== hash) throw new PlanChangedError();
    return plan.steps.filter((step) => step.safe).flatMap((step) => step.statements);
  });
}

async function backUp({ database, config, clock }: Needed): Promise<string | undefined> {
  return database.backup(backupPath(config.dataDir, clock.now(), "before-dbsync"));
}
