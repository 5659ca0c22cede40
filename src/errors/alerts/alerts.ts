import type { Clock } from "../../clock.ts";
import type { Database } from "../../db/database.ts";
import { TokenBuckets } from "../../web/guard/token-bucket.ts";
import { messageOf } from "../../web/http-error.ts";
import { Single } from "../single.ts";
import { findGroup } from "../storage/group-store.ts";
import type { ErrorGroup } from "../storage/group.ts";
import { claimAlert, claimAlerts, listAlerts, settleAlerts } from "./store.ts";
import { postWebhook, type Webhook } from "./webhook.ts";

const EVERY_MS = 2_000;
/** A stranger who reports what is like nothing else makes groups, but no more calls than these. */
const CALLS = { burst: 10, perSecond: 1 / 6 };
/** Where more are due, one call tells of them together. */
const EACH_ALONE = 10;
const TOGETHER = 1_000;
const LIMIT_MS = 5_000;

export type AlertOptions = {
  database: Database;
  clock: Clock;
  webhook: Webhook;
  /** The process log. */
  log: { warn(facts: object, message: string): void };
  /** Where people see the service, with a slash at the end; undefined where that is not known. */
  publicUrl: string | undefined;
};

/**
 * Tells of groups that are new, that come again, or that come more often than they were muted for: in the background, one call after
 * the other, and not too many.
 */
export class Alerts {
  readonly #options: AlertOptions;
  readonly #timer: NodeJS.Timeout;
  readonly #stop = new AbortController();
  readonly #calls = new TokenBuckets(CALLS, 1);
  readonly #round = new Single(() => this.#run().catch((error: unknown) => this.#warn(error)));

  constructor(options: AlertOptions) {
    this.#options = options;
    this.#timer = setInterval(() => void this.run(), EVERY_MS).unref();
  }

  /** One round. Never rejects: what fails is told in the process log. */
  run(): Promise<void> {
    return this.#round.run();
  }

  /** Ends at once; what was being told is told again an hour later. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#stop.abort();
    await this.#round.rest();
  }

  async #run(): Promise<void> {
    const { database, clock } = this.#options;
    const due = await listAlerts(database, clock.now(), EACH_ALONE + 1);
    if (due.length > EACH_ALONE) return this.#tellTogether();
    for (const id of due) {
      if (this.#stop.signal.aborted || !this.#mayCall()) return;
      const at = clock.now();
      if (await claimAlert(database, id, at)) await this.#tell([id], at, (group) => this.#alertOf(group));
    }
  }

  async #tellTogether(): Promise<void> {
    const { database, clock } = this.#options;
    if (!this.#mayCall()) return;
    const at = clock.now();
    const ids = await claimAlerts(database, at, TOGETHER);
    await this.#tell(ids, at, (newest) => this.#summaryOf(newest, ids.length));
  }

  #mayCall(): boolean {
    return this.#calls.take("", 1, this.#options.clock.now()) === 0;
  }

  /** Posts what `alertOf` makes of the first of the groups, which were claimed at `at`. */
  async #tell(ids: readonly number[], at: number, alertOf: (group: ErrorGroup) => object): Promise<void> {
    const { database, webhook } = this.#options;
    const late = AbortSignal.timeout(LIMIT_MS);
    try {
      const group = ids[0] === undefined ? undefined : await findGroup(database, ids[0]);
      const signal = AbortSignal.any([this.#stop.signal, late]);
      if (group) await postWebhook(webhook, JSON.stringify(alertOf(group)), { at, signal });
      await settleAlerts(database, ids, at);
    } catch (error) {
      this.#warn(late.aborted ? `no answer within ${LIMIT_MS / 1000} seconds` : error, ids);
    }
  }

  #warn(error: unknown, groups: readonly number[] = []): void {
    this.#options.log.warn({ groups: groups.slice(0, EACH_ALONE) }, `the webhook for errors was not told: ${messageOf(error)}`);
  }

  #alertOf(group: ErrorGroup) {
    const { why, since, lastId } = group;
    const url = lastId === undefined ? null : this.#urlOf(`tools/errors/${lastId}`);
    return { event: "error-group", reason: why, at: new Date(since).toISOString(), group: factsOf(group), url };
  }

  #summaryOf(newest: ErrorGroup, count: number) {
    const at = new Date(newest.since).toISOString();
    return { event: "error-groups", count, at, newest: factsOf(newest), url: this.#urlOf("tools/errors?view=groups") };
  }

  #urlOf(page: string): string | null {
    const { publicUrl } = this.#options;
    return publicUrl === undefined ? null : new URL(page, publicUrl).href;
  }
}

/** Everything in it was redacted before it was stored. */
function factsOf({ id, class: name, message, source, status, count, firstAt, lastAt }: ErrorGroup) {
  const [first, last] = [firstAt, lastAt].map((at) => new Date(at).toISOString());
  return { id, class: name, message, source, status: status ?? null, count, firstAt: first, lastAt: last };
}
