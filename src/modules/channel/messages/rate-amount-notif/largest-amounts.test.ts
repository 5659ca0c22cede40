import assert from "node:assert/strict";
import { test } from "node:test";
import { day, eachChannel } from "../../../../../test/support/channel.ts";

const message = (hotel: string, amount: string) =>
  `<OTA_HotelRateAmountNotifRQ xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.0"><RateAmountMessages HotelCode="${hotel}"><RateAmountMessage><StatusApplicationControl Start="${day(1)}" End="${day(1)}" InvTypeCode="DBL" RatePlanCode="BAR"/><Rates><Rate><BaseByGuestAmts><BaseByGuestAmt NumberOfGuests="2" AmountAfterTax="${amount}"/></BaseByGuestAmts></Rate></Rates></RateAmountMessage></RateAmountMessages></OTA_HotelRateAmountNotifRQ>`;

eachChannel("The largest amount", (channel) => {
  for (const [currency, most, beyond] of [
    ["JPY", "9999999999", "10000000000"],
    ["EUR", "9999999999.99", "10000000000"],
    ["KWD", "999999999.999", "9999999999"],
    ["CLF", "99999999.9999", "100000000"],
  ] as const) {
    test(`accepts amounts up to ${most} ${currency}`, async () => {
      const { code, night } = await channel.hotel({ currency });
      assert.match((await channel.send(message(code, beyond))).text, /Type="3" Code="320"/);
      assert.match((await channel.send(message(code, most))).text, /<Success\/>/);
      const stored = await night(day(1), { kind: "rate", lane: "BAR" });
      assert.equal(stored["amount:after:2:10:1"], Number(most.replace(".", "")));
    });
  }
});
