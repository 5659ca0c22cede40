import type { HotelReference } from "../../message.ts";
import type { Place } from "../../report.ts";
import type { Control } from "../parts/control.ts";
import type { Range } from "../parts/dates.ts";
import type { Restrictions } from "../parts/restrictions.ts";

/** Rooms for sale: set, or cleared by `RemoveLimit`. */
export type Limit = { rooms: number | undefined; threshold: number | undefined; messageType: string | undefined };

/** One `AvailStatusMessage`; an absent element changes nothing. */
export type Line = {
  /** The place of the element and its limit; `at` becomes that of its control once it is read. */
  start: Place;
  at: Place;
  control: Control | undefined;
  range: Range | undefined;
  limit: Limit | undefined;
  restrictions: Restrictions;
};

export type AvailStatus = { hotel: HotelReference; lines: readonly Line[]; completeSet: boolean };

/** Whether the message is one empty line, which clears everything. */
export function isReset({ lines }: Pick<AvailStatus, "lines">): boolean {
  return lines.length === 1 && lines[0]!.control === undefined && !hasContent(lines[0]!);
}

/** Whether the line sets anything. */
export function hasContent({ limit, restrictions }: Line): boolean {
  return limit !== undefined || restrictions.size > 0;
}
