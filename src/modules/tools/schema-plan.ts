import { createHash } from "node:crypto";
import type { Schema, SchemaColumn, SchemaIndex, SchemaTable } from "../../db/catalog.ts";
import type { MigrationScript } from "../../db/migrate.ts";

/** One difference between the live and the declared schema, and the SQL that would take it away. */
export type Step = {
  /** `table property`, `column property.name`, `index property_name`, `migration 0002-more`. */
  subject: string;
  problem: string;
  statements: readonly string[];
  /** Data would be lost. */
  destructive: boolean;
  /** Apply runs it. An unsafe step is left to a person. */
  safe: boolean;
};

/** `hash` changes when the live schema or the plan does. */
export type Plan = { hash: string; steps: readonly Step[] };

/**
 * The steps that bring `live` in line. Pending migrations are the whole plan, because what is missing comes with them;
 * differences that remain are repaired afterwards.
 */
export function makePlan(live: Schema, declared: Schema, pending: readonly MigrationScript[]): Plan {
  const steps = pending.length > 0 ? pending.map(migrationStep) : compare(live, declared);
  const hash = createHash("sha256")
    .update(JSON.stringify([live, steps]))
    .digest("hex")
    .slice(0, 16);
  return { hash, steps };
}

function migrationStep({ name, statements }: MigrationScript): Step {
  return safeStep(`migration ${name}`, "has not run yet", statements);
}

function safeStep(subject: string, problem: string, statements: readonly string[]): Step {
  return { subject, problem, statements, destructive: statements.some(isDestructive), safe: true };
}

/** What a person has to decide. */
function unsafeStep(subject: string, problem: string, statements: readonly string[] = []): Step {
  return { ...safeStep(subject, problem, statements), safe: false };
}

const UNDECLARED = "is there, but no migration makes it";

/** Statements that lose rows, columns or tables. */
function isDestructive(statement: string): boolean {
  return /^\s*(drop\s+(table|schema|sequence)|delete\s|truncate\s)|\bdrop\s+column\b|\balter\s+column\s+\S+\s+(set\s+data\s+)?type\b/i.test(
    statement,
  );
}

function compare(live: Schema, declared: Schema): Step[] {
  const { pairs, extra } = pairUp(live, declared);
  const missing = pairs.filter(([, found]) => found === undefined).map(([table]) => table);
  return [
    ...inOrderOfReference(missing).map(missingTable),
    ...pairs.flatMap(([table, found]) => (found === undefined ? [] : compareTable(found, table))),
    ...extra.map(extraTable),
  ];
}

/** Each that is declared with the live one of its name, and those that are only live. */
function pairUp<Named extends { name: string }>(live: readonly Named[], declared: readonly Named[]) {
  const there = new Map(live.map((one) => [one.name, one]));
  const wanted = new Set(declared.map(({ name }) => name));
  return {
    pairs: declared.map((one) => [one, there.get(one.name)] as const),
    extra: live.filter(({ name }) => !wanted.has(name)),
  };
}

/** A table comes after those that its keys point to. */
function inOrderOfReference(tables: readonly SchemaTable[]): SchemaTable[] {
  const ordered: SchemaTable[] = [];
  const rest = new Set(tables);
  while (rest.size > 0) {
    const waiting = [...rest];
    const free = waiting.filter((table) => !waiting.some((other) => other !== table && pointsTo(table, other)));
    for (const table of free.length > 0 ? free : waiting) {
      ordered.push(table);
      rest.delete(table);
    }
  }
  return ordered;
}

function pointsTo(table: SchemaTable, other: SchemaTable): boolean {
  return table.constraints.some(
    (constraint) => constraint.includes(` references ${other.name} `) || constraint.includes(` references ${other.name}(`),
  );
}

function missingTable({ kind, name, create, indexes }: SchemaTable): Step {
  return safeStep(`${kind} ${name}`, "is missing", [create, ...indexes.map((index) => index.create)]);
}

function extraTable({ kind, name }: SchemaTable): Step {
  return unsafeStep(`${kind} ${name}`, UNDECLARED, [`drop ${kind === "counter" ? "sequence" : "table"} ${quoted(name)}`]);
}

function compareTable(live: SchemaTable, declared: SchemaTable): Step[] {
  return [...compareColumns(live, declared), ...compareConstraints(live, declared), ...compareIndexes(live, declared)];
}

function compareColumns(live: SchemaTable, { name: table, columns }: SchemaTable): Step[] {
  const { pairs, extra } = pairUp(live.columns, columns);
  return [
    ...pairs.flatMap(([column, found]) => compareColumn(table, found, column)),
    ...extra.map(({ name }) => unsafeStep(`column ${table}.${name}`, UNDECLARED, [`alter table ${table} drop column ${quoted(name)}`])),
  ];
}

function compareColumn(table: string, live: SchemaColumn | undefined, { name, definition, addable }: SchemaColumn): Step[] {
  const subject = `column ${table}.${name}`;
  const add = [`alter table ${table} add column ${name} ${definition}`];
  if (live === undefined && addable) return [safeStep(subject, "is missing", add)];
  if (live === undefined) return [unsafeStep(subject, "is missing, and rows that are there would have no value for it", add)];
  return live.definition === definition ? [] : [unsafeStep(subject, `is “${live.definition}”, declared “${definition}”`)];
}

function compareConstraints(live: SchemaTable, declared: SchemaTable): Step[] {
  const subject = `table ${declared.name}`;
  const missing = declared.constraints.filter((one) => !live.constraints.includes(one));
  const extra = live.constraints.filter((one) => !declared.constraints.includes(one));
  return [
    ...missing.map((one) => unsafeStep(subject, `lacks “${one}”`)),
    ...extra.map((one) => unsafeStep(subject, `has “${one}”, which no migration declares`)),
  ];
}

/** Somebody may have made one that is not declared on purpose. */
function compareIndexes(live: SchemaTable, declared: SchemaTable): Step[] {
  const { pairs, extra } = pairUp(live.indexes, declared.indexes);
  return [
    ...pairs.flatMap(([index, found]) => compareIndex(found, index)),
    ...extra.map(({ name }) => unsafeStep(`index ${name}`, UNDECLARED, [`drop index ${quoted(name)}`])),
  ];
}

function compareIndex(live: SchemaIndex | undefined, { name, create }: SchemaIndex): Step[] {
  if (live === undefined) return [safeStep(`index ${name}`, "is missing", [create])];
  return live.create === create ? [] : [safeStep(`index ${name}`, "covers other columns", [`drop index ${name}`, create])];
}

/** A name that no migration chose may be anything. */
function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
