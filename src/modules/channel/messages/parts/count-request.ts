import type { Dialect } from "../../dialects.ts";
import type { HotelReference, HotelRequest } from "../../message.ts";
import type { Control } from "./control.ts";
import type { Range } from "./dates.ts";
import type { PageSet } from "./pages.ts";
import { withReminder } from "./reminder.ts";

type CountsRead = { hotel: HotelReference; lines: readonly unknown[]; completeSet: boolean };

/** The request of a message about counts; asks AlpineBits senders for a complete set when one is due. */
export function countRequest(read: CountsRead, dialect: Dialect, own: Pick<HotelRequest, "pages" | "decide">): HotelRequest {
  const { hotel, lines, completeSet } = read;
  return withReminder({ kind: "hotel", hotel, lines: lines.length, ...own }, { dialect, kind: "counts", completeSet });
}

/** Adds the pages that a count touches: the room's, and the category's, whose count a single room's clears. */
export function addCountPages(pages: PageSet, { category, room }: Control, range: Range): void {
  pages.add({ kind: "inventory", category, lane: "" }, range);
  if (room !== undefined) pages.add({ kind: "inventory", category, lane: room }, range);
}
