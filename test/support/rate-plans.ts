import { day } from "./channel.ts";

export const COMPLETE_SET = '<UniqueID Type="16" ID="1" Instance="CompleteSet"/>';
export const message = (hotel: string, plans: string, head = "") =>
  `<OTA_HotelRatePlanNotifRQ xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.0">${head}<RatePlans HotelCode="${hotel}">${plans}</RatePlans></OTA_HotelRatePlanNotifRQ>`;
export const plan = (type: string, parts = "", attributes = 'RatePlanCode="BAR"') =>
  `<RatePlan RatePlanNotifType="${type}" ${attributes}>${parts}</RatePlan>`;
export const rates = (...parts: string[]) => `<Rates>${parts.join("")}</Rates>`;
export const fixed = (type: string, more = "") =>
  `<Rate RateTimeUnit="Day" UnitMultiplier="1"><BaseByGuestAmts><BaseByGuestAmt Type="${type}"/></BaseByGuestAmts>${more}</Rate>`;
export const HALF_BOARD = '<MealsIncluded MealPlanIndicator="true" MealPlanCodes="12"/>';
export const nights = (from: number, to: number) => `Start="${day(from)}" End="${day(to)}"`;
export const after = (guests: number, amount: string) => `<BaseByGuestAmt NumberOfGuests="${guests}" AmountAfterTax="${amount}"/>`;
export const rate = (dates: string, amounts: string, more = "") =>
  `<Rate ${dates}><BaseByGuestAmts>${amounts}</BaseByGuestAmts>${more}</Rate>`;
export const doubles = (from: number, to: number, amount: string) => rate(`InvTypeCode="DBL" ${nights(from, to)}`, after(2, amount));
export const rules = (...parts: string[]) => `<BookingRules>${parts.join("")}</BookingRules>`;
export const rule = (attributes: string, content: string) => `<BookingRule ${attributes}>${content}</BookingRule>`;
export const stay = (kind: string, time: number) =>
  `<LengthsOfStay><LengthOfStay Time="${time}" TimeUnit="Day" MinMaxMessageType="${kind}"/></LengthsOfStay>`;
export const master = (status: string) => `<RestrictionStatus Restriction="Master" Status="${status}"/>`;
export const BAR = { kind: "rate", lane: "BAR" } as const;
export const ALPINEBITS = { transport: "alpinebits", action: "OTA_HotelRatePlanNotif:RatePlans", version: "2024-10" } as const;
