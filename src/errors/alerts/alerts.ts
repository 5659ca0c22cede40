import type { Clock } from "../../clock.ts";
import type { Database } from "../../db/database.ts";
import { postSigned, type CallTarget } from "../../outgoing/post.ts";
import { shareOfRate, TokenBuckets } from "../../web/guard/token-bucket.ts";
import { errorMessage } from "../../web/http-error.ts";
import type { ErrorGroup } from "../entry.ts";
import { claimAlerts, clearAlerts, countDueAlerts, findGroup } from "../storage/group-store.ts";
import { SingleFlight } from "../tasks.ts";

const ALERT_INTERVAL_MS = 2_000;
/** Limits the rate of alerts, because anyone can send reports that create groups. */
const CALL_RATE = { burst: 10, perSecond: 1 / 6 };
const MAX_SEPARATE_ALERTS = 10;
const MAX_SUMMARIZED_GROUPS = 1_000;
const CALL_TIMEOUT_MS = 5_000;

export type AlertOptions = {
  database: Database;
  clock: Clock;
  webhook: CallTarget;
  log: { warn(facts: object, message: string): void };
  publicUrl: string | undefined;
  /** Number of processes that share the rate limit. Defaults to 1. */
  workers?: number;
};

export class ErrorAlerts {
  readonly #options: AlertOptions;
  readonly #timer: NodeJS.Timeout;
  readonly #stop = new AbortController();
  readonly #calls: TokenBuckets;
  readonly #round = new SingleFlight(() => this.#run().catch((error: unknown) => this.#warn(error)));

  constructor(options: AlertOptions) {
    this.#options = options;
    this.#calls = new TokenBuckets(shareOfRate(CALL_RATE, options.workers ?? 1), 1);
    this.#timer = setInterval(() => void this.run(), ALERT_INTERVAL_MS).unref();
  }

  run(): Promise<void> {
    return this.#round.run();
  }

  /** Aborts the current call. Its alert is sent again an hour later. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#stop.abort();
    await this.#round.idle();
  }

  async #run(): Promise<void> {
    const { database, clock } = this.#options;
    for (;;) {
      const due = await countDueAlerts(database, clock.now());
      if (due === 0 || this.#stop.signal.aborted || !this.#takeCall()) return;
      const at = clock.now();
      await this.#send(await claimAlerts(database, at, due > MAX_SEPARATE_ALERTS ? MAX_SUMMARIZED_GROUPS : 1), at);
    }
  }

  #takeCall(): boolean {
    return this.#calls.take("", 1, this.#options.clock.now()) === 0;
  }

  async #send(ids: readonly number[], claimedAt: number): Promise<void> {
    const { database } = this.#options;
    const timeout = AbortSignal.timeout(CALL_TIMEOUT_MS);
    try {
      const group = ids[0] === undefined ? undefined : await findGroup(database, ids[0]);
      const signal = AbortSignal.any([this.#stop.signal, timeout]);
      if (group) await this.#post(group, { count: ids.length, at: claimedAt, signal });
      await clearAlerts(database, ids, claimedAt);
    } catch (error) {
      this.#warn(timeout.aborted ? `no response within ${CALL_TIMEOUT_MS / 1000} seconds` : error, ids);
    }
  }

  async #post(group: ErrorGroup, { count, ...call }: { count: number; at: number; signal: AbortSignal }): Promise<void> {
    const { webhook } = this.#options;
    const body = JSON.stringify(count === 1 ? this.#alertOf(group) : this.#summaryOf(group, count));
    const { status } = await postSigned(webhook, { id: eventId(group, count), body, ...call });
    if (status < 200 || status > 299) throw new Error(`${webhook.url.host} returned ${status}`);
  }

  #warn(error: unknown, groups: readonly number[] = []): void {
    this.#options.log.warn({ groups: groups.slice(0, MAX_SEPARATE_ALERTS) }, `error webhook failed: ${errorMessage(error)}`);
  }

  #alertOf(group: ErrorGroup) {
    const { reason, stateAt, lastId } = group;
    const url = lastId === undefined ? null : this.#urlOf(`tools/errors/${lastId}`);
    return { event: "error-group", reason, at: new Date(stateAt).toISOString(), group: groupJson(group), url };
  }

  #summaryOf(newest: ErrorGroup, count: number) {
    const at = new Date(newest.stateAt).toISOString();
    return { event: "error-groups", count, at, newest: groupJson(newest), url: this.#urlOf("tools/errors?view=groups") };
  }

  #urlOf(page: string): string | null {
    const { publicUrl } = this.#options;
    return publicUrl === undefined ? null : new URL(page, publicUrl).href;
  }
}

/** Returns an alert's ID. A retried alert has the same ID. */
function eventId({ id, stateAt }: ErrorGroup, count: number): string {
  return `${count === 1 ? "error-group" : `error-groups-${count}`}-${id}-${stateAt}`;
}

/** Returns a group as JSON. It needs no redaction, because groups are redacted before they are stored. */
function groupJson({ id, class: name, message, source, status, count, firstAt, lastAt }: ErrorGroup) {
  const [first, last] = [firstAt, lastAt].map((at) => new Date(at).toISOString());
  return { id, class: name, message, source, status: status ?? null, count, firstAt: first, lastAt: last };
}
