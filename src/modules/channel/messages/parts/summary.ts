import { formatNight } from "../../../../calendar/night.ts";
import { counted } from "../../../../web/parts/amount.ts";
import type { Range } from "./dates.ts";

/** Words for the message log: one line in full, many as their number and range. */
export type Summary = {
  /** What the first line does; said when it is the only one. */
  what: string | undefined;
  add(target: string, range: Range): void;
  text(): string;
};

/** A category, or one of its rooms where `room` is not empty. */
export function roomName(category: string, room: string): string {
  return room === "" ? category : `${category} room ${room}`;
}

/** A category under a rate plan, or under none where `plan` is empty. */
export function rateName(category: string, plan: string): string {
  return plan === "" ? category : `${category}/${plan}`;
}

/** A summary of no lines. */
export function newSummary(): Summary {
  const targets = new Set<string>();
  let lines = 0;
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  return {
    what: undefined,
    add(target, range) {
      lines++;
      if (targets.size < 4) targets.add(target);
      if (range.first < first) first = range.first;
      if (range.last > last) last = range.last;
    },
    text() {
      if (lines === 0) return "Nothing to store";
      const range = first === last ? formatNight(first) : `${formatNight(first)} to ${formatNight(last)}`;
      if (lines === 1) return `${[...targets][0]} ${range}: ${this.what}`;
      const named = targets.size < 4 ? [...targets].join(", ") : `${[...targets].slice(0, 3).join(", ")} and more`;
      return `${named}, ${range}: ${counted(lines, "line")}`;
    },
  };
}
