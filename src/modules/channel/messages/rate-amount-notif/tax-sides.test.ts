import assert from "node:assert/strict";
import { test } from "node:test";
import { after, amountsLine as line, amountsMessage as message, base, PLAN, rate } from "../../../../../test/support/amounts.ts";
import { day, eachChannel } from "../../../../../test/support/channel.ts";

eachChannel("A delta", (channel) => {
  test("removes an amount before tax if a delta sets only the amount after tax, and vice versa", async () => {
    const { code, night } = await channel.hotel();
    const sides = (guests: number, net: string, gross: string) =>
      base(`NumberOfGuests="${guests}" AmountBeforeTax="${net}" AmountAfterTax="${gross}"`);
    const net = (guests: number, amount: string) => base(`NumberOfGuests="${guests}" AmountBeforeTax="${amount}"`);
    await channel.send(message(code, line(rate(sides(1, "90.91", "100") + sides(2, "109.09", "120")))));
    await channel.send(message(code, line(rate(after(2, "125"))), "Delta"));
    const single = { currency: "EUR", "amount:before:1:10:1": 9_091, "amount:after:1:10:1": 10_000 };
    assert.deepEqual(await night(day(1), PLAN), { ...single, "amount:after:2:10:1": 12_500 });
    await channel.send(message(code, line(rate(net(2, "150"))), "Delta"));
    assert.deepEqual(await night(day(2), PLAN), { ...single, "amount:before:2:10:1": 15_000 });
  });

  test("combines a delta's lines that set amounts before and after tax", async () => {
    const { code, night } = await channel.hotel();
    const net = (amount: string) => base(`NumberOfGuests="2" AmountBeforeTax="${amount}"`);
    const at = (from: number, to: number) => `Start="${day(from)}" End="${day(to)}"`;
    await channel.send(message(code, line(rate(base('NumberOfGuests="2" AmountBeforeTax="10" AmountAfterTax="12"')), undefined, at(1, 3))));
    const lines = line(rate(net("20")), undefined, at(1, 2)) + line(rate(after(2, "24")), undefined, at(2, 3));
    await channel.send(message(code, lines, "Delta"));
    const held = (amounts: object) => ({ currency: "EUR", ...amounts });
    assert.deepEqual(await Promise.all([1, 2, 3].map((one) => night(day(one), PLAN))), [
      held({ "amount:before:2:10:1": 2_000 }),
      held({ "amount:before:2:10:1": 2_000, "amount:after:2:10:1": 2_400 }),
      held({ "amount:after:2:10:1": 2_400 }),
    ]);
  });
});
