import assert from "node:assert/strict";
import { once } from "node:events";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Connection, connectToWorkers, processIdOf } from "./support/connection.ts";
import { ENGINES } from "./support/databases.ts";
import { makeDataFolder, runCommand, serve, type Serving, startPing } from "./support/process.ts";
import { countMessage, countsPath, readCounts, type SeededPlace, seededPlace } from "./support/seeded-place.ts";
import { basic } from "./support/sign-in.ts";

const PASSWORD = "a password for this test";

for (const engine of ENGINES) {
  describe(`two workers on ${engine}`, () => {
    let place: SeededPlace;
    let service: Serving;
    before(async () => {
      place = await seededPlace(engine, 1);
      service = await serve({ ...place.settings, WORKERS: "2" });
    });
    after(() => place[Symbol.asyncDispose]());

    test("see each other's writes in the next request", async () => {
      const workers = await connectToWorkers(service.origin, 2);
      for (let count = 0; count < 20; count++) {
        const [writer, reader] = [workers[count % 2]!.connection, workers[(count + 1) % 2]!.connection];
        const answer = await writer.post("/channel", { type: "application/xml", text: countMessage(0, { days: 0, count }) });
        assert.match(answer.text, /<Success\/>/);
        assert.equal(readCounts((await reader.get(countsPath(0))).text)[0], count);
        const { messages } = JSON.parse((await reader.get("/dev/logs?format=json")).text) as { messages: { id: number }[] };
        assert.equal(String(messages[0]!.id), answer.headers["x-message-id"]);
      }
      await workers[0]!.connection.get("/nowhere");
      assert.match((await workers[1]!.connection.get("/tools/errors?format=json")).text, /GET \/nowhere/);
    });

    test("are replaced if they are killed, while the other worker responds", async () => {
      const [first, second] = await connectToWorkers(service.origin, 2);
      process.kill(first!.pid, "SIGKILL");
      assert.equal(await processIdOf(second!.connection), second!.pid);
      const current = await connectToWorkers(service.origin, 2);
      assert.ok(current.every(({ pid }) => pid !== first!.pid));
      assert.ok(current.some(({ pid }) => pid === second!.pid));
      assert.equal(service.errors(), `Worker ${first!.pid} ended by SIGKILL.\n`);
      assert.equal(service.output().match(/Roomrack is ready/g)?.length, 1);
    });

    test("stop one after another on SIGTERM and finish requests in flight", async () => {
      const workers = await connectToWorkers(service.origin, 2);
      const earlier = service.errors();
      const slow = await Promise.all([startPing(service), startPing(service)]);
      for (const { pid } of workers) process.kill(pid, "SIGTERM");
      assert.equal((await workers[0]!.connection.get("/")).status, 200, "workers ignore signals");
      const ended = service.stop("SIGTERM");
      await untilRefused(service);
      for (const request of slow) assert.match(await request.finish(), /^HTTP\/1\.1 200 [\s\S]*<OTA_PingRS/);
      const { code, errors } = await ended;
      assert.deepEqual([code, errors], [0, earlier]);
      if (engine === "SQLite") assert.deepEqual(readdirSync(place.settings.DATA_DIR!), ["roomrack.sqlite"]);
    });
  });
}

describe("two workers", () => {
  for (const engine of ENGINES) {
    test(`share the lockout of an address after wrong passwords, on ${engine}`, async () => {
      await using place = await seededPlace(engine, 1);
      const service = await serve({ ...place.settings, WORKERS: "2", ADMIN_PASSWORD: PASSWORD });
      const [first, second] = await connectToWorkers(service.origin, 2, basic(PASSWORD));
      // Repeats until the delay is long enough to query the other worker on a slow machine.
      for (let wait = 0; wait < 4;) {
        await sleep(wait * 1_000);
        const { headers } = await first!.connection.get("/property", basic("a wrong password"));
        wait = Number(headers["retry-after"] ?? 0);
      }
      const answer = await second!.connection.get("/property", basic(PASSWORD));
      assert.equal(answer.status, 429);
      assert.ok(Number(answer.headers["retry-after"]) > 0);
      await service.stop();
    });
  }

  test("don't leave a connection open if they die before accepting it", async () => {
    await using place = await seededPlace("SQLite", 1);
    const service = await serve({ ...place.settings, WORKERS: "2" });
    const [first] = await connectToWorkers(service.origin, 2);
    process.kill(first!.pid, "SIGSTOP");
    // Each worker gets one connection at a time, so one of these connections waits for the stopped worker.
    const requests = Array.from({ length: 4 }, () => new Connection(service.origin).get("/"));
    let responses = 0;
    for (const one of requests)
      void one.then(
        () => responses++,
        () => {},
      );
    while (responses < 3) await sleep(20);
    process.kill(first!.pid, "SIGKILL");
    const ended = await Promise.allSettled(requests);
    const [failed, ...more] = ended.filter((one) => one.status === "rejected");
    assert.deepEqual([failed?.reason.code, more], ["ECONNRESET", []]);
    await service.stop();
  });

  test("finish requests in flight and stop if their primary process is killed", async () => {
    await using place = await seededPlace("SQLite", 1);
    const service = await serve({ ...place.settings, WORKERS: "2" });
    await connectToWorkers(service.origin, 2);
    const slow = await Promise.all([startPing(service), startPing(service)]);
    // Resolves when all workers have closed their shared output.
    const ended = service.stop("SIGKILL");
    await untilRefused(service);
    for (const request of slow) assert.match(await request.finish(), /^HTTP\/1\.1 200 [\s\S]*<OTA_PingRS/);
    await ended;
    assert.deepEqual(readdirSync(place.settings.DATA_DIR!), ["roomrack.sqlite"]);
  });
});

describe("workers that cannot start", () => {
  test("the service stops and reports the cause once if the port is in use", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as { port: number };
    const { code, output, errors } = await runCommand(["serve"], { DATA_DIR: makeDataFolder(), PORT: String(port), WORKERS: "4" });
    other.close();
    assert.deepEqual([code, output], [1, ""]);
    const [reason, end, conclusion, ...more] = errors.trim().split("\n");
    assert.match(reason!, new RegExp(`^Port ${port} on 127.0.0.1 is in use`));
    assert.match(end!, /^Worker \d+ ended with exit code 1\.$/);
    assert.deepEqual([conclusion, more], ["No worker could start.", []]);
  });

  test("workers don't start with an invalid setting", async () => {
    const { code, errors } = await runCommand(["serve"], { DATA_DIR: makeDataFolder(), WORKERS: "4", LOG_LEVEL: "loud" });
    assert.equal(code, 1);
    assert.match(errors, /^Invalid settings:\n {2}LOG_LEVEL: .*\nSee /);
  });

  test("workers that cannot start are restarted with increasing delays, and the service stops when no worker is left", async () => {
    const folder = makeDataFolder();
    const mark = join(folder, "refuse");
    const refuse = `if (process.channel && process.getBuiltinModule("fs").existsSync(${JSON.stringify(mark)})) process.exit(3)`;
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(refuse)}`;
    const service = await serve({ DATA_DIR: join(folder, "data"), WORKERS: "2", NODE_OPTIONS });
    const [first, second] = await connectToWorkers(service.origin, 2);
    writeFileSync(mark, "");
    const start = performance.now();
    process.kill(first!.pid, "SIGKILL");
    await untilErrors(service, /(?:exit code 3\.[^]*){3}/);
    assert.ok(performance.now() - start > 100 + 200 + 400);
    assert.equal(await processIdOf(second!.connection), second!.pid);
    rmSync(mark);
    const workers = await connectToWorkers(service.origin, 2);
    writeFileSync(mark, "");
    for (const { pid } of workers) process.kill(pid, "SIGKILL");
    const { code, errors } = await service.ended;
    assert.equal(code, 1);
    assert.match(errors, /\nNo worker could start\.\n$/);
  });
});

/** Limits each request to half a second, because a stopping worker can leave a connection without a response. */
async function untilRefused({ origin }: Serving): Promise<void> {
  for (;;) {
    const connection = new Connection(origin);
    const late = setTimeout(() => connection.close(), 500);
    const refusal = await connection.get("/").then(
      () => undefined,
      ({ code }: NodeJS.ErrnoException) => code,
    );
    clearTimeout(late);
    connection.close();
    if (refusal === "ECONNREFUSED") return;
    await sleep(20);
  }
}

async function untilErrors(service: Serving, pattern: RegExp): Promise<void> {
  while (!pattern.test(service.errors())) await sleep(20);
}
