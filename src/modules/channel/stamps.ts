import type { Database } from "../../db/database.ts";
import type { Admitted } from "./exchange.ts";
import { MAX_CODE_LENGTH } from "./messages/parts/values.ts";

/** Stamps that lie further back than this behind the newest are worth a note. */
const TOLERANCE_MS = 60_000;
/** Senders times hotels that are remembered, the oldest given up first. */
const REMEMBERED = 20_000;

/** The newest stamp of each sender and hotel, since the start. */
const newest = new WeakMap<Database, Map<string, number>>();

/**
 * Notes in the log when a message is stamped before one that its sender sent earlier for the hotel. Messages count in the
 * order of their arrival all the same: many senders stamp every message alike, or with a clock that is wrong.
 */
export function noteOrder(database: Database, { opened, who }: Admitted, hotel: string): void {
  const { head, report } = opened.document!;
  const stamp = readStamp(head.timeStamp);
  if (stamp === undefined && head.timeStamp !== undefined) report.advise("TimeStamp is no date and time");
  if (stamp === undefined || hotel.length > MAX_CODE_LENGTH) return;
  const stamps = newest.get(database) ?? new Map<string, number>();
  newest.set(database, stamps);
  const key = `${hotel}\n${who.state === "sender" ? who.name : ""}`;
  const last = stamps.get(key) ?? stamp;
  if (stamp < last - TOLERANCE_MS) report.advise("out of order? An earlier message has a later TimeStamp");
  stamps.delete(key);
  stamps.set(key, Math.max(stamp, last));
  if (stamps.size > REMEMBERED) stamps.delete(stamps.keys().next().value!);
}

/** Milliseconds since 1970; without a zone the stamp is taken as UTC. */
function readStamp(text: string | undefined): number | undefined {
  const parts = /^\s*(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d(?:\.\d{1,9})?)(Z|[+-]\d\d:\d\d)?\s*$/.exec(text ?? "");
  const time = parts ? Date.parse(`${parts[1]}T${parts[2]}${parts[3] ?? "Z"}`) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}
