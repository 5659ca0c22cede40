/** Commands that use the database. A few run as separate processes, which checks exit codes and output. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { sql } from "kysely";
import { KNOB_NAMES } from "../src/modules/channel/profiles/knobs.ts";
import { PRESETS } from "../src/modules/channel/profiles/presets.ts";
import { listProperties } from "../src/records/property/list-store.ts";
import { runHere } from "./support/command.ts";
import { eachEngine, openFresh } from "./support/databases.ts";
import { makeDataFolder, runCommand } from "./support/process.ts";

test("`migrate` updates the database to the current schema only once", async () => {
  const settings = { DATA_DIR: makeDataFolder() };
  const first = await runCommand(["migrate"], settings);
  assert.equal(first.code, 0, first.errors);
  assert.match(first.output, /^Applied migrations: 0001-/m);
  const again = await runCommand(["migrate"], settings);
  assert.equal(again.code, 0);
  assert.equal(again.output, "The database is up to date.\n");
});

test("commands refuse a database from an older version, because its service may be running", async () => {
  const settings = { DATA_DIR: makeDataFolder() };
  await runCommand(["migrate"], settings);
  const file = new DatabaseSync(join(settings.DATA_DIR, "roomrack.sqlite"));
  const [last] = file.prepare("delete from kysely_migration where name = (select max(name) from kysely_migration) returning name").all();
  file.close();
  for (const words of ["sender list", "seed --properties 1"]) {
    const { code, errors } = await runCommand(words.split(" "), settings);
    const expected =
      "This database belongs to an older version of Roomrack. Stop the old service, then start this version or run npm run migrate.\n";
    assert.deepEqual([code, errors], [1, expected], words);
  }
  assert.ok(last);
  assert.equal(existsSync(join(settings.DATA_DIR, "backups")), false);
});

eachEngine("`seed`", (open, makePlace) => {
  test("`seed` creates the requested amounts", async () => {
    const place = await makePlace();
    const settings = { DATA_DIR: place.folder, ...(place.url !== undefined && { DATABASE_URL: place.url }) };
    const { code, output, errors } = await runCommand(["seed", "--properties", "3", "--nights=7", "--categories", "2"], settings);
    assert.equal(code, 0, errors);
    assert.match(output, /^properties +\[#+\] 3 of 3$/m);
    assert.match(output, /^Done in \d+\.\d s\.$/m);
    const { lines } = await listProperties(await open(place), { q: "", sort: "code", direction: "asc", page: 1, size: 25 });
    assert.deepEqual(
      lines.map((property) => `${property.code} with ${property.categories}`),
      ["SEED00001 with 2", "SEED00002 with 2", "SEED00003 with 2"],
    );
  });
});

test("`seed` without amounts creates 40 hotels and a week of messages with bodies, some of them refused", async () => {
  const { database, place, remove } = await openFresh("SQLite");
  const settings = { DATA_DIR: place.folder };
  const done = await runHere(["seed"], settings);
  assert.equal(done.code, 0, done.errors);
  const count = async (table: "property" | "message" | "message_body" | "error_entry") =>
    (
      await database.read
        .selectFrom(table)
        .select(({ fn }) => fn.countAll<number>().as("n"))
        .executeTakeFirstOrThrow()
    ).n;
  assert.equal(await count("property"), 40);
  assert.ok((await count("message")) > 1_000);
  assert.equal(await count("message_body"), await count("message"));
  assert.ok((await count("error_entry")) > 3);
  const outcomes = await database.read.selectFrom("message").select("outcome").distinct().orderBy("outcome").execute();
  assert.deepEqual(
    outcomes.map(({ outcome }) => outcome),
    ["ok", "refused", "unauthorised", "warnings"],
  );
  const again = await runHere(["seed"], settings);
  assert.equal(again.code, 1);
  assert.match(again.errors, /already has properties\. The demo data needs an empty one/);
  await remove();
});

test("`seed` refuses an invalid amount and names the allowed range", async () => {
  const settings = { DATA_DIR: makeDataFolder() };
  await Promise.all(
    [["--properties", "-1"], ["--properties=1.5"], ["--nights", "many"], ["--nights", "10000001"]].map(async (args) => {
      const { code, errors, output } = await runCommand(["seed", ...args], settings);
      assert.equal(code, 1, args.join(" "));
      assert.match(errors, /must be a whole number from 0 to 10000000|^Option '--properties'.*Usage: npm run seed --/s);
      assert.equal(output, "");
    }),
  );
});

test("commands with unknown arguments print their usage and create no data", async () => {
  const folder = join(makeDataFolder(), "none");
  const refused: Record<string, RegExp> = {
    "serve --port=80": /^Unexpected argument '--port=80'\. Usage: npm start \(settings are environment variables/,
    "migrate now": /^Unexpected argument 'now'\. Usage: npm run migrate \[-- --distribute\]$/m,
    sender: /^Usage: npm run sender -- add NAME/,
    "sender list all": /^Usage: npm run sender -- add NAME/,
    "sender disable pms bms": /^Usage: npm run sender -- add NAME/,
    "sender list --profile exely": /^Usage: npm run sender -- add NAME/,
    "sender set pms": /^Nothing to change: add --profile, --set or --expires\./,
    "sender profiles all": /^Usage: npm run sender -- add NAME/,
    "sender add pms --proflie exely": /^Unknown option '--proflie'.*\nUsage: npm run sender -- add NAME/s,
    "sender add pms --profile excellent":
      /^Unknown profile 'excellent'\. Allowed: standard, alpinebits, .*, channex\. See: npm run sender -- profiles$/m,
    "sender add pms --set end": /^A setting must have the form NAME=VALUE, not 'end'\./,
    "sender add pms --set ends=excluded": /^Unknown setting 'ends'\. Allowed: distribution, category, .*\./,
    "sender set pms --set end=outside": /^end cannot be 'outside'\. Allowed: included, excluded\./,
    "sender add pms --all": /^Usage: npm run sender -- add NAME/,
    "sender widen pms": /^Specify the properties to add, or use --all\./,
    "sender widen pms ALP --all": /^Specify the properties to add, or use --all\./,
    "sender rotate pms --keep-old 24": /^--keep-old must be a duration such as 30m, 24h or 90d, not '24'\./,
    "sender add pms --expires soon": /^--expires must be a duration/,
    "sender map pms room D1 DBL": /^'room' is not a kind of code\. Allowed: property, category, plan\./,
    "sender map pms category D1 DBL": /^Specify a category with its property, such as ALP\/D1, not 'D1'\./,
    "sender map pms property 4711": /^Usage: npm run sender -- add NAME/,
    "sender add a:b": /^A sender's name can have up to 100 characters/,
    user: /^Usage: npm run user -- list \| add NAME --role ROLE \|/,
    "user add anna": /^Usage: npm run user -- list/,
    "user add anna --role owner": /^Unknown role 'owner'\. Allowed: viewer, editor, admin\.$/m,
    "user add admin --role admin": /^'admin' is reserved\./,
    "user role anna": /^Usage: npm run user -- list/,
    "user sessions anna": /^Usage: npm run user -- list/,
    "seed --rooms 3": /^Unknown option '--rooms'.*\nUsage: npm run seed --/,
  };
  const separate = ["serve --port=80", "sender add pms --proflie exely"];
  for (const [words, expected] of Object.entries(refused)) {
    const run = separate.includes(words) ? runCommand : runHere;
    const { code, output, errors } = await run(words.split(" "), { DATA_DIR: folder });
    assert.equal(code, 1, words);
    assert.match(errors, expected);
    assert.doesNotMatch(errors, /^\s+at /m, words);
    assert.equal(output, "");
  }
  assert.equal(existsSync(folder), false);
});

test("each command prints its help and creates no data", async () => {
  const folder = join(makeDataFolder(), "none");
  const help = (words: string) => runCommand(words.split(" "), { DATA_DIR: folder });
  const all = await help("--help");
  const names = [...all.output.matchAll(/^ {2}([a-z]+)/gm)].map(([, name]) => name);
  assert.deepEqual(names, ["serve", "migrate", "sender", "user", "backup", "restore", "copy", "seed", "conformance"]);
  assert.deepEqual([await help("-h"), await help("help"), all.errors, all.code], [all, all, "", 0]);
  const { code, output, errors } = await help("conformance --help");
  assert.deepEqual([code, errors], [0, ""]);
  assert.match(output, /^ {2}conformance.*\n {6}\S[^\n]+\n$/);
  assert.ok(all.output.includes(output));
  assert.match(
    (await help("sender add pms -h")).output,
    /^ {2}sender add NAME \[PROPERTY \.\.\.\] \[--profile PROFILE\] .* \| sender rotate NAME .* \| sender list/,
  );
  assert.equal(existsSync(folder), false);
});

test("`sender disable` refuses an unknown sender", async () => {
  const settings = { DATA_DIR: makeDataFolder() };
  const { code, output, errors } = await runCommand(["sender", "disable", "pms"], settings);
  const place = join(settings.DATA_DIR, "roomrack.sqlite");
  assert.deepEqual({ code, output, errors }, { code: 1, output: "", errors: `No enabled sender pms in ${place}.\n` });
});

test("`sender` adds and deletes senders, rotates their secrets, and extends their access only with `widen`", async () => {
  const settings = { DATA_DIR: makeDataFolder() };
  const place = join(settings.DATA_DIR, "roomrack.sqlite");
  const run = (...words: string[]) => runHere(["sender", ...words], settings);
  const sender = async (...words: string[]) => (await run(...words)).output;
  const listed = async () => (await sender("list")).split("\n")[0];
  const secretIn = (output: string) => /^ {2}password {2}(\S+)$/m.exec(output)?.[1];
  assert.ok((await sender("list")).startsWith(`No senders in ${place}.`));
  const first = await sender("add", "pms", "ALP", "BET", "ALP");
  assert.match(
    first,
    /^Added sender pms with access to ALP, BET\..*Property ALP does not exist yet\.\nProperty BET does not exist yet\.$/ms,
  );
  assert.ok(first.includes(`stored, in ${place},`));
  const again = await run("add", "pms");
  assert.deepEqual([again.code, again.output], [1, ""]);
  assert.equal(again.errors, `Sender pms already exists in ${place}. For a new secret: npm run sender -- rotate pms\n`);
  assert.match(
    (await run("properties", "pms", "ALP", "GAM")).errors,
    /no access to some of these properties.*sender -- widen pms PROPERTY/,
  );
  assert.equal(await listed(), "pms  enabled  ALP, BET  standard");
  assert.match(await sender("properties", "pms", "ALP"), /^Limited sender pms to ALP\./);
  const rotated = await sender("rotate", "pms");
  assert.match(rotated, /^Replaced the secret for sender pms\. The old one no longer works\.$/m);
  assert.ok(secretIn(rotated) !== undefined && secretIn(rotated) !== secretIn(first));
  assert.equal(await listed(), "pms  enabled  ALP  standard");
  assert.match(
    await sender("rotate", "pms", "--keep-old", "24h", "--expires", "90d"),
    /The old one works until \d{4}-.* UTC\.\n.* {2}expires {3}\d{4}-/s,
  );
  assert.match((await listed())!, /^pms {2}enabled {2}ALP {2}standard {2}expires \S+ \S+ UTC {2}old secret valid until/);
  assert.match(await sender("set", "pms", "--expires", "never"), /^The secret for sender pms does not expire\./);
  assert.match(await sender("widen", "pms", "GAM"), /^Sender pms now also has access to GAM\./);
  assert.match(await sender("widen", "pms", "--all"), /^Sender pms now also has access to all other properties\./);
  assert.match((await listed())!, /^pms {2}enabled {2}all properties/);
  assert.equal(await sender("disable", "pms"), `Disabled sender pms in ${place}.\n`);
  assert.match(await sender("enable", "pms"), /^Enabled sender pms\./);
  assert.match(await sender("delete", "pms"), /^Deleted sender pms/);
  for (const [action, ...words] of [["rotate"], ["properties", "ALP"], ["widen", "--all"], ["enable"], ["delete"], ["codes"]] as const)
    assert.equal((await run(action, "pms", ...words)).errors, `No sender pms in ${place}.\n`, action);
});

test("`sender` maps, lists and unmaps codes", async () => {
  const settings = { DATA_DIR: makeDataFolder() };
  const run = (...words: string[]) => runHere(["sender", ...words], settings);
  await run("add", "pms");
  assert.match((await run("codes", "pms")).output, /^Sender pms has no mapped codes\./);
  assert.match(
    (await run("map", "pms", "property", "4711", "ALP")).output,
    /^Sender pms's property 4711 now maps to our ALP\..*Property ALP does not exist yet\.$/ms,
  );
  assert.match((await run("map", "pms", "category", "ALP/D/1", "DBL")).output, /^Sender pms's category D\/1 now maps to our DBL\./);
  assert.match((await run("map", "pms", "category", "ALP/D2", "DBL")).errors, /^Sender pms already has a different code for DBL\./);
  assert.equal((await run("codes", "pms")).output, "property  4711  ALP\ncategory  ALP/D/1  DBL\n");
  assert.match((await run("unmap", "pms", "category", "ALP/D/1")).output, /^Removed code D\/1 from sender pms\./);
  assert.equal((await run("unmap", "pms", "category", "ALP/D/1")).errors, "Sender pms has no such code.\n");
});

test("`sender add` keeps the profile unless a new one is given", async () => {
  const settings = { DATA_DIR: makeDataFolder() };
  const place = join(settings.DATA_DIR, "roomrack.sqlite");
  const sender = (...words: string[]) => runHere(["sender", ...words], settings);
  const listed = async () => (await sender("list")).output.split("\n")[0];
  const added = await sender("add", "pms", "--profile", "exely", "--set", "distribution=ABC", "--set", "noMinStay=0, -1");
  assert.match(added.output, /^ {2}profile {3}exely, distribution=ABC, noMinStay=0,-1$/m);
  assert.equal(await listed(), "pms  enabled  all properties  exely, distribution=ABC, noMinStay=0,-1");
  await sender("rotate", "pms");
  assert.equal(await listed(), "pms  enabled  all properties  exely, distribution=ABC, noMinStay=0,-1");
  const changed = await sender("set", "pms", "--set", "noMinStay=", "--set", "end=excluded");
  assert.equal(
    changed.output,
    `Set the profile of sender pms in ${place} to exely, distribution=ABC, end=excluded. The change takes effect within 5 seconds.\n`,
  );
  await sender("set", "pms", "--profile", "ctrip-2");
  assert.equal(await listed(), "pms  enabled  all properties  ctrip-2");
  assert.equal((await sender("set", "bms", "--profile", "exely")).errors, `No sender bms in ${place}.\n`);
});

test("`sender profiles` describes every profile and setting", async () => {
  const { output } = await runCommand(["sender", "profiles"], { DATA_DIR: join(makeDataFolder(), "none") });
  for (const { name, about } of PRESETS) assert.ok(output.includes(`  ${name}\n      ${about}\n`), name);
  for (const name of KNOB_NAMES) assert.match(output, new RegExp(`^  ${name}\n {6}\\S`, "m"), name);
  assert.match(output, /^ {6}included \(standard\): the last night$/m);
});

test("`sender` prints the PostgreSQL schema and host, and reports a missing schema", async () => {
  const { database, place, remove } = await openFresh("PostgreSQL");
  const { host, hostname, port, pathname, username, password } = new URL(place.url!);
  const listBy = async (url: string) => {
    const { output, errors } = await runCommand(["sender", "list"], { DATA_DIR: place.folder, DATABASE_URL: url });
    return /^No senders in (.+)\. Add one/.exec(output)?.[1] ?? errors;
  };
  try {
    await sql`create schema rack`.execute(database.write);
    const asParameters = new URLSearchParams({ host: hostname, port, user: username, password: decodeURIComponent(password) });
    assert.equal(await listBy(`postgres://${pathname}?${asParameters.toString()}`), `${host}${pathname}`);
    assert.equal(await listBy(`${place.url}?options=-csearch_path%3Drack`), `${host}${pathname} (schema rack)`);
    const expected = `The database ${pathname.slice(1)} has no schema on the search_path that this user can use. Create one with: create schema NAME\n`;
    assert.equal(await listBy(`${place.url}?options=-csearch_path%3Dnone`), expected);
  } finally {
    await remove();
  }
});

test("commands report an invalid setting with its allowed values", async () => {
  const { errors } = await runCommand(["migrate"], {
    DATA_DIR: makeDataFolder(),
    PORT: "70000",
    KEEP_LOG_DAYS: "1.5",
    KEEP_ERRORS: "many",
    NODE_ENV: "prod",
  });
  assert.match(errors, /^ {2}PORT: must be a whole number from 0 to 65535$/m);
  assert.match(errors, /^ {2}KEEP_LOG_DAYS: must be a whole number from 1 to 3650$/m);
  assert.match(errors, /^ {2}NODE_ENV: must be one of development, production, test$/m);
  assert.match(errors, /^ {2}KEEP_ERRORS: must be a whole number from 1000 to 100000000$/m);
});

test("`user` manages who may sign in, and records each change", async () => {
  const settings = { DATA_DIR: makeDataFolder(), PORT: "4321" };
  const place = join(settings.DATA_DIR, "roomrack.sqlite");
  const user = async (...words: string[]) => {
    const { code, output, errors } = await runHere(["user", ...words], settings);
    return code === 0 ? output : errors;
  };
  assert.equal(await user("list"), `No users in ${place}. Add one: npm run user -- add NAME --role ROLE\n`);
  assert.match(
    await user("add", "Anna", "--role", "admin"),
    /^Added user anna \(admin\)\. Within 7 days, open this link to choose a password:\n {2}http:\/\/localhost:4321\/tools\/invitation#[\w-]{43}\nOnly its hash is stored/,
  );
  assert.equal(await user("add", "anna", "--role", "viewer"), `There is already a user anna in ${place}.\n`);
  assert.match(await user("invite", "anna"), /^New invitation for anna\. Earlier links no longer work\..*invitation#[\w-]{43}\n/s);
  assert.equal(await user("role", "anna", "editor"), `User anna is editor in ${place}.\n`);
  assert.equal(await user("role", "anna", "editor"), `User anna is already editor in ${place}.\n`);
  assert.equal(await user("disable", "anna"), `User anna is disabled in ${place}.\n`);
  assert.match(await user("invite", "anna"), /^This user is disabled\. Enable the user first\./);
  assert.equal(await user("list"), `anna  editor  disabled  last seen never\nDatabase: ${place}\n`);
  assert.equal(await user("enable", "anna"), `User anna is enabled in ${place}.\n`);
  assert.equal(await user("sessions", "end", "anna"), `Ended 0 sessions of anna in ${place}.\n`);
  assert.equal(await user("disable", "ben"), `No user ben in ${place}.\n`);
  assert.match(await user("rotate-keys"), /^Replaced the session key in .*Ended 0 sessions\.\n/);
  assert.match(await user("new-admin-password"), /^New administrator password in .*\n {2}user {6}admin\n {2}password {2}[\w-]{24}\n/);
  const withPassword = await runCommand(["user", "new-admin-password"], { ...settings, ADMIN_PASSWORD: "correct-horse-battery" });
  assert.match(withPassword.errors, /^ADMIN_PASSWORD is set, so no generated password is used\./);
  using database = new DatabaseSync(place, { readOnly: true });
  const entries = database.prepare("select actor, kind, action, subject from audit order by id").all();
  assert.deepEqual(
    entries.map(({ actor, kind, action, subject }) => [actor, kind, action, subject]),
    [
      ...["create", "invite", "edit", "disable", "enable"].map((action) => ["command line", "command", action, "person:anna"]),
      ["command line", "command", "rotate", "secret:session-key"],
      ["command line", "command", "replace", "secret:admin-password"],
    ],
  );
});
