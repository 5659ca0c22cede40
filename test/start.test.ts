import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, test } from "node:test";
import { sql } from "kysely";
import type { Database } from "../src/db/database.ts";
import { migrationHistory, migrationScripts } from "../src/db/migrate.ts";
import { openDatabase } from "../src/db/open.ts";
import { runHere } from "./support/command.ts";
import { type Engine, ENGINES, openFresh, type Place } from "./support/databases.ts";
import { dropSchema, migrateBefore } from "./support/older-schema.ts";
import { PING, createProperty, makeDataFolder, runCommand, serve, type Settings } from "./support/process.ts";
import { until } from "./support/until.ts";

describe("starting the service", () => {
  test("prints the URL that it listens on", async () => {
    const service = await serve({ DATA_DIR: join(makeDataFolder(), "new", "folder") });
    assert.match(service.origin, /^http:\/\/127\.0\.0\.1:\d+$/);
    const answer = await fetch(`${service.origin}/`);
    assert.equal(answer.status, 200);
    assert.match(await answer.text(), /Create a property/);
    assert.equal((await service.stop()).code, 0);
  });

  test("uses the machine's time zone if TZ is empty, and otherwise trims TZ", async () => {
    const zoneWith = async (settings: Settings) => {
      const service = await serve({ DATA_DIR: makeDataFolder(), ...settings });
      const page = await (await fetch(`${service.origin}/dev/logs`)).text();
      await service.stop();
      return /Times in ([^.]+)\./.exec(page)?.[1];
    };
    const own = await zoneWith({});
    assert.ok(own);
    assert.deepEqual([await zoneWith({ TZ: " " }), await zoneWith({ TZ: " Asia/Tokyo\r" })], [own, "Asia/Tokyo"]);
  });

  test("limits its memory on Linux without changing its process id", async () => {
    const read = (pid: number, file: string) => readFileSync(`/proc/${pid}/${file}`, "utf8").split("\0");
    const boundsOf = async (settings: Settings) => {
      const service = await serve({ DATA_DIR: makeDataFolder(), ...settings });
      const { pid } = service.process;
      const words = process.platform === "linux" ? [...read(pid!, "environ"), ...read(pid!, "cmdline")] : [];
      assert.equal((await service.stop()).code, 0);
      return words.filter((one) => /^MALLOC_ARENA_MAX|^--max-semi-space-size/.test(one));
    };
    const expected = ["MALLOC_ARENA_MAX=2", "MALLOC_ARENA_MAX=5", "MALLOC_ARENA_MAX="].map((arenas) =>
      process.platform === "linux" ? [arenas, "--max-semi-space-size=4"] : [],
    );
    assert.deepEqual([await boundsOf({}), await boundsOf({ MALLOC_ARENA_MAX: "5" }), await boundsOf({ MALLOC_ARENA_MAX: "" })], expected);
    const own = await boundsOf({ NODE_OPTIONS: "--enable-source-maps --max-semi-space-size=8" });
    assert.deepEqual(
      own,
      process.platform === "linux" ? ["MALLOC_ARENA_MAX=2"] : [],
      "keeps the size in NODE_OPTIONS, which an argument would override",
    );
  });

  test("doesn't load Node's HTTP client", async () => {
    // Any access to the globals `fetch` or `Response` would load it.
    const loaded = join(makeDataFolder(), "loaded");
    const preloadedList = `process.on("exit", () => process.getBuiltinModule("fs").writeFileSync("${loaded}", process.moduleLoadList.join("\\n")))`;
    const preload = `--import=data:text/javascript,${encodeURIComponent(preloadedList)}`;
    const service = await serve({ DATA_DIR: makeDataFolder(), NODE_OPTIONS: preload });
    const page = await fetch(`${service.origin}/property`);
    const answer = await fetch(`${service.origin}/channel`, { method: "POST", body: PING });
    assert.deepEqual([page.status, answer.status, (await service.stop()).code], [200, 200, 0]);
    const modules = readFileSync(loaded, "utf8");
    assert.match(modules, /internal\/modules\/esm/);
    assert.doesNotMatch(modules, /undici/);
  });

  test("reports in one line that the port is in use", async () => {
    const first = await serve({ DATA_DIR: makeDataFolder() });
    const { port } = new URL(first.origin);
    const second = await runCommand(["serve"], { DATA_DIR: makeDataFolder(), PORT: port });
    assert.equal(second.code, 1);
    assert.equal(
      second.errors.trim(),
      `Port ${port} on 127.0.0.1 is in use: another Roomrack may be running. Stop it, or set PORT to a free port.`,
    );
    assert.equal((await fetch(`${first.origin}/`)).status, 200);
    await first.stop();
  });

  test("reports in one line that HOST is unusable", async () => {
    const faults = [
      ["192.0.2.1", "HOST 192.0.2.1 is not an address of this machine."],
      ["no such host", "HOST no such host is not an address of this machine."],
      ["x".repeat(300), `Cannot listen at HOST ${"x".repeat(300)}, PORT `],
    ] as const;
    for (const [host, expected] of faults) {
      const { code, errors } = await runCommand(["serve"], {
        DATA_DIR: makeDataFolder(),
        HOST: host,
        ADMIN_PASSWORD: "a password of the test",
      });
      assert.equal(code, 1, host);
      assert.ok(errors.startsWith(expected), errors);
      assert.equal(errors.trim().split("\n").length, 1, errors);
    }
  });

  test("reports all invalid settings together and creates no data", async () => {
    const folder = join(makeDataFolder(), "none");
    const faulty = {
      DATA_DIR: folder,
      PORT: "http",
      LOG_LEVEL: "loud",
      TZ: "Nowhere/Land",
      NODE_ENV: "production",
      ADMIN_PASSWORD: "short",
      TRUST_PROXY: "proxy.example",
    };
    const { code, errors } = await runHere(["serve"], { ...faulty, DATABASE_URL: "mysql://host/db", PUBLIC_URL: "rooms.example.com" });
    assert.equal(code, 1);
    for (const name of ["PORT", "LOG_LEVEL", "TZ", "ADMIN_PASSWORD", "TRUST_PROXY", "DATABASE_URL", "PUBLIC_URL"]) {
      assert.match(errors, new RegExp(`^ {2}${name}: \\S`, "m"));
    }
    assert.doesNotMatch(errors, /^\s+at /m);
    assert.equal(existsSync(folder), false);
  });

  test("refuses a PUBLIC_URL whose path is also a route", async () => {
    for (const path of ["/channel", "/tools/errors/"]) {
      const PUBLIC_URL = `https://rooms.example.com${path}`;
      const { code, errors } = await runCommand(["serve"], { DATA_DIR: makeDataFolder(), PUBLIC_URL, ADMIN_PASSWORD: "long-enough-1" });
      assert.equal(code, 1);
      assert.match(
        errors,
        /^PUBLIC_URL ends in (?:\/channel|\/tools\/errors), which is one of Roomrack's own paths\. Use another path\.$/m,
      );
      assert.doesNotMatch(errors, /^\s+at /m);
    }
  });

  test("warns about a weak password in development, but refuses it on non-loopback addresses", async () => {
    const settings = { DATA_DIR: makeDataFolder(), ADMIN_PASSWORD: "password" };
    const service = await serve(settings);
    const { output } = await service.stop();
    assert.match(output, /"level":40[^\n]*ADMIN_PASSWORD is easy to guess/);
    assert.doesNotMatch(output, /"password"|VIEWER_PASSWORD/);
    const refused = await runCommand(["serve"], { ...settings, HOST: "0.0.0.0" });
    assert.equal(refused.code, 1);
    assert.match(refused.errors, /^ {2}ADMIN_PASSWORD: must have at least 12 characters and must not be a common password/m);
  });

  test("reports an outdated Node version and the required version", () => {
    const older = `data:text/javascript,Object.defineProperty(process,"versions",{value:{node:"20.20.2"}})`;
    const { status, stderr } = spawnSync(process.execPath, ["--import", older, "src/start.mjs", "serve"], { encoding: "utf8" });
    const expectedError = "Roomrack requires Node 26 or later, but this is Node 20.20.2. Use npm start or node_modules/.bin/node.\n";
    assert.deepEqual([status, stderr], [1, expectedError]);
  });

  test("lists the commands if the command is unknown", async () => {
    const { code, errors } = await runCommand(["serv"], { DATA_DIR: makeDataFolder() });
    assert.equal(code, 2);
    assert.match(errors, /Unknown command 'serv'.*^ {2}serve$.*^ {2}migrate \[-- --distribute\]$.*^ {2}sender /ms);
  });
});

for (const engine of ENGINES) {
  describe(`starting the service with existing data on ${engine}`, () => {
    test("migrates an older version, on SQLite after a backup", async () => {
      await using older = await olderPlace(engine);
      const service = await serve(older.settings);
      const listed = await (await fetch(`${service.origin}/property`)).text();
      assert.ok(listed.indexOf("Ölberg") < listed.indexOf("Old Mill"), "sorted as in this version");
      for (const url of ["/property/OLD", "/property", "/property?q=mill", "/property?q=italy", "/category?q=quad"]) {
        assert.match(await (await fetch(service.origin + url)).text(), /Old Mill/, url);
      }
      await service.stop();
      assert.deepEqual(await migrationsAt(older.place), [...older.migrations, ...older.pending]);
      const [, backup] = /^Backup before migration: (.+)$/m.exec(service.output()) ?? [];
      assert.equal(backup !== undefined, engine === "SQLite");
      if (backup !== undefined) assert.deepEqual(savedAt(backup), { properties: ["OEL", "OLD"], migrations: older.migrations });
    });

    test("succeeds for two processes that start at the same time with an empty database", async () => {
      await using empty = await emptyPlace(engine);
      const [one, other] = await Promise.all([serve(empty.settings), serve(empty.settings)]);
      await createProperty(one.origin);
      assert.equal((await fetch(`${other.origin}/property/ALP`)).status, 200);
      for (const service of [one, other]) assert.equal((await service.stop()).code, 0);
    });

    test("doesn't back up a database that is already at the current version", async () => {
      await using current = await currentPlace(engine);
      const service = await serve(current.settings);
      await service.stop();
      assert.doesNotMatch(service.output(), /Backup/);
      assert.equal(existsSync(join(current.place.folder, "backups")), false);
    });

    test("refuses a database from a newer version with a one-line error and doesn't change it", async () => {
      await using newer = await currentPlace(engine);
      const database = await openDatabase(newer.place.url, newer.place.folder);
      await sql`insert into kysely_migration (name, timestamp) values ('9999-of-the-future', '2030-01-01')`.execute(database.write);
      await database.close();
      const { code, errors } = await runCommand(["serve"], newer.settings);
      assert.equal(code, 1);
      assert.match(errors, /^This database belongs to a newer version of Roomrack \(unknown migration: 9999-of-the-future\)\. .*\n$/);
      assert.ok((await migrationsAt(newer.place)).includes("9999-of-the-future"));
    });
  });
}

test("changes nothing if a migration fails, and can retry the migration", async () => {
  await using older = await olderPlace("SQLite");
  const file = new DatabaseSync(join(older.place.folder, "roomrack.sqlite"));
  file.exec("create trigger full before insert on kysely_migration begin select raise(abort, 'disk is full'); end");
  const folder = join(older.place.folder, "backups");
  const killed = join(folder, `before-${older.pending[0]}-2020-01-01T00-00-00Z.sqlite.unfinished`);
  for (let tries = 0; tries < 2; tries++) {
    const { code, errors } = await runCommand(["migrate"], older.settings);
    for (const end of ["", "-journal"]) writeFileSync(killed + end, "");
    for (const end of ["", "-journal"]) utimesSync(killed + end, 0, 0);
    assert.equal(code, 1);
    assert.match(errors, /^Cannot open the database: disk is full\b/);
  }
  file.exec("drop trigger full");
  file.close();
  const again = await runCommand(["migrate"], older.settings);
  assert.equal(again.errors, "");
  assert.match(again.output, new RegExp(`^Applied migrations: ${older.pending.join(", ")}$`, "m"));
  assert.equal(readdirSync(folder).length, 1, "backups of failed attempts are removed");
});

describe("in production", () => {
  test("generates a password on first start, prints it once and stores only its hash", async () => {
    const folder = makeDataFolder();
    const settings = { DATA_DIR: folder, NODE_ENV: "production" };
    const first = await serve(settings);
    const [, password = ""] = /password {2}(\S+)/.exec(first.output()) ?? [];
    assert.ok(password.length >= 22, "at least 128 bits");
    assert.equal(await statusWith(first.origin, password), 200);
    assert.equal(await statusWith(first.origin, `${password}x`), 401);
    assert.equal((await fetch(`${first.origin}/property`)).status, 401);
    await first.stop();
    const second = await serve(settings);
    assert.doesNotMatch(second.output(), /password/i);
    assert.equal(await statusWith(second.origin, password), 200);
    await second.stop();
    assert.equal(readFileSync(join(folder, "roomrack.sqlite")).includes(password), false);
  });

  test("requires credentials in development if the service doesn't listen on loopback", async () => {
    const service = await serve({ DATA_DIR: makeDataFolder(), HOST: "0.0.0.0" });
    assert.match(service.output(), /Generated an administrator password/);
    assert.equal((await fetch(`http://127.0.0.1:${new URL(service.origin).port}/property`)).status, 401);
    await service.stop();
  });

  test("adds, lists and disables senders while the service runs", async () => {
    const settings = { DATA_DIR: makeDataFolder(), NODE_ENV: "production", ADMIN_PASSWORD: "correct-horse-battery" };
    const service = await serve(settings);
    const sender = async (...args: string[]) => {
      const { code, output, errors } = await runHere(["sender", ...args], settings);
      assert.equal(errors, "");
      assert.equal(code, 0);
      return output;
    };
    assert.match(await sender("list"), /No senders in/);
    const [, secret = ""] = /password {2}(\S+)/.exec(await sender("add", "pms", "ALP", "BET")) ?? [];
    assert.match(await sender("list"), /^pms {2}enabled {2}ALP, BET {2}standard$/m);
    assert.equal(await ping(service.origin, `pms:${secret}`), 200);
    assert.equal(await ping(service.origin, "pms:guess"), 401);
    assert.match(await sender("disable", "pms"), /^Disabled sender pms/);
    assert.match(await sender("list"), /^pms {2}disabled/m);
    await eventually(401, () => ping(service.origin, `pms:${secret}`));
    const faulty = await runHere(["sender", "remove"], settings);
    assert.equal(faulty.code, 1);
    assert.match(faulty.errors, /^Usage: npm run sender -- add NAME/);
    await service.stop();
  });
});

type TestPlace = AsyncDisposable & { place: Place; settings: Settings };

async function currentPlace(engine: Engine): Promise<TestPlace> {
  const { database, place, remove } = await openFresh(engine);
  await database.close();
  const settings = { DATA_DIR: place.folder, ...(place.url !== undefined && { DATABASE_URL: place.url }) };
  return { place, settings, [Symbol.asyncDispose]: remove };
}

async function emptyPlace(engine: Engine): Promise<TestPlace> {
  const current = await currentPlace(engine);
  if (engine === "SQLite") return { ...current, settings: { DATA_DIR: makeDataFolder() } };
  const database = await openDatabase(current.place.url, current.place.folder);
  await dropSchema(database);
  await database.close();
  return current;
}

async function olderPlace(engine: Engine): Promise<TestPlace & { migrations: string[]; pending: string[] }> {
  const current = await currentPlace(engine);
  const place = engine === "SQLite" ? { url: undefined, folder: makeDataFolder() } : current.place;
  const database = await openDatabase(place.url, place.folder);
  const migrations = await migrateBefore(database, "0013-words-of-countries");
  const pending = (await migrationScripts(database.columnTypes)).slice(migrations.length).map(({ name }) => name);
  await insertRecords(database);
  await database.close();
  return {
    ...current,
    place,
    settings: { ...current.settings, DATA_DIR: place.folder },
    migrations,
    pending,
  };
}

async function insertRecords({ write }: Database): Promise<void> {
  await sql`insert into property (code, name, country, status, currency, time_zone, property_type, assume_open, known_plans_only,
    horizon_days, prices_include_tax, version, created_at, updated_at)
    values ('OLD', 'Old Mill', 'IT', 'active', 'EUR', 'UTC', '20', 1, 0, 750, 1, 1, 1, 1),
      ('OEL', 'Ölberg', 'AT', 'active', 'EUR', 'UTC', '20', 1, 0, 750, 1, 1, 1, 1)`.execute(write);
  await sql`insert into search_word (kind, word, property, code) values ('property', ${Buffer.from("mill")}, 'OLD', '')`.execute(write);
  await sql`insert into category (property, code, name, kind, standard_occupancy, min_occupancy, max_occupancy, rooms, smoking, accessible,
    status, sort_order, version, created_at, updated_at)
    values ('OLD', 'QUAD', 'Room of the Old Mill', 'room', 4, 1, 4, 2, 0, 0, 'active', 0, 1, 1, 1)`.execute(write);
}

async function migrationsAt({ url, folder }: Place): Promise<string[]> {
  const database = await openDatabase(url, folder);
  const history = await migrationHistory(database);
  await database.close();
  return history.map(({ name }) => name);
}

function savedAt(file: string): { properties: unknown[]; migrations: unknown[] } {
  const saved = new DatabaseSync(file, { readOnly: true });
  const all = (query: string) =>
    saved
      .prepare(query)
      .all()
      .map((row) => Object.values(row)[0]);
  const contents = {
    properties: all("select code from property order by code"),
    migrations: all("select name from kysely_migration order by name"),
  };
  saved.close();
  return contents;
}

async function statusWith(origin: string, password: string): Promise<number> {
  return (await fetch(`${origin}/property`, { headers: { authorization: `Basic ${btoa(`admin:${password}`)}` } })).status;
}

async function ping(origin: string, credentials: string): Promise<number> {
  const headers = { "content-type": "application/xml", authorization: `Basic ${btoa(credentials)}` };
  return (await fetch(`${origin}/channel`, { method: "POST", headers, body: PING })).status;
}

/** Polls until the status is `expected`, because processes cache senders for a few seconds. */
async function eventually(expected: number, ask: () => Promise<number>): Promise<void> {
  await until(`status ${expected}`, async () => (await ask()) === expected);
}

test("refuses to add a sender with an invalid name or property", async () => {
  const settings = { DATA_DIR: makeDataFolder() };
  for (const words of [["a:b"], ["--", "--all"], ["--all"], ["x".repeat(101)], ["pms", "a\nb"], ["pms", "--hotels", "ALP"]]) {
    const { code, output, errors } = await runHere(["sender", "add", ...words], settings);
    assert.equal(code, 1, words.join(" "));
    assert.equal(output, "");
    assert.match(errors, /up to 100 characters, must not contain a colon|is not a valid property code|^Unknown option|^Usage/);
  }
  assert.match((await runHere(["sender", "list"], settings)).output, /No senders in/);
});

test("refuses a database that is not UTF-8 and explains how to create one", async () => {
  const { database, place, remove } = await openFresh("PostgreSQL");
  try {
    await sql`create database western encoding 'LATIN1' locale 'C' template template0`.execute(database.write);
    const url = Object.assign(new URL(place.url!), { pathname: "/western" }).href;
    const { code, errors } = await runHere(["serve"], { DATA_DIR: makeDataFolder(), DATABASE_URL: url });
    assert.equal(code, 1);
    assert.match(
      errors,
      /^The database western uses the encoding LATIN1, .* create database western encoding 'UTF8' template template0\n$/,
    );
  } finally {
    await sql`drop database western`.execute(database.write);
    await remove();
  }
});

test("gives up on an unresponsive database within the timeout and reports it in one line", async () => {
  const silent = createServer(() => {}).listen(0, "127.0.0.1");
  await once(silent, "listening");
  const { port } = silent.address() as AddressInfo;
  const url = `postgres://nobody:x@127.0.0.1:${port}/none?connect_timeout=1`;
  const { code, errors } = await runHere(["serve"], { DATA_DIR: makeDataFolder(), DATABASE_URL: url });
  silent.close();
  assert.equal(code, 1);
  assert.match(errors, /^Cannot open the database: .*timeout.*\. Check DATA_DIR and DATABASE_URL\.\n$/);
});

test("reports an unreachable DATABASE_URL in one line", async () => {
  const { place, remove } = await openFresh("PostgreSQL");
  try {
    const DATABASE_URL = `${place.url}?sslmode=verify-full`;
    const { code, errors } = await runHere(["migrate"], { DATA_DIR: makeDataFolder(), DATABASE_URL });
    assert.deepEqual(
      [code, errors],
      [1, "Cannot open the database: The server does not support SSL connections. Check DATA_DIR and DATABASE_URL.\n"],
    );
  } finally {
    await remove();
  }
});

test("reports an unusable data folder and an invalid network in one line", async () => {
  const folder = makeDataFolder();
  writeFileSync(join(folder, "roomrack.sqlite"), "not a database ".repeat(100));
  const impossibleFolder = process.platform === "linux" ? "/proc/none/at-all" : join(folder, "roomrack.sqlite", "impossibleFolder");
  const faulty: [words: RegExp, settings: Record<string, string>][] = [
    [/DATA_DIR and DATABASE_URL/, { DATA_DIR: folder }],
    [/DATA_DIR and DATABASE_URL/, { DATA_DIR: folder, DATABASE_URL: "postgres://nobody:x@127.0.0.1:1/none" }],
    [/^Cannot open the database: .+\. Check DATA_DIR and DATABASE_URL\.\n$/, { DATA_DIR: impossibleFolder }],
    [
      /^Cannot open the database: .+ \(.+\): the service needs write access to it and its folder\. Check/,
      { DATA_DIR: join(folder, "roomrack.sqlite") },
    ],
    [/IP addresses or networks such as/, { TRUST_PROXY: "10.0.0.0/99" }],
    [/IP addresses or networks such as/, { TRUST_PROXY: "999.1.1.1" }],
  ];
  for (const [words, settings] of faulty) {
    const { code, errors } = await runHere(["serve"], settings);
    assert.equal(code, 1);
    assert.match(errors, words);
    assert.doesNotMatch(errors, /\n {4}at /);
  }
  const { errors } = await runHere(["sender", "list"], { DATA_DIR: folder });
  assert.equal(
    errors,
    `Cannot open the database: file is not a database (${join(folder, "roomrack.sqlite")}). Check DATA_DIR and DATABASE_URL.\n`,
  );
});
