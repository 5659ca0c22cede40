import { AVAIL_NOTIF } from "./avail-notif.ts";
import { AVAIL_RATE_UPDATE } from "./avail-rate-update.ts";
import { BOOKING_RULE_NOTIF } from "./booking-rule-notif.ts";
import { DESCRIPTIVE_CONTENT_NOTIF } from "./descriptive-content-notif.ts";
import type { ElementReference } from "./element.ts";
import { INV_COUNT_NOTIF } from "./inv-count-notif.ts";
import { INV_NOTIF } from "./inv-notif.ts";
import { AVAIL, AVAIL_GET, DESCRIPTIVE_INFO, HOTEL_RATE_PLAN, INV_COUNT, PING, PRODUCT, ROOM_LIST } from "./pulls.ts";
import { RATE_AMOUNT_NOTIF } from "./rate-amount-notif.ts";
import { RATE_PLAN_NOTIF } from "./rate-plan-notif.ts";
import { TRANSACTION } from "./transaction.ts";

/**
 * The elements and attributes of each message, by root element. To add one, list it in its message's file, or in `parts.ts` or `rates.ts`
 * if several messages share it: under `attributes` if a reader reads it, otherwise under `narrowing`, `notStored` or `harmless`. Then run
 * `npm run docs`.
 */
export const elements: Readonly<Record<string, readonly ElementReference[]>> = {
  OTA_PingRQ: PING,
  OTA_HotelInvCountNotifRQ: INV_COUNT_NOTIF,
  OTA_HotelAvailNotifRQ: AVAIL_NOTIF,
  OTA_HotelBookingRuleNotifRQ: BOOKING_RULE_NOTIF,
  OTA_HotelRateAmountNotifRQ: RATE_AMOUNT_NOTIF,
  OTA_HotelRatePlanNotifRQ: RATE_PLAN_NOTIF,
  OTA_HotelRatePlanRQ: HOTEL_RATE_PLAN,
  OTA_HotelAvailGetRQ: AVAIL_GET,
  OTA_HotelInvCountRQ: INV_COUNT,
  OTA_HotelDescriptiveContentNotifRQ: DESCRIPTIVE_CONTENT_NOTIF,
  OTA_HotelDescriptiveInfoRQ: DESCRIPTIVE_INFO,
  OTA_HotelInvNotifRQ: INV_NOTIF,
  OTA_HotelAvailRQ: AVAIL,
  OTA_HotelRoomListRQ: ROOM_LIST,
  OTA_HotelProductRQ: PRODUCT,
  AvailRateUpdateRQ: AVAIL_RATE_UPDATE,
  Transaction: TRANSACTION,
};
