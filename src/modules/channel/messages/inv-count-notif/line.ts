import type { HotelReference } from "../../message.ts";
import type { Place } from "../../report.ts";
import { type Control, isOfHotel } from "../parts/control.ts";
import type { Range } from "../parts/dates.ts";
import type { Counts } from "./counts.ts";

/** One `Inventory`. Without a control it is empty; alone it is then a reset. */
export type Line = {
  at: Place;
  control: Control | undefined;
  range: Range | undefined;
  /** Absent: no `InvCounts`. */
  counts: Counts | undefined;
};

/** The whole message as it was read. */
export type Inventories = { hotel: HotelReference; lines: readonly Line[]; completeSet: boolean };

/** Whether the line closes the hotel instead of giving counts. */
export function isClosing({ control, counts }: Line): boolean {
  return control !== undefined && isOfHotel(control) && control.plan === undefined && counts === undefined;
}

/** Whether the message is one empty line, which clears everything. */
export function isReset({ lines }: Pick<Inventories, "lines">): boolean {
  return lines.length === 1 && lines[0]!.control === undefined && lines[0]!.counts === undefined;
}
