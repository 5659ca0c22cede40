import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { openSync, renameSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "./support/free-port.ts";
import { makeDataFolder, serve, type Serving } from "./support/process.ts";
import { until } from "./support/until.ts";

const PASSWORD = "a password for this test";
const PING = '<OTA_PingRQ xmlns="http://www.opentravel.org/OTA/2003/05"><EchoData>x</EchoData></OTA_PingRQ>';
const SECRET = "must-not-be-logged";

test("logs each request as a JSON line at level `debug`, immediately and on exit", async () => {
  const service = await serve({ DATA_DIR: makeDataFolder(), LOG_LEVEL: "debug" });
  await fetch(`${service.origin}/property?page=2`);
  await untilLogged(service, "/property?page=2");
  const sent = await fetch(`${service.origin}/channel`, { method: "POST", headers: { "content-type": "application/xml" }, body: PING });
  await fetch(`${service.origin}/no/such/path?api_key=${SECRET}`);
  const { output, code } = await service.stop();
  assert.equal(code, 0);
  const lines = requestLines(output);
  assert.deepEqual(
    lines.map(({ method, url, status, ip }) => [method, url, status, ip]),
    [
      ["GET", "/property?page=2", 200, "127.0.0.1"],
      ["POST", "/channel", 200, "127.0.0.1"],
      ["GET", `/no/such/path?api_key=[redacted, ${SECRET.length} characters]`, 404, "127.0.0.1"],
    ],
  );
  assert.deepEqual(
    lines.map(({ messageId }) => messageId),
    [undefined, sent.headers.get("x-message-id"), undefined],
  );
  for (const { reqId, ms } of lines) {
    assert.match(String(reqId), /^[\da-f-]{36}$/);
    assert.ok((ms as number) > 0);
  }
});

test("logs sign-ins and failures with the request id by default, but not requests", async () => {
  const service = await serve({ DATA_DIR: makeDataFolder(), LOG_LEVEL: "info", ADMIN_PASSWORD: PASSWORD });
  await fetch(`${service.origin}/property`, { headers: { authorization: `Basic ${btoa(`admin:${PASSWORD}`)}` } });
  await fetch(`${service.origin}/property?password=${SECRET}`, { headers: { authorization: `Basic ${btoa("admin:wrong")}` } });
  const { output } = await service.stop();
  assert.doesNotMatch(output, new RegExp(SECRET));
  const lines = output
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ reqId }) => reqId !== undefined);
  assert.deepEqual(
    lines.map(({ msg }) => msg),
    ["signed in", "wrong credential"],
  );
  for (const { reqId } of lines) assert.match(String(reqId), /^[\da-f-]{36}$/);
});

test("logs the error if a message can't be stored, because the error log may fail too", async () => {
  const folder = makeDataFolder();
  const service = await serve({ DATA_DIR: folder });
  const post = () => fetch(`${service.origin}/channel`, { method: "POST", body: PING });
  assert.equal((await post()).status, 200);
  renameSync(join(folder, "roomrack.sqlite"), join(folder, "moved.sqlite"));
  assert.equal((await post()).status, 503);
  const { output } = await service.stop("SIGTERM");
  assert.match(output, /"level":50,.*"reqId":"[\da-f-]{36}".*is no longer the file that was opened/);
});

test("logs unhandled rejections", async () => {
  const reject = 'process.on("SIGUSR2", () => void Promise.reject(new RangeError("unkept")))';
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(reject)}`;
  const service = await serve({ DATA_DIR: makeDataFolder(), NODE_OPTIONS });
  service.process.kill("SIGUSR2");
  await untilLogged(service, "unkept");
  const { output } = await service.stop();
  assert.match(output, /^{"level":50,.*"type":"RangeError","message":"unkept","stack":.*"msg":"unhandled promise rejection"}$/m);
});

test("runs and stops even if standard output can't be written", async (t) => {
  const port = await freePort();
  const env = { PATH: process.env.PATH, PORT: String(port), DATA_DIR: makeDataFolder(), LOG_LEVEL: "debug" };
  const unwritable = openSync(import.meta.filename, "r");
  const child = spawn(process.execPath, ["src/start.mjs", "serve"], { env, stdio: ["ignore", unwritable, "inherit"] });
  const ended = once(child, "exit");
  t.after(() => child.kill("SIGKILL"));
  const page = () => fetch(`http://127.0.0.1:${port}/property`);
  await until("the first page", () =>
    page().then(
      ({ ok }) => ok,
      () => false,
    ),
  );
  // Long enough for the page's log lines to be flushed.
  await sleep(1_500);
  assert.equal((await page()).status, 200, "the service responds after a failed write");
  child.kill("SIGTERM");
  const late = setTimeout(() => child.kill("SIGKILL"), 120_000);
  assert.deepEqual(await ended, [0, null]);
  clearTimeout(late);
});

function requestLines(output: string): Record<string, unknown>[] {
  const lines = output.split("\n").filter((line) => line.startsWith("{"));
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>).filter((line) => "url" in line);
}

async function untilLogged(service: Serving, text: string): Promise<void> {
  await until(text, () => service.output().includes(text));
}
