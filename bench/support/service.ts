import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Server, startServer } from "./child.ts";
import type { Headers } from "./load.ts";

const MAIN = fileURLToPath(new URL("../../src/start.mjs", import.meta.url));
const PACKAGE = fileURLToPath(new URL("../../package.json", import.meta.url));
/** The arguments that `npm start` passes to `node`. */
const START = (JSON.parse(readFileSync(PACKAGE, "utf8")) as { scripts: { start: string } }).scripts.start.split(" ").slice(1);
const PASSWORD = "a password for the benchmark";

export const CREDENTIAL = { authorization: `Basic ${Buffer.from(`admin:${PASSWORD}`).toString("base64")}` };
/** Also authenticates form submissions, which need no form token with a Bearer header. */
export const BEARER = { authorization: `Bearer ${PASSWORD}` };

export type Engine = "SQLite" | "PostgreSQL";
/** A database, and the environment variables for a service that uses it. */
export type Store = { engine: Engine; env: Readonly<Record<string, string>>; folder: string; remove(): void };

/** Creates a store in a new folder. For PostgreSQL, `url` must point to an empty database. */
export function newStore(engine: Engine, url: string | undefined): Store {
  const folder = mkdtempSync(join(tmpdir(), "roomrack-bench-"));
  const place: Record<string, string> = url === undefined ? {} : { DATABASE_URL: url };
  const env = { DATA_DIR: folder, PORT: "0", NODE_ENV: "development", ADMIN_PASSWORD: PASSWORD, ...place };
  return { engine, env, folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Runs a Roomrack command on the store, such as `seed`, and returns its output. */
export function command(store: Store, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], {
    env: { ...process.env, ...store.env },
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`${args.join(" ")} failed: ${stdout}${stderr}`);
  return stdout;
}

export function startService(store: Store): Promise<Server> {
  return startServer(START, store.env);
}

/** Adds a sender and returns the headers for its messages. */
export function addSender(store: Store): Headers {
  const secret = /password\s+(\S+)/.exec(command(store, "sender", "add", "bench"))![1]!;
  return { "content-type": "application/xml", authorization: `Basic ${Buffer.from(`bench:${secret}`).toString("base64")}` };
}

/** Returns the resident memory of a process, or undefined without `/proc`. */
export function residentMegabytes(pid: number): number | undefined {
  try {
    return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]) / 1024;
  } catch {
    return undefined;
  }
}
