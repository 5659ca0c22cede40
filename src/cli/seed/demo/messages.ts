import { formatNight, type Night, parseNight } from "../../../calendar/night.ts";
import { type Hotel, SEASON_FACTORS, RATE_PLANS, type RoomType, roomTypesFor, WEEKEND_FACTOR } from "./hotels.ts";

const OTA = 'xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.0"';
const WEEKDAY_ATTRIBUTES = 'Mon="true" Tue="true" Weds="true" Thur="true" Sun="true" Fri="false" Sat="false"';
const WEEKEND_ATTRIBUTES = 'Fri="true" Sat="true" Mon="false" Tue="false" Weds="false" Thur="false" Sun="false"';

/** A range of nights, including the last one. */
export type NightRange = { first: Night; last: Night };

function dateAttributes({ first, last }: NightRange): string {
  return `Start="${formatNight(first)}" End="${formatNight(last)}"`;
}

/** Returns `count` ranges of nights, one per calendar month. The first one begins with the night `first`. */
export function monthsFrom(first: Night, count: number): NightRange[] {
  const months: NightRange[] = [];
  for (let start = first; months.length < count;) {
    const [year, month] = formatNight(start).split("-").map(Number) as [number, number];
    const firstOfNextMonth = parseNight(month === 12 ? `${year + 1}-01-01` : `${year}-${String(month + 1).padStart(2, "0")}-01`)!;
    months.push({ first: start, last: firstOfNextMonth - 1 });
    start = firstOfNextMonth;
  }
  return months;
}

export type CountLine = { category: string; nights: NightRange; count: number };

export function countsMessage(hotel: string, lines: readonly CountLine[], isComplete: "complete set" | "changes"): string {
  const uniqueId = isComplete === "complete set" ? '<UniqueID Type="16" ID="1" Instance="CompleteSet"/>' : "";
  const inventories = lines.map(
    ({ category, nights, count }) =>
      `<Inventory><StatusApplicationControl ${dateAttributes(nights)} InvTypeCode="${category}"/>` +
      `<InvCounts><InvCount CountType="2" Count="${count}"/></InvCounts></Inventory>`,
  );
  return `<OTA_HotelInvCountNotifRQ ${OTA}>${uniqueId}<Inventories HotelCode="${hotel}">${inventories.join("")}</Inventories></OTA_HotelInvCountNotifRQ>`;
}

/** Returns a message with monthly prices for every room type and plan. Weekends have their own prices. */
export function pricesMessage(hotel: Hotel, months: readonly NightRange[]): string {
  const lines = roomTypesFor(hotel).flatMap((room) =>
    RATE_PLANS.flatMap((plan) =>
      months.flatMap((nights) => [
        priceLine(hotel, { room, plan: plan.code, nights, days: WEEKDAY_ATTRIBUTES, factor: plan.factor }),
        priceLine(hotel, { room, plan: plan.code, nights, days: WEEKEND_ATTRIBUTES, factor: plan.factor * WEEKEND_FACTOR }),
      ]),
    ),
  );
  const messages = `<RateAmountMessages HotelCode="${hotel.code}">${lines.join("")}</RateAmountMessages>`;
  return `<OTA_HotelRateAmountNotifRQ ${OTA}>${messages}</OTA_HotelRateAmountNotifRQ>`;
}

type PriceLine = { room: RoomType; plan: string; nights: NightRange; days: string; factor: number };

function priceLine(hotel: Hotel, { room, plan, nights, days, factor }: PriceLine): string {
  const month = Number(formatNight(nights.first).slice(5, 7)) - 1;
  const price = Math.round(hotel.base * room.factor * factor * SEASON_FACTORS[hotel.season][month]!);
  const control = `<StatusApplicationControl ${dateAttributes(nights)} ${days} InvTypeCode="${room.code}" RatePlanCode="${plan}"/>`;
  return `<RateAmountMessage>${control}${rateElements(hotel, room.guests, price)}</RateAmountMessage>`;
}

function rateElements({ currency }: Hotel, guests: number, price: number): string {
  const amount = `<BaseByGuestAmt NumberOfGuests="${guests}" AmountAfterTax="${price}.00" CurrencyCode="${currency}"/>`;
  return `<Rates><Rate><BaseByGuestAmts>${amount}</BaseByGuestAmts></Rate></Rates>`;
}

/** Returns a message that changes one room type's price under the best available rate. */
export function priceChange(hotel: Hotel, { room, nights, price }: { room: RoomType; nights: NightRange; price: number }): string {
  const control = `<StatusApplicationControl ${dateAttributes(nights)} InvTypeCode="${room.code}" RatePlanCode="BAR"/>`;
  const line = `<RateAmountMessage>${control}${rateElements(hotel, room.guests, price)}</RateAmountMessage>`;
  const messages = `<RateAmountMessages HotelCode="${hotel.code}">${line}</RateAmountMessages>`;
  return `<OTA_HotelRateAmountNotifRQ ${OTA}>${messages}</OTA_HotelRateAmountNotifRQ>`;
}

export type LimitLine = { category?: string; plan?: string; nights: NightRange; content: string };

export function limitsMessage(hotel: string, lines: readonly LimitLine[]): string {
  const all = lines.map(({ category, plan, nights, content }) => {
    const codes = [category && ` InvTypeCode="${category}"`, plan && ` RatePlanCode="${plan}"`].filter(Boolean).join("");
    return `<AvailStatusMessage><StatusApplicationControl ${dateAttributes(nights)}${codes}/>${content}</AvailStatusMessage>`;
  });
  return `<OTA_HotelAvailNotifRQ ${OTA}><AvailStatusMessages HotelCode="${hotel}">${all.join("")}</AvailStatusMessages></OTA_HotelAvailNotifRQ>`;
}

export const CLOSE_ELEMENT = '<RestrictionStatus Status="Close"/>';
export const NO_ARRIVAL_ELEMENT = '<RestrictionStatus Restriction="Arrival" Status="Close"/>';
export const TWO_NIGHTS_ELEMENT =
  '<LengthsOfStay ArrivalDateBased="true"><LengthOfStay MinMaxMessageType="SetMinLOS" Time="2"/></LengthsOfStay>';

/** Returns `count` weekends (Friday and Saturday nights), starting with the given Friday. */
export function weekendsIn(friday: Night, count: number): NightRange[] {
  return Array.from({ length: count }, (_, week) => ({ first: friday + 7 * week, last: friday + 7 * week + 1 }));
}
