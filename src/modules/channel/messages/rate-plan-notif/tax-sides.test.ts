import assert from "node:assert/strict";
import { test } from "node:test";
import { day, eachChannel } from "../../../../../test/support/channel.ts";
import { BAR, doubles, master, message, nights, plan, rate, rates, rule, rules } from "../../../../../test/support/rate-plans.ts";

eachChannel("A rate plan", (channel) => {
  test("removes an amount before tax if a delta sends only the amount after tax, and vice versa", async () => {
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

  test("forgets whether a plan's amounts include tax once the amounts are removed", async () => {
    const { code } = await channel.hotel();
    const taxes = async () =>
      (await channel.database.read.selectFrom("rate_plan").select("taxes").where("property", "=", code).executeTakeFirst())?.taxes;
    const priced = message(code, plan("New", rates(doubles(0, 1, "100"))));
    const emptied = { replaced: [plan("Full")], removed: [plan("Remove")], "removed and sent again": [plan("Remove"), plan("Overlay")] };
    for (const [how, plans] of Object.entries(emptied)) {
      await channel.send(priced);
      assert.equal(await taxes(), "after", how);
      for (const one of plans) await channel.send(message(code, one));
      assert.equal(await taxes(), null, how);
    }
    await channel.send(priced);
    await channel.send(message(code, plan("Overlay", rules(rule(nights(0, 1), master("Close"))))));
    assert.equal(await taxes(), "after", "the amounts are kept");
  });
});
