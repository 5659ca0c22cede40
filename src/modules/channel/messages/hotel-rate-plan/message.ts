import type { PageRequest } from "../../../../journal/work.ts";
import { MAX_PLANS } from "../../limits.ts";
import type { HotelRequest, Message } from "../../message.ts";
import { ALL_NIGHTS } from "../../updates/update.ts";
import { decideRates } from "./decide.ts";
import { examples } from "./examples.ts";
import { askedNights, hullOf, type RatesQuery } from "./query.ts";
import { readQuery } from "./read.ts";

/** Answers the stored amounts; AlpineBits BaseRates. */
export const hotelRatePlan: Message = {
  root: "OTA_HotelRatePlanRQ",
  about: "Answers the stored amounts by rate plan and category, nights with the same amounts as one range.",
  actions: [{ action: "OTA_HotelRatePlan:BaseRates", handshake: "action_OTA_HotelRatePlan_BaseRates", capabilities: () => [] }],
  hotelElements: ["HotelRef", "RatePlans"],
  read: (context) => readQuery(context, requestOf),
  examples,
};

function requestOf(query: RatesQuery): HotelRequest {
  return {
    kind: "hotel",
    hotel: query.hotel,
    lines: 1,
    pages: pagesOf(query),
    planDetails: true,
    decide: (context) => decideRates(query, context),
  };
}

function pagesOf(query: RatesQuery): PageRequest[] {
  const nights = hullOf(askedNights(query, ALL_NIGHTS));
  if (!nights) return [];
  const plans = plansOf(query);
  return plans ? plans.map((lane) => ({ kind: "rate", lane, ...nights })) : [{ kind: "rate", ...nights }];
}

/** The requested plans; `undefined` if all must be read: joined plans are found only by their details. */
function plansOf({ candidates }: RatesQuery): string[] | undefined {
  const codes = new Set(candidates.map(({ code }) => code));
  if (codes.size === 0 || codes.size > MAX_PLANS || codes.has(undefined)) return undefined;
  return [...codes] as string[];
}
