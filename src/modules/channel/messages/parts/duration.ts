import { formatNight, type Night } from "../../../../calendar/night.ts";

/** A length of time in whole months and days; years are months. */
export type Duration = { months: number; days: number };

/** Reads a duration of XML Schema, also with weeks, or with OpenTravel's nights: `P3D`, `P3N`, `P2W`, `P1Y6M`, `PT72H`. */
export function parseDuration(text: string): Duration | undefined {
  const parts = DURATION.exec(text.trim());
  if (!parts) return undefined;
  const [years, months, weeks, days, hours] = parts.slice(1).map((part) => Number(part ?? 0)) as [number, number, number, number, number];
  if (hours % HOURS_OF_DAY !== 0) return undefined;
  return { months: years * MONTHS_OF_YEAR + months, days: weeks * DAYS_OF_WEEK + days + hours / HOURS_OF_DAY };
}

/** Minutes and seconds may only be 0. */
const DURATION = /^P(?!$)(?:(\d{1,4})Y)?(?:(\d{1,4})M)?(?:(\d{1,4})W)?(?:(\d{1,5})[DN])?(?:T(?!$)(?:(\d{1,6})H)?(?:0+M)?(?:0+S)?)?$/;
const MONTHS_OF_YEAR = 12;
const DAYS_OF_WEEK = 7;
const HOURS_OF_DAY = 24;

/** The nights of a duration from `first` on: a month from 31 January ends with February. */
export function nightsFrom(first: Night, duration: Duration): number {
  const start = Temporal.PlainDate.from(formatNight(first));
  return start.until(start.add(duration)).days;
}

/** The approximate days of a duration: 365 in a year, 30 in each other month. */
export function daysOf({ months, days }: Duration): number {
  return Math.floor(months / MONTHS_OF_YEAR) * 365 + (months % MONTHS_OF_YEAR) * 30 + days;
}
