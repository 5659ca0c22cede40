import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./free-port.ts";
import { makeFolder, unprivileged } from "./postgres-server.ts";
import { until } from "./until.ts";

const PROGRAM = "/usr/sbin/pgbouncer";

/** Returns the version of the installed PgBouncer, such as 1.18, or undefined if it is not installed. */
export function pgBouncerVersion(): number | undefined {
  if (!existsSync(PROGRAM)) return undefined;
  const { stdout } = spawnSync(PROGRAM, ["--version"], { encoding: "utf8" });
  const [, version] = /^PgBouncer (\d+\.\d+)/.exec(stdout) ?? [];
  return version === undefined ? undefined : Number(version);
}

/** Starts PgBouncer in front of the database at `url`. `settings` are lines of its configuration. */
export async function startPgBouncer(url: string, settings: readonly string[]): Promise<AsyncDisposable & { url: string }> {
  const identity = unprivileged();
  const folder = makeFolder(tmpdir(), identity);
  const { hostname, port, username, password } = new URL(url);
  const ownPort = await freePort();
  const file = join(folder, "pgbouncer.ini");
  const lines = [
    "[databases]",
    `* = host=${hostname} port=${port} user=${username} password=${password}`,
    "[pgbouncer]",
    "listen_addr = 127.0.0.1",
    `listen_port = ${ownPort}`,
    "unix_socket_dir =",
    "auth_type = any",
    ...settings,
  ];
  writeFileSync(file, `${lines.join("\n")}\n`);
  if (identity.uid !== undefined) chownSync(file, identity.uid, identity.gid!);
  const child = spawn(PROGRAM, ["--quiet", file], { ...identity, cwd: folder, stdio: "ignore" });
  const exited = once(child, "exit");
  await until("PgBouncer", () => isListening(ownPort));
  return {
    url: Object.assign(new URL(url), { port: String(ownPort) }).href,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await exited;
      rmSync(folder, { recursive: true });
    },
  };
}

function isListening(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(port, "127.0.0.1", () => resolve(true)).on("error", () => resolve(false));
  return promise.finally(() => socket.destroy());
}
