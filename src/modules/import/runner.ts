import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../../clock.ts";
import type { Database } from "../../db/database.ts";
import { claimJob, releaseJob, renewJob } from "../../db/jobs.ts";
import type { By } from "../../records/audit.ts";
import { applyImport, ImportConflict } from "../../records/import/apply-store.ts";
import { findKind } from "../../records/import/kinds.ts";
import { prepareImport } from "../../records/import/prepare.ts";
import { findImport, type Import, changeImportState } from "../../records/import/store.ts";
import type { ErrorRecorder } from "../../web/error-handler.ts";
import { FileFault, readFile } from "./file.ts";

/** If a job was not renewed for this long, its process has died. */
const STALE_CLAIM_MS = 120_000;
const RENEW_INTERVAL_MS = 20_000;
/** The request waits this long, so that short steps finish before the response. */
const MAX_WAIT_MS = 1_500;

const UNEXPECTED_ERROR_TEXT = "This step failed because of an unexpected error. Nothing was changed. See the error log for details.";
const INTERRUPTED_TEXT = "The service stopped during this step. Nothing was changed. Try again.";

type RunnerDeps = { database: Database; clock: Clock; errors: ErrorRecorder };

type StepName = "reading" | "importing" | "undoing";
type StateBefore = "columns" | "ready" | "done";

/** The state that an import returns to if the step fails. */
const STATE_BEFORE: Readonly<Record<StepName, StateBefore>> = { reading: "columns", importing: "ready", undoing: "done" };

/** Runs the long steps of imports in the background of this process. */
export class ImportRunner {
  readonly #parts: RunnerDeps;
  readonly #running = new Map<number, { rows: number; ended: Promise<void> }>();

  constructor(parts: RunnerDeps) {
    this.#parts = parts;
  }

  /** Returns the number of rows that the import's current step has processed; undefined if this process isn't running a step. */
  progressOf(id: number): number | undefined {
    return this.#running.get(id)?.rows;
  }

  /** Starts a step and waits briefly for it to finish. Returns false if the import's state doesn't allow the step. */
  async start({ id, state }: Import, step: StepName, by: By): Promise<boolean> {
    const { database, clock } = this.#parts;
    if (!(await claimJob(database, { name: jobName(id), everyMs: STALE_CLAIM_MS }, clock.now()))) return false;
    if (state !== STATE_BEFORE[step] || !(await changeImportState(database, id, { from: state, to: step }))) {
      await releaseJob(database, jobName(id));
      return false;
    }
    const run = { rows: 0, ended: Promise.resolve() };
    this.#running.set(id, run);
    run.ended = this.#run(id, step, by).finally(() => this.#running.delete(id));
    await Promise.race([run.ended, sleep(MAX_WAIT_MS, undefined, { ref: false })]);
    return true;
  }

  /** Resets an import if the process that ran its step has died. */
  async recover(found: Import): Promise<Import> {
    const { database, clock } = this.#parts;
    const { id, state } = found;
    if ((state !== "reading" && state !== "importing" && state !== "undoing") || this.#running.has(id)) return found;
    if (!(await claimJob(database, { name: jobName(id), everyMs: STALE_CLAIM_MS }, clock.now()))) return found;
    await changeImportState(database, id, { from: state, to: STATE_BEFORE[state], fault: INTERRUPTED_TEXT });
    await releaseJob(database, jobName(id));
    return (await findImport(database, id)) ?? found;
  }

  async close(): Promise<void> {
    await Promise.all([...this.#running.values()].map(({ ended }) => ended));
  }

  async #run(id: number, step: StepName, by: By): Promise<void> {
    const { database, errors } = this.#parts;
    try {
      await this.#runStep(id, step, by);
    } catch (error) {
      const isExpected = error instanceof FileFault || error instanceof ImportConflict;
      if (!isExpected) await errors.record(error, undefined);
      await changeImportState(database, id, {
        from: step,
        to: STATE_BEFORE[step],
        fault: isExpected ? error.message : UNEXPECTED_ERROR_TEXT,
      });
    } finally {
      await releaseJob(database, jobName(id));
    }
  }

  async #runStep(id: number, step: StepName, by: By): Promise<void> {
    const { database } = this.#parts;
    const currentImport = (await findImport(database, id))!;
    const kind = findKind(currentImport.kind)!;
    const onProgress = this.#reporter(id);
    if (step !== "reading") return applyImport(database, { id, kind, direction: step === "importing" ? "import" : "undo", by, onProgress });
    await prepareImport({ database, kind, id, onProgress }, readFile(database, kind, currentImport));
    await changeImportState(database, id, { from: "reading", to: "ready" });
  }

  #reporter(id: number): (rows: number) => void {
    const { database, clock, errors } = this.#parts;
    let renewedAt = clock.now();
    return (rows) => {
      const run = this.#running.get(id);
      if (run) run.rows = rows;
      if (clock.now() - renewedAt < RENEW_INTERVAL_MS) return;
      renewedAt = clock.now();
      renewJob(database, jobName(id), renewedAt).catch((error: unknown) => errors.record(error, undefined));
    };
  }
}

function jobName(id: number): string {
  return `import ${id}`;
}
