import type { AlpineBitsVersion } from "../../dialects.ts";
import type { HotelRequest, Message, ReadContext } from "../../message.ts";
import { warnIfSetIsDue } from "../../updates/decide.ts";
import { PageSet } from "../../updates/pages.ts";
import { ALL_NIGHTS } from "../../updates/update.ts";
import { checkRatePlans } from "./check.ts";
import { decideRatePlans } from "./decide.ts";
import { examples } from "./examples.ts";
import type { PlanRead, RatePlans } from "./rate-plan.ts";
import { readRatePlans } from "./read.ts";

/** Whole rate plans: amounts, booking rules and texts; AlpineBits RatePlans. */
export const ratePlanNotif: Message = {
  root: "OTA_HotelRatePlanNotifRQ",
  about: "Sets whole rate plans: their amounts and booking rules on each night, and their texts, supplements and offers.",
  actions: [{ action: "OTA_HotelRatePlanNotif:RatePlans", handshake: "action_OTA_HotelRatePlanNotif_RatePlans", capabilities }],
  hotelElements: ["RatePlans"],
  read: (context) => readRatePlans(context, (read) => requestOf(read, context)),
  examples,
};

function capabilities(version: AlpineBitsVersion): readonly string[] {
  return [
    ...(version === "2024-10" ? ["OTA_HotelRatePlanNotif_accept_full"] : []),
    "OTA_HotelRatePlanNotif_accept_ArrivalDOW",
    "OTA_HotelRatePlanNotif_accept_DepartureDOW",
    "OTA_HotelRatePlanNotif_accept_RatePlan_BookingRule",
    "OTA_HotelRatePlanNotif_accept_RatePlan_RoomType_BookingRule",
    "OTA_HotelRatePlanNotif_accept_RatePlan_mixed_BookingRule",
    "OTA_HotelRatePlanNotif_accept_Supplements",
    "OTA_HotelRatePlanNotif_accept_FreeNightsOffers",
    "OTA_HotelRatePlanNotif_accept_FamilyOffers",
    "OTA_HotelRatePlanNotif_accept_overlay",
    "OTA_HotelRatePlanNotif_accept_RatePlanJoin",
    "OTA_HotelRatePlanNotif_accept_OfferRule_BookingOffset",
    "OTA_HotelRatePlanNotif_accept_OfferRule_DOWLOS",
  ];
}

function requestOf(read: RatePlans, { dialect, report }: ReadContext): HotelRequest {
  checkRatePlans(read, dialect, report);
  const lines = read.plans.reduce((sum, { rates, rules }) => sum + Math.max(1, rates.length + rules.length), 0);
  return {
    kind: "hotel",
    hotel: read.hotel,
    lines,
    pages: pagesOf(read),
    planDetails: true,
    decide(context) {
      if (!read.completeSet) warnIfSetIsDue(context, "rate plans");
      return decideRatePlans(read, context);
    },
  };
}

function pagesOf(read: RatePlans) {
  const pages = new PageSet();
  for (const plan of read.plans) if (plan.code !== undefined) addPages(pages, plan, plan.code);
  if (read.completeSet) pages.add({ kind: "rate", category: undefined, lane: undefined }, ALL_NIGHTS);
  return pages.list();
}

function addPages(pages: PageSet, plan: PlanRead, code: string): void {
  if (plan.type === "full" || plan.type === "remove") pages.add({ kind: "rate", category: undefined, lane: code }, ALL_NIGHTS);
  for (const { category, range } of plan.rates) if (range) pages.add({ kind: "rate", category, lane: code }, range);
  for (const { category, range } of plan.rules) {
    const { first = ALL_NIGHTS.first, last = ALL_NIGHTS.last } = range ?? {};
    if (range) pages.add({ kind: "rate", category, lane: code }, { ...range, first, last });
  }
}
