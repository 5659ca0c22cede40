import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type Server, startServer } from "../../support/child.ts";
import type { Headers } from "../../support/load.ts";

const BENCH_FOLDER = fileURLToPath(new URL("../../..", import.meta.url));
const PASSWORD = "a password for the attacks";

/** A service to attack, with an SQLite database in a new folder. It stops at the end of its scope (`await using`). */
export type Target = Server & { addSender(name: string, ...properties: string[]): Headers };

/**
 * Starts the service of this checkout or of the checkout given on the command line. The service trusts `X-Forwarded-For`, so that the
 * attacker and the real sender can have different addresses.
 */
export async function startTarget(settings: Readonly<Record<string, string>> = {}): Promise<Target> {
  const start = join(resolve(process.argv[2] ?? BENCH_FOLDER), "src/start.mjs");
  const folder = mkdtempSync(join(tmpdir(), "roomrack-attack-"));
  const env = { DATA_DIR: folder, PORT: "0", LOG_LEVEL: "error", ADMIN_PASSWORD: PASSWORD, TRUST_PROXY: "127.0.0.1", ...settings };
  const run = (...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [start, ...args], { env: { ...process.env, ...env }, encoding: "utf8" });
    if (status !== 0) throw new Error(`${args.join(" ")} failed: ${stdout}${stderr}`);
    return stdout;
  };
  run("seed", "--properties", "4", "--categories", "10", "--nights", "0");
  const server = await startServer([start, "serve"], env);
  return {
    ...server,
    addSender(name, ...properties) {
      const secret = /password\s+(\S+)/.exec(run("sender", "add", name, ...properties))![1]!;
      return { "content-type": "application/xml", ...basic(name, secret) };
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export function basic(name: string, secret: string): Headers {
  return { authorization: `Basic ${Buffer.from(`${name}:${secret}`).toString("base64")}` };
}
