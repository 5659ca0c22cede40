import assert from "node:assert/strict";
import { test } from "node:test";
import { day, eachChannel } from "../../../../../test/support/channel.ts";
import { BAR, fixed, message as planMessage, plan, rates } from "../../../../../test/support/rate-plans.ts";

const message = (hotel: string, lines: readonly string[], type: string) =>
  `<OTA_HotelRateAmountNotifRQ xmlns="http://www.opentravel.org/OTA/2003/05" NotifType="${type}"><RateAmountMessages HotelCode="${hotel}">${lines.join("")}</RateAmountMessages></OTA_HotelRateAmountNotifRQ>`;
const line = (content: readonly string[]) =>
  `<RateAmountMessage><StatusApplicationControl InvTypeCode="DBL" RatePlanCode="BAR"/><Rates>${content.join("")}</Rates></RateAmountMessage>`;
const rate = (amount: string, attributes: string, [from, to] = [1, 9]) =>
  `<Rate InvTypeCode="DBL" Start="${day(from)}" End="${day(to)}" ${attributes}><BaseByGuestAmts><BaseByGuestAmt NumberOfGuests="2" AmountAfterTax="${amount}"/></BaseByGuestAmts></Rate>`;

const ANY = rate("120", 'MinLOS="1"');
const WEEK = rate("80", 'MinLOS="7"');
const PART = rate("80", 'MinLOS="7"', [3, 4]);
const FORTNIGHT = rate("60", 'MinLOS="14"');
const SHORT = rate("150", 'MaxLOS="2"');

eachChannel("Prices for certain stays", (channel) => {
  for (const [what, content, expected] of [
    ["prefers a price for every stay to a price for a longer stay", [ANY, WEEK], 12_000],
    ["prefers a price for every stay to prices for certain stays, even if it comes last", [WEEK, SHORT, ANY], 12_000],
    ["prefers a price for every stay on nights that also have a price for certain stays", [ANY, PART], 12_000],
    ["uses the price with the shortest minimum stay if none is for every stay", [FORTNIGHT, WEEK, FORTNIGHT], 8_000],
    ["uses a price for certain stays if there is no other", [WEEK], 8_000],
  ] as const)
    test(what, async () => {
      for (const type of ["Overlay", "Delta"]) {
        for (const sent of [
          (code: string) => message(code, [line(content)], type),
          (code: string) =>
            message(
              code,
              content.map((one) => line([one])),
              type,
            ),
          (code: string) => planMessage(code, plan(type, rates(fixed("25"), ...content))),
        ]) {
          const { code, night } = await channel.hotel();
          const { text } = await channel.send(sent(code));
          assert.match(text, /<Success\/>.*>M(in|ax)LOS of a Rate is not stored</);
          assert.equal((await night(day(3), BAR))["amount:after:2:10:1"], expected, sent(code));
        }
      }
    });

  test("prefers a price for every stay to another line's price for certain stays", async () => {
    const lines = [line([ANY, FORTNIGHT]), line([WEEK])];
    for (const content of [lines, lines.toReversed()]) {
      const { code, night } = await channel.hotel();
      await channel.send(message(code, content, "Delta"));
      assert.equal((await night(day(3), BAR))["amount:after:2:10:1"], 12_000);
    }
  });

  test("prefers another line's price for every stay even if a line has its own price for every stay on other nights", async () => {
    const lines = [line([ANY]), line([WEEK, rate("90", "", [20, 21])])];
    for (const content of [lines, lines.toReversed()]) {
      for (const type of ["Overlay", "Delta"]) {
        const { code, night } = await channel.hotel();
        await channel.send(message(code, content, type));
        const found = await Promise.all([3, 20].map((at) => night(day(at), BAR)));
        assert.deepEqual(
          found.map((one) => one["amount:after:2:10:1"]),
          [12_000, 9_000],
        );
      }
    }
  });

  test("stores a price for the whole stay in addition to the price for every stay", async () => {
    const { code, night } = await channel.hotel();
    const week = rate("700", 'MinLOS="7" UnitMultiplier="7"');
    await channel.send(planMessage(code, plan("Full", rates(fixed("25"), week, ANY))));
    const expected = { currency: "EUR", perPerson: 0, "amount:after:2:10:1": 12_000, "amount:after:2:10:7": 70_000 };
    assert.deepEqual(await night(day(3), BAR), expected);
  });

  test("does not warn about a price with a minimum stay of one night", async () => {
    const { code } = await channel.hotel();
    assert.match((await channel.send(message(code, [line([ANY])], "Overlay"))).text, /<Success\/><\//);
  });
});
