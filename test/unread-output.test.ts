/** A service still responds, and stops on SIGTERM, if its output is not read. */
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, openSync, readSync, writeSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "./support/free-port.ts";
import { makeDataFolder } from "./support/process.ts";

const LIMIT_MS = 60_000;
const REQUESTS = 150;

const CASES = [
  { streams: ["stdout"], reader: "is missing" },
  { streams: ["stderr"], reader: "is missing" },
  { streams: ["stdout", "stderr"], reader: "closes it after startup" },
  { streams: ["stdout", "stderr"], reader: "never reads it" },
] as const;

for (const { streams, reader } of CASES) {
  test(
    `stops on SIGTERM if the reader of the pipe for ${streams.join(" and ")} ${reader}`,
    { skip: process.platform === "win32" },
    async (t) => {
      const pipe = makePipe();
      if (reader === "is missing") closeSync(pipe.reader);
      if (reader === "never reads it") fill(pipe.writer);
      const service = await serveInto(t, pipe.writer, streams);
      if (reader === "closes it after startup") await closeAfterStart(pipe.reader, streams);
      for (let sent = 0; sent < REQUESTS; sent++) await service.ask(`/nowhere?${"x".repeat(500)}`);
      assert.equal((await service.ask("/property")).status, 200);
      service.child.kill("SIGTERM");
      assert.deepEqual(await service.ended, [0, null]);
    },
  );
}

function makePipe() {
  const path = join(makeDataFolder(), "pipe");
  execFileSync("mkfifo", [path]);
  const reader = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  return { reader, writer: { fd: openSync(path, constants.O_WRONLY), path } };
}

type Writer = ReturnType<typeof makePipe>["writer"];

function fill({ path }: Writer): void {
  const writer = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
  for (const size of [4096, 1]) {
    try {
      for (;;) writeSync(writer, "x".repeat(size));
    } catch (error) {
      assert.equal((error as NodeJS.ErrnoException).code, "EAGAIN");
    }
  }
  closeSync(writer);
}

/** Reads until the service is ready, then closes the pipe, as `head` does. */
async function closeAfterStart(reader: number, streams: readonly string[]): Promise<void> {
  const part = Buffer.alloc(10_000);
  for (let read = ""; streams.includes("stdout") && !read.includes("is ready"); await sleep(10)) {
    try {
      read += part.toString("utf8", 0, readSync(reader, part));
    } catch (error) {
      assert.equal((error as NodeJS.ErrnoException).code, "EAGAIN");
    }
  }
  closeSync(reader);
}

async function serveInto(t: TestContext, writer: Writer, streams: readonly string[]) {
  const port = await freePort();
  const { PATH = "" } = process.env;
  const env = { PATH, PORT: String(port), DATA_DIR: makeDataFolder(), LOG_LEVEL: "info" };
  const stdio = ["stdout", "stderr"].map((stream) => (streams.includes(stream) ? writer.fd : "ignore"));
  const child = spawn(process.execPath, ["src/start.mjs", "serve"], { env, stdio: ["ignore", ...stdio] });
  closeSync(writer.fd);
  t.after(() => child.kill("SIGKILL"));
  const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
  while (child.exitCode === null && !(await ask("/channel").catch(() => undefined))) await sleep(50);
  const ended = once(child, "exit");
  child.once("exit", () => clearTimeout(late));
  const late = setTimeout(() => child.kill("SIGKILL"), LIMIT_MS);
  return { child, ask, ended };
}
