import { fieldMissing, ruleBroken } from "../../ota-error.ts";
import type { MessageReport, ReportContext } from "../../report.ts";
import type { Control, OpenLine } from "./control.ts";

type CountLine = Pick<OpenLine, "at" | "control">;

/** A reset consists of one empty line and must be a complete set. */
export function checkReset([line]: readonly CountLine[], { completeSet }: { completeSet: boolean }, report: MessageReport): void {
  if (!completeSet) report.error(fieldMissing('UniqueID with Instance="CompleteSet" for a reset'), line!.at);
}

/** Either all counts in a message must be for categories, or all must be for individual rooms. */
export function checkMixture(lines: readonly CountLine[], report: MessageReport): void {
  const room = lines.find(({ control }) => control?.room !== undefined);
  const category = lines.find(({ control }) => control?.category !== undefined && control.room === undefined);
  if (!room || !category) return;
  const laterLine = room.at.offset > category.at.offset ? room : category;
  report.error(ruleBroken("Room categories and individual rooms must not be mixed in one message"), laterLine.at);
}

/** A line with a count must name a category, a plan or the whole hotel. */
export function checkCountTarget({ control, at }: CountLine, report: MessageReport): void {
  if (!control) report.error(fieldMissing("StatusApplicationControl"), at);
  else if (!control.category && !control.plan && !control.wholeHotel) report.error(fieldMissing("InvTypeCode"), at);
}

/** In AlpineBits FreeRooms, a line must name a category by `InvTypeCode`, and no plan. */
export function checkFreeRoomsLine({ byInvCode, plan }: Control, { report, at }: ReportContext): void {
  if (byInvCode) report.error(fieldMissing("InvTypeCode"), at);
  if (plan !== undefined) report.error(ruleBroken("Rate plans are not allowed in AlpineBits FreeRooms"), at);
}
