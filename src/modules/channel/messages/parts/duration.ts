import { formatNight, type Night } from "../../../../calendar/night.ts";

export type Duration = { months: number; days: number };

/** Reads an XML Schema duration. Also allows weeks and OpenTravel's nights: `P3D`, `P3N`, `P2W`, `P1Y6M`, `PT72H`. */
export function parseDuration(text: string): Duration | undefined {
  const parts = DURATION_PATTERN.exec(text.trim());
  if (!parts) return undefined;
  const [years, months, weeks, days, hours] = parts.slice(1).map((part) => Number(part ?? 0)) as [number, number, number, number, number];
  return hours % 24 === 0 ? { months: years * 12 + months, days: weeks * 7 + days + hours / 24 } : undefined;
}

/** Matches durations whose minutes and seconds, if any, are 0. */
const DURATION_PATTERN =
  /^P(?!$)(?:(\d{1,4})Y)?(?:(\d{1,4})M)?(?:(\d{1,4})W)?(?:(\d{1,5})[DN])?(?:T(?!$)(?:(\d{1,6})H)?(?:0+M)?(?:0+S)?)?$/;

/** Returns the number of nights in a duration that starts at `first`. A month that starts on 31 January ends at the end of February. */
export function nightsFrom(first: Night, duration: Duration): number {
  const start = Temporal.PlainDate.from(formatNight(first));
  return start.until(start.add(duration)).days;
}

/** Returns the approximate number of days: 365 per year, 30 per remaining month. */
export function approximateDays({ months, days }: Duration): number {
  return Math.floor(months / 12) * 365 + (months % 12) * 30 + days;
}
