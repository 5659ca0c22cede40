import type { PageRequest } from "../../../../journal/work.ts";
import type { HotelRequest, Message, ReadContext } from "../../message.ts";
import { note } from "../../ota-error.ts";
import { PageSet } from "../parts/page-set.ts";
import { checkRateAmounts } from "./check.ts";
import { decideRateAmounts } from "./decide.ts";
import { examples } from "./examples.ts";
import type { RateAmounts } from "./line.ts";
import { RateAmountsReader } from "./read.ts";

/** Amounts of nights. */
export const rateAmountNotif: Message = {
  root: "OTA_HotelRateAmountNotifRQ",
  about: "Sets the amounts of a category under a rate plan on each night, by number of guests, before or after tax.",
  actions: [],
  hotelElements: ["RateAmountMessages"],
  read: (context) => new RateAmountsReader(context, (read) => requestOf(read, context)),
  examples,
};

function requestOf(read: RateAmounts, { head, report }: ReadContext): HotelRequest {
  if (head.completeSet) report.warn(note("amounts have no CompleteSet: those of other nights stay"));
  checkRateAmounts(read, report);
  const lines = read.lines.reduce((sum, { rates }) => sum + Math.max(1, rates.length), 0);
  return {
    kind: "hotel",
    hotel: read.hotel,
    lines,
    pages: pagesOf(read),
    decide: (context) => decideRateAmounts(read, context),
  };
}

function pagesOf(read: RateAmounts): readonly PageRequest[] {
  const pages = new PageSet();
  for (const { control, range: ofLine, rates } of read.lines) {
    if (!control) continue;
    const named = ofLine ? [{ range: ofLine, category: undefined }] : rates;
    for (const { category = control.category, range } of named) {
      if (range) pages.add({ kind: "rate", category, lane: control.plan ?? "" }, range);
    }
  }
  return pages.list();
}
