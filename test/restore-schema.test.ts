/** Restore accepts only objects that the migrations create, because triggers and views would run inside the service. */
import assert from "node:assert/strict";
import { copyFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { before, test } from "node:test";
import { runHere } from "./support/command.ts";
import { makeDataFolder, runCommand, serve } from "./support/process.ts";

let backup: string;
before(async () => {
  const folder = makeDataFolder();
  assert.equal((await runHere(["migrate"], { DATA_DIR: folder })).code, 0);
  backup = join(folder, "roomrack.sqlite");
});

const CHANGES: Record<string, [sql: string, named: string]> = {
  "a trigger": ["create trigger spy after insert on message begin delete from sender; end", "the trigger spy"],
  "a view": ["create view peek as select * from secret", "the view peek"],
  "a view instead of a table": ["drop table audit; create view audit as select 1 as id", "the view audit"],
  "a virtual table": ["create virtual table words using fts5(word)", "the table words"],
  "an extra table": ["create table mine (a integer)", "the table mine"],
  "an extra index": ["create index slow on property (notes)", "the index slow"],
  "a modified index": ["drop index property_name; create index property_name on property (upper(name))", "the index property_name"],
  "an extra column": ["alter table property add column extra text", "the table property: extra text"],
  "a computed column": ["alter table property add column extra text as (zeroblob(1000000000))", "the table property: extra text as"],
  "a check constraint": [
    rewrite("property", "name text not null", "name text not null check (randomblob(9) is null)"),
    "the table property: name text",
  ],
  "a modified default": [
    rewrite("sender", "hotels text", "hotels text default (hex(randomblob(9)))"),
    "the table sender: hotels text default",
  ],
  "a disguised trigger": [
    "drop index error_hour_hour; create trigger spy after insert on message begin delete from sender; end; pragma writable_schema = on; update sqlite_schema set type = 'index', name = 'error_hour_hour', tbl_name = 'error_hour' where name = 'spy'",
    "cannot be copied",
  ],
};

function rewrite(table: string, from: string, to: string): string {
  return `pragma writable_schema = on; update sqlite_schema set sql = replace(sql, '${from}', '${to}') where name = '${table}'`;
}

for (const [what, [sql, named]] of Object.entries(CHANGES)) {
  test(`refuses to restore a file with ${what}`, async () => {
    const folder = makeDataFolder();
    const [copy, data] = [join(folder, "copy.sqlite"), join(folder, "data")];
    copyFileSync(backup, copy);
    change(copy, sql);
    const { code, errors } = await runHere(["restore", copy], { DATA_DIR: data });
    assert.equal(code, 1);
    assert.ok(errors.includes(named), errors);
    assert.equal(existsSync(join(data, "roomrack.sqlite")), false);
  });
}

test("refuses to restore a file written by a newer version", async () => {
  const folder = makeDataFolder();
  const copy = join(folder, "copy.sqlite");
  copyFileSync(backup, copy);
  change(copy, "insert into kysely_migration values ('9999-of-tomorrow', '2030-01-01T00:00:00Z')");
  const { errors } = await runHere(["restore", copy], { DATA_DIR: join(folder, "data") });
  assert.match(errors, /it belongs to a newer version of Roomrack \(unknown migration: 9999-of-tomorrow\)\.\n$/);
});

test("restore accepts a missing index, SQLite statistics and a different column order", async () => {
  const folder = makeDataFolder();
  const [copy, data] = [join(folder, "copy.sqlite"), join(folder, "data")];
  copyFileSync(backup, copy);
  change(copy, "drop index property_status; alter table property drop column notes; alter table property add column notes text; analyze");
  const { code, errors } = await runHere(["restore", copy], { DATA_DIR: data });
  assert.equal(code, 0, errors);
});

test("warns after a backup if restore would refuse it", async () => {
  const folder = makeDataFolder();
  const copy = join(folder, "copy.sqlite");
  copyFileSync(backup, join(folder, "roomrack.sqlite"));
  change(join(folder, "roomrack.sqlite"), "create index slow on property (notes)");
  const { code, output, errors } = await runCommand(["backup", copy], { DATA_DIR: folder });
  assert.equal(code, 0, errors);
  assert.match(errors, /^npm run restore will refuse this copy: it has the index slow, which no migration creates\./m);
  assert.match(output, /verified the copy/);
  assert.ok(readFileSync(copy).length > 0);
});

test("restores a backup written by the first version and migrates it at startup", async () => {
  const folder = makeDataFolder();
  const [copy, data] = [join(folder, "first.sqlite"), join(folder, "data")];
  const { up } = (await import(new URL("../migrations/0001-first-tables.ts", import.meta.url).href)) as { up(types: object): string[] };
  const { columnTypes } = await import("../src/db/sqlite/catalog.ts");
  change(
    copy,
    [
      ...up(columnTypes),
      `create table "kysely_migration" ("name" varchar(255) not null primary key, "timestamp" varchar(255) not null)`,
      `create table "kysely_migration_lock" ("id" varchar(255) not null primary key, "is_locked" integer default 0 not null)`,
      "insert into kysely_migration values ('0001-first-tables', '2026-01-01T00:00:00Z')",
      "insert into kysely_migration_lock values ('migration_lock', 0)",
    ].join(";\n"),
  );
  const { code, errors } = await runHere(["restore", copy], { DATA_DIR: data });
  assert.equal(code, 0, errors);
  const service = await serve({ DATA_DIR: data });
  assert.equal((await fetch(`${service.origin}/property`)).status, 200);
  await service.stop();
});

function change(file: string, sql: string): void {
  using database = new DatabaseSync(file, { defensive: false });
  database.exec(sql);
}
