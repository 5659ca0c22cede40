import { fieldMissing, ruleBroken } from "../../ota-error.ts";
import type { Place, Report, Spot } from "../../report.ts";
import type { Control } from "./control.ts";

type Line = { at: Place; control: Control | undefined };

/** An empty line clears the hotel, so it must come as a complete set. */
export function checkReset({ completeSet, lines }: { completeSet: boolean; lines: readonly Line[] }, report: Report): void {
  if (!completeSet) report.error(fieldMissing('UniqueID with Instance="CompleteSet" for a reset'), lines[0]!.at);
}

/** A message counts either categories or single rooms, never both. */
export function checkMixture(lines: readonly Line[], report: Report): void {
  const room = lines.find(({ control }) => control?.room !== undefined);
  const category = lines.find(({ control }) => control?.category !== undefined && control.room === undefined);
  if (!room || !category) return;
  const later = room.at.offset > category.at.offset ? room : category;
  report.error(ruleBroken("Room categories and single rooms must not be mixed in one message"), later.at);
}

/** Checks a line of AlpineBits FreeRooms in every version: it names a category by `InvTypeCode`, and no plan. */
export function checkFreeRoomsLine({ byInvCode, plan }: Control, { report, at }: Spot): void {
  if (byInvCode) report.error(fieldMissing("InvTypeCode"), at);
  if (plan !== undefined) report.error(ruleBroken("FreeRooms of AlpineBits has no rate plans"), at);
}
