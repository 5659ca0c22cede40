import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";

/**
 * Floods the error log with requests that carry 58 kB of headers each: how much disk and memory do they take?
 * Usage: node bench/attacks/error-flood.ts [CHECKOUT]
 */
const REQUESTS = 8_000;
const CONNECTIONS = 32;
const HEADER_BYTES = 58_000;
/** The recorder stores its batches after a tenth of a second. */
const SETTLE_MS = 2_000;

type Flood = { name: string; method: string; path: (index: number) => string; status: number; headers: readonly string[] };

const big = ["X-Filler", "x".repeat(HEADER_BYTES)];
const host = ["Host", "rooms.example"];
/** One header of 58 kB is cut to a note; many of 1 kB each fill all the space that there is. */
const many = Array.from({ length: 56 }, (_, index) => [`X-Filler-${index}`, "y".repeat(1_000)]).flat();

const floods: readonly Flood[] = [
  { name: "unknown paths", method: "GET", path: (index) => `/no/${index}`, status: 404, headers: [...host, ...big] },
  { name: "unknown paths, many headers", method: "GET", path: (index) => `/no/${index}`, status: 404, headers: [...host, ...many] },
  { name: "empty POST /channel", method: "POST", path: () => "/channel", status: 400, headers: [...host, ...big] },
  { name: "two Host headers", method: "GET", path: () => "/", status: 400, headers: [...host, "Host", "other.example", ...big] },
];

const checkout = resolve(process.argv[2] ?? ".");
for (const flood of floods) await measure(flood);

async function measure(flood: Flood): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "roomrack-attack-"));
  const service = await startService(folder);
  try {
    const [disk, memory] = [folderBytes(folder), megabytes(service.pid, "VmRSS")];
    const start = performance.now();
    await sendAll(service.url, flood);
    const perSecond = REQUESTS / ((performance.now() - start) / 1000);
    await new Promise((settled) => setTimeout(settled, SETTLE_MS));
    const grown = (folderBytes(folder) - disk) / 2 ** 20;
    const peak = megabytes(service.pid, "VmHWM");
    const figures = [`disk +${grown.toFixed(0)} MB`, `${perSecond.toFixed(0)} requests/s`, `memory ${memory} MB, ${peak} MB at most`];
    console.log(`${flood.name}, ${REQUESTS} requests: ${figures.join("; ")}`);
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

type Service = { url: string; pid: number; stop(): Promise<void> };

async function startService(folder: string): Promise<Service> {
  const env = { ...process.env, DATA_DIR: folder, PORT: "0", NODE_ENV: "development", ADMIN_PASSWORD: "a password for the attack" };
  const child = spawn(process.execPath, ["src/start.mjs", "serve"], { cwd: checkout, env, stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise<void>((resolved) => child.once("exit", () => resolved()));
  const stop = () => {
    child.kill("SIGTERM");
    return ended;
  };
  for await (const line of createInterface({ input: child.stdout })) {
    const [url] = /http:\/\/\S+(?=\/)/.exec(line) ?? [];
    if (url === undefined) continue;
    child.stdout.resume();
    return { url, pid: child.pid!, stop };
  }
  throw new Error("the service ended before it was ready");
}

async function sendAll(url: string, flood: Flood): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  let next = 0;
  const sendSome = async () => {
    while (next < REQUESTS) await send(url, agent, { ...flood, path: flood.path(next++) });
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, sendSome));
  agent.destroy();
}

type Sent = Omit<Flood, "path" | "name"> & { path: string };

function send(url: string, agent: Agent, { method, path, status, headers }: Sent): Promise<void> {
  return new Promise((answered, failed) => {
    const sent = request(`${url}${path}`, { method, agent, headers: [...headers] }, (answer) => {
      if (answer.statusCode !== status) failed(new Error(`${method} ${path} was answered ${answer.statusCode} instead of ${status}`));
      answer.on("error", failed).on("end", answered).resume();
    });
    sent.on("error", failed).end();
  });
}

/** The database with its log, and the spool. */
function folderBytes(folder: string): number {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(folder, entry.name)).size, 0);
}

function megabytes(pid: number, field: "VmRSS" | "VmHWM"): number {
  const [, kilobytes = "0"] = new RegExp(`${field}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Math.round(Number(kilobytes) / 1024);
}
