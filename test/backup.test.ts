import assert from "node:assert/strict";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { backUpSqlite } from "../src/db/sqlite/copy.ts";
import { runHere } from "./support/command.ts";
import { PING, type Ended, makeDataFolder, runCommand, type Serving, serve } from "./support/process.ts";

test("backs up a running service into a single complete file", async () => {
  const { folder, settings, copy } = makePlaces();
  const service = await serve(settings);
  await ping(service, 3);
  const sending = pingUntil(service);
  const { code, output, errors } = await runCommand(["backup", copy], settings);
  const later = await sending.stop();
  await service.stop();
  assert.equal(code, 0, errors);
  assert.match(output, /^pages +\[#+\] (\d+) of \1$/m);
  assert.ok(output.includes(`npm run restore -- ${copy}\n`), output);
  const saved = messagesIn(copy);
  assert.ok(saved >= 3 && saved <= 3 + later, `${saved} of ${3 + later}`);
  assert.deepEqual(namesIn(folder, "copies"), ["one.sqlite"]);
});

test("restores a backup over the data of a killed service and keeps the old data", async () => {
  const { folder, settings, copy } = makePlaces();
  const first = await serve(settings);
  await ping(first, 1);
  assert.equal((await runCommand(["backup", copy], settings)).code, 0);
  await ping(first, 2);
  assert.deepEqual(await runCommand(["restore", copy], settings), {
    code: 1,
    output: "",
    errors: `${join(folder, "roomrack.sqlite")} is in use. Stop the service and any other program that has it open.\n`,
  });
  await first.stop("SIGKILL");
  assert.ok(existsSync(join(folder, "roomrack.sqlite-wal")));
  const { code, output, errors } = await runCommand(["restore", copy], settings);
  assert.equal(code, 0, errors);
  const [, previous = ""] = /^The previous database was kept as (.+)$/m.exec(output) ?? [];
  const second = await serve(settings);
  await ping(second, 1);
  await second.stop();
  assert.deepEqual([messagesIn(join(folder, "roomrack.sqlite")), messagesIn(previous), messagesIn(copy)], [2, 3, 1]);
});

test("leaves the data unchanged if `restore` is killed before its last step", async () => {
  const { folder, settings, copy } = makePlaces();
  await makeBackup(settings, copy);
  const first = await serve(settings);
  await ping(first, 2);
  await first.stop();
  const file = join(folder, "roomrack.sqlite");
  const before = messagesIn(file);
  await runCommand(["restore", copy], { ...settings, ...preloaded(KILL_BEFORE_RENAME) });
  assert.ok(existsSync(`${file}.restored`), "restore reached the last step");
  const second = await serve(settings);
  await ping(second, 1);
  await second.stop();
  assert.equal(messagesIn(file), before + 1);
});

/** Kills the process before it renames a file to the database. */
const KILL_BEFORE_RENAME = `
  import fs from "node:fs";
  import { syncBuiltinESMExports } from "node:module";
  const { renameSync } = fs;
  fs.renameSync = (from, to) => (to.endsWith("/roomrack.sqlite") ? process.kill(process.pid, "SIGKILL") : renameSync(from, to));
  syncBuiltinESMExports();`;

test("locks the database during `restore` until the copy and its name are on disk", async () => {
  const { folder, settings, copy } = makePlaces();
  await makeBackup(settings, copy);
  const { code, errors } = await runCommand(["restore", copy], { ...settings, ...preloaded(PRINT_LOCKS) });
  assert.equal(code, 0, errors);
  const last = errors.split("\n").slice(-5);
  const synced = (path: string) => `synced ${statSync(path).ino}`;
  assert.deepEqual(last, ["database is locked", synced(join(folder, "backups")), "database is locked", synced(folder), ""]);
});

/** Tries to open the database before each link or rename and prints the result. Also prints each fsync. */
const PRINT_LOCKS = `
  import fs from "node:fs";
  import { spawnSync } from "node:child_process";
  import { syncBuiltinESMExports } from "node:module";
  const { linkSync, renameSync, fsyncSync } = fs;
  const open = (file) => {
    const code = "try { new (require('node:sqlite').DatabaseSync)(process.argv[1]).exec('begin immediate'); console.log('opened') } catch ({ message }) { console.log(message) }";
    process.stderr.write(spawnSync(process.execPath, ["-e", code, file], { env: {} }).stdout);
  };
  fs.linkSync = (from, to) => { open(from); linkSync(from, to); };
  fs.renameSync = (from, to) => { if (to.endsWith("/roomrack.sqlite")) open(to); renameSync(from, to); };
  fs.fsyncSync = (handle) => { process.stderr.write("synced " + fs.fstatSync(handle).ino + "\\n"); fsyncSync(handle); };
  syncBuiltinESMExports();`;

test("restores on file systems without hard links", async () => {
  const { settings, copy } = makePlaces();
  await makeBackup(settings, copy);
  const { code, output, errors } = await runCommand(["restore", copy], { ...settings, ...preloaded(WITHOUT_HARD_LINKS) });
  assert.equal(code, 0, errors);
  const [, previous = ""] = /^The previous database was kept as (.+)$/m.exec(output) ?? [];
  assert.ok(existsSync(previous));
});

/** Simulates file systems such as exFAT and some network shares. */
const WITHOUT_HARD_LINKS = `
  import fs from "node:fs";
  import { syncBuiltinESMExports } from "node:module";
  fs.linkSync = () => { throw Object.assign(new Error("EPERM: operation not permitted, link"), { code: "EPERM" }); };
  syncBuiltinESMExports();`;

function preloaded(code: string): { NODE_OPTIONS: string } {
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` };
}

test("restores into an empty folder, and keeps the damaged data that it replaces", async () => {
  const { folder, settings, copy } = makePlaces();
  await makeBackup(settings, copy);
  const file = join(folder, "roomrack.sqlite");
  const elsewhere = { DATA_DIR: join(folder, "new") };
  assert.equal((await runHere(["restore", copy], elsewhere)).output, `Restored ${copy} to ${join(folder, "new", "roomrack.sqlite")}.\n`);
  writeFileSync(file, "not a database ".repeat(1_000));
  writeFileSync(`${file}-wal`, "its log");
  const { code, output, errors } = await runHere(["restore", copy], settings);
  assert.equal(code, 0, errors);
  const [, previous = ""] = /^The previous database was kept as (.+)$/m.exec(output) ?? [];
  assert.match(readFileSync(previous, "utf8"), /^not a database/);
  assert.equal(existsSync(`${file}-wal`), false);
  for (const one of [settings, elsewhere]) assert.equal((await runHere(["migrate"], one)).output, "The database is up to date.\n");
});

if (process.getuid?.() === 0)
  test("gives files that root creates in a user's folder to the user", async () => {
    const { folder, settings, copy } = makePlaces();
    const user = 4_321;
    chownSync(folder, user, user);
    await makeBackup(settings, copy);
    assert.equal((await runCommand(["restore", copy], settings)).code, 0);
    for (const name of ["roomrack.sqlite", "backups", "copies"]) {
      const { uid, gid } = statSync(join(folder, name));
      assert.deepEqual([name, uid, gid], [name, user, user]);
    }
  });

test("lets only the owner read the data, backups and created folders", async () => {
  const { folder, copy } = makePlaces();
  const settings = { DATA_DIR: join(folder, "srv", "data") };
  await makeBackup(settings, copy);
  assert.equal((await runCommand(["restore", copy], settings)).code, 0);
  const service = await serve(settings);
  await ping(service, 1);
  const files = [copy, ...["", "-wal", "-shm"].map((end) => join(settings.DATA_DIR, `roomrack.sqlite${end}`))];
  const folders = [join(folder, "copies"), join(folder, "srv"), settings.DATA_DIR, join(settings.DATA_DIR, "backups")];
  const modes = [...files, ...folders].map((file) => (statSync(file).mode & 0o777).toString(8));
  const { output } = await service.stop();
  assert.deepEqual(modes, ["600", "600", "600", "600", "700", "700", "700", "700"]);
  assert.doesNotMatch(output, /chmod/);
});

test("warns about a data folder that other users can open, but doesn't change its mode", async () => {
  const { folder, settings } = makePlaces();
  for (const [mode, warns] of [
    [0o700, false],
    [0o750, true],
    [0o701, true],
  ] as const) {
    chmodSync(folder, mode);
    const service = await serve(settings);
    const { output } = await service.stop();
    const warnings = output.split("\n").filter((line) => line.includes(`Run: chmod 700 ${folder}`) && line.includes('"level":40'));
    assert.equal(warnings.length, Number(warns), `${mode.toString(8)}: ${output}`);
    assert.equal(statSync(folder).mode & 0o777, mode);
  }
});

test("during `restore`, moves aside a write-ahead log that has no database", async () => {
  const { folder, settings, copy } = makePlaces();
  await makeBackup(settings, copy);
  const file = join(folder, "roomrack.sqlite");
  const log = makeLeftoverLog(file);
  rmSync(file);
  writeFileSync(`${file}-wal`, log);
  const { code, errors } = await runHere(["restore", copy], settings);
  assert.equal(code, 0, errors);
  const [previous, ...others] = namesIn(folder, "backups");
  assert.match(previous!, /^before-restore-.+\.sqlite-wal$/);
  assert.ok(readFileSync(join(folder, "backups", previous!)).equals(log));
  assert.deepEqual(others, []);
  using restored = new DatabaseSync(file);
  assert.equal(restored.prepare("select value from counter where name = 'logged'").get(), undefined);
});

function makeLeftoverLog(file: string): Buffer {
  using database = new DatabaseSync(file);
  database.exec("pragma wal_autocheckpoint = 0; insert into counter values ('logged', 1)");
  return readFileSync(`${file}-wal`);
}

test("ignores the leftovers of a killed backup or restore", async () => {
  const { folder, settings, copy } = makePlaces();
  mkdirSync(join(folder, "copies"));
  for (const end of ["", "-journal"]) writeFileSync(`${copy}.unfinished${end}`, "half");
  await makeBackup(settings, copy);
  assert.deepEqual(namesIn(folder, "copies"), ["one.sqlite"]);
  writeFileSync(join(folder, "roomrack.sqlite.restored.unfinished"), "half");
  const { code, errors } = await runHere(["restore", copy], settings);
  assert.equal(code, 0, errors);
});

test("refuses to restore a damaged backup or another kind of file, and leaves the data unchanged", async () => {
  const { folder, settings, copy } = makePlaces();
  await makeBackup(settings, copy);
  const [text, other, damaged] = ["text", "other", "damaged"].map((name) => join(folder, name));
  writeFileSync(text!, "not a database ".repeat(100));
  using foreign = new DatabaseSync(other!);
  foreign.exec("create table mine (a integer)");
  copyFileSync(copy, damaged!);
  const bytes = readFileSync(copy);
  writeFileSync(damaged!, bytes.fill(7, 4096 * 3, 4096 * 9));
  const before = mainNamesIn(folder);
  const refused = { [text!]: "file is not a database", [other!]: "it is not a Roomrack database", [damaged!]: "it is damaged: .+" };
  for (const [file, reason] of Object.entries(refused)) {
    const { code, errors } = await runHere(["restore", file], settings);
    assert.equal(code, 1);
    assert.match(errors, new RegExp(`^${file} cannot be copied to \\S+: ${reason}\\.\\n$`));
  }
  for (const none of [join(folder, "none"), folder])
    assert.equal((await runHere(["restore", none], settings)).errors, `${none} does not exist or is not a file.\n`);
  assert.deepEqual(mainNamesIn(folder), before);
});

test("changes nothing if `restore` can't keep the existing data", async () => {
  const { folder, settings, copy } = makePlaces();
  await makeBackup(settings, copy);
  writeFileSync(join(folder, "backups"), "no folder");
  const before = mainNamesIn(folder);
  const { code, errors } = await runHere(["restore", copy], settings);
  assert.deepEqual([code, mainNamesIn(folder)], [1, before], errors);
  assert.equal((await runHere(["migrate"], settings)).output, "The database is up to date.\n");
});

test("doesn't restart a backup when other connections write", async () => {
  const { folder, copy } = makePlaces();
  const file = join(folder, "roomrack.sqlite");
  using writer = new DatabaseSync(file);
  writer.exec("pragma journal_mode = wal; create table kysely_migration (name text); create table large (bytes blob)");
  writer.exec("insert into large values (zeroblob(20000000))");
  const steps: number[] = [];
  await backUpSqlite(file, copy, (done) => {
    if (steps.push(done) < 20) writer.exec("insert into large values (zeroblob(10000))");
  });
  assert.deepEqual(steps.slice(0, -1), [1_000, 2_000, 3_000, 4_000]);
});

test("refuses to restore a file that the restore would overwrite", async () => {
  const { folder, settings, copy } = makePlaces();
  await makeBackup(settings, copy);
  for (const end of ["", ".unfinished"]) {
    const file = join(folder, `roomrack.sqlite.restored${end}`);
    copyFileSync(copy, file);
    const { code, errors } = await runHere(["restore", file], settings);
    assert.deepEqual([code, errors], [1, `A restore would overwrite ${file}. Rename it first.\n`]);
    assert.ok(readFileSync(file).equals(readFileSync(copy)));
  }
});

test("prints the restore command after a backup, quoted for the shell", async () => {
  const { folder, settings } = makePlaces();
  await runHere(["migrate"], settings);
  const copy = join(folder, "it's monday.sqlite");
  const { output } = await runHere(["backup", copy], settings);
  assert.ok(output.includes(`npm run restore -- '${folder}/it'\\''s monday.sqlite'\n`), output);
});

test("a backup never overwrites an existing file", async () => {
  const { folder, settings, copy } = makePlaces();
  const none = await runHere(["backup", copy], settings);
  assert.equal(none.errors, `${join(folder, "roomrack.sqlite")} does not exist. Set DATA_DIR to the data folder.\n`);
  assert.deepEqual(namesIn(folder), []);
  await makeBackup(settings, copy);
  const before = readFileSync(copy);
  const secondBackup = await runHere(["backup", copy], settings);
  assert.deepEqual([secondBackup.code, secondBackup.errors], [1, `${copy} already exists. Choose another name.\n`]);
  assert.ok(readFileSync(copy).equals(before));
  const other = join(folder, "copies", "two.sqlite");
  writeFileSync(`${other}-wal`, "the log of what was there");
  assert.match((await runHere(["backup", other], settings)).errors, /two\.sqlite-wal already exists\. Choose another name/);
  assert.match(
    (await runHere(["backup", join(copy, "in-a-file")], settings)).errors,
    /roomrack\.sqlite cannot be copied to .*one\.sqlite.*: ENOTDIR/,
  );
  for (const words of [["backup"], ["restore"], ["backup", "--all"], ["restore", "a", "b"]])
    assert.match((await runHere(words, settings)).errors, new RegExp(`Usage: npm run ${words[0]} -- FILE`));
});

test("suggests pg_dump if the data is in PostgreSQL", async () => {
  const settings = { DATA_DIR: makeDataFolder(), DATABASE_URL: "postgres://nobody@127.0.0.1:1/none" };
  for (const name of ["backup", "restore"]) {
    const { code, errors } = await runHere([name, "copy"], settings);
    assert.equal(code, 1);
    assert.match(errors, /^DATABASE_URL is set, so the data is in PostgreSQL\. Back it up with pg_dump .*pg_restore/);
  }
});

function makePlaces() {
  const folder = makeDataFolder();
  return { folder, settings: { DATA_DIR: folder }, copy: join(folder, "copies", "one.sqlite") };
}

async function makeBackup(settings: Readonly<Record<string, string>>, copy: string): Promise<void> {
  assert.equal((await runHere(["migrate"], settings)).code, 0);
  const { code, errors }: Ended = await runHere(["backup", copy], settings);
  assert.equal(code, 0, errors);
}

async function ping({ origin }: Serving, times: number): Promise<void> {
  for (let sent = 0; sent < times; sent++) {
    const { status } = await fetch(`${origin}/channel`, { method: "POST", headers: { "content-type": "application/xml" }, body: PING });
    assert.equal(status, 200);
  }
}

/** Sends messages until `stop` is called, which returns their number. */
function pingUntil(service: Serving): { stop(): Promise<number> } {
  let stopped = false;
  const sent = (async () => {
    for (let count = 0; ; count++) {
      if (stopped) return count;
      await ping(service, 1);
      await sleep(5);
    }
  })();
  return {
    stop() {
      stopped = true;
      return sent;
    },
  };
}

function messagesIn(file: string): number {
  using database = new DatabaseSync(file, { readOnly: true });
  return Number(database.prepare("select count(*) as count from message").get()!["count"]);
}

function namesIn(...parts: [string, ...string[]]): string[] {
  return readdirSync(join(...parts)).toSorted();
}

/** Returns the files in `folder` except write-ahead logs, which may remain from the last command. */
function mainNamesIn(folder: string): string[] {
  return namesIn(folder).filter((name) => !/-(wal|shm)$/.test(name));
}
