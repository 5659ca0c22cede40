import type { CountNight } from "../../grid/count-night.ts";
import { NEXT_NIGHTS } from "../../grid/next-nights.ts";
import { outlookPicture } from "../../grid/outlook.ts";
import type { Html } from "../../web/html.ts";
import { amount } from "../../web/parts/amount.ts";

/** The nights of a category as a small picture, with the fewest and the most free rooms. */
export function categoryOutlook(nights: readonly CountNight[] | undefined): Html {
  const values = (nights ?? []).map(({ closed, available }) => (closed ? 0 : available));
  return outlookPicture({ values, foot: 0, title: `The next ${NEXT_NIGHTS} nights`, word: amount, unit: "", none: "nothing received" });
}
