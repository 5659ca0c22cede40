import { type Dialect, isStrict } from "../../dialects.ts";
import { fieldMissing, invalidWord, ruleBroken } from "../../ota-error.ts";
import type { Report, Spot } from "../../report.ts";
import { checkFreeRoomsLine, checkMixture, checkReset } from "../parts/check-counts.ts";
import { ALPINEBITS_TYPES, availableOf, type Counts, foreignTypeIn } from "./counts.ts";
import { type Inventories, isClosing, isReset, type Line } from "./line.ts";

/** Checks a message by itself; in the AlpineBits dialect also by the rules of FreeRooms. */
export function checkInventories(read: Inventories, dialect: Dialect, report: Report): void {
  if (read.lines.length === 0) report.error(fieldMissing("Inventory"), read.hotel.at);
  if (isReset(read)) checkReset(read, report);
  else for (const line of read.lines) checkTarget(line, report);
  checkMixture(read.lines, report);
  if (!isStrict(dialect)) return;
  for (const line of read.lines) checkLine(line, report);
  checkClosings(read.lines, report);
}

function checkTarget({ control, at }: Line, report: Report): void {
  if (!control) report.error(fieldMissing("StatusApplicationControl"), at);
  else if (!control.category && !control.plan && !control.all) report.error(fieldMissing("InvTypeCode"), at);
}

/** A single room may count more than one: AlpineBits' own messages do, and are to be taken. */
function checkLine({ control, counts, at }: Line, report: Report): void {
  if (control) checkFreeRoomsLine(control, { report, at });
  if (control?.all && control.category !== undefined) report.error(ruleBroken("A closing season is of the whole hotel"), at);
  if (counts) checkCounts(counts, { report, at });
}

/** Refuses other types: physical rooms alone would sell the category out. */
function checkCounts(counts: Counts, { report, at }: Spot): void {
  const other = foreignTypeIn(counts);
  if (other >= 0) report.error(invalidWord(String(other), "CountType", ALPINEBITS_TYPES.join(", ")), at);
}

function checkClosings(lines: readonly Line[], report: Report): void {
  let counted = false;
  for (const line of lines) {
    const all = line.control?.all === true && line.control.category === undefined;
    if (all && line.counts) report.error(ruleBroken("A closing season must not have InvCounts"), line.at);
    if (all && counted) report.error(ruleBroken("Closing seasons must come before everything else"), line.at);
    if (!all) counted = true;
  }
  checkOverlaps(lines, report);
}

function checkOverlaps(lines: readonly Line[], report: Report): void {
  const closings = lines.filter((line) => isClosing(line) && line.range).toSorted((a, b) => a.range!.first - b.range!.first);
  const crossed = closings.find((line, index) => index > 0 && line.range!.first <= closings[index - 1]!.range!.last);
  if (crossed) return report.error(ruleBroken("Closing seasons must not overlap"), crossed.at);
  for (const line of lines) {
    if (line.range && !isClosing(line) && (availableOf(line.counts) ?? 0) > 0 && isClosed(closings, line)) {
      report.error(ruleBroken("A closing season must not overlap a bookable period"), line.at);
    }
  }
}

/** Whether a line shares a night with a closing; `closings` are sorted and disjoint. */
function isClosed(closings: readonly Line[], { range }: Line): boolean {
  let low = 0;
  let high = closings.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (closings[middle]!.range!.last < range!.first) low = middle + 1;
    else high = middle;
  }
  return low < closings.length && closings[low]!.range!.first <= range!.last;
}
