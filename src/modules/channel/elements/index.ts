import { AVAIL_NOTIF_ELEMENTS } from "./avail-notif.ts";
import { AVAIL_RATE_UPDATE_ELEMENTS } from "./avail-rate-update.ts";
import { BOOKING_RULE_NOTIF_ELEMENTS } from "./booking-rule-notif.ts";
import { DESCRIPTIVE_CONTENT_NOTIF_ELEMENTS } from "./descriptive-content-notif.ts";
import type { ElementReference } from "./element.ts";
import { INV_COUNT_NOTIF_ELEMENTS } from "./inv-count-notif.ts";
import { INV_NOTIF_ELEMENTS } from "./inv-notif.ts";
import {
  AVAIL_ELEMENTS,
  AVAIL_GET_ELEMENTS,
  DESCRIPTIVE_INFO_ELEMENTS,
  HOTEL_RATE_PLAN_ELEMENTS,
  INV_COUNT_ELEMENTS,
  PING_ELEMENTS,
  PRODUCT_ELEMENTS,
  ROOM_LIST_ELEMENTS,
} from "./pulls.ts";
import { RATE_AMOUNT_NOTIF_ELEMENTS } from "./rate-amount-notif.ts";
import { RATE_PLAN_NOTIF_ELEMENTS } from "./rate-plan-notif.ts";
import { TRANSACTION_ELEMENTS } from "./transaction.ts";

/**
 * The elements and attributes of each message, by root element. To add one, list it in its message's file, or in `parts.ts` or `rates.ts`
 * if several messages share it: under `attributes` if a reader reads it, otherwise under `narrowing`, `notStored` or `harmless`. Then run
 * `npm run docs`.
 */
export const elements: Readonly<Record<string, readonly ElementReference[]>> = {
  OTA_PingRQ: PING_ELEMENTS,
  OTA_HotelInvCountNotifRQ: INV_COUNT_NOTIF_ELEMENTS,
  OTA_HotelAvailNotifRQ: AVAIL_NOTIF_ELEMENTS,
  OTA_HotelBookingRuleNotifRQ: BOOKING_RULE_NOTIF_ELEMENTS,
  OTA_HotelRateAmountNotifRQ: RATE_AMOUNT_NOTIF_ELEMENTS,
  OTA_HotelRatePlanNotifRQ: RATE_PLAN_NOTIF_ELEMENTS,
  OTA_HotelRatePlanRQ: HOTEL_RATE_PLAN_ELEMENTS,
  OTA_HotelAvailGetRQ: AVAIL_GET_ELEMENTS,
  OTA_HotelInvCountRQ: INV_COUNT_ELEMENTS,
  OTA_HotelDescriptiveContentNotifRQ: DESCRIPTIVE_CONTENT_NOTIF_ELEMENTS,
  OTA_HotelDescriptiveInfoRQ: DESCRIPTIVE_INFO_ELEMENTS,
  OTA_HotelInvNotifRQ: INV_NOTIF_ELEMENTS,
  OTA_HotelAvailRQ: AVAIL_ELEMENTS,
  OTA_HotelRoomListRQ: ROOM_LIST_ELEMENTS,
  OTA_HotelProductRQ: PRODUCT_ELEMENTS,
  AvailRateUpdateRQ: AVAIL_RATE_UPDATE_ELEMENTS,
  Transaction: TRANSACTION_ELEMENTS,
};
