import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type Channel, day, openChannel } from "../../../../../test/support/channel.ts";
import { openFresh } from "../../../../../test/support/databases.ts";
import { findMessage } from "../../../../journal/messages.ts";

const NAMESPACE = 'xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.0"';
const NIGHTS = 1_100;
const ask = (hotel: string, filter = "") =>
  `<OTA_HotelRatePlanRQ ${NAMESPACE}><RatePlans><RatePlan>${filter}<HotelRef HotelCode="${hotel}"/></RatePlan></RatePlans></OTA_HotelRatePlanRQ>`;
/** A different amount on each night of every category. */
const eachNight = (plan: number) =>
  Array.from({ length: NIGHTS }, (_, night) => {
    const control = `<StatusApplicationControl Start="${day(night)}" End="${day(night)}" RatePlanCode="P${plan}"/>`;
    const amount = `<BaseByGuestAmt AmountAfterTax="${100 + (night % 2)}"/>`;
    return `<RateAmountMessage>${control}<Rates><Rate><BaseByGuestAmts>${amount}</BaseByGuestAmts></Rate></Rates></RateAmountMessage>`;
  }).join("");

describe("A query for base rates", () => {
  let fresh: Awaited<ReturnType<typeof openFresh>>;
  let channel: Channel;
  let hotel: string;
  before(async () => {
    fresh = await openFresh("SQLite");
    channel = openChannel(fresh.database);
    hotel = (await channel.hotel({ horizon_days: NIGHTS })).code;
    for (const first of [0, 23]) {
      const plans = Array.from({ length: 23 }, (_, index) => eachNight(first + index)).join("");
      const stored = `<OTA_HotelRateAmountNotifRQ ${NAMESPACE}><RateAmountMessages HotelCode="${hotel}">${plans}</RateAmountMessages></OTA_HotelRateAmountNotifRQ>`;
      assert.match((await channel.send(stored)).text, /<Success\/>/);
    }
  });
  after(() => fresh.remove());

  test("refuses a query for too many ranges of nights but accepts one for a single plan or fewer nights", async () => {
    const { status, text } = await channel.send(ask(hotel));
    assert.equal(status, 200);
    const words = "Message requests more than 100000 ranges of nights; request fewer nights, or specific rate plans";
    assert.match(text, new RegExp(`<Errors><Error Type="12" Code="743"[^>]*>${words}</Error></Errors>`));
    const candidates = '<RatePlanCandidates><RatePlanCandidate RatePlanCode="P7"/></RatePlanCandidates>';
    const one = await channel.send(ask(hotel, candidates));
    assert.equal(one.text.match(/<Rate InvTypeCode/g)?.length, 2 * NIGHTS);
    const few = await channel.send(ask(hotel, `<DateRange Start="${day(1)}" End="${day(2)}"/>`));
    assert.equal(few.text.match(/<Rate InvTypeCode/g)?.length, 2 * 46 * 2);
  });

  test("logs the whole response to a query for base rates", async () => {
    const candidates =
      '<RatePlanCandidates><RatePlanCandidate RatePlanCode="P1"/><RatePlanCandidate RatePlanCode="P2"/><RatePlanCandidate RatePlanCode="P3"/></RatePlanCandidates>';
    const { text, receipt } = await channel.send(ask(hotel, candidates));
    assert.equal(text.match(/<Rate InvTypeCode/g)?.length, 3 * 2 * NIGHTS);
    const { bodies } = (await findMessage(fresh.database, receipt!.id))!;
    assert.equal(Buffer.from(bodies!.answer).toString(), text);
  });
});

describe("A query for prices for many guests and lengths of stay", () => {
  const [STAYS, GUESTS] = [60, 18];
  /** Prices for all guests and lengths of stay. */
  const priced = (nights: string, amount: number) => {
    const base = Array.from(
      { length: GUESTS },
      (_, guest) => `<BaseByGuestAmt NumberOfGuests="${guest + 1}" AmountAfterTax="${amount}"/>`,
    ).join("");
    const rates = Array.from(
      { length: STAYS },
      (_, stay) => `<Rate RateTimeUnit="Day" UnitMultiplier="${stay + 1}"><BaseByGuestAmts>${base}</BaseByGuestAmts></Rate>`,
    );
    const control = `<StatusApplicationControl ${nights} InvTypeCode="DBL" RatePlanCode="BAR"/>`;
    return `<RateAmountMessage>${control}<Rates>${rates.join("")}</Rates></RateAmountMessage>`;
  };
  const store = (hotel: string, ...lines: string[]) =>
    `<OTA_HotelRateAmountNotifRQ ${NAMESPACE}><RateAmountMessages HotelCode="${hotel}">${lines.join("")}</RateAmountMessages></OTA_HotelRateAmountNotifRQ>`;
  const countAmounts = (text: string) => text.match(/<BaseByGuestAmt Num/g)?.length;

  test("refuses a query for too many amounts but accepts one for fewer nights", async () => {
    const { database, remove } = await openFresh("SQLite");
    try {
      const channel = openChannel(database);
      const { code } = await channel.hotel({ horizon_days: NIGHTS });
      const all = `Start="${day(0)}" End="${day(NIGHTS - 1)}"`;
      const twice = `${all} Mon="0" Tue="0" Weds="1" Thur="0" Fri="0" Sat="0" Sun="1"`;
      assert.match((await channel.send(store(code, priced(all, 100), priced(twice, 120)))).text, /<Success\/>/);
      const words = "Message requests more than 500000 amounts; request fewer nights, or specific rate plans";
      assert.match((await channel.send(ask(code))).text, new RegExp(`<Errors><Error Type="12" Code="743"[^>]*>${words}</Error></Errors>`));
      const few = await channel.send(ask(code, `<DateRange Start="${day(1)}" End="${day(1)}"/>`));
      assert.equal(countAmounts(few.text), STAYS * GUESTS);
    } finally {
      await remove();
    }
  });
});
