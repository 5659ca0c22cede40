import assert from "node:assert/strict";
import { test } from "node:test";
import { after, amountsLine as line, amountsMessage as message, base, PLAN, rate } from "../../../../../test/support/amounts.ts";
import { day, eachChannel } from "../../../../../test/support/channel.ts";

const child = (ages: string, amount: string, more = "") =>
  base(`NumberOfGuests="1" AgeQualifyingCode="8" ${ages} AmountAfterTax="${amount}" ${more}`);
const BUCKETS =
  after(2, "120") +
  base('NumberOfGuests="1" AgeQualifyingCode="7" MaxAge="1" AmountAfterTax="0.5"') +
  child('MinAge="2" MaxAge="5"', "10") +
  child('MinAge="6" MaxAge="11"', "20") +
  child('MinAge="12"', "30") +
  child("", "25");
const STORED = {
  currency: "EUR",
  "amount:after:2:10:1": 12_000,
  "amount:after:1:7:1:-1": 50,
  "amount:after:1:8:1:2-5": 1_000,
  "amount:after:1:8:1:6-11": 2_000,
  "amount:after:1:8:1:12-": 3_000,
  "amount:after:1:8:1": 2_500,
};
const ask = (hotel: string) =>
  `<OTA_HotelRatePlanRQ xmlns="http://www.opentravel.org/OTA/2003/05" Version="3.000"><RatePlans><RatePlan><HotelRef HotelCode="${hotel}"/></RatePlan></RatePlans></OTA_HotelRatePlanRQ>`;
const pull = { transport: "alpinebits", action: "OTA_HotelRatePlan:BaseRates", version: "2024-10" } as const;
const plansIn = (text: string) => /<RatePlans[^>]*>(.*)<\/RatePlans>/.exec(text)![1]!;

eachChannel("A child's price", (channel) => {
  test("stores separate child prices for each age range and for children without an age range", async () => {
    const { code, night } = await channel.hotel();
    const { text, receipt } = await channel.send(message(code, line(rate(BUCKETS))));
    assert.match(text, /<Success\/><\//);
    assert.deepEqual(await night(day(1), PLAN), STORED);
    assert.deepEqual(await night(day(3), PLAN), {});
    assert.match(receipt!.verdict.summary, /120\.00, 1 infant \(-1 years\) 0\.50, 1 child \(2-5 years\) 10\.00, /);
  });

  test("replaces all prices in an overlay, but only the child's price sent in a delta", async () => {
    const { code, night } = await channel.hotel();
    await channel.send(message(code, line(rate(BUCKETS))));
    await channel.send(message(code, line(rate(child('MinAge="6" MaxAge="11"', "22"))), "Delta"));
    assert.deepEqual(await night(day(1), PLAN), { ...STORED, "amount:after:1:8:1:6-11": 2_200 });
    await channel.send(message(code, line(rate(after(2, "130")))));
    assert.deepEqual(await night(day(1), PLAN), { currency: "EUR", "amount:after:2:10:1": 13_000 });
  });

  test("removes a child's price after tax only for an age range for which a delta sends a price before tax", async () => {
    const { code, night } = await channel.hotel();
    await channel.send(message(code, line(rate(child('MinAge="2" MaxAge="5"', "10") + child('MinAge="6" MaxAge="11"', "20")))));
    const net = base('NumberOfGuests="1" AgeQualifyingCode="8" MinAge="2" MaxAge="5" AmountBeforeTax="9"');
    await channel.send(message(code, line(rate(net)), "Delta"));
    assert.deepEqual(await night(day(1), PLAN), { currency: "EUR", "amount:before:1:8:1:2-5": 900, "amount:after:1:8:1:6-11": 2_000 });
  });

  test("reads a child's price in a rate plan", async () => {
    const { code, night } = await channel.hotel();
    const dated = rate(BUCKETS, `InvTypeCode="DBL" Start="${day(1)}" End="${day(2)}"`);
    const plans = `<RatePlan RatePlanCode="BAR"><Rates>${dated}</Rates></RatePlan>`;
    const root = "OTA_HotelRatePlanNotifRQ";
    await channel.send(
      `<${root} xmlns="http://www.opentravel.org/OTA/2003/05"><RatePlans HotelCode="${code}">${plans}</RatePlans></${root}>`,
    );
    assert.deepEqual(await night(day(1), PLAN), STORED);
  });

  test("returns a child's price with its ages in a form that can be sent back", async () => {
    const { code, night } = await channel.hotel();
    await channel.send(message(code, line(rate(BUCKETS))));
    const { text } = await channel.send(ask(code));
    assert.match(text, /<BaseByGuestAmt NumberOfGuests="1" AgeQualifyingCode="8" MinAge="2" MaxAge="5" AmountAfterTax="10.00"\/>/);
    const root = "OTA_HotelRatePlanNotifRQ";
    const back = `<${root} xmlns="http://www.opentravel.org/OTA/2003/05"><RatePlans HotelCode="${code}">${plansIn(text)}</RatePlans></${root}>`;
    await channel.send(message(code, line("<Rate/>"), "Remove"));
    assert.match((await channel.send(back)).text, /<Success\/>/);
    assert.deepEqual(await night(day(1), PLAN), { ...STORED, perPerson: 0 });
  });

  test("omits a child's price by age from an AlpineBits response and adds a warning", async () => {
    const { code } = await channel.hotel();
    await channel.send(message(code, line(rate(BUCKETS))));
    const { text } = await channel.send(ask(code), pull);
    assert.match(text, /<Warning Type="11">not included, because AlpineBits cannot express it: amounts by age in years</);
    assert.match(text, /NumberOfGuests="2" AgeQualifyingCode="10" AmountAfterTax="120.00"/);
    assert.doesNotMatch(text, /MinAge|MaxAge/);
  });

  test("warns about a child's price with a reversed age range and refuses an age that is a word", async () => {
    const { code, night } = await channel.hotel();
    const { text } = await channel.send(message(code, line(rate(child('MinAge="9" MaxAge="3"', "5")))));
    assert.match(text, /<Success\/><Warnings><Warning Type="11"[^>]*>BaseByGuestAmt has MinAge 9 above MaxAge 3</);
    assert.equal((await night(day(1), PLAN))["amount:after:1:8:1:9-3"], 500);
    const refused = await channel.send(message(code, line(rate(child('MinAge="two"', "7")))));
    assert.match(refused.text, /Code="320"[^>]*>Invalid value "two" for MinAge; allowed: 0 to 999</);
    assert.equal((await night(day(1), PLAN))["amount:after:1:8:1:9-3"], 500);
  });

  test("refuses an age bucket without ages and ages in units other than years", async () => {
    const { code, night } = await channel.hotel();
    const extra = (attributes: string) =>
      rate(after(2, "120"), "").replace(
        "</Rate>",
        `<AdditionalGuestAmounts><AdditionalGuestAmount AgeQualifyingCode="8" Amount="9" ${attributes}/></AdditionalGuestAmounts></Rate>`,
      );
    for (const [xml, error] of [
      [
        rate(child('AgeBucket="A"', "10") + child('AgeBucket="B"', "20")),
        'AgeBucket="A" limits the line to something that is not stored; send MinAge',
      ],
      [extra('AgeBucket="A"'), 'AgeBucket="A" limits the line to something that is not stored; send MinAge'],
      [rate(child('MaxAge="24" AgeTimeUnit="Month"', "10")), 'Invalid value "Month" for AgeTimeUnit; allowed: Year'],
    ] as const) {
      const { text } = await channel.send(message(code, line(xml)));
      assert.ok(text.includes(`>${error}`), text);
    }
    assert.deepEqual(await night(day(1), PLAN), {});
    const described = child('MinAge="2" MaxAge="5" AgeBucket="A" AgeTimeUnit="Year"', "10");
    assert.match((await channel.send(message(code, line(rate(after(2, "120") + described))))).text, /<Success\/><\//);
    assert.equal((await night(day(1), PLAN))["amount:after:1:8:1:2-5"], 1_000);
  });
});
