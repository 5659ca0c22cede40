import assert from "node:assert/strict";
import { test } from "node:test";
import { after, amountsLine as line, amountsMessage as message, base, PLAN, rate } from "../../../../../test/support/amounts.ts";
import { day, eachChannel } from "../../../../../test/support/channel.ts";

eachChannel("The currency of a night", (channel) => {
  test("prefers an amount's currency to its Rate's currency", async () => {
    const { code, night } = await channel.hotel();
    const dollars = base('NumberOfGuests="1" AmountAfterTax="5" CurrencyCode="USD"');
    assert.match((await channel.send(message(code, line(rate(dollars, 'CurrencyCode="EUR"'))))).text, /<Success\/>/);
    assert.deepEqual(await night(day(1), PLAN), { currency: "USD", "amount:after:1:10:1": 500 });
    const { text } = await channel.send(message(code, line(rate(dollars + after(2, "9"), 'CurrencyCode="EUR"'))));
    assert.match(text, /Code="320"[^>]*>The amounts in a Rate must be in the same currency</);
  });

  test("refuses amounts in different currencies within one Rate", async () => {
    const { code } = await channel.hotel();
    const mixed =
      base('NumberOfGuests="1" AmountAfterTax="5" CurrencyCode="USD"') + base('NumberOfGuests="2" AmountAfterTax="5" CurrencyCode="EUR"');
    assert.match((await channel.send(message(code, line(rate(mixed))))).text, /Type="3" Code="320"/);
  });

  test("refuses rates in different currencies for the same night", async () => {
    const { code, night } = await channel.hotel();
    const two = rate(after(1, "10"), 'CurrencyCode="EUR"') + rate(after(2, "1000"), 'CurrencyCode="JPY"');
    const { text } = await channel.send(message(code, line(two)));
    assert.match(text, /Type="3" Code="320"[^>]*>The amounts for a night must be in the same currency</);
    assert.deepEqual(await night(day(1), PLAN), {});
  });

  const plan = (hotel: string, rates: string) =>
    `<OTA_HotelRatePlanNotifRQ xmlns="http://www.opentravel.org/OTA/2003/05"><RatePlans HotelCode="${hotel}"><RatePlan RatePlanCode="BAR">${rates}</RatePlan></RatePlans></OTA_HotelRatePlanNotifRQ>`;
  const dated = rate(after(2, "9000"), `Start="${day(1)}" End="${day(1)}" InvTypeCode="DBL"`);
  const TERMS = 'CurrencyCode="USD" DecimalPlaces="2" ChargeTypeCode="21"';

  for (const [element, messageOf] of [
    ["RateAmountMessage", (hotel) => message(hotel, line(dated).replace("<RateAmountMessage", `$& ${TERMS}`))],
    ["Rates", (hotel) => message(hotel, line(dated).replace("<Rates", `$& ${TERMS}`))],
    ["BaseByGuestAmts", (hotel) => message(hotel, line(dated).replace("<BaseByGuestAmts", `$& ${TERMS}`))],
    ["Rates in a rate plan", (hotel) => plan(hotel, `<Rates ${TERMS}>${dated}</Rates>`)],
    ["BaseByGuestAmts in a rate plan", (hotel) => plan(hotel, `<Rates>${dated.replace("<BaseByGuestAmts", `$& ${TERMS}`)}</Rates>`)],
  ] as const satisfies readonly (readonly [string, (hotel: string) => string])[]) {
    test(`reads the currency, decimal places and price basis from ${element}`, async () => {
      const { code, night } = await channel.hotel({ currency: "USD" });
      await channel.send(message(code, line(rate(after(2, "1")))));
      const other = await channel.hotel({ currency: "EUR" });
      assert.doesNotMatch((await channel.send(messageOf(code))).text, /Error|Warning/);
      assert.match((await channel.send(messageOf(other.code))).text, />amounts were stored in USD, but the property's currency is EUR</);
      for (const stored of [await night(day(1), PLAN), await other.night(day(1), PLAN)])
        assert.deepEqual(stored, { currency: "USD", "amount:after:2:10:1": 9_000, perPerson: 1 });
    });
  }
});
