import type { ChildProcess } from "node:child_process";
import { join } from "node:path";
import { freePort } from "./free-port.ts";
import { kill, type Place, type Program, readConfiguration, run } from "./programs.ts";
import { until } from "./until.ts";

export const ETCD = "/usr/bin/etcd";
const NAMES = ["one", "two", "three"] as const;
const ASK_MS = 1_000;

type Member = { name: string; program: Program; client: string; process: ChildProcess };

/** Three etcd members with the configuration in `deploy/patroni`, on free ports on 127.0.0.1. */
export class EtcdCluster {
  /** The addresses of all members, separated by commas. */
  readonly hosts: string;
  readonly #place: Place;
  readonly #members: readonly Member[];

  private constructor(place: Place, members: readonly Member[]) {
    this.#place = place;
    this.#members = members;
    this.hosts = members.map(({ client }) => client).join();
  }

  static async start(place: Place): Promise<EtcdCluster> {
    const addresses: Address[] = [];
    for (const name of NAMES)
      addresses.push({ name, client: `127.0.0.1:${await freePort()}`, peer: `http://127.0.0.1:${await freePort()}` });
    const members = addresses.map(({ name, client, peer }) => {
      const program = { path: ETCD, args: [], env: settingsOf({ name, client, peer }, { folder: place.folder, addresses }) };
      return { name, client, program, process: run(place, `etcd-${name}`, program) };
    });
    return new EtcdCluster(place, members);
  }

  /** Waits for a leader and returns its name. */
  async untilLed(): Promise<string> {
    return until("an etcd leader", async () => {
      for (const { name, client } of this.#members) if ((await stateOf(client)) === "StateLeader") return name;
      return undefined;
    });
  }

  /** Waits until all members are healthy. */
  async untilComplete(): Promise<void> {
    await until("three healthy etcd members", async () => {
      const states = await Promise.all(this.#members.map(({ client }) => isHealthy(client)));
      return states.every(Boolean);
    });
  }

  /** Sends a signal to a member. SIGKILL simulates a loss of power. */
  signal(name: string, word: NodeJS.Signals): void {
    this.#member(name).process.kill(word);
  }

  restart(name: string): void {
    const member = this.#member(name);
    member.process = run(this.#place, `etcd-${name}`, member.program);
  }

  async stop(): Promise<void> {
    await Promise.all(this.#members.map(({ process }) => kill(process)));
  }

  #member(name: string): Member {
    return this.#members.find((member) => member.name === name)!;
  }
}

type Address = { name: string; client: string; peer: string };

function settingsOf({ name, client, peer }: Address, { folder, addresses }: { folder: string; addresses: readonly Address[] }) {
  return {
    ...readSettings(readConfiguration("etcd.conf")),
    ETCD_NAME: name,
    ETCD_DATA_DIR: join(folder, `etcd-${name}`),
    ETCD_LISTEN_CLIENT_URLS: `http://${client}`,
    ETCD_ADVERTISE_CLIENT_URLS: `http://${client}`,
    ETCD_LISTEN_PEER_URLS: peer,
    ETCD_INITIAL_ADVERTISE_PEER_URLS: peer,
    ETCD_INITIAL_CLUSTER: addresses.map((one) => `${one.name}=${one.peer}`).join(),
  };
}

function readSettings(text: string): Record<string, string> {
  const lines = text.split("\n").filter((line) => line.includes("=") && !line.startsWith("#"));
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1)]));
}

async function stateOf(client: string): Promise<string | undefined> {
  const answer = await ask(`http://${client}/v2/stats/self`);
  return answer && ((await answer.json()) as { state: string }).state;
}

async function isHealthy(client: string): Promise<boolean> {
  return (await ask(`http://${client}/health`)) !== undefined;
}

async function ask(url: string): Promise<Response | undefined> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(ASK_MS) }).catch(() => undefined);
  return answer?.ok ? answer : undefined;
}
