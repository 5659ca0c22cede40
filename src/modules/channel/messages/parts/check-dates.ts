import { fieldMissing, invalidDate, ruleBroken } from "../../ota-error.ts";
import type { Spot } from "../../report.ts";
import { type DatesRead, looksLikeDate } from "./dates.ts";

/** Checks the nights of an AlpineBits line: both ends given, as `xs:date`, without `Duration` or day flags. */
export function checkPeriod(dates: DatesRead, spot: Spot): void {
  checkEnds(dates, spot);
  if (dates.named !== 0) spot.report.error(ruleBroken("AlpineBits has no days of the week here"), spot.at);
}

/** As `checkPeriod`, but day flags are allowed. */
export function checkEnds({ start, end, duration }: DatesRead, { report, at }: Spot): void {
  if (start !== undefined && end === undefined) report.error(fieldMissing("End"), at);
  if (duration !== undefined) report.error(ruleBroken("AlpineBits has no Duration here"), at);
  checkDates({ start, end }, { report, at });
}

/** Dates in AlpineBits have no time of day. */
export function checkDates({ start, end }: Pick<DatesRead, "start" | "end">, { report, at }: Spot): void {
  for (const [field, text] of Object.entries({ Start: start, End: end })) {
    if (text !== undefined && looksLikeDate(text) && !EXACT.test(text)) report.error(invalidDate(text, field), at);
  }
}

const EXACT = /^\s*\d{4}-\d\d-\d\d(?:Z|[+-]\d\d:\d\d)?\s*$/;
