import type { FastifyBaseLogger, FastifyRequest } from "fastify";
import type { Clock } from "../clock.ts";
import type { Database } from "../db/database.ts";
import { currentRequest } from "../web/current-request.ts";
import type { ErrorRecorder, ErrorReference } from "../web/error-handler.ts";
import { NotFoundException, errorStatus } from "../web/http-error.ts";
import { describeError, fallbackEntry, snapshotRequest } from "./describe/error.ts";
import { groupError } from "./describe/grouping.ts";
import { addContext, ContextLimiter } from "./describe/limits.ts";
import type { ErrorEntry, ErrorOutline, GroupPage, NewErrorEntry } from "./entry.ts";
import { matchPathRule, OVERSIZE_RULE, REPEATS_RULE, SPOOL_FULL_RULE, TRIMMING_RULES } from "./rules.ts";
import { expireMutes, type GroupSlice, listGroups } from "./storage/group-store.ts";
import { type ErrorFilter, type ErrorPage, type ErrorSlice, findErrorEntry, listErrorEntries } from "./storage/list-store.ts";
import { ErrorLogMaintenance } from "./storage/maintenance.ts";
import { ErrorQueue, type QueueLog } from "./storage/queue.ts";
import { type RuleCount, RuleCounter } from "./storage/rule-count-store.ts";
import { type AlertMode, type NewErrorRow, toRow } from "./storage/store.ts";

export type ErrorLogOptions = {
  database: Database;
  clock: Clock;
  dataDir: string;
  keepDays: number;
  keep: number;
  keepBytes?: number;
  /** Number of processes that share this log and its rate limits. Defaults to 1. */
  workers?: number;
  ignoredPaths?: readonly string[];
  alertMode?: AlertMode;
};

type DescribeError = () => ErrorOutline | NewErrorEntry;

/** Records, lists and prunes errors. Describes each error immediately, because keeping its request would use more memory. */
export class ErrorLog implements ErrorRecorder {
  readonly #options: ErrorLogOptions;
  readonly #queue: ErrorQueue;
  readonly #counter: RuleCounter;
  readonly #limiter: ContextLimiter;
  readonly #maintenance: ErrorLogMaintenance;

  constructor(options: ErrorLogOptions) {
    this.#options = options;
    this.#counter = new RuleCounter(options.database);
    this.#limiter = new ContextLimiter(options.workers);
    const { keepBytes = Number.POSITIVE_INFINITY } = options;
    this.#queue = new ErrorQueue({
      alertMode: "silent",
      ...options,
      spoolBytes: keepBytes / 2,
      onLost: (count) => this.countRule(SPOOL_FULL_RULE, count),
      onStored: (bytes) => this.#maintenance.noteStored(bytes),
    });
    this.#maintenance = new ErrorLogMaintenance({ ...options, keepBytes, onOversize: (count) => this.countRule(OVERSIZE_RULE, count) });
  }

  logTo(log: QueueLog): void {
    this.#queue.logTo(log);
  }

  /**
   * `status` is the response status and defaults to the error's own. Waits for the entry's ID if the status is 500 or higher. Never
   * rejects.
   */
  async record(error: unknown, request: FastifyRequest | undefined, status?: number): Promise<ErrorReference> {
    const { clock, workers = 1 } = this.#options;
    const at = clock.now();
    try {
      const rule = request && this.#ignoreRuleOf(error, request);
      if (rule !== undefined) {
        this.countRule(rule);
        return { id: undefined };
      }
      const snapshot = request && snapshotRequest(request);
      const responseStatus = status ?? errorStatus(error);
      const describe = () => describeError({ error, at, status: responseStatus, snapshot });
      if (responseStatus >= 500 || this.#queue.isCongested) return { id: await this.#queue.addAndWait(this.#describeRow(describe, at)) };
      if (workers > 1) await this.#queue.addAndSettle(this.#describeRow(describe, at));
      else this.add(describe, at);
    } catch (fault) {
      this.add(() => fallbackEntry(fault, at), at);
    }
    return { id: undefined };
  }

  #ignoreRuleOf(error: unknown, request: FastifyRequest): string | undefined {
    const { ignoredPaths = [] } = this.#options;
    if (ignoredPaths.length === 0 || !request.is404 || !(error instanceof NotFoundException)) return undefined;
    return matchPathRule(request.originalUrl.split("?", 1)[0]!, ignoredPaths);
  }

  countRule(rule: string, count = 1): void {
    const at = this.#options.clock.now();
    this.#counter.add({ rule, count, firstAt: at, lastAt: at });
  }

  async listSkipped(): Promise<RuleCount[]> {
    return (await this.#counter.list()).filter(({ rule }) => !TRIMMING_RULES.includes(rule));
  }

  async listTrimmed(): Promise<RuleCount[]> {
    return (await this.#counter.list()).filter(({ rule }) => TRIMMING_RULES.includes(rule));
  }

  add(describe: DescribeError, at: number): void {
    this.#queue.add(this.#describeRow(describe, at));
  }

  #describeRow(describe: DescribeError, at: number): NewErrorRow {
    try {
      const entry = describe();
      if (!("context" in entry)) return toRow(entry);
      const group = groupError(entry);
      const level = this.#limiter.take(group.id, entry.status, this.#options.clock.now());
      if (level === "path") this.countRule(REPEATS_RULE);
      return toRow(addContext(entry, level), group);
    } catch (error) {
      return toRow(fallbackEntry(error, at));
    }
  }

  recordFatal(error: unknown, request?: FastifyRequest): void {
    const at = this.#options.clock.now();
    this.add(() => describeError({ error, at, status: 500, snapshot: request && snapshotRequest(request) }), at);
    this.spoolAll();
  }

  /** Writes all pending entries to the spool before returning. The log remains usable. */
  spoolAll(): void {
    this.#queue.spoolAll();
  }

  flush(): Promise<void> {
    return this.#queue.flush();
  }

  drainSpool(): Promise<void> {
    return this.#queue.drainSpool();
  }

  async list(filter: ErrorFilter, slice: ErrorSlice): Promise<ErrorPage> {
    await this.#settle();
    return listErrorEntries(this.#options.database, filter, slice);
  }

  async find(id: number): Promise<ErrorEntry | undefined> {
    await this.#settle();
    return findErrorEntry(this.#options.database, id);
  }

  async listGroups(filter: ErrorFilter, slice: GroupSlice): Promise<GroupPage> {
    await this.#settle();
    return listGroups(this.#options.database, filter, slice);
  }

  /** Stores pending entries and ends expired mutes, so that reads are current. Reads still work if the database is read-only. */
  async #settle(): Promise<void> {
    await this.#queue.settle();
    await expireMutes(this.#options.database, this.#options.clock.now()).catch(() => {});
  }

  prune(): Promise<number> {
    return this.#maintenance.prune();
  }

  async close(): Promise<void> {
    await this.#maintenance.close();
    await this.#queue.close();
    await this.#counter.close();
  }
}

/** Records uncaught exceptions (which still end the process) and unhandled rejections, with the request that caused them. */
export function watchProcess(errors: ErrorLog): void {
  process.on("uncaughtExceptionMonitor", (error) => errors.recordFatal(error, currentRequest()));
  process.on("unhandledRejection", (reason) => void errors.record(reason, currentRequest()));
}

export function logUnhandledRejections(log: FastifyBaseLogger): void {
  process.on("unhandledRejection", (err) => log.error({ reqId: currentRequest()?.id, err }, "unhandled promise rejection"));
}
