import { createHash } from "node:crypto";
import type { Clock } from "../../clock.ts";
import type { Schema, SchemaColumn, SchemaIndex, SchemaTable } from "../../db/catalog.ts";
import type { Database } from "../../db/database.ts";
import { changeSchema, migrate, type MigrationScript, type MigrationState, migrationState } from "../../db/migrate.ts";
import { MemoryCache } from "../../web/caches.ts";
import { backupPath } from "./backups.ts";
import { type ToolDeps } from "./tool.ts";

/** `unknown` migrations were applied by a newer version. If there are any, no step is safe. */
export type SchemaDifference = SchemaPlan & MigrationState & { live: Schema; declared: Schema };

export class PlanChangedError extends Error {
  override readonly name = "PlanChangedError";
}

type ComparisonDeps = Pick<ToolDeps, "database" | "config" | "clock">;

/** `skipped` is the number of unsafe steps. `backup` is undefined on PostgreSQL. */
export type AppliedSteps = { steps: readonly SchemaStep[]; skipped: number; backup: string | undefined };

export type DeclaredSchemas = MemoryCache<Schema>;
const SCHEMA_CACHE_KEY = "declared";

export function makeDeclaredSchemas(): DeclaredSchemas {
  const about = "The schema declared by the migrations, created in a scratch database.";
  return new MemoryCache<Schema>({ name: "tools declared schema", about, limit: 1, lifetime: Number.POSITIVE_INFINITY });
}

export class SchemaComparison {
  readonly #declared: DeclaredSchemas;
  readonly #clock: Clock;
  /** Serialises calls of `apply`, because two backups would write to the same file. */
  #applied: Promise<unknown> = Promise.resolve();

  constructor(declared: DeclaredSchemas, clock: Clock) {
    this.#declared = declared;
    this.#clock = clock;
  }

  async compare(database: Database): Promise<SchemaDifference> {
    const [live, state] = await Promise.all([database.catalog.read(database.read), migrationState(database)]);
    const declaredSchema = await this.#declare(database, state.scripts);
    const { hash, steps } = makePlan(live, declaredSchema, state.pending);
    const allowedSteps = state.unknown.length === 0 ? steps : steps.map((step) => ({ ...step, safe: false }));
    return { ...state, hash, steps: allowedSteps, live, declared: declaredSchema };
  }

  /** Backs up the database, then runs the safe steps of the plan with this hash. Throws `PlanChangedError` if the plan has changed. */
  apply(services: ComparisonDeps, hash: string): Promise<AppliedSteps> {
    const schemaRun = this.#applied.then(() => this.#apply(services, hash));
    this.#applied = schemaRun.catch(() => {});
    return schemaRun;
  }

  async #apply(services: ComparisonDeps, hash: string): Promise<AppliedSteps> {
    const { database } = services;
    const comparison = await this.compare(database);
    if (comparison.hash !== hash) throw new PlanChangedError();
    const steps = comparison.steps.filter((step) => step.safe);
    const skippedCount = comparison.steps.length - steps.length;
    if (steps.length === 0) return { steps, skipped: skippedCount, backup: undefined };
    const backup = await backUp(services);
    if (comparison.pending.length > 0) await migrate(database);
    else await repairSchema(database, comparison);
    return { steps, skipped: skippedCount, backup };
  }

  async #declare(database: Database, scripts: readonly MigrationScript[]): Promise<Schema> {
    const cachedSchemas = this.#declared.get(SCHEMA_CACHE_KEY, this.#clock.now());
    if (cachedSchemas) return cachedSchemas;
    const draftedSchemas = await database.catalog.draft(scripts.flatMap((script) => script.statements));
    this.#declared.set(SCHEMA_CACHE_KEY, draftedSchemas, this.#clock.now());
    return draftedSchemas;
  }
}

/** Runs the safe steps. Compares again under the schema lock, so that only the confirmed plan runs. */
async function repairSchema(database: Database, { declared, hash }: SchemaDifference): Promise<void> {
  await changeSchema(database, (live) => {
    const plan = makePlan(live, declared, []);
    if (plan.hash !== hash) throw new PlanChangedError();
    return plan.steps.filter((step) => step.safe).flatMap((step) => step.statements);
  });
}

async function backUp({ database, config, clock }: ComparisonDeps): Promise<string | undefined> {
  return database.backup(backupPath(config.dataDir, clock.now(), "before-dbsync"));
}

export type SchemaStep = {
  /** For example `table property`, `column property.name`, `index property_name` or `migration 0002-more`. */
  subject: string;
  problem: string;
  statements: readonly string[];
  destructive: boolean;
  /** Whether `apply` runs the step. Unsafe steps need a manual decision. */
  safe: boolean;
};

/** `hash` depends on the live schema and the steps. */
export type SchemaPlan = { hash: string; steps: readonly SchemaStep[] };

/** Creates the plan of schema changes. If migrations are pending, it contains only those, because they may create the missing parts. */
export function makePlan(live: Schema, declared: Schema, pending: readonly MigrationScript[]): SchemaPlan {
  const steps =
    pending.length > 0
      ? pending.map(({ name, statements }) => safeStep(`migration ${name}`, "is pending", statements))
      : compareSchemas(live, declared);
  const hash = createHash("sha256")
    .update(JSON.stringify([live, steps]))
    .digest("hex")
    .slice(0, 16);
  return { hash, steps };
}

function safeStep(subject: string, problem: string, statements: readonly string[]): SchemaStep {
  return { subject, problem, statements, destructive: statements.some(isDestructive), safe: true };
}

function unsafeStep(subject: string, problem: string, statements: readonly string[] = []): SchemaStep {
  return { ...safeStep(subject, problem, statements), safe: false };
}

const UNDECLARED_TEXT = "is not declared by any migration";

function isDestructive(statement: string): boolean {
  return /^\s*(drop\s+(table|schema|sequence)|delete\s|truncate\s)|\bdrop\s+column\b|\balter\s+column\s+\S+\s+(set\s+data\s+)?type\b/i.test(
    statement,
  );
}

function compareSchemas(live: Schema, declared: Schema): SchemaStep[] {
  const { pairs, extra } = pairUp(live, declared);
  const missingTables = pairs.filter(([, found]) => found === undefined).map(([table]) => table);
  return [
    ...sortByReferences(missingTables).map(missingTableStep),
    ...pairs.flatMap(([table, found]) =>
      found === undefined ? [] : [...compareColumns(found, table), ...compareConstraints(found, table), ...compareIndexes(found, table)],
    ),
    ...extra.map(extraTableStep),
  ];
}

function pairUp<Named extends { name: string }>(live: readonly Named[], declared: readonly Named[]) {
  const liveByName = new Map(live.map((one) => [one.name, one]));
  const declaredNames = new Set(declared.map(({ name }) => name));
  return {
    pairs: declared.map((one) => [one, liveByName.get(one.name)] as const),
    extra: live.filter(({ name }) => !declaredNames.has(name)),
  };
}

function sortByReferences(tables: readonly SchemaTable[]): SchemaTable[] {
  const orderedTables: SchemaTable[] = [];
  const remainingTables = new Set(tables);
  while (remainingTables.size > 0) {
    const remainingList = [...remainingTables];
    const unreferencedTables = remainingList.filter(
      (table) => !remainingList.some((other) => other !== table && hasReferenceTo(table, other)),
    );
    for (const table of unreferencedTables.length > 0 ? unreferencedTables : remainingList) {
      orderedTables.push(table);
      remainingTables.delete(table);
    }
  }
  return orderedTables;
}

function hasReferenceTo(table: SchemaTable, other: SchemaTable): boolean {
  return table.constraints.some(
    (constraint) => constraint.includes(` references ${other.name} `) || constraint.includes(` references ${other.name}(`),
  );
}

function missingTableStep({ kind, name, create, indexes }: SchemaTable): SchemaStep {
  return safeStep(`${kind} ${name}`, "is missing", [create, ...indexes.map((index) => index.create)]);
}

function extraTableStep({ kind, name }: SchemaTable): SchemaStep {
  return unsafeStep(`${kind} ${name}`, UNDECLARED_TEXT, [`drop ${kind === "counter" ? "sequence" : "table"} ${quoteName(name)}`]);
}

function compareColumns(live: SchemaTable, { name: table, columns }: SchemaTable): SchemaStep[] {
  const { pairs, extra } = pairUp(live.columns, columns);
  return [
    ...pairs.flatMap(([column, found]) => compareColumn(table, found, column)),
    ...extra.map(({ name }) =>
      unsafeStep(`column ${table}.${name}`, UNDECLARED_TEXT, [`alter table ${table} drop column ${quoteName(name)}`]),
    ),
  ];
}

function compareColumn(table: string, live: SchemaColumn | undefined, { name, definition, addable }: SchemaColumn): SchemaStep[] {
  const subject = `column ${table}.${name}`;
  const add = [`alter table ${table} add column ${name} ${definition}`];
  if (live === undefined && addable) return [safeStep(subject, "is missing", add)];
  if (live === undefined) return [unsafeStep(subject, "is missing, and existing rows would have no value for it", add)];
  return live.definition === definition ? [] : [unsafeStep(subject, `is “${live.definition}”, declared as “${definition}”`)];
}

function compareConstraints(live: SchemaTable, declared: SchemaTable): SchemaStep[] {
  const subject = `table ${declared.name}`;
  const missingConstraints = declared.constraints.filter((one) => !live.constraints.includes(one));
  const extraConstraints = live.constraints.filter((one) => !declared.constraints.includes(one));
  return [
    ...missingConstraints.map((one) => unsafeStep(subject, `is missing “${one}”`)),
    ...extraConstraints.map((one) => unsafeStep(subject, `has an undeclared “${one}”`)),
  ];
}

/** Compares indexes. Keeps undeclared ones, which may be intentional. */
function compareIndexes(live: SchemaTable, declared: SchemaTable): SchemaStep[] {
  const { pairs, extra } = pairUp(live.indexes, declared.indexes);
  return [
    ...pairs.flatMap(([index, found]) => compareIndex(found, index)),
    ...extra.map(({ name }) => unsafeStep(`index ${name}`, UNDECLARED_TEXT, [`drop index ${quoteName(name)}`])),
  ];
}

function compareIndex(live: SchemaIndex | undefined, { name, create }: SchemaIndex): SchemaStep[] {
  if (live === undefined) return [safeStep(`index ${name}`, "is missing", [create])];
  return live.create === create ? [] : [safeStep(`index ${name}`, "has a different definition", [`drop index ${name}`, create])];
}

function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
