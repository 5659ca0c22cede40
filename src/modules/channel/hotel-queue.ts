import type { Database } from "../../db/database.ts";
import { MAX_WAITING } from "./limits.ts";

/** How many messages are under way for each hotel of a database. */
const underWay = new WeakMap<Database, Map<string, number>>();

/** Counts a message in and answers the function that counts it out; `undefined` when too many already wait. */
export function joinQueue(database: Database, hotel: string): (() => void) | undefined {
  const lengths = underWay.getOrInsertComputed(database, () => new Map<string, number>());
  const length = lengths.get(hotel) ?? 0;
  if (length > MAX_WAITING) return undefined;
  lengths.set(hotel, length + 1);
  return () => leave(lengths, hotel);
}

function leave(lengths: Map<string, number>, hotel: string): void {
  const left = lengths.get(hotel)! - 1;
  if (left === 0) lengths.delete(hotel);
  else lengths.set(hotel, left);
}
