import assert from "node:assert/strict";
import { test } from "node:test";
import { day, eachChannel } from "../../../../../test/support/channel.ts";

const message = (hotel: string, lines: string) =>
  `<OTA_HotelRateAmountNotifRQ xmlns="http://www.opentravel.org/OTA/2003/05"><RateAmountMessages HotelCode="${hotel}">${lines}</RateAmountMessages></OTA_HotelRateAmountNotifRQ>`;
const line = (rates: string) =>
  `<RateAmountMessage><StatusApplicationControl InvTypeCode="DBL" RatePlanCode="BAR"/><Rates>${rates}</Rates></RateAmountMessage>`;
// oxlint-disable-next-line max-params -- reads like the rate it writes
const rate = (guests: number, amount: string, from: number, to: number, more = "") =>
  `<Rate Start="${day(from)}" End="${day(to)}"${more}><BaseByGuestAmts><BaseByGuestAmt NumberOfGuests="${guests}" AmountAfterTax="${amount}"/></BaseByGuestAmts></Rate>`;
const PLAN = { kind: "rate", lane: "BAR" } as const;

eachChannel("An overlay in several lines", (channel) => {
  test("combines all lines of the overlay and replaces earlier amounts", async () => {
    const { code, night } = await channel.hotel();
    await channel.send(message(code, line(rate(3, "150", 1, 9))));
    const lines = line(rate(1, "100", 1, 9)) + line(rate(2, "120", 1, 9, ' Sat="0" Sun="0"')) + line(rate(2, "140", 1, 9, ' Sat="1"'));
    await channel.send(message(code, lines));
    // Day 1 is a Saturday, and so is day 8; day 2 is a Sunday.
    const held = { currency: "EUR", "amount:after:1:10:1": 10_000 };
    const found = await Promise.all([1, 2, 3, 8].map((at) => night(day(at), PLAN)));
    const [saturday, monday] = [14_000, 12_000].map((amount) => ({ ...held, "amount:after:2:10:1": amount }));
    assert.deepEqual(found, [saturday, held, monday, saturday]);
  });

  test("lets later lines override earlier ones, even for only some of the nights", async () => {
    const { code, night } = await channel.hotel();
    const both = line(rate(1, "100", 1, 9) + rate(2, "120", 1, 9));
    await channel.send(message(code, both + line(rate(2, "130", 3, 4))));
    const found = await Promise.all([1, 3, 5].map(async (at) => (await night(day(at), PLAN))["amount:after:2:10:1"]));
    assert.deepEqual(found, [12_000, 13_000, 12_000]);
    assert.equal((await night(day(3), PLAN))["amount:after:1:10:1"], 10_000);
    await channel.send(message(code, line(rate(2, "90", 3, 3))));
    assert.deepEqual(
      await night(day(3), PLAN),
      { currency: "EUR", "amount:after:2:10:1": 9_000 },
      "a separate message replaces all amounts",
    );
  });

  test("lets later rates override earlier ones in the same line", async () => {
    const { code, night } = await channel.hotel();
    const within = rate(2, "120", 3, 4) + rate(1, "90", 3, 4) + rate(3, "150", 3, 4);
    const mixed = rate(1, "80", 1, 9) + within + rate(2, "100", 1, 9) + rate(3, "140", 1, 9);
    for (const type of ["Overlay", "Delta"]) {
      await channel.send(message(code, line(mixed)).replace("><", ` NotifType="${type}"><`));
      const found = await Promise.all([1, 3].map((at) => night(day(at), PLAN)));
      const held = { currency: "EUR", "amount:after:2:10:1": 10_000, "amount:after:3:10:1": 14_000 };
      assert.deepEqual(found, [
        { ...held, "amount:after:1:10:1": 8_000 },
        { ...held, "amount:after:1:10:1": 9_000 },
      ]);
    }
    const wrong = rate(1, "80", 1, 9) + rate(2, "120", 3, 4) + rate(2, "1.234", 1, 9) + rate(3, "1.235", 1, 9);
    const { text } = await channel.send(message(code, line(wrong)));
    assert.equal(text.split("<Error ").length, 3, "each error is reported once");
  });

  test("counts a night only once even if several rates include it, and reports only real overlaps", async () => {
    const { code } = await channel.hotel();
    const loggedFor = async (rates: string) => {
      const { receipt } = await channel.send(message(code, line(rates)));
      return [receipt?.verdict.summary, receipt?.verdict.notes.advisories];
    };
    const byGuests = rate(1, "80", 1, 3) + rate(1, "90", 4, 6) + rate(2, "100", 1, 3) + rate(2, "110", 4, 6);
    assert.deepEqual(await loggedFor(byGuests), [`DBL/BAR, ${day(1)} to ${day(6)}: 2 lines`, []]);
    const [, crossed] = await loggedFor(rate(1, "80", 1, 3) + rate(1, "90", 3, 6) + rate(2, "100", 1, 3));
    assert.deepEqual(crossed, ["ranges for DBL/BAR overlap or are not in order: the later line was applied"]);
  });

  test("stores only the currency of the last line for each night", async () => {
    const { code, night } = await channel.hotel();
    await channel.send(message(code, line(rate(1, "100", 1, 2)) + line(rate(2, "120", 2, 2, ' CurrencyCode="USD"'))));
    const found = await Promise.all([1, 2].map((at) => night(day(at), PLAN)));
    assert.deepEqual(found, [
      { currency: "EUR", "amount:after:1:10:1": 10_000 },
      { currency: "USD", "amount:after:2:10:1": 12_000 },
    ]);
  });
});
