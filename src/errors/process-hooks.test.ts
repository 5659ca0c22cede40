import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";
import { startApp } from "../../test/support/app.ts";
import { openFresh } from "../../test/support/databases.ts";
import { newest } from "../../test/support/error-log.ts";
import { ErrorLog } from "./recorder.ts";

test("keeps an uncaught exception and earlier errors in the log across a restart", async () => {
  const { database, place, remove } = await openFresh("SQLite");
  const { status, stderr } = runProcess(
    place.folder,
    `void errors.record(new TypeError("before"), undefined, 400); throw new RangeError("the end");`,
  );
  assert.equal(status, 1);
  assert.match(stderr, /RangeError: the end/);
  await using service = await startApp({ database });
  const next = new ErrorLog({ database, clock: service.clock, dataDir: place.folder, keepDays: 365, keep: 1_000 });
  const { entries } = await next.list({}, { limit: 10 });
  await next.close();
  assert.deepEqual(entries.map((entry) => [entry.class, entry.message]).toSorted(), [
    ["RangeError", "the end"],
    ["TypeError", "before"],
  ]);
  await remove();
});

test("an unhandled rejection is recorded and the process continues", async () => {
  const { database, place, remove } = await openFresh("SQLite");
  const { status, stdout } = runProcess(
    place.folder,
    `Promise.reject(new RangeError("unhandled"));
     const [entry] = await entriesOnce(1);
     console.log(entry.message);
     await errors.close();`,
  );
  assert.deepEqual([status, stdout.trim()], [0, "unhandled"]);
  await database.close();
  await remove();
});

test("uncaught errors are recorded with the request that caused them, even after its body was read", async () => {
  const { database, place, remove } = await openFresh("SQLite");
  const { status, stdout, stderr } = runProcess(
    place.folder,
    `const config = readConfig({ NODE_ENV: "test", PORT: "80", DATA_DIR: folder });
     const app = await buildApp({ config, clock: systemClock, database, errors, credentials: await loadCredentials(config, database, systemClock) });
     const open = { access: "open", token: "none" };
     app.all("/later", { config: open }, async () => { setTimeout(() => Promise.reject(new RangeError("unhandled"))); return "done"; });
     app.all("/last", { config: open }, async () => { setTimeout(() => { throw new RangeError("the end"); }, 200); return "done"; });
     const payload = "a=1";
     const headers = { "content-type": "application/x-www-form-urlencoded" };
     for (const method of ["GET", "POST"]) await app.inject({ method, url: "/later?of=" + method, headers, payload: method === "GET" ? undefined : payload });
     for (const { id } of await entriesOnce(2)) console.log((await errors.find(id)).detail.server.REQUEST_URI);
     await app.inject("/last");`,
  );
  assert.deepEqual([status, stdout], [1, "/later?of=POST\n/later?of=GET\n"], stderr);
  await using service = await startApp({ database });
  const next = new ErrorLog({ database, clock: service.clock, dataDir: place.folder, keepDays: 365, keep: 1_000 });
  assert.equal((await newest(next)).detail.server.REQUEST_URI, "/last");
  await next.close();
  await remove();
});

/** Runs `code` in a new process with an error log on the SQLite database in `folder`. */
function runProcess(folder: string, code: string) {
  const from = (file: string) => JSON.stringify(new URL(file, import.meta.url).href);
  const script = `
    import { systemClock } from ${from("../clock.ts")};
    import { buildApp } from ${from("../app.ts")};
    import { loadCredentials } from ${from("../cli/credential.ts")};
    import { readConfig } from ${from("../config.ts")};
    import { openDatabase } from ${from("../db/open.ts")};
    import { until } from ${from("../../test/support/until.ts")};
    import { ErrorLog, watchProcess } from ${from("./recorder.ts")};
    const folder = ${JSON.stringify(folder)};
    const database = await openDatabase(undefined, folder);
    const errors = new ErrorLog({ database, clock: systemClock, dataDir: folder, keepDays: 365, keep: 1_000 });
    watchProcess(errors);
    const entriesOnce = (count) =>
      until("entries", async () => {
        const { entries } = await errors.list({}, { limit: 10 });
        return entries.length === count && entries;
      });
    ${code}`;
  return spawnSync(process.execPath, ["--input-type=module", "--eval", script], { encoding: "utf8" });
}
