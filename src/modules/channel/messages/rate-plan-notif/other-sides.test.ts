import assert from "node:assert/strict";
import { test } from "node:test";
import { day, eachChannel } from "../../../../../test/support/channel.ts";
import { BAR, message, nights, plan, rate, rates } from "../../../../../test/support/rate-plans.ts";

eachChannel("Amounts of rate plans before and after tax", (channel) => {
  test("a delta takes away the other side of tax of an amount, unless another of its elements tells it", async () => {
    const { code, night } = await channel.hotel();
    const sides = (from: number, to: number, amount: string) =>
      rates(rate(`InvTypeCode="DBL" ${nights(from, to)}`, `<BaseByGuestAmt NumberOfGuests="2" ${amount}/>`));
    await channel.send(message(code, plan("New", sides(0, 3, 'AmountBeforeTax="10" AmountAfterTax="12"'))));
    const net = sides(0, 1, 'AmountBeforeTax="20"');
    const gross = sides(1, 2, 'AmountAfterTax="24"');
    await channel.send(message(code, plan("Delta", net) + plan("Delta", gross)));
    assert.deepEqual(await Promise.all([0, 1, 2, 3].map((at) => night(day(at), BAR))), [
      { currency: "EUR", "amount:before:2:10:1": 2_000 },
      { currency: "EUR", "amount:before:2:10:1": 2_000, "amount:after:2:10:1": 2_400 },
      { currency: "EUR", "amount:after:2:10:1": 2_400 },
      { currency: "EUR", "amount:before:2:10:1": 1_000, "amount:after:2:10:1": 1_200 },
    ]);
  });
});
