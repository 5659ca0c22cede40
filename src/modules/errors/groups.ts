import type { ErrorSummary } from "./entry.ts";

/** Entries that differ in nothing but names, numbers and times; `message` is that of the newest, times are UTC milliseconds. */
export type ErrorGroup = Pick<ErrorSummary, "class" | "message" | "source"> & {
  count: number;
  firstAt: number;
  lastAt: number;
  /** The newest of them. */
  lastId: number;
};

/** How groups stand below each other. */
export const GROUP_ORDERS = ["last", "count"] as const;
export type GroupOrder = (typeof GROUP_ORDERS)[number];

/** The groups of entries that stand newest first: those that came last first, or those that came most often. */
export function groupErrors(entries: readonly ErrorSummary[], order: GroupOrder): ErrorGroup[] {
  const groups = new Map<string, ErrorGroup>();
  for (const entry of entries) {
    const key = JSON.stringify([entry.source, entry.class, patternOf(entry.message)]);
    const known = groups.get(key);
    groups.set(key, known ? { ...known, count: known.count + 1, firstAt: entry.at } : newGroup(entry));
  }
  const all = [...groups.values()];
  return order === "last" ? all : all.toSorted((a, b) => b.count - a.count);
}

function newGroup({ id, at, class: name, message, source }: ErrorSummary): ErrorGroup {
  return { class: name, message, source, count: 1, firstAt: at, lastAt: at, lastId: id };
}

/** The message without what differs from one time to the next: what stands in quotes, ids and numbers. */
function patternOf(message: string): string {
  return message
    .replaceAll(/'[^']*'|"[^"]*"|“[^“”]*”/g, "''")
    .replaceAll(/\b[0-9a-f]{8,}\b/gi, "0")
    .replaceAll(/\d+/g, "0");
}
