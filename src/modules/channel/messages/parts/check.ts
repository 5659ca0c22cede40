import { fieldMissing, ruleBroken } from "../../ota-error.ts";
import type { Place, Report, Spot } from "../../report.ts";
import type { Control } from "./control.ts";

type Line = { at: Place; control: Control | undefined };

/** A line without anything clears the hotel, so the sender has to say that a complete set is meant. */
export function checkReset({ completeSet, lines }: { completeSet: boolean; lines: readonly Line[] }, report: Report): void {
  if (!completeSet) report.error(fieldMissing('UniqueID with Instance="CompleteSet" for a reset'), lines[0]!.at);
}

/** The counts of a message are those of categories, or those of single rooms. */
export function checkMixture(lines: readonly Line[], report: Report): void {
  const room = lines.find(({ control }) => control?.room !== undefined);
  const category = lines.find(({ control }) => control?.category !== undefined && control.room === undefined);
  if (!room || !category) return;
  const later = room.at.offset > category.at.offset ? room : category;
  report.error(ruleBroken("Room categories and single rooms must not be mixed in one message"), later.at);
}

/** What FreeRooms of AlpineBits wants of a line in every version: a category under its own name, and no rate plan. */
export function checkFreeRoomsLine({ byInvCode, plan }: Control, { report, at }: Spot): void {
  if (byInvCode) report.error(fieldMissing("InvTypeCode"), at);
  if (plan !== undefined) report.error(ruleBroken("FreeRooms of AlpineBits has no rate plans"), at);
}
