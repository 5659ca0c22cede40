import type { FastifyRequest } from "fastify";
import type { Clock } from "../clock.ts";
import type { Database } from "../db/database.ts";
import type { ErrorRecorder, ErrorReference } from "../web/error-recorder.ts";
import { NotFoundException, statusOf } from "../web/http-error.ts";
import { complete } from "./describe/cut.ts";
import { describeThrown } from "./describe/error.ts";
import { groupingOf } from "./describe/grouping.ts";
import { CUTS, OVERSIZE, REPEATS, rulePath, SPOOL_FULL } from "./describe/ignore.ts";
import { seeRequest } from "./describe/request.ts";
import { fallbackEntry, toRow } from "./describe/row.ts";
import type { ErrorEntry, ErrorOutline, NewErrorEntry } from "./entry.ts";
import { Repeats } from "./repeats.ts";
import type { Drop } from "./storage/drop-store.ts";
import { Drops } from "./storage/drops.ts";
import { type GroupSlice, listGroups } from "./storage/group-store.ts";
import type { GroupPage } from "./storage/group.ts";
import { type ErrorFilter, type ErrorPage, type ErrorSlice, findErrorEntry, listErrorEntries } from "./storage/list-store.ts";
import { ErrorQueue, type SpoolLog } from "./storage/queue.ts";
import { endMutes } from "./storage/state-store.ts";
import type { NewErrorRow } from "./storage/store.ts";
import type { Telling } from "./storage/tally-store.ts";
import { Upkeep } from "./storage/upkeep.ts";

export type ErrorLogOptions = {
  database: Database;
  clock: Clock;
  /** Where entries wait in a file while the database cannot be written. */
  dataDir: string;
  keepDays: number;
  /** Number of entries that are kept. */
  keep: number;
  /** Maximum size of the log in bytes; none when absent. */
  keepBytes?: number;
  /** Patterns of unknown paths that are only counted; none when absent. */
  ignoredPaths?: readonly string[];
  /** Whether somebody is told of groups that are new or come again; nobody when absent. */
  telling?: Telling;
};

type Describe = () => ErrorOutline | NewErrorEntry;

/** The error log of this process. An entry is described at once, for a request that is kept until later costs more than its text. */
export class ErrorLog implements ErrorRecorder {
  readonly #options: ErrorLogOptions;
  readonly #queue: ErrorQueue;
  readonly #drops: Drops;
  readonly #repeats = new Repeats();
  readonly #upkeep: Upkeep;

  constructor(options: ErrorLogOptions) {
    this.#options = options;
    this.#drops = new Drops(options.database);
    const { keepBytes = Number.POSITIVE_INFINITY } = options;
    this.#queue = new ErrorQueue({
      telling: "untold",
      ...options,
      spoolBytes: keepBytes / 2,
      lose: (count) => this.drop(SPOOL_FULL, count),
      onStored: (bytes) => this.#upkeep.noteStored(bytes),
    });
    this.#upkeep = new Upkeep({ ...options, keepBytes, onOversize: (count) => this.drop(OVERSIZE, count) });
  }

  /** From now on `log` is told when entries begin to wait for the database, and when none does any more. */
  tellTo(log: SpoolLog): void {
    this.#queue.tellTo(log);
  }

  /** `status` is what the client is answered, where the error does not say it. From 500 on the id is waited for. Never rejects. */
  async record(error: unknown, request: FastifyRequest | undefined, status?: number): Promise<ErrorReference> {
    const at = this.#options.clock.now();
    try {
      const rule = request && this.#ruleFor(error, request);
      if (rule !== undefined) {
        this.drop(rule);
        return { id: undefined };
      }
      const seen = request && seeRequest(request);
      const answered = status ?? statusOf(error);
      const describe = () => describeThrown({ error, at, status: answered, seen });
      if (answered >= 500 || this.#queue.crowded) return { id: await this.#queue.addAndWait(this.#describeRow(describe, at)) };
      this.add(describe, at);
    } catch (fault) {
      this.add(() => fallbackEntry(fault, at), at);
    }
    return { id: undefined };
  }

  #ruleFor(error: unknown, request: FastifyRequest): string | undefined {
    const { ignoredPaths = [] } = this.#options;
    if (ignoredPaths.length === 0 || !request.is404 || !(error instanceof NotFoundException)) return undefined;
    return rulePath(request.originalUrl.split("?", 1)[0]!, ignoredPaths);
  }

  /** Counts errors that `rule` leaves out. */
  drop(rule: string, count = 1): void {
    const at = this.#options.clock.now();
    this.#drops.count({ rule, count, firstAt: at, lastAt: at });
  }

  /** How many errors were left out of the log, by rule. */
  async listDrops(): Promise<Drop[]> {
    return (await this.#drops.list()).filter(({ rule }) => !CUTS.includes(rule));
  }

  /** How many entries lack their context, and how many were deleted early. */
  async listCuts(): Promise<Drop[]> {
    return (await this.#drops.list()).filter(({ rule }) => CUTS.includes(rule));
  }

  /** Takes the entry that `describe` makes. */
  add(describe: Describe, at: number): void {
    this.#queue.add(this.#describeRow(describe, at));
  }

  /** Whatever was thrown, its entry is made: a fault in describing it is described instead. */
  #describeRow(describe: Describe, at: number): NewErrorRow {
    try {
      const described = describe();
      if (!("context" in described)) return toRow(described);
      const group = groupingOf(described);
      const kept = this.#repeats.isTooFast(group.id, this.#options.clock.now()) ? "path" : "whole";
      if (kept === "path") this.drop(REPEATS);
      return toRow(complete(described, kept), group);
    } catch (error) {
      return toRow(fallbackEntry(error, at));
    }
  }

  /** Records the error that ends the process, and all that was still to be stored, before returning. */
  recordFatal(error: unknown, request?: FastifyRequest): void {
    const at = this.#options.clock.now();
    this.add(() => describeThrown({ error, at, status: 500, seen: request && seeRequest(request) }), at);
    this.spoolAll();
  }

  /** Puts all that is not stored yet into the spool, before returning. What comes later still finds its way. */
  spoolAll(): void {
    this.#queue.spoolAll();
  }

  /** Resolves when everything recorded before is in the database, or in the spool. Never rejects. */
  flush(): Promise<void> {
    return this.#queue.flush();
  }

  /** Hands the spool to the database. Never rejects: what cannot be taken in stays where it is. */
  takeIn(): Promise<void> {
    return this.#queue.takeIn();
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

  /** What was recorded up to now can be read after this, and mutes that are over are, unless nothing can be written just now. */
  async #settle(): Promise<void> {
    await this.#queue.settle();
    await endMutes(this.#options.database, this.#options.clock.now()).catch(() => {});
  }

  /** Deletes what is older or more than is kept. Answers how many entries went. */
  prune(): Promise<number> {
    return this.#upkeep.prune();
  }

  /** Stores what is left and stops. The database has to be open still; what it does not take in time goes to the spool. */
  async close(): Promise<void> {
    await this.#upkeep.close();
    await this.#queue.close();
    await this.#drops.close();
  }
}
