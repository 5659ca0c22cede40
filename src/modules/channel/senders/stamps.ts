import type { Admitted } from "../exchange.ts";
import { MAX_CODE_LENGTH } from "../limits.ts";
import type { Traffic } from "../traffic.ts";

/** A stamp this much older than the newest one is noted. */
const TOLERANCE_MS = 60_000;
/** How many pairs of sender and hotel are remembered; the oldest go first. */
const REMEMBERED = 20_000;

/**
 * Notes in the log when a message has an older stamp than an earlier message of its sender for the hotel. Messages still
 * count in the order of arrival: many senders stamp every message alike, or with a wrong clock.
 */
export function noteOrder({ stamps }: Traffic, { opened, who, startedAt }: Admitted, hotel: string): void {
  const { head, report } = opened.document!;
  const stamp = readStamp(head.timeStamp);
  if (stamp === undefined && head.timeStamp !== undefined) report.advise("TimeStamp is no date and time");
  if (stamp === undefined || hotel.length > MAX_CODE_LENGTH) return;
  const key = `${hotel}\n${who.state === "sender" ? who.name : ""}`;
  const last = stamps.get(key) ?? stamp;
  if (stamp < last - TOLERANCE_MS) report.advise("out of order? An earlier message has a later TimeStamp");
  stamps.delete(key);
  // One of a clock that was ahead once would make all that follow look late.
  stamps.set(key, Math.min(Math.max(stamp, last), startedAt));
  if (stamps.size > REMEMBERED) stamps.delete(stamps.keys().next().value!);
}

/** Milliseconds since 1970; without a zone the stamp is taken as UTC. */
function readStamp(text: string | undefined): number | undefined {
  const parts = /^\s*(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d(?:\.\d{1,9})?)(Z|[+-]\d\d:\d\d)?\s*$/.exec(text ?? "");
  const time = parts ? Date.parse(`${parts[1]}T${parts[2]}${parts[3] ?? "Z"}`) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}
