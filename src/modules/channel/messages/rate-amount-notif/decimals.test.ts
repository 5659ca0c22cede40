import assert from "node:assert/strict";
import { test } from "node:test";
import { after, amountsLine as line, amountsMessage as message, base, PLAN, rate } from "../../../../../test/support/amounts.ts";
import { day, eachChannel } from "../../../../../test/support/channel.ts";

eachChannel("A decimal amount", (channel) => {
  for (const [currency, text, minor] of [
    ["JPY", "12000.00", 12_000],
    ["JPY", "12000.", 12_000],
    ["EUR", "90.0000", 9_000],
    ["EUR", "120.500", 12_050],
    ["EUR", "+120", 12_000],
    ["EUR", "+.5", 50],
    ["KWD", "1.2340", 1_234],
    ["EUR", "0.000", 0],
  ] as const) {
    test(`stores ${text} ${currency} exactly`, async () => {
      const { code, night } = await channel.hotel({ currency });
      const { text: answer } = await channel.send(message(code, line(rate(after(2, text)))));
      assert.match(answer, /<Success\/>/);
      assert.deepEqual(await night(day(1), PLAN), { currency, "amount:after:2:10:1": minor });
    });
  }

  for (const [currency, text] of [
    ["JPY", "12000.01"],
    ["EUR", "90.0050"],
    ["EUR", "++1"],
    ["EUR", "+-1"],
    ["EUR", "+"],
    ["EUR", "1+"],
  ] as const) {
    test(`refuses ${text} ${currency} and changes nothing`, async () => {
      const { code, night } = await channel.hotel({ currency });
      await channel.send(message(code, line(rate(after(2, "100")))));
      const { text: answer } = await channel.send(message(code, line(rate(after(2, text)))));
      assert.match(answer, /<Error Type="3" Code="320"[^>]*>Invalid value "[^"]+" for AmountAfterTax/);
      assert.equal((await night(day(1), PLAN))["amount:after:2:10:1"], currency === "JPY" ? 100 : 10_000);
    });
  }

  const places = (text: string, decimalPlaces = 2) =>
    rate(base(`NumberOfGuests="2" AmountAfterTax="${text}" DecimalPlaces="${decimalPlaces}"`));
  const WARNING =
    /<Success\/><Warnings><Warning Type="11"[^>]*>DecimalPlaces 2: amounts were sent both with and without a decimal point, such as 99.5 and 120; those without one were stored in minor units<\/Warning><\/Warnings>/;

  test("warns if amounts with DecimalPlaces are sent both with and without a decimal point", async () => {
    const { code, night } = await channel.hotel();
    const single = 'InvTypeCode="SGL" RatePlanCode="BAR"';
    const { text } = await channel.send(message(code, line(places("99.5")) + line(places("120"), single) + line(places("7"), single)));
    assert.match(text, WARNING);
    assert.equal((await night(day(1), PLAN))["amount:after:2:10:1"], 9_950);
    assert.equal((await night(day(1), { ...PLAN, category: "SGL" }))["amount:after:2:10:1"], 7);
    const dated = (places("99.5") + places("120")).replaceAll("<Rate ", `<Rate InvTypeCode="DBL" Start="${day(1)}" End="${day(2)}"`);
    const plans = `<RatePlan RatePlanCode="BAR"><Rates>${dated}</Rates></RatePlan>`;
    const ratePlans = `<OTA_HotelRatePlanNotifRQ xmlns="http://www.opentravel.org/OTA/2003/05"><RatePlans HotelCode="${code}">${plans}</RatePlans></OTA_HotelRatePlanNotifRQ>`;
    assert.match((await channel.send(ratePlans)).text, /DecimalPlaces 2: amounts were sent both with and without a decimal point/);
  });

  test("does not warn if only one style of amount has DecimalPlaces or the other amount is 0", async () => {
    const { code } = await channel.hotel();
    const answerTo = async (...rates: readonly string[]) =>
      (await channel.send(message(code, rates.map((one) => line(one)).join("")))).text;
    assert.doesNotMatch(await answerTo(places("99.5"), places("120.00")), /DecimalPlaces/);
    assert.doesNotMatch(await answerTo(places("9950"), places("12000")), /DecimalPlaces/);
    assert.doesNotMatch(await answerTo(places("99.5"), rate(after(2, "120"))), /DecimalPlaces/);
    assert.doesNotMatch(await answerTo(places("99.5"), places("120", 0)), /DecimalPlaces/);
    assert.doesNotMatch(await answerTo(places("99.5"), places("0")), /DecimalPlaces/);
  });
});
