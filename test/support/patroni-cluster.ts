import { type ChildProcess, spawnSync } from "node:child_process";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { ETCD, EtcdCluster } from "./etcd-cluster.ts";
import { freePort } from "./free-port.ts";
import { makeFolder, signalServer, unprivileged } from "./postgres-server.ts";
import { kill, type Place, type Program, readConfiguration, run } from "./programs.ts";
import { until } from "./until.ts";

const PROGRAMS = { etcd: ETCD, patroni: "/usr/bin/patroni", patronictl: "/usr/bin/patronictl", haproxy: "/usr/sbin/haproxy" };
const INSTALL = "apt-get install --no-install-recommends etcd-server haproxy patroni postgresql-15";
const PATRONI_FILE = "config.yml";
const NAMES = ["one", "two"] as const;
const PASSWORD = "for-this-test-only";
const ASK_MS = 1_000;

type Member = { name: string; role: string; state: string };

/** A database server. The etcd member with the same name runs on the same machine. */
type Machine = { name: string; port: number; apiPort: number; data: string; patroni: ChildProcess };

/**
 * A primary and a synchronous standby with the configuration in `deploy/patroni`, on free ports on 127.0.0.1: three etcd members, two
 * Patroni nodes and one HAProxy. Requires their Debian packages.
 */
export class PatroniCluster {
  /** The URL that lists both servers. */
  readonly url: string;
  /** Connects to the primary through HAProxy. */
  readonly proxyUrl: string;
  /** Connects to the standby through HAProxy. */
  readonly standbyUrl: string;
  readonly #place: Place;
  readonly #machines: readonly Machine[];
  readonly #proxy: ChildProcess;
  readonly #etcd: EtcdCluster;

  private constructor({ place, machines, etcd, proxyPorts, proxy }: Parts) {
    this.#place = place;
    this.#machines = machines;
    this.#proxy = proxy;
    this.#etcd = etcd;
    const login = `postgres://postgres:${PASSWORD}`;
    const hosts = machines.map(({ port }) => `127.0.0.1:${port}`).join();
    this.url = `${login}@${hosts}/roomrack?target_session_attrs=read-write&connect_timeout=2`;
    this.proxyUrl = `${login}@127.0.0.1:${proxyPorts.primary}/roomrack?connect_timeout=2`;
    this.standbyUrl = `${login}@127.0.0.1:${proxyPorts.standby}/roomrack`;
  }

  static async start(): Promise<PatroniCluster> {
    const missing = Object.values(PROGRAMS).filter((path) => !existsSync(path));
    if (missing.length > 0) throw new Error(`${missing.join(", ")} not found. Install the packages: ${INSTALL}`);
    const identity = unprivileged();
    const place = { folder: makeFolder(tmpdir(), identity), identity };
    writeFileSync(join(place.folder, PATRONI_FILE), readConfiguration("config.yml").replace("/var/run/postgresql", place.folder));
    const etcd = await EtcdCluster.start(place);
    const machines: Machine[] = [];
    for (const name of NAMES) {
      const ports = { port: await freePort(), apiPort: await freePort() };
      const data = join(place.folder, name);
      machines.push({ name, ...ports, data, patroni: startPatroni(place, { name, ...ports, data }, etcd.hosts) });
    }
    const proxyPorts = { primary: await freePort(), standby: await freePort() };
    const proxy = run(place, "haproxy", proxyProgram(place.folder, machines, proxyPorts));
    const cluster = new PatroniCluster({ place, machines, etcd, proxyPorts, proxy });
    try {
      await cluster.untilSynchronous();
      await cluster.#createDatabase();
      return cluster;
    } catch (error) {
      await cluster.stop();
      throw error;
    }
  }

  /** Waits until there is a primary with a synchronous standby and three etcd members, and returns the name of the primary. */
  async untilSynchronous(): Promise<string> {
    await this.#etcd.untilComplete();
    return until("a primary with a synchronous standby", async () => {
      const members = await this.#members();
      const leader = members.find(({ role, state }) => role === "leader" && state === "running");
      const standby = members.find(({ role }) => role === "sync_standby");
      return leader && standby && standby.name !== leader.name ? leader.name : undefined;
    });
  }

  async untilReplaced(leader: string): Promise<void> {
    await until(`a primary other than ${leader}`, async () => {
      const members = await this.#members();
      return members.some(({ name, role, state }) => role === "leader" && state === "running" && name !== leader);
    });
  }

  /** Kills PostgreSQL but not Patroni. */
  crash(name: string): void {
    signalServer(this.#machine(name).data, "SIGKILL");
  }

  /** Kills PostgreSQL, Patroni and etcd, as if the machine had lost power. */
  powerOff(name: string): void {
    this.#signalMachine(name, "SIGKILL");
  }

  powerOn(name: string): void {
    this.#etcd.restart(name);
    const machine = this.#machine(name);
    machine.patroni = startPatroni(this.#place, machine, this.#etcd.hosts);
  }

  /** Kills the etcd leader, so that the other members have to elect a new one. Returns its name. */
  async loseEtcdMember(): Promise<string> {
    const name = await this.#etcd.untilLed();
    this.#etcd.signal(name, "SIGKILL");
    return name;
  }

  returnEtcdMember(name: string): void {
    this.#etcd.restart(name);
  }

  freeze(name: string): void {
    this.#signalMachine(name, "SIGSTOP");
  }

  thaw(name: string): void {
    this.#signalMachine(name, "SIGCONT");
  }

  switchOver(leader: string): void {
    const words = ["-c", PATRONI_FILE, "switchover", "--master", leader, "--force", "roomrack"];
    const env = { ...process.env, PATRONI_ETCD_HOSTS: this.#etcd.hosts, LC_ALL: "C.UTF-8" };
    const { status, stdout, stderr } = spawnSync(PROGRAMS.patronictl, words, { cwd: this.#place.folder, env, encoding: "utf8" });
    if (status !== 0) throw new Error(`patronictl switchover failed: ${stdout}${stderr}`);
  }

  /** Kills all processes and removes the data. */
  async stop(): Promise<void> {
    for (const { name } of this.#machines) this.powerOff(name);
    await Promise.all([...this.#machines.map(({ patroni }) => kill(patroni)), kill(this.#proxy), this.#etcd.stop()]);
    rmSync(this.#place.folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }

  #machine(name: string): Machine {
    return this.#machines.find((machine) => machine.name === name)!;
  }

  #signalMachine(name: string, word: NodeJS.Signals): void {
    const { patroni, data } = this.#machine(name);
    patroni.kill(word);
    this.#etcd.signal(name, word);
    signalServer(data, word);
  }

  async #members(): Promise<readonly Member[]> {
    for (const { apiPort } of this.#machines) {
      const answer = await fetch(`http://127.0.0.1:${apiPort}/cluster`, { signal: AbortSignal.timeout(ASK_MS) }).catch(() => undefined);
      if (answer?.ok) return ((await answer.json()) as { members: Member[] }).members;
    }
    return [];
  }

  async #createDatabase(): Promise<void> {
    const client = new Client({ connectionString: this.proxyUrl.replace("/roomrack?", "/postgres?") });
    await client.connect();
    await client.query("create database roomrack");
    await client.end();
  }
}

type ProxyPorts = { primary: number; standby: number };
type Parts = { place: Place; machines: readonly Machine[]; etcd: EtcdCluster; proxyPorts: ProxyPorts; proxy: ChildProcess };

function startPatroni(place: Place, { name, port, apiPort, data }: Omit<Machine, "patroni">, etcdHosts: string): ChildProcess {
  const env = {
    PATRONI_NAME: name,
    PATRONI_ETCD_HOSTS: etcdHosts,
    PATRONI_RESTAPI_LISTEN: `127.0.0.1:${apiPort}`,
    PATRONI_RESTAPI_CONNECT_ADDRESS: `127.0.0.1:${apiPort}`,
    PATRONI_POSTGRESQL_LISTEN: `127.0.0.1:${port}`,
    PATRONI_POSTGRESQL_CONNECT_ADDRESS: `127.0.0.1:${port}`,
    PATRONI_POSTGRESQL_DATA_DIR: data,
    PATRONI_POSTGRESQL_PGPASS: `${data}.pgpass`,
    PATRONI_SUPERUSER_USERNAME: "postgres",
    PATRONI_SUPERUSER_PASSWORD: PASSWORD,
    PATRONI_REPLICATION_USERNAME: "replicator",
    PATRONI_REPLICATION_PASSWORD: PASSWORD,
  };
  return run(place, `patroni-${name}`, { path: PROGRAMS.patroni, args: [PATRONI_FILE], env });
}

function proxyProgram(folder: string, [one, two]: readonly Machine[], { primary, standby }: ProxyPorts): Program {
  const file = join(folder, "haproxy.cfg");
  const text = readConfiguration("haproxy.cfg")
    .replace("127.0.0.1:5000", `127.0.0.1:${primary}`)
    .replace("127.0.0.1:5001", `127.0.0.1:${standby}`)
    .replace("check port 8008", "check")
    .replaceAll("10.0.0.21:5432", `127.0.0.1:${one!.port} port ${one!.apiPort}`)
    .replaceAll("10.0.0.22:5432", `127.0.0.1:${two!.port} port ${two!.apiPort}`);
  writeFileSync(file, text);
  return { path: PROGRAMS.haproxy, args: ["-db", "-f", file] };
}
