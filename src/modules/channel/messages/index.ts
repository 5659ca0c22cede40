import type { Message, PublishedMessage } from "../message.ts";
import { availGet } from "./avail-get/message.ts";
import { availNotif } from "./avail-notif/message.ts";
import { availRateUpdate } from "./avail-rate-update/message.ts";
import { avail } from "./avail/message.ts";
import { bookingRuleNotif } from "./booking-rule-notif/message.ts";
import { descriptiveContentNotif } from "./descriptive-content-notif/message.ts";
import { descriptiveInfo } from "./descriptive-info/message.ts";
import { hotelRatePlan } from "./hotel-rate-plan/message.ts";
import { invCountNotif } from "./inv-count-notif/message.ts";
import { invCount } from "./inv-count/message.ts";
import { invNotif } from "./inv-notif/message.ts";
import { jsonValues } from "./json-values/message.ts";
import { ping } from "./ping/message.ts";
import { product } from "./product/message.ts";
import { rateAmountNotif } from "./rate-amount-notif/message.ts";
import { ratePlanNotif } from "./rate-plan-notif/message.ts";
import { roomList } from "./room-list/message.ts";
import { transaction } from "./transaction/message.ts";

/** All supported XML messages; the handshake advertises exactly these. */
export const messages: readonly Message[] = [
  ping,
  invCountNotif,
  availNotif,
  bookingRuleNotif,
  rateAmountNotif,
  ratePlanNotif,
  hotelRatePlan,
  availGet,
  invCount,
  descriptiveContentNotif,
  descriptiveInfo,
  invNotif,
  avail,
  roomList,
  product,
  availRateUpdate,
  transaction,
];

/** All supported messages, including JSON. */
export const publishedMessages: readonly PublishedMessage[] = [...messages, jsonValues];
