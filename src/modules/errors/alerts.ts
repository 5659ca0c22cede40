import type { Clock } from "../../clock.ts";
import type { Database } from "../../db/database.ts";
import { messageOf } from "../../web/http-error.ts";
import { claimAlert, listAlerts, returnAlert } from "./alert-store.ts";
import { findGroup } from "./group-store.ts";
import type { ErrorGroup } from "./group.ts";
import { postWebhook, type Webhook } from "./webhook.ts";

const EVERY_MS = 2_000;
const AT_ONCE = 10;
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

/** Tells of groups that are new, that come again, or that come more often than they were muted for: in the background, one after the other. */
export class Alerts {
  readonly #options: AlertOptions;
  readonly #timer: NodeJS.Timeout;
  readonly #stop = new AbortController();
  #running: Promise<void> | undefined;

  constructor(options: AlertOptions) {
    this.#options = options;
    this.#timer = setInterval(() => void this.run(), EVERY_MS).unref();
  }

  /** One round. Never rejects: what fails is told in the process log. */
  run(): Promise<void> {
    return (this.#running ??= this.#run()
      .catch((error: unknown) => this.#warn(error))
      .finally(() => {
        this.#running = undefined;
      }));
  }

  /** Ends at once; what was being told is told again an hour later. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#stop.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { database, clock } = this.#options;
    for (const id of await listAlerts(database, clock.now(), AT_ONCE)) {
      if (this.#stop.signal.aborted) return;
      if (await claimAlert(database, id, clock.now())) await this.#tell(id);
    }
  }

  async #tell(id: number): Promise<void> {
    const { database, clock, webhook } = this.#options;
    const late = AbortSignal.timeout(LIMIT_MS);
    try {
      const group = await findGroup(database, id);
      const signal = AbortSignal.any([this.#stop.signal, late]);
      if (group) await postWebhook(webhook, JSON.stringify(this.#alertOf(group)), { at: clock.now(), signal });
    } catch (error) {
      this.#warn(late.aborted ? `no answer within ${LIMIT_MS / 1000} seconds` : error, id);
      await returnAlert(database, id);
    }
  }

  #warn(error: unknown, group?: number): void {
    this.#options.log.warn({ group }, `the webhook for errors was not told: ${messageOf(error)}`);
  }

  /** Everything in it was redacted before it was stored. */
  #alertOf({ id, class: name, message, source, status, count, firstAt, lastAt, lastId, why, since }: ErrorGroup) {
    const { publicUrl } = this.#options;
    return {
      event: "error-group",
      reason: why,
      at: new Date(since).toISOString(),
      group: {
        ...{ id, class: name, message, source, status: status ?? null, count },
        firstAt: new Date(firstAt).toISOString(),
        lastAt: new Date(lastAt).toISOString(),
      },
      url: publicUrl === undefined || lastId === undefined ? null : new URL(`tools/errors/${lastId}`, publicUrl).href,
    };
  }
}
