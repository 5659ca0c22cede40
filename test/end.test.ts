/** The service as a process: how it ends. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { connectThrough } from "./support/connection-proxy.ts";
import { openFresh } from "./support/databases.ts";
import { createProperty, makeDataFolder, serve } from "./support/process.ts";

const PING = '<OTA_PingRQ xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.0"><EchoData>hello</EchoData></OTA_PingRQ>';

describe("an end", () => {
  test("by SIGTERM answers what is in flight, takes nothing new, and closes the database", async () => {
    const folder = makeDataFolder();
    const service = await serve({ DATA_DIR: folder });
    assert.ok(existsSync(join(folder, "roomrack.sqlite-wal")));
    const { port, host } = new URL(service.origin);
    const slow = sendSlowly(Number(port), host);
    await sleep(200);
    const ended = service.stop("SIGTERM");
    await sleep(300);
    await assert.rejects(fetch(`${service.origin}/`));
    assert.match(await slow.finish(), /^HTTP\/1\.1 200 [\s\S]*<OTA_PingRS/);
    assert.equal((await ended).code, 0);
    assert.deepEqual(readdirSync(folder), ["roomrack.sqlite"], "nothing waits in the write-ahead log");
  });

  test("comes, too, while the server of the database says nothing", async (t) => {
    const proxy = await openThroughProxy(t);
    const service = await serve({ DATA_DIR: makeDataFolder(), DATABASE_URL: `${proxy.url}?connect_timeout=1` });
    proxy.silence();
    const late = setTimeout(() => void service.stop("SIGKILL"), 15_000);
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
    sendSlowly(Number(port), host);
    await sleep(200);
    const held = performance.now();
    assert.equal((await service.stop("SIGTERM")).code, 0);
    assert.ok(performance.now() - held < 10_000);
    assert.deepEqual(readdirSync(folder), ["roomrack.sqlite"]);
  });

  test("keeps the errors of the last moment within the time that supervisors give, whatever holds it up", async (t) => {
    const proxy = await openThroughProxy(t);
    const folder = makeDataFolder();
    const service = await serve({ DATA_DIR: folder, DATABASE_URL: proxy.url });
    const { port, host } = new URL(service.origin);
    proxy.silence();
    await fetch(`${service.origin}/nowhere`);
    sendSlowly(Number(port), host);
    await sleep(200);
    const killed = setTimeout(() => void service.stop("SIGKILL"), 10_000);
    await service.stop("SIGTERM");
    clearTimeout(killed);
    assert.match(readFileSync(join(folder, "errors-spool.jsonl"), "utf8"), /nowhere/);
  });
});

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

/** Sends a message but for its end, so that the request is in flight until `finish`. */
function sendSlowly(port: number, host: string): { finish(): Promise<string> } {
  const socket = connect(port, "127.0.0.1");
  const head = `POST /channel HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/xml\r\nContent-Length: ${PING.length}\r\n\r\n`;
  socket.on("error", () => {});
  socket.write(head + PING.slice(0, 20));
  let answer = "";
  socket.setEncoding("utf8").on("data", (part: string) => (answer += part));
  return {
    async finish() {
      socket.write(PING.slice(20));
      await once(socket, "close");
      return answer;
    },
  };
}
