import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startServer } from "../support/child.ts";

/**
 * Floods the error log with requests that have 58 kB of headers, and measures the disk space and memory that they use.
 * Usage: node bench/attacks/error-flood.ts [CHECKOUT]
 */
const REQUESTS = 8_000;
const CONNECTIONS = 32;
const HEADER_BYTES = 58_000;
const SETTLE_MS = 2_000;

type Flood = { name: string; method: string; path: (index: number) => string; status: number; headers: readonly string[] };

const big = ["X-Filler", "x".repeat(HEADER_BYTES)];
const host = ["Host", "rooms.example"];
/** One header of 58 kB is truncated, but many headers of 1 kB fill the whole entry. */
const many = Array.from({ length: 56 }, (_, index) => [`X-Filler-${index}`, "y".repeat(1_000)]).flat();

const floods: readonly Flood[] = [
  { name: "unknown paths", method: "GET", path: (index) => `/no/${index}`, status: 404, headers: [...host, ...big] },
  { name: "unknown paths, many headers", method: "GET", path: (index) => `/no/${index}`, status: 404, headers: [...host, ...many] },
  { name: "empty POST /channel", method: "POST", path: () => "/channel", status: 400, headers: [...host, ...big] },
  { name: "two Host headers", method: "GET", path: () => "/", status: 400, headers: [...host, "Host", "other.example", ...big] },
];

const SETTINGS = { PORT: "0", NODE_ENV: "development", ADMIN_PASSWORD: "a password for the attack" };

const checkout = resolve(process.argv[2] ?? ".");
for (const flood of floods) await measure(flood);

async function measure(flood: Flood): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "roomrack-attack-"));
  try {
    await using service = await startServer([join(checkout, "src/start.mjs"), "serve"], { ...SETTINGS, DATA_DIR: folder });
    const [disk, memory] = [folderBytes(folder), formatMegabytes(service.pid, "VmRSS")];
    const start = performance.now();
    await sendAll(service.url, flood);
    const perSecond = REQUESTS / ((performance.now() - start) / 1000);
    await sleep(SETTLE_MS);
    const grown = (folderBytes(folder) - disk) / 2 ** 20;
    const peak = formatMegabytes(service.pid, "VmHWM");
    const figures = [`disk +${grown.toFixed(0)} MB`, `${perSecond.toFixed(0)} requests/s`, `memory ${memory} MB, peak ${peak} MB`];
    console.log(`${flood.name}, ${REQUESTS} requests: ${figures.join("; ")}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function sendAll(url: string, flood: Flood): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  let next = 0;
  const sendNext = async () => {
    while (next < REQUESTS) await send(url, agent, { ...flood, path: flood.path(next++) });
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, sendNext));
  agent.destroy();
}

type Sent = Omit<Flood, "path" | "name"> & { path: string };

function send(url: string, agent: Agent, { method, path, status, headers }: Sent): Promise<void> {
  return new Promise((answered, failed) => {
    const sent = request(`${url}${path}`, { method, agent, headers: [...headers] }, (answer) => {
      if (answer.statusCode !== status) failed(new Error(`${method} ${path}: status ${answer.statusCode} instead of ${status}`));
      answer.on("error", failed).on("end", answered).resume();
    });
    sent.on("error", failed).end();
  });
}

/** Returns the size of a folder, including the write-ahead log and the spool. */
function folderBytes(folder: string): number {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(folder, entry.name)).size, 0);
}

function formatMegabytes(pid: number, field: "VmRSS" | "VmHWM"): number {
  const [, kilobytes = "0"] = new RegExp(`${field}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Math.round(Number(kilobytes) / 1024);
}
