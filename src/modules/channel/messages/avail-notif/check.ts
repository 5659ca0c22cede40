import type { Dialect } from "../../dialects.ts";
import { fieldMissing, invalidValue, ruleBroken } from "../../ota-error.ts";
import type { Report } from "../../report.ts";
import { type AvailStatus, isReset, type Line } from "./line.ts";

/** Rules that need nothing but the message; in the AlpineBits dialect those of its FreeRooms up to 2018-10 too. */
export function checkAvailStatus(read: AvailStatus, dialect: Dialect, report: Report): void {
  if (read.lines.length === 0) report.error(fieldMissing("AvailStatusMessage"), read.hotel.at);
  if (isReset(read)) return checkReset(read, report);
  for (const line of read.lines) checkTarget(line, report);
  checkMixture(read.lines, report);
  if (dialect.name === "alpinebits" && dialect.strict) for (const line of read.lines) checkFreeRooms(line, report);
}

function checkReset({ completeSet, lines }: AvailStatus, report: Report): void {
  if (!completeSet) report.error(fieldMissing('UniqueID with Instance="CompleteSet" for a reset'), lines[0]!.at);
}

/** Restrictions without a room or plan are the whole hotel's; a count has to say whose it is. */
function checkTarget({ control, limit, at }: Line, report: Report): void {
  if (!control) report.error(fieldMissing("StatusApplicationControl"), at);
  else if (limit && !control.category && !control.plan && !control.all) report.error(fieldMissing("InvTypeCode"), at);
}

function checkMixture(lines: readonly Line[], report: Report): void {
  const limits = lines.filter(({ limit }) => limit !== undefined);
  const room = limits.find(({ control }) => control?.room !== undefined);
  const category = limits.find(({ control }) => control?.category !== undefined && control.room === undefined);
  if (!room || !category) return;
  const later = room.at.offset > category.at.offset ? room : category;
  report.error(ruleBroken("Room categories and single rooms must not be mixed in one message"), later.at);
}

function checkFreeRooms({ control, limit, at }: Line, report: Report): void {
  if (control && !control.category && !limit) report.error(fieldMissing("InvTypeCode"), at);
  if (!limit) return report.error(fieldMissing("BookingLimit"), at);
  if (limit.messageType === undefined) report.error(fieldMissing("BookingLimitMessageType"), at);
  else if (limit.messageType !== "SetLimit") report.error(invalidValue(limit.messageType, "BookingLimitMessageType"), at);
  const { rooms = 0, threshold = 0 } = limit;
  if (control?.room !== undefined && rooms > 1) report.error(invalidValue(String(rooms), "BookingLimit of a single room"), at);
  if (threshold > rooms) report.error(invalidValue(String(threshold), `BookingThreshold with BookingLimit ${rooms}`), at);
}
