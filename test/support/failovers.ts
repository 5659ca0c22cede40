import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { propertyCode } from "../../src/cli/seed/records.ts";
import { type Answer, Connection } from "./connection.ts";
import type { PatroniCluster } from "./patroni-cluster.ts";
import { countMessage, countsPath } from "./seeded-place.ts";
import { until } from "./until.ts";

export const FAULTS = ["crash", "power failure", "freeze", "switchover", "loss of an etcd member"] as const;
export type Fault = (typeof FAULTS)[number];

/** Twice the `ttl` in `deploy/patroni/config.yml`. A primary that can't renew its lock steps down before this time is over. */
const WITHOUT_ETCD_MEMBER_MS = 10_000;

/** Causes a fault, waits until `observer` is acknowledged again, and repairs the cluster. Returns the outage in milliseconds. */
export async function causeFault(cluster: PatroniCluster, fault: Fault, observer: Observer): Promise<number> {
  const leader = await cluster.untilSynchronous();
  const since = performance.now();
  if (fault === "loss of an etcd member") await loseEtcdMember(cluster, { leader, observer });
  else await replacePrimary(cluster, { fault, leader, observer });
  await cluster.untilSynchronous();
  return observer.longestGap(since);
}

/** Kills the etcd leader and checks that the primary stays the same. */
async function loseEtcdMember(cluster: PatroniCluster, { leader, observer }: Omit<Replacement, "fault">): Promise<void> {
  const member = await cluster.loseEtcdMember();
  await observer.untilAcknowledged(performance.now() + WITHOUT_ETCD_MEMBER_MS);
  cluster.returnEtcdMember(member);
  assert.equal(await cluster.untilSynchronous(), leader, `the primary after etcd member ${member} was lost`);
}

type Replacement = { fault: Exclude<Fault, "loss of an etcd member">; leader: string; observer: Observer };

async function replacePrimary(cluster: PatroniCluster, { fault, leader, observer }: Replacement): Promise<void> {
  inject(cluster, fault, leader);
  await cluster.untilReplaced(leader);
  await observer.untilAcknowledged(performance.now());
  if (fault === "freeze") cluster.thaw(leader);
  if (fault === "power failure") cluster.powerOn(leader);
}

function inject(cluster: PatroniCluster, fault: Replacement["fault"], leader: string): void {
  if (fault === "crash") cluster.crash(leader);
  else if (fault === "power failure") cluster.powerOff(leader);
  else if (fault === "freeze") cluster.freeze(leader);
  else cluster.switchOver(leader);
}

const PAUSE_MS = 20;
const COUNTS = 9_000;
const TEXT = "The database is temporarily read-only";

/** Sends messages for one property and reads pages continuously. Records when messages were acknowledged and what pages returned. */
export class Observer {
  readonly pages = { shown: 0, unavailable: 0, longestMs: 0, wrong: [] as string[] };
  readonly #property: number;
  readonly #connections: readonly Connection[];
  readonly #acknowledged: number[] = [];
  readonly #ended: Promise<unknown>;
  #isStopping = false;

  constructor(property: number, origin: string) {
    this.#property = property;
    this.#connections = [new Connection(origin), new Connection(origin)];
    const [sender, reader] = this.#connections;
    this.#ended = Promise.all([this.#send(sender!), this.#read(reader!)]);
  }

  async untilAcknowledged(since: number): Promise<void> {
    await until("an acknowledged message", () => (this.#acknowledged.at(-1) ?? 0) > since);
  }

  /** Returns the longest time between two acknowledged messages after `since`, in milliseconds. */
  longestGap(since: number): number {
    const first = this.#acknowledged.findIndex((time) => time > since);
    const times = this.#acknowledged.slice(Math.max(first - 1, 0));
    return times.reduce((longest, time, index) => Math.max(longest, time - (times[index - 1] ?? time)), 0);
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#ended;
    for (const connection of this.#connections) connection.close();
  }

  async #send(connection: Connection): Promise<void> {
    for (let turn = 0; !this.#isStopping; turn++) {
      const text = countMessage(this.#property, { days: 0, count: turn % COUNTS });
      const answer = await connection.post("/channel", { type: "application/xml", text }).catch(() => undefined);
      if (answer?.text.includes("<Success/>")) this.#acknowledged.push(performance.now());
      await sleep(PAUSE_MS);
    }
  }

  async #read(connection: Connection): Promise<void> {
    const paths = [
      "/property",
      `/property/${propertyCode(this.#property)}`,
      countsPath(this.#property).replace("&format=json", ""),
      "/dev/logs",
    ];
    for (let turn = 0; !this.#isStopping; turn++) {
      const path = paths[turn % paths.length]!;
      const since = performance.now();
      const answer = await connection
        .get(path, { accept: "text/html" })
        .catch((error: Error) => ({ status: 0, headers: {}, text: error.message }));
      const { status, headers, text }: Answer = answer;
      this.pages.longestMs = Math.max(this.pages.longestMs, performance.now() - since);
      if (status === 200) this.pages.shown++;
      else if (status === 503 && headers["retry-after"] !== undefined && text.includes(TEXT)) this.pages.unavailable++;
      else this.pages.wrong.push(`${path}: status ${status}: ${text.slice(0, 200)}`);
      await sleep(PAUSE_MS);
    }
  }
}
