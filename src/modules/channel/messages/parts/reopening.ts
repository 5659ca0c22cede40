import type { Night } from "../../../../calendar/night.ts";
import { EVERY_DAY, type Group, type Operation } from "../../../../calendar/operation.ts";
import type { Range } from "./dates.ts";

/**
 * Clears what a category's counts replace: the hotel's closing on those nights and, for counts of single rooms,
 * the category's own count. Neighbouring nights become one operation.
 */
export type Reopening = {
  /** Notes that counts were set: the category's, or those of a single room. */
  add(category: string, room: string, range: Range): void;
  /** Writes the noted clears; call it before each closing line, and at the end. */
  flush(): void;
};

/** The groups to clear in the category's lane. */
const CLOSED: readonly Group[] = ["closed"];
const COUNTS_AND_CLOSED: readonly Group[] = ["counts", "closed"];

type Run = { first: Night; last: Night; groups: readonly Group[] };

/** Writes its clears to `operations`. */
export function reopeningOf(operations: Operation[]): Reopening {
  const runs = new Map<string, Run>();
  function write(category: string, { first, last, groups }: Run): void {
    operations.push({ type: "clear", kind: "inventory", groups, category, lane: "", from: first, to: last });
  }
  return {
    add(category, room, { first, last, days }) {
      const groups = room === "" ? CLOSED : COUNTS_AND_CLOSED;
      if (days !== EVERY_DAY) return void clearOnDays(operations, category, { first, last, days, groups });
      const run = runs.get(category);
      if (run && run.groups === groups && first <= run.last + 1 && last >= run.first - 1) {
        run.first = Math.min(run.first, first);
        run.last = Math.max(run.last, last);
        return;
      }
      if (run) write(category, run);
      runs.set(category, { first, last, groups });
    },
    flush() {
      for (const [category, run] of runs) write(category, run);
      runs.clear();
    },
  };
}

function clearOnDays(operations: Operation[], category: string, { groups, ...range }: Range & { groups: readonly Group[] }): void {
  for (const group of groups) {
    operations.push({ type: "assign", kind: "inventory", category, lane: "", ...range, group, replace: true, values: [] });
  }
}
