/** The service as several worker processes. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Connection, connectToWorkers, processIdOf } from "./support/connection.ts";
import { ENGINES } from "./support/databases.ts";
import { makeDataFolder, runCommand, serve, type Serving } from "./support/process.ts";
import { countMessage, countsPath, readCounts, seededPlace } from "./support/seeded-place.ts";

const PING = '<OTA_PingRQ xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.0"><EchoData>hello</EchoData></OTA_PingRQ>';
const PASSWORD = "a password for this test";

for (const engine of ENGINES) {
  describe(`two workers on ${engine}`, () => {
    test("show in the next request what the other one has stored", async () => {
      await using place = await seededPlace(engine, 1);
      const service = await serve({ ...place.settings, WORKERS: "2" });
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
      assert.equal((await service.stop()).code, 0);
    });

    test("both refuse an address whose passwords were wrong too often", async () => {
      await using place = await seededPlace(engine, 1);
      const service = await serve({ ...place.settings, WORKERS: "2", ADMIN_PASSWORD: PASSWORD });
      const [first, second] = await connectToWorkers(service.origin, 2, basic(PASSWORD));
      // Until the wait is long enough for a slow machine to ask the other worker.
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

    test("replace one that is killed, while the other one answers", async () => {
      await using place = await seededPlace(engine, 1);
      const service = await serve({ ...place.settings, WORKERS: "2" });
      const [first, second] = await connectToWorkers(service.origin, 2);
      process.kill(first!.pid, "SIGKILL");
      assert.equal(await processIdOf(second!.connection), second!.pid);
      const after = await connectToWorkers(service.origin, 2);
      assert.ok(after.every(({ pid }) => pid !== first!.pid));
      assert.ok(after.some(({ pid }) => pid === second!.pid));
      const { code, output, errors } = await service.stop();
      assert.equal(code, 0);
      assert.equal(errors, `Worker ${first!.pid} ended by SIGKILL.\n`);
      assert.equal(output.match(/Roomrack is ready/g)?.length, 1);
    });

    test("close the connection of a client if they die before they take it", async () => {
      await using place = await seededPlace(engine, 1);
      const service = await serve({ ...place.settings, WORKERS: "2" });
      const [first] = await connectToWorkers(service.origin, 2);
      process.kill(first!.pid, "SIGSTOP");
      // A worker is handed one connection at a time, so one of these waits for the stopped worker.
      const asked = Array.from({ length: 4 }, () => new Connection(service.origin).get("/"));
      let answered = 0;
      for (const one of asked)
        void one.then(
          () => answered++,
          () => {},
        );
      while (answered < 3) await sleep(20);
      process.kill(first!.pid, "SIGKILL");
      const ended = await Promise.allSettled(asked);
      const [failed, ...more] = ended.filter((one) => one.status === "rejected");
      assert.deepEqual([failed?.reason.code, more], ["ECONNRESET", []]);
      await service.stop();
    });

    test("end one after the other on SIGTERM, also if each gets it, and answer what is in flight", async () => {
      await using place = await seededPlace(engine, 1);
      const service = await serve({ ...place.settings, WORKERS: "2" });
      const workers = await connectToWorkers(service.origin, 2);
      const slow = await Promise.all([sendSlowly(service), sendSlowly(service)]);
      for (const { pid } of workers) process.kill(pid, "SIGTERM");
      assert.equal((await workers[0]!.connection.get("/")).status, 200, "workers leave signals to the primary");
      const ended = service.stop("SIGTERM");
      await untilRefused(service);
      for (const request of slow) assert.match(await request.finish(), /^HTTP\/1\.1 200 [\s\S]*<OTA_PingRS/);
      const { code, errors } = await ended;
      assert.deepEqual([code, errors], [0, ""]);
      if (engine === "SQLite") assert.deepEqual(readdirSync(place.settings.DATA_DIR!), ["roomrack.sqlite"]);
    });

    test("end by themselves when their primary is killed, and answer what is in flight", async () => {
      await using place = await seededPlace(engine, 1);
      const service = await serve({ ...place.settings, WORKERS: "2" });
      await connectToWorkers(service.origin, 2);
      const slow = await Promise.all([sendSlowly(service), sendSlowly(service)]);
      // Resolves when the output is closed, which the workers share.
      const ended = service.stop("SIGKILL");
      await untilRefused(service);
      for (const request of slow) assert.match(await request.finish(), /^HTTP\/1\.1 200 [\s\S]*<OTA_PingRS/);
      await ended;
      if (engine === "SQLite") assert.deepEqual(readdirSync(place.settings.DATA_DIR!), ["roomrack.sqlite"]);
    });
  });
}

describe("workers that cannot start", () => {
  test("end the service with the reason, printed once, if the port is in use", async () => {
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

  test("are not even begun with a faulty setting", async () => {
    const { code, errors } = await runCommand(["serve"], { DATA_DIR: makeDataFolder(), WORKERS: "4", LOG_LEVEL: "loud" });
    assert.equal(code, 1);
    assert.match(errors, /^Invalid settings:\n {2}LOG_LEVEL: .*\nSee /);
  });

  test("are tried again with growing pauses while another one answers, and end the service if none is left", async () => {
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

function basic(password: string): { authorization: string } {
  return { authorization: `Basic ${btoa(`admin:${password}`)}` };
}

/** Sends a ping but for its end. Resolves once the service is waiting for the rest. */
async function sendSlowly({ origin }: Serving): Promise<{ finish(): Promise<string> }> {
  const { port, host } = new URL(origin);
  const socket = connect(Number(port), "127.0.0.1").setEncoding("utf8");
  const headers = `Content-Type: application/xml\r\nContent-Length: ${PING.length}\r\nExpect: 100-continue`;
  socket.write(`POST /channel HTTP/1.1\r\nHost: ${host}\r\n${headers}\r\n\r\n`);
  assert.match(String(await once(socket, "data")), /^HTTP\/1\.1 100 /);
  let answer = "";
  socket.on("data", (part: string) => (answer += part));
  return {
    async finish() {
      socket.write(PING);
      await once(socket, "close");
      return answer;
    },
  };
}

/** Waits until the service takes no new connections. */
async function untilRefused({ origin }: Serving): Promise<void> {
  for (;;) {
    const connection = new Connection(origin);
    const answer = await connection.get("/").catch(() => undefined);
    connection.close();
    if (!answer) return;
    await sleep(20);
  }
}

async function untilErrors(service: Serving, pattern: RegExp): Promise<void> {
  while (!pattern.test(service.errors())) await sleep(20);
}
