import { day } from "./channel.ts";

export const amountsMessage = (hotel: string, lines: string, type = "Overlay") =>
  `<OTA_HotelRateAmountNotifRQ xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.0" NotifType="${type}"><RateAmountMessages HotelCode="${hotel}">${lines}</RateAmountMessages></OTA_HotelRateAmountNotifRQ>`;

export const amountsLine = (rates: string, target = 'InvTypeCode="DBL" RatePlanCode="BAR"', dates = `Start="${day(1)}" End="${day(2)}"`) =>
  `<RateAmountMessage><StatusApplicationControl ${dates} ${target}/><Rates>${rates}</Rates></RateAmountMessage>`;

export const rate = (amounts: string, attributes = "") => `<Rate ${attributes}><BaseByGuestAmts>${amounts}</BaseByGuestAmts></Rate>`;
export const base = (attributes: string) => `<BaseByGuestAmt ${attributes}/>`;
export const after = (guests: number, amount: string) => base(`NumberOfGuests="${guests}" AmountAfterTax="${amount}"`);

/** The lane of the rate plan that `amountsLine` names by default. */
export const PLAN = { kind: "rate", lane: "BAR" } as const;
