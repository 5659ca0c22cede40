import { DatabaseSync } from "node:sqlite";
import { normaliseStatement } from "../catalog.ts";
import { migrationScripts } from "../migrate.ts";
import { columnTypes } from "./catalog.ts";

type SchemaEntry = { type: string; name: string; tbl_name: string; sql: string | null };

const IGNORED_TABLES = [
  `create table "kysely_migration" ("name" varchar(255) not null primary key, "timestamp" varchar(255) not null)`,
  `create table "kysely_migration_lock" ("id" varchar(255) not null primary key, "is_locked" integer default 0 not null)`,
  "analyze sqlite_schema",
];

/** Describes the first object that no migration created, if any. A trigger, for example, would run inside the service. */
export async function describeForeign(database: DatabaseSync): Promise<string | undefined> {
  const schemaEntries = readEntries(database);
  const foreignEntry = compareObjects(schemaEntries.filter(isMigratorTable), listDeclared([]));
  if (foreignEntry !== undefined) return foreignEntry;
  const appliedMigrations = new Set(
    database
      .prepare("select name from kysely_migration")
      .all()
      .map((row) => String(row["name"])),
  );
  const scripts = await migrationScripts(columnTypes);
  const unknownMigrations = appliedMigrations.difference(new Set(scripts.map(({ name }) => name)));
  if (unknownMigrations.size > 0)
    return `it belongs to a newer version of Roomrack (unknown migration: ${[...unknownMigrations].join(", ")})`;
  const statements = scripts.filter(({ name }) => appliedMigrations.has(name)).flatMap((script) => script.statements);
  return compareObjects(schemaEntries, listDeclared(statements));
}

function isMigratorTable({ name }: SchemaEntry): boolean {
  return name.startsWith("kysely_");
}

function listDeclared(statements: readonly string[]): SchemaEntry[] {
  using scratch = new DatabaseSync(":memory:");
  for (const statement of [...statements, ...IGNORED_TABLES]) scratch.exec(statement);
  return readEntries(scratch);
}

function readEntries(database: DatabaseSync): SchemaEntry[] {
  return database.prepare("select type, name, tbl_name, sql from sqlite_schema").all() as SchemaEntry[];
}

function compareObjects(found: readonly SchemaEntry[], declared: readonly SchemaEntry[]): string | undefined {
  const declaredParts = new Map(declared.map((entry) => [entryKey(entry), definitionParts(entry)]));
  for (const entry of found) {
    const parts = declaredParts.get(entryKey(entry));
    if (parts === undefined) return `it has the ${entry.type} ${entry.name}, which no migration creates`;
    const unknownPart = definitionParts(entry).find((part) => !parts.includes(part));
    if (unknownPart !== undefined) return `no migration creates this part of the ${entry.type} ${entry.name}: ${unknownPart}`;
  }
  return undefined;
}

function entryKey({ type, name, tbl_name: table }: SchemaEntry): string {
  return JSON.stringify([type, name, table]);
}

function definitionParts({ type, sql }: SchemaEntry): string[] {
  const text = normaliseStatement(sql ?? "");
  const [, head, body, tail] = (type === "table" && /^(create table [^(]+)\((.*)\)([^)]*)$/.exec(text)) || [];
  return head === undefined ? [text] : [`${head}(…)${tail}`, ...splitList(body!)];
}

function splitList(text: string): string[] {
  const parts = [""];
  let depth = 0;
  for (const letter of text) {
    if (letter === "(") depth++;
    if (letter === ")") depth--;
    if (letter === "," && depth === 0) parts.push("");
    else parts[parts.length - 1] += letter;
  }
  return parts.map((part) => part.trim());
}
