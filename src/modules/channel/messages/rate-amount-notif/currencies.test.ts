import assert from "node:assert/strict";
import { test } from "node:test";
import { after, amountsLine as line, amountsMessage as message, base, PLAN, rate } from "../../../../../test/support/amounts.ts";
import { day, eachChannel } from "../../../../../test/support/channel.ts";

eachChannel("The currency of amounts", (channel) => {
  test("prefers the currency of an amount to the Rate's currency", async () => {
    const { code, night } = await channel.hotel();
    const dollars = base('NumberOfGuests="1" AmountAfterTax="5" CurrencyCode="USD"');
    assert.match((await channel.send(message(code, line(rate(dollars, 'CurrencyCode="EUR"'))))).text, /<Success\/>/);
    assert.deepEqual(await night(day(1), PLAN), { currency: "USD", "amount:after:1:10:1": 500 });
    const { text } = await channel.send(message(code, line(rate(dollars + after(2, "9"), 'CurrencyCode="EUR"'))));
    assert.match(text, /Code="320"[^>]*>The amounts of a Rate must be in one currency</);
  });

  test("refuses two currencies in a Rate", async () => {
    const { code } = await channel.hotel();
    const mixed =
      base('NumberOfGuests="1" AmountAfterTax="5" CurrencyCode="USD"') + base('NumberOfGuests="2" AmountAfterTax="5" CurrencyCode="EUR"');
    assert.match((await channel.send(message(code, line(rate(mixed))))).text, /Type="3" Code="320"/);
  });

  test("refuses rates for the same nights in two currencies", async () => {
    const { code, night } = await channel.hotel();
    const two = rate(after(1, "10"), 'CurrencyCode="EUR"') + rate(after(2, "1000"), 'CurrencyCode="JPY"');
    const { text } = await channel.send(message(code, line(two)));
    assert.match(text, /Type="3" Code="320"[^>]*>The amounts of a night must be in one currency</);
    assert.deepEqual(await night(day(1), PLAN), {});
  });
});
