import type { Night } from "../../../../calendar/night.ts";
import { EVERY_DAY, type Group, type Operation } from "../../../../calendar/operation.ts";
import type { Range } from "./dates.ts";

/**
 * What a category's counts take away: the hotel's closing on those nights and, for the counts of single rooms,
 * the count of the category itself. Neighbouring nights become one operation.
 */
export type Reopening = {
  /** Notes that counts were set: the category's, or those of a single room. */
  add(category: string, room: string, range: Range): void;
  /** Writes what was noted; call it before a line that closes, and at the end. */
  flush(): void;
};

/** What is cleared of the category's own lane. */
const CLOSED: readonly Group[] = ["closed"];
const COUNTS_AND_CLOSED: readonly Group[] = ["counts", "closed"];

type Run = { first: Night; last: Night; groups: readonly Group[] };

/** Writes what it notes to `operations`. */
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
