/** The service as a process: how it ends. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { stopwatch } from "../src/clock.ts";
import { connectThrough } from "./support/connection-proxy.ts";
import { openFresh } from "./support/databases.ts";
import { readSpool } from "./support/error-log.ts";
import { createProperty, makeDataFolder, serve } from "./support/process.ts";
import { until } from "./support/until.ts";

const PING = '<OTA_PingRQ xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.0"><EchoData>hello</EchoData></OTA_PingRQ>';

/** Whatever has not ended by then never will. */
const HANGING_MS = 120_000;

describe("an end", () => {
  test("by SIGTERM answers what is in flight, takes nothing new, and closes the database", async () => {
    const folder = makeDataFolder();
    const service = await serve({ DATA_DIR: folder });
    assert.ok(existsSync(join(folder, "roomrack.sqlite-wal")));
    const { port, host } = new URL(service.origin);
    const slow = await sendSlowly(Number(port), host);
    const ended = service.stop("SIGTERM");
    await until("a refused connection", () =>
      fetch(`${service.origin}/`).then(
        () => false,
        () => true,
      ),
    );
    assert.match(await slow.finish(), /^HTTP\/1\.1 200 [\s\S]*<OTA_PingRS/);
    assert.equal((await ended).code, 0);
    assert.deepEqual(readdirSync(folder), ["roomrack.sqlite"], "nothing waits in the write-ahead log");
  });

  test("comes, too, while the server of the database says nothing", async (t) => {
    const proxy = await openThroughProxy(t);
    const service = await serve({ DATA_DIR: makeDataFolder(), DATABASE_URL: `${proxy.url}?connect_timeout=3` });
    proxy.silence();
    const late = setTimeout(() => void service.stop("SIGKILL"), HANGING_MS);
    assert.equal((await service.stop("SIGTERM")).code, 0);
    clearTimeout(late);
  });

  test("by a power cut loses nothing that was answered", async () => {
    const settings = { DATA_DIR: makeDataFolder() };
    const service = await serve(settings);
    await createProperty(service.origin);
    await service.stop("SIGKILL");
    const again = await serve(settings);
    assert.equal((await fetch(`${again.origin}/property/ALP`)).status, 200);
    await again.stop();
  });
});

/** Most of what these take is waiting. */
describe("an end that is held up", { concurrency: true }, () => {
  test("waits no longer than supervisors do for a client that never finishes", async () => {
    const folder = makeDataFolder();
    const service = await serve({ DATA_DIR: folder });
    const { port, host } = new URL(service.origin);
    await sendSlowly(Number(port), host);
    const longest = await supervisorsWait();
    const held = stopwatch();
    assert.equal((await service.stop("SIGTERM")).code, 0);
    assert.ok(held() < longest, `${held()} ms, ${longest} ms`);
    assert.deepEqual(readdirSync(folder), ["roomrack.sqlite"]);
  });

  test("keeps the errors of the last moment within the time that supervisors give, whatever holds it up", async (t) => {
    const proxy = await openThroughProxy(t);
    const folder = makeDataFolder();
    const service = await serve({ DATA_DIR: folder, DATABASE_URL: proxy.url });
    const { port, host } = new URL(service.origin);
    proxy.silence();
    await fetch(`${service.origin}/nowhere`);
    await sendSlowly(Number(port), host);
    const longest = await supervisorsWait();
    const held = stopwatch();
    service.process.kill("SIGTERM");
    await until("the errors on disk", () => readSpool(folder).includes("nowhere"));
    assert.ok(held() < longest, `${held()} ms, ${longest} ms`);
    await service.stop("SIGKILL");
  });
});

/** Supervisors wait ten seconds. On a slow machine, what an end takes by itself is added several times. */
async function supervisorsWait(): Promise<number> {
  const service = await serve({ DATA_DIR: makeDataFolder() });
  const unheld = stopwatch();
  await service.stop("SIGTERM");
  return 10_000 + 5 * unheld();
}

/** The way to an empty PostgreSQL database, which can be silenced. */
async function openThroughProxy(t: TestContext) {
  const { place, remove } = await openFresh("PostgreSQL");
  const proxy = await connectThrough(place.url!);
  t.after(async () => {
    proxy.close();
    await remove();
  });
  return proxy;
}

/** Sends a message but for its end. The request is in flight from now on until `finish`. */
async function sendSlowly(port: number, host: string): Promise<{ finish(): Promise<string> }> {
  const socket = connect(port, "127.0.0.1").setEncoding("utf8");
  const head = `POST /channel HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/xml\r\nContent-Length: ${PING.length}`;
  socket.on("error", () => {});
  socket.write(`${head}\r\nExpect: 100-continue\r\n\r\n`);
  const [asked] = (await once(socket, "data")) as [string];
  assert.match(asked, /^HTTP\/1\.1 100 /);
  socket.write(PING.slice(0, 20));
  let answer = "";
  socket.on("data", (part: string) => (answer += part));
  return {
    async finish() {
      socket.write(PING.slice(20));
      await once(socket, "close");
      return answer;
    },
  };
}
