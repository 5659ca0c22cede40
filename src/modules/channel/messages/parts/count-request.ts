import type { HotelReference, HotelRequest } from "../../message.ts";
import type { Control } from "./control.ts";
import type { Range } from "./dates.ts";
import type { PageSet } from "./page-set.ts";
import { remindOfCompleteSet } from "./reminder.ts";

type CountsRead = { hotel: HotelReference; lines: readonly unknown[]; completeSet: boolean };

/** The request of a message about counts; asks AlpineBits senders for a complete set when one is due. */
export function countRequest({ hotel, lines, completeSet }: CountsRead, own: Pick<HotelRequest, "pages" | "decide">): HotelRequest {
  return {
    kind: "hotel",
    hotel,
    lines: lines.length,
    pages: own.pages,
    decide(context) {
      if (!completeSet) remindOfCompleteSet(context, "counts");
      return own.decide(context);
    },
  };
}

/** Adds the pages that a count touches: the room's, and the category's, whose count a single room's clears. */
export function addCountPages(pages: PageSet, { category, room }: Control, range: Range): void {
  pages.add({ kind: "inventory", category, lane: "" }, range);
  if (room !== undefined) pages.add({ kind: "inventory", category, lane: room }, range);
}
