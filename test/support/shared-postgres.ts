import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, openSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const CACHE = fileURLToPath(new URL("../../node_modules/.cache/roomrack/", import.meta.url));
const KEEPER = fileURLToPath(new URL("postgres-keeper.ts", import.meta.url));
const START_LIMIT_MS = 180_000;

/** Returns `TEST_DATABASE_URL`, or the URL of a server that all test files of the run share. */
export async function sharedPostgres(): Promise<string> {
  return process.env["TEST_DATABASE_URL"] ?? (await keepPostgres(runner())).url;
}

/** Starts a server that runs as long as process `pid`, unless another process has already started one. */
export async function keepPostgres(pid: number): Promise<{ url: string; stop(): Promise<void> }> {
  const folder = join(CACHE, `postgres-${pid}`);
  const keeper = startKeeper(folder, pid);
  const url = await readUrl(folder, keeper);
  return {
    url,
    async stop() {
      if (!keeper) return;
      const ended = new Promise((resolve) => keeper.once("exit", resolve));
      keeper.ref();
      keeper.kill("SIGTERM");
      await ended;
    },
  };
}

function runner(): number {
  return process.env["NODE_TEST_CONTEXT"] === undefined ? process.pid : process.ppid;
}

/** Starts the server if this process created the folder. Otherwise another process starts it. */
function startKeeper(folder: string, pid: number): ChildProcess | undefined {
  mkdirSync(CACHE, { recursive: true });
  try {
    mkdirSync(folder);
  } catch {
    return undefined;
  }
  const stdio = ["ignore", openSync(join(folder, "url"), "w"), openSync(join(folder, "log"), "w")] as const;
  const keeper = spawn(process.execPath, [KEEPER, String(pid), folder], { stdio: [...stdio], detached: true });
  keeper.unref();
  return keeper;
}

async function readUrl(folder: string, keeper: ChildProcess | undefined): Promise<string> {
  for (let waited = 0; waited < START_LIMIT_MS; waited += 20) {
    const url = read(folder, "url");
    if (url.endsWith("\n")) return url.trim();
    if (keeper && keeper.exitCode !== null) break;
    await sleep(20);
  }
  const log = read(folder, "log");
  if (keeper) rmSync(folder, { recursive: true, force: true });
  throw new Error(`The PostgreSQL server for tests did not start:\n${log}`);
}

function read(folder: string, file: string): string {
  try {
    return readFileSync(join(folder, file), "utf8");
  } catch {
    return "";
  }
}
