const WRITTEN = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d)?)?$/;

/**
 * Reads a day, a minute or a second on the clock of the server (`TZ`): `YYYY-MM-DD`, `YYYY-MM-DDTHH:MM`, `YYYY-MM-DDTHH:MM:SS`, a blank
 * for the `T` too. Answers its first or its last millisecond since 1970; undefined when there is no such time.
 */
export function readMoment(text: string, edge: "first" | "last"): number | undefined {
  const [found, day, minutes, seconds] = WRITTEN.exec(text) ?? [];
  if (found === undefined) return undefined;
  try {
    const first = Temporal.PlainDateTime.from(`${day}T${minutes ?? "00:00"}${seconds ?? ""}`, { overflow: "reject" });
    if (edge === "first") return inZone(first);
    return inZone(first.add(lengthOf(minutes, seconds))) - 1;
  } catch {
    return undefined;
  }
}

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

function inZone(time: Temporal.PlainDateTime): number {
  return time.toZonedDateTime(zone).epochMilliseconds;
}

function lengthOf(minutes: string | undefined, seconds: string | undefined): Temporal.DurationLike {
  if (minutes === undefined) return { days: 1 };
  return seconds === undefined ? { minutes: 1 } : { seconds: 1 };
}
