import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { startServer } from "../support/child.ts";
import { newStore } from "../support/service.ts";

/**
 * Sends unauthenticated messages in which secrets are hard to find, and measures how long another client waits.
 *
 * Usage: node bench/attacks/masking.ts [CHECKOUT]
 */
const BENCH_FOLDER = fileURLToPath(new URL("../..", import.meta.url));
const BYTES = [1_000_000, 10_000_000, 30_000_000];
/** Adds incompressible bytes, because the service refuses bodies that expand to over 100 times their compressed size. */
const NOISE_DIVISOR = 90;
const QUIET_MS = 3_000;
const PAUSE_MS = 3;
const TICKS_PER_SECOND = 100;

/** Strings to repeat. The first one once caused catastrophic backtracking. */
const PERIODS: Readonly<Record<string, string>> = {
  "names of form parts": "Content-Disposition:".repeat(2) + "name=".repeat(10) + "Password".repeat(4),
  "tags without an end": "<Password ",
  "secrets of one letter": "<a Password='x'/>",
  "encoded markup": "%3CPassword%20x%3D%22",
};

const store = newStore("SQLite", undefined);
const server = await startServer([join(resolve(process.argv[2] ?? BENCH_FOLDER), "src/start.mjs"), "serve"], store.env);
try {
  console.log(`quiet: longest wait ${(await longestWait(sleep(QUIET_MS))).toFixed(0)} ms`);
  for (const [name, period] of Object.entries(PERIODS)) for (const bytes of BYTES) await attack(name, period, bytes);
} finally {
  await server[Symbol.asyncDispose]();
  store.remove();
}

async function attack(name: string, period: string, bytes: number): Promise<void> {
  const text = `<${period.repeat(bytes / period.length)}<!--${randomBytes(bytes / NOISE_DIVISOR).toString("base64")}`;
  const body = gzipSync(text, { level: 9 });
  const headers = { "content-type": "application/xml", "content-encoding": "gzip" };
  const answered = ask({ method: "POST", headers, body });
  const before = cpuSeconds();
  const longest = await longestWait(answered);
  const figures = [`longest wait ${longest.toFixed(0)} ms`, `CPU ${(cpuSeconds() - before).toFixed(2)} s`];
  console.log(`${name}, ${body.length} bytes that unpack to ${bytes / 1_000_000} MB: ${figures.join(", ")}, answered ${await answered}`);
}

function cpuSeconds(): number {
  const fields = readFileSync(`/proc/${server.pid}/stat`, "utf8").split(") ", 2)[1]!.split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** Returns the longest wait for a small response, in milliseconds, measured until `until` resolves. */
async function longestWait(until: Promise<unknown>): Promise<number> {
  let longest = 0;
  let isOver = false;
  const over = until.finally(() => (isOver = true));
  while (!isOver) {
    const start = performance.now();
    await ask({});
    longest = Math.max(longest, performance.now() - start);
    await sleep(PAUSE_MS);
  }
  await over;
  return longest;
}

/** Returns the response status, or the error if the service was blocked and dropped the connection. */
async function ask(request: RequestInit): Promise<string> {
  try {
    const answer = await fetch(`${server.url}/channel`, request);
    await answer.arrayBuffer();
    return String(answer.status);
  } catch (error) {
    return String((error as Error).cause ?? error);
  }
}
