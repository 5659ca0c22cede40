import { invalidWord, ruleBroken } from "../../ota-error.ts";
import type { MessageReport, ReportContext } from "../../report.ts";
import { checkFreeRoomsLine } from "../parts/check-counts.ts";
import type { OpenLine } from "../parts/control.ts";
import { ALPINEBITS_TYPES, roomsForSale, type CountsByType, findForeignType } from "./counts.ts";

/** An `Inventory` element. A line without a control is empty. A message that contains only an empty line is a reset. */
export type InventoryLine = OpenLine & {
  counts: CountsByType | undefined;
};

export function isClosing({ control, counts }: InventoryLine): boolean {
  return isForWholeHotel({ control }) && control!.plan === undefined && counts === undefined;
}

function isForWholeHotel({ control }: Pick<InventoryLine, "control">): boolean {
  return control?.wholeHotel === true && control.category === undefined;
}

export function checkFreeRooms(lines: readonly InventoryLine[], report: MessageReport): void {
  for (const line of lines) checkLine(line, report);
  checkClosings(lines, report);
}

/** Checks a line. Allows counts above one for individual rooms, because AlpineBits' own samples contain them. */
function checkLine({ control, counts, at }: InventoryLine, report: MessageReport): void {
  if (control) checkFreeRoomsLine(control, { report, at });
  if (control?.wholeHotel && control.category !== undefined) report.error(ruleBroken("A closing season must be for the whole hotel"), at);
  if (counts) checkCounts(counts, { report, at });
}

/**
 * Refuses count types that AlpineBits doesn't define. Otherwise a physical count without availability would mark the category as sold out.
 */
function checkCounts(counts: CountsByType, { report, at }: ReportContext): void {
  const foreignType = findForeignType(counts);
  if (foreignType >= 0) report.error(invalidWord(String(foreignType), "CountType", ALPINEBITS_TYPES.join(", ")), at);
}

function checkClosings(lines: readonly InventoryLine[], report: MessageReport): void {
  let hasCounts = false;
  for (const line of lines) {
    if (!isForWholeHotel(line)) hasCounts = true;
    else {
      if (line.counts) report.error(ruleBroken("A closing season must not have InvCounts"), line.at);
      if (hasCounts) report.error(ruleBroken("Closing seasons must come before everything else"), line.at);
    }
  }
  checkOverlaps(lines, report);
}

function checkOverlaps(lines: readonly InventoryLine[], report: MessageReport): void {
  const closings = lines.filter((line) => isClosing(line) && line.nights).toSorted((a, b) => a.nights!.first - b.nights!.first);
  const overlappingLine = closings.find((line, index) => index > 0 && line.nights!.first <= closings[index - 1]!.nights!.last);
  if (overlappingLine) return report.error(ruleBroken("Closing seasons must not overlap"), overlappingLine.at);
  for (const line of lines) {
    if (line.nights && !isClosing(line) && (roomsForSale(line.counts) ?? 0) > 0 && isClosed(closings, line)) {
      report.error(ruleBroken("A closing season must not overlap a bookable period"), line.at);
    }
  }
}

/** Whether a line contains a night in a closing season. `closings` are sorted and disjoint. */
function isClosed(closings: readonly InventoryLine[], { nights }: InventoryLine): boolean {
  let low = 0;
  let high = closings.length;
  while (low < high) {
    const middleIndex = (low + high) >> 1;
    if (closings[middleIndex]!.nights!.last < nights!.first) low = middleIndex + 1;
    else high = middleIndex;
  }
  return low < closings.length && closings[low]!.nights!.first <= nights!.last;
}
