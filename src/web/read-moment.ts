import { serverZone } from "./parts/moment.ts";

const WRITTEN = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d(?:\.\d{1,3})?)?(Z|[+ -]\d\d:\d\d)?)?$/;

/**
 * Reads a day, a minute, a second or a part of one: `YYYY-MM-DD`, `YYYY-MM-DDTHH:MM`, `YYYY-MM-DDTHH:MM:SS` and `YYYY-MM-DDTHH:MM:SS.sss`,
 * a blank for the `T` too. A time is on the clock of the server (`TZ`), or in the zone that follows it: `Z` or `+HH:MM`, of whose plus an
 * address makes a blank. Answers its first or its last millisecond since 1970, of a time that a clock shows twice that of the earlier
 * or the later; undefined when there is no such time.
 */
export function readMoment(text: string, edge: "first" | "last"): number | undefined {
  const [found, day, minutes, seconds, offset] = WRITTEN.exec(text) ?? [];
  if (found === undefined) return undefined;
  try {
    const first = Temporal.PlainDateTime.from(`${day}T${minutes ?? "00:00"}${seconds ?? ""}`);
    if (edge === "first") return first.toZonedDateTime(zoneOf(offset)).epochMilliseconds;
    const last = first.add(lengthOf(minutes, seconds)).subtract({ milliseconds: 1 });
    return last.toZonedDateTime(zoneOf(offset), { disambiguation: "later" }).epochMilliseconds;
  } catch {
    return undefined;
  }
}

function zoneOf(offset: string | undefined): string {
  if (offset === undefined) return serverZone;
  return offset === "Z" ? "UTC" : offset.replace(" ", "+");
}

function lengthOf(minutes: string | undefined, seconds: string | undefined): Temporal.DurationLike {
  if (minutes === undefined) return { days: 1 };
  if (seconds === undefined) return { minutes: 1 };
  return seconds.includes(".") ? { milliseconds: 1 } : { seconds: 1 };
}
