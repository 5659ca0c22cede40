import type { ElementContext } from "../../report.ts";
import type { PropertyField, SentGroup } from "./property-read.ts";

type TimeSource = readonly [source: string, field: PropertyField];

const STAY_TIME_SOURCES: Readonly<Record<string, readonly TimeSource[]>> = {
  checkin: [
    ["Start", "checkInFrom"],
    ["End", "checkInUntil"],
  ],
  checkout: [["End", "checkOutUntil"]],
};

/** Reads check-in and check-out times. `StayRequirement` is more detailed than `PolicyInfo`, so it takes precedence. */
export function readStayTime(name: "PolicyInfo" | "StayRequirement", reading: ElementContext): SentGroup[] {
  if (name === "PolicyInfo") return [...readCheckIn(reading), ...readCheckOut(reading)];
  const context = reading.attributes.get("StayContext")?.trim().toLowerCase() ?? "";
  return (STAY_TIME_SOURCES[context] ?? []).map(([source, field]) =>
    toGroup(field, { source, text: reading.attributes.get(source) ?? "", rank: 0 }, reading),
  );
}

function readCheckIn(reading: ElementContext): SentGroup[] {
  const source = "CheckInTime";
  const [from, until = ""] = parseTimes(reading.attributes.get(source) ?? "");
  return [
    toGroup("checkInFrom", { source, text: from, rank: 1 }, reading),
    toGroup("checkInUntil", { source, text: until, rank: 1 }, reading),
  ];
}

function readCheckOut(reading: ElementContext): SentGroup[] {
  const source = "CheckOutTime";
  const times = parseTimes(reading.attributes.get(source) ?? "");
  return [toGroup("checkOutUntil", { source, text: times.at(-1)!, rank: 1 }, reading)];
}

type StayTime = { source: string; text: string; rank: number };

function toGroup(field: PropertyField, { source, text, rank }: StayTime, { at }: ElementContext): SentGroup {
  return { kind: field, rank, values: [{ field, source, text, at }] };
}

/** Parses a time, or a range such as `14:00-22:00`, which some senders use. */
function parseTimes(text: string): [string, ...string[]] {
  const [, from, until] = /^\s*(\d{1,2}:\d\d(?::\d\d)?)\s*[-–]\s*(\d{1,2}:\d\d(?::\d\d)?)\s*$/.exec(text) ?? [];
  return from !== undefined && until !== undefined ? [from, until] : [text];
}
