import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { stopwatch } from "../src/clock.ts";
import { connectThrough } from "./support/connection-proxy.ts";
import { openFresh } from "./support/databases.ts";
import { readSpool } from "./support/error-log.ts";
import { createProperty, makeDataFolder, serve, startPing } from "./support/process.ts";
import { until } from "./support/until.ts";

const HANGING_MS = 120_000;

describe("stopping the service", () => {
  test("finishes requests in flight on SIGTERM, accepts no new ones and closes the database", async () => {
    const folder = makeDataFolder();
    const service = await serve({ DATA_DIR: folder });
    assert.ok(existsSync(join(folder, "roomrack.sqlite-wal")));
    const slow = await startPing(service);
    const ended = service.stop("SIGTERM");
    await until("a refused connection", () =>
      fetch(`${service.origin}/`).then(
        () => false,
        () => true,
      ),
    );
    assert.match(await slow.finish(), /^HTTP\/1\.1 200 [\s\S]*<OTA_PingRS/);
    assert.equal((await ended).code, 0);
    assert.deepEqual(readdirSync(folder), ["roomrack.sqlite"], "the write-ahead log is gone");
  });

  test("stopping the service succeeds even if the database server doesn't respond", async (t) => {
    const proxy = await openThroughProxy(t);
    const service = await serve({ DATA_DIR: makeDataFolder(), DATABASE_URL: `${proxy.url}?connect_timeout=3` });
    proxy.silence();
    const killTimer = setTimeout(() => void service.stop("SIGKILL"), HANGING_MS);
    assert.equal((await service.stop("SIGTERM")).code, 0);
    clearTimeout(killTimer);
  });

  test("loses no acknowledged data on SIGKILL", async () => {
    const settings = { DATA_DIR: makeDataFolder() };
    const service = await serve(settings);
    await createProperty(service.origin);
    await service.stop("SIGKILL");
    const again = await serve(settings);
    assert.equal((await fetch(`${again.origin}/property/ALP`)).status, 200);
    await again.stop();
  });
});

describe("stopping a busy service", { concurrency: true }, () => {
  test("stops waiting for an unfinished request before supervisors kill the service", async () => {
    const folder = makeDataFolder();
    const service = await serve({ DATA_DIR: folder });
    await startPing(service);
    const limit = await stopLimit();
    const elapsed = stopwatch();
    assert.equal((await service.stop("SIGTERM")).code, 0);
    assert.ok(elapsed() < limit, `${elapsed()} ms, ${limit} ms`);
    assert.deepEqual(readdirSync(folder), ["roomrack.sqlite"]);
  });

  test("saves the latest errors before supervisors kill the service", async (t) => {
    const proxy = await openThroughProxy(t);
    const folder = makeDataFolder();
    const service = await serve({ DATA_DIR: folder, DATABASE_URL: proxy.url });
    proxy.silence();
    await fetch(`${service.origin}/nowhere`);
    await startPing(service);
    const limit = await stopLimit();
    const elapsed = stopwatch();
    service.process.kill("SIGTERM");
    await until("the errors on disk", () => readSpool(folder).includes("nowhere"));
    assert.ok(elapsed() < limit, `${elapsed()} ms, ${limit} ms`);
    await service.stop("SIGKILL");
  });
});

/** Supervisors wait ten seconds. For slow machines, adds several times the duration of a normal stop. */
async function stopLimit(): Promise<number> {
  const service = await serve({ DATA_DIR: makeDataFolder() });
  const elapsed = stopwatch();
  await service.stop("SIGTERM");
  return 10_000 + 5 * elapsed();
}

async function openThroughProxy(t: TestContext) {
  const { place, remove } = await openFresh("PostgreSQL");
  const proxy = await connectThrough(place.url!);
  t.after(async () => {
    proxy.close();
    await remove();
  });
  return proxy;
}
