import { type Group, NO_VALUES } from "../../../calendar/attributes.ts";
import type { Night } from "../../../calendar/night.ts";
import { EVERY_DAY, type Operation } from "../../../calendar/operation.ts";
import type { WeekdayRange } from "./update.ts";

const CLOSED_GROUP: readonly Group[] = ["closed"];
const COUNT_AND_CLOSED_GROUPS: readonly Group[] = ["counts", "closed"];

type Run = { first: Night; last: Night; groups: readonly Group[] };

/**
 * Reopens the hotel on nights with new counts. If the counts are for an individual room, also clears the category's own count. Merges
 * consecutive nights.
 */
export class Reopening {
  readonly #operations: Operation[];
  readonly #runs = new Map<string, Run>();

  constructor(operations: Operation[]) {
    this.#operations = operations;
  }

  /** Adds nights for which a category or one of its rooms has new counts. */
  add(category: string, room: string, { first, last, days }: WeekdayRange): void {
    const groups = room === "" ? CLOSED_GROUP : COUNT_AND_CLOSED_GROUPS;
    const run = this.#runs.get(category);
    if (days === EVERY_DAY && run && run.groups === groups && first <= run.last + 1 && last >= run.first - 1) {
      run.first = Math.min(run.first, first);
      run.last = Math.max(run.last, last);
      return;
    }
    // Clears the earlier nights now. Clearing them later would also remove the values that this update sets.
    if (run) this.#write(category, run);
    if (days === EVERY_DAY) return void this.#runs.set(category, { first, last, groups });
    this.#runs.delete(category);
    clearOnDays(this.#operations, category, { first, last, days, groups });
  }

  /** Call this before each closing and at the end. */
  flush(): void {
    for (const [category, run] of this.#runs) this.#write(category, run);
    this.#runs.clear();
  }

  #write(category: string, { first, last, groups }: Run): void {
    this.#operations.push({ type: "clear", kind: "inventory", groups, category, lane: "", from: first, to: last });
  }
}

function clearOnDays(operations: Operation[], category: string, { groups, ...range }: WeekdayRange & { groups: readonly Group[] }): void {
  for (const group of groups) {
    operations.push({ type: "assign", kind: "inventory", category, lane: "", ...range, group, replace: true, values: NO_VALUES });
  }
}
