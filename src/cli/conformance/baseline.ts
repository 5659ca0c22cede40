import { formatNight, type Night } from "../../calendar/night.ts";

const NAMESPACE = 'xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.0"';

/** How many nights have something before a message comes, so that what it takes away or leaves alone can be seen. */
export const BASELINE_NIGHTS = 700;

export type Held = { hotel: string; categories: readonly string[]; plans: readonly string[]; from: Night };

/** Messages after which seven rooms of each category are for sale, for 60, 70 and 80 under each plan. */
export function baselineMessages({ hotel, categories, plans, from }: Held): string[] {
  if (categories.length === 0) return [];
  const dates = `Start="${formatNight(from)}" End="${formatNight(from + BASELINE_NIGHTS)}"`;
  const counts = categories.map(
    (code) =>
      `<Inventory><StatusApplicationControl ${dates} InvTypeCode="${code}"/><InvCounts><InvCount CountType="2" Count="7"/></InvCounts></Inventory>`,
  );
  const rates = categories.flatMap((code) => plans.map((plan) => rate(`${dates} InvTypeCode="${code}" RatePlanCode="${plan}"`)));
  const inventories = `<OTA_HotelInvCountNotifRQ ${NAMESPACE}><Inventories HotelCode="${hotel}">${counts.join("")}</Inventories></OTA_HotelInvCountNotifRQ>`;
  if (rates.length === 0) return [inventories];
  return [
    inventories,
    `<OTA_HotelRateAmountNotifRQ ${NAMESPACE}><RateAmountMessages HotelCode="${hotel}">${rates.join("")}</RateAmountMessages></OTA_HotelRateAmountNotifRQ>`,
  ];
}

function rate(control: string): string {
  const amounts = [1, 2, 3].map((guests) => `<BaseByGuestAmt AmountAfterTax="${50 + 10 * guests}" NumberOfGuests="${guests}"/>`).join("");
  return `<RateAmountMessage><StatusApplicationControl ${control}/><Rates><Rate><BaseByGuestAmts>${amounts}</BaseByGuestAmts></Rate></Rates></RateAmountMessage>`;
}
