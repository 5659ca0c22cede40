import { type Dialect, isStrict } from "../../dialects.ts";
import { fieldMissing, invalidValue, invalidWord, ruleBroken } from "../../ota-error.ts";
import type { Report } from "../../report.ts";
import { checkFreeRoomsLine, checkMixture, checkReset } from "../parts/check-counts.ts";
import { type AvailStatus, isReset, type Line } from "./line.ts";

/** Checks a message by itself; in the AlpineBits dialect also by the rules of FreeRooms up to 2018-10. */
export function checkAvailStatus(read: AvailStatus, dialect: Dialect, report: Report): void {
  if (read.lines.length === 0) report.error(fieldMissing("AvailStatusMessage"), read.hotel.at);
  if (isReset(read)) return checkReset(read, report);
  for (const line of read.lines) checkTarget(line, report);
  checkMixture(
    read.lines.filter(({ limit }) => limit !== undefined),
    report,
  );
  if (isStrict(dialect)) for (const line of read.lines) checkFreeRooms(line, report);
}

/** Restrictions without room or plan apply to the whole hotel; a count must name its target. */
function checkTarget({ control, limit, at }: Line, report: Report): void {
  if (!control) report.error(fieldMissing("StatusApplicationControl"), at);
  else if (limit && !control.category && !control.plan && !control.all) report.error(fieldMissing("InvTypeCode"), at);
}

function checkFreeRooms({ control, limit, restrictions, start, at }: Line, report: Report): void {
  if (control) checkFreeRoomsLine(control, { report, at });
  if (restrictions.size > 0) report.error(ruleBroken("FreeRooms of AlpineBits has no restrictions"), at);
  // `checkTarget` reports a limit without any target.
  if (control && !control.category && (!limit || control.plan !== undefined || control.all)) report.error(fieldMissing("InvTypeCode"), at);
  if (!limit) return report.error(fieldMissing("BookingLimit"), start);
  if (limit.messageType === undefined) report.error(fieldMissing("BookingLimitMessageType"), start);
  else if (limit.messageType !== "SetLimit") report.error(invalidWord(limit.messageType, "BookingLimitMessageType", "SetLimit"), start);
  const { rooms = 0, threshold = 0 } = limit;
  if (control?.room !== undefined && rooms > 1) report.error(invalidValue(String(rooms), "BookingLimit of a single room"), start);
  if (threshold > rooms) report.error(invalidValue(String(threshold), `BookingThreshold with BookingLimit ${rooms}`), start);
}
