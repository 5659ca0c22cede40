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
  const destructive = statements.some(isDestructive);
  return { subject: `migration ${name}`, problem: "has not run yet", statements, destructive, safe: true };
}

/** Statements that lose rows, columns or tables. */
export function isDestructive(statement: string): boolean {
  return /^\s*(drop\s+(table|schema|sequence)|delete\s|truncate\s)|\bdrop\s+column\b|\balter\s+column\s+\S+\s+(set\s+data\s+)?type\b/i.test(
    statement,
  );
}

function compare(live: Schema, declared: Schema): Step[] {
  const there = new Map(live.map((table) => [table.name, table]));
  const wanted = new Set(declared.map((table) => table.name));
  const missing = declared.filter((table) => !there.has(table.name));
  return [
    ...inOrderOfReference(missing).map(missingTable),
    ...declared.flatMap((table) => compareTable(there.get(table.name), table)),
    ...live.filter((table) => !wanted.has(table.name)).map(extraTable),
  ];
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

function missingTable(table: SchemaTable): Step {
  const statements = [table.create, ...table.indexes.map((index) => index.create)];
  return { subject: `${table.kind} ${table.name}`, problem: "is missing", statements, destructive: false, safe: true };
}

function extraTable({ kind, name }: SchemaTable): Step {
  const statement = `drop ${kind === "counter" ? "sequence" : "table"} ${quoted(name)}`;
  return {
    subject: `${kind} ${name}`,
    problem: "is there, but no migration makes it",
    statements: [statement],
    destructive: true,
    safe: false,
  };
}

function compareTable(live: SchemaTable | undefined, declared: SchemaTable): Step[] {
  if (live === undefined) return [];
  return [...compareColumns(live, declared), ...compareConstraints(live, declared), ...compareIndexes(live, declared)];
}

function compareColumns(live: SchemaTable, declared: SchemaTable): Step[] {
  const there = new Map(live.columns.map((column) => [column.name, column]));
  const wanted = new Set(declared.columns.map((column) => column.name));
  return [
    ...declared.columns.flatMap((column) => compareColumn(declared.name, there.get(column.name), column)),
    ...live.columns.filter((column) => !wanted.has(column.name)).map((column) => extraColumn(declared.name, column)),
  ];
}

function compareColumn(table: string, live: SchemaColumn | undefined, declared: SchemaColumn): Step[] {
  const subject = `column ${table}.${declared.name}`;
  if (live === undefined) {
    const statements = [`alter table ${table} add column ${declared.name} ${declared.definition}`];
    const problem = declared.addable ? "is missing" : "is missing, and rows that are there would have no value for it";
    return [{ subject, problem, statements, destructive: false, safe: declared.addable }];
  }
  if (live.definition === declared.definition) return [];
  return [
    { subject, problem: `is “${live.definition}”, declared “${declared.definition}”`, statements: [], destructive: false, safe: false },
  ];
}

function extraColumn(table: string, { name }: SchemaColumn): Step {
  const statements = [`alter table ${table} drop column ${quoted(name)}`];
  return { subject: `column ${table}.${name}`, problem: "is there, but no migration makes it", statements, destructive: true, safe: false };
}

function compareConstraints(live: SchemaTable, declared: SchemaTable): Step[] {
  const subject = `table ${declared.name}`;
  const unsafe = { statements: [], destructive: false, safe: false };
  const missing = declared.constraints.filter((one) => !live.constraints.includes(one));
  const extra = live.constraints.filter((one) => !declared.constraints.includes(one));
  return [
    ...missing.map((one) => ({ subject, problem: `lacks “${one}”`, ...unsafe })),
    ...extra.map((one) => ({ subject, problem: `has “${one}”, which no migration declares`, ...unsafe })),
  ];
}

function compareIndexes(live: SchemaTable, declared: SchemaTable): Step[] {
  const there = new Map(live.indexes.map((index) => [index.name, index]));
  const wanted = new Set(declared.indexes.map((index) => index.name));
  return [
    ...declared.indexes.flatMap((index) => compareIndex(there.get(index.name), index)),
    ...live.indexes.filter((index) => !wanted.has(index.name)).map(extraIndex),
  ];
}

function compareIndex(live: SchemaIndex | undefined, declared: SchemaIndex): Step[] {
  const subject = `index ${declared.name}`;
  if (live === undefined) return [{ subject, problem: "is missing", statements: [declared.create], destructive: false, safe: true }];
  if (live.create === declared.create) return [];
  return [
    {
      subject,
      problem: "covers other columns",
      statements: [`drop index ${declared.name}`, declared.create],
      destructive: false,
      safe: true,
    },
  ];
}

/** Somebody may have made it on purpose. */
function extraIndex({ name }: SchemaIndex): Step {
  return {
    subject: `index ${name}`,
    problem: "is there, but no migration makes it",
    statements: [`drop index ${quoted(name)}`],
    destructive: false,
    safe: false,
  };
}

/** A name that no migration chose may be anything. */
function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
