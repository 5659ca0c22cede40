import assert from "node:assert/strict";
import { test } from "node:test";
import { amountsLine, amountsMessage } from "../../../../../test/support/amounts.ts";
import { type Channel, day, eachChannel } from "../../../../../test/support/channel.ts";

const message = (hotel: string, ...plans: readonly string[]) =>
  `<OTA_HotelRatePlanNotifRQ xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.0"><RatePlans HotelCode="${hotel}">${plans.join("")}</RatePlans></OTA_HotelRatePlanNotifRQ>`;
const plan = (attributes: string, content = "") => `<RatePlan ${attributes}>${content}</RatePlan>`;
const rates = (...all: readonly string[]) => `<Rates>${all.join("")}</Rates>`;
const rate = (attributes = "", amount = 'NumberOfGuests="2" AmountAfterTax="120"', nights = `Start="${day(1)}" End="${day(2)}"`) =>
  `<Rate ${nights} InvTypeCode="DBL" ${attributes}>${amount && `<BaseByGuestAmts><BaseByGuestAmt ${amount}/></BaseByGuestAmts>`}</Rate>`;
const BAR = { kind: "rate", lane: "BAR" } as const;
const NO_PLAN = { kind: "rate" } as const;
const CLEAN = /<Success\/><\//;
const double = { currency: "EUR", "amount:after:2:10:1": 12_000 };
const recordOf = (channel: Channel, property: string) =>
  channel.database.read.selectFrom("rate_plan").selectAll().where("property", "=", property).execute();

eachChannel("ChargeTypeCode", (channel) => {
  for (const [type, perPerson] of [
    ["7", 1],
    ["21", 1],
    ["25", 0],
    ["19", 0],
  ] as const) {
    test(`stores amounts per ${perPerson ? "person" : "room"} for ChargeTypeCode ${type} on a rate plan or rate`, async () => {
      const { code, night } = await channel.hotel();
      const charge = `ChargeTypeCode="${type}"`;
      assert.match((await channel.send(message(code, plan(`RatePlanCode="BAR" ${charge}`, rates(rate()))))).text, CLEAN);
      assert.deepEqual(await night(day(1), BAR), { ...double, perPerson });
      assert.equal((await recordOf(channel, code))[0]!.price_basis, perPerson ? "person" : "room");
      await channel.send(message(code, plan('RatePlanCode="FLEX"', rates(rate(charge)))));
      assert.deepEqual(await night(day(1), { ...BAR, lane: "FLEX" }), { ...double, perPerson });
      await channel.send(amountsMessage(code, amountsLine(rate(charge), 'InvTypeCode="DBL" RatePlanCode="PROMO"')));
      assert.deepEqual(await night(day(1), { ...BAR, lane: "PROMO" }), { ...double, perPerson });
    });
  }

  test("prefers a rate's ChargeTypeCode and an amount's Type to the plan's ChargeTypeCode", async () => {
    const { code, night } = await channel.hotel();
    const own = rate('ChargeTypeCode="19"') + rate("", 'Type="25" AmountAfterTax="90"', `Start="${day(3)}" End="${day(3)}"`);
    await channel.send(message(code, plan('RatePlanCode="BAR" ChargeTypeCode="21"', rates(own))));
    assert.equal((await night(day(1), BAR))["perPerson"], 0);
    assert.equal((await night(day(3), BAR))["perPerson"], 0);
  });

  test("keeps a plan's ChargeTypeCode for its later rates and warns if the code is not supported", async () => {
    const { code, night } = await channel.hotel();
    await channel.send(message(code, plan('RatePlanCode="BAR" ChargeTypeCode="21"')));
    await channel.send(message(code, plan('RatePlanCode="BAR"', rates(rate()))));
    assert.equal((await night(day(1), BAR))["perPerson"], 1);
    const { text } = await channel.send(message(code, plan('RatePlanCode="FLEX" ChargeTypeCode="18"', rates(rate()))));
    assert.match(text, /<Success\/>.*charge type 18 of an amount is not stored</);
  });
});

eachChannel("A derived rate plan", (channel) => {
  for (const [adjustment, names] of [
    ['AdjustedPercentage="-10"', "AdjustedPercentage and BaseRatePlanCode"],
    ['AdjustedAmount="5" AdjustUpIndicator="true"', "AdjustedAmount and BaseRatePlanCode"],
  ] as const) {
    for (const type of ["", 'RatePlanNotifType="New"', 'RatePlanNotifType="Overlay"', 'RatePlanNotifType="Full"']) {
      test(`keeps the amounts of a derived rate plan with ${[adjustment, type].join(" ").trim()} and adds a warning`, async () => {
        const { code, night } = await channel.hotel();
        await channel.send(message(code, plan('RatePlanCode="BAR"', rates(rate()))));
        const derived = plan(`RatePlanCode="BAR" BaseRatePlanCode="RACK" ${adjustment} ${type}`);
        const { text } = await channel.send(message(code, derived));
        assert.match(
          text,
          new RegExp(`<Success/><Warnings><Warning Type="11"[^>]*>derived amounts are not computed: ${names} changed no amount<`),
        );
        assert.deepEqual(await night(day(1), BAR), double);
        assert.equal((await recordOf(channel, code))[0]!.taxes, "after");
      });
    }
  }

  test("adds a new derived rate plan", async () => {
    const { code } = await channel.hotel();
    await channel.send(message(code, plan('RatePlanCode="NRF" BaseRatePlanCode="BAR" AdjustedPercentage="10" RatePlanNotifType="New"')));
    assert.deepEqual(
      (await recordOf(channel, code)).map((row) => [row.code, row.status]),
      [["NRF", "active"]],
    );
  });

  test("stores a derived rate plan's adjusted rates only if they have amounts", async () => {
    const { code, night } = await channel.hotel();
    await channel.send(message(code, plan('RatePlanCode="BAR"', rates(rate()))));
    const adjusted = plan('RatePlanCode="BAR" RatePlanNotifType="New"', rates(rate('AdjustedPercentage="10"', "")));
    const { text } = await channel.send(message(code, adjusted));
    assert.match(text, /<Success\/>.*derived amounts are not computed: AdjustedPercentage changed no amount</);
    assert.deepEqual(await night(day(1), BAR), double);
    const own = rate('AdjustedPercentage="10"', 'NumberOfGuests="2" AmountAfterTax="99"');
    await channel.send(message(code, plan('RatePlanCode="BAR" BaseRatePlanCode="RACK" RatePlanNotifType="New"', rates(own))));
    assert.deepEqual(await night(day(1), BAR), { ...double, "amount:after:2:10:1": 9_900 });
    const line = amountsLine('<Rate AdjustedAmount="5"/>');
    assert.match((await channel.send(amountsMessage(code, line))).text, /<Success\/>.*derived amounts are not computed/);
    assert.deepEqual(await night(day(1), BAR), { ...double, "amount:after:2:10:1": 9_900 });
  });

  test("removes a derived rate plan without a warning about its amounts", async () => {
    const { code, night } = await channel.hotel();
    await channel.send(message(code, plan('RatePlanCode="BAR"', rates(rate()))));
    const removal = plan('RatePlanCode="BAR" BaseRatePlanCode="RACK" AdjustedAmount="5" RatePlanNotifType="Remove"');
    assert.match((await channel.send(message(code, removal))).text, CLEAN);
    assert.deepEqual(await night(day(1), BAR), {});
    await channel.send(message(code, plan('RatePlanCode="BAR"', rates(rate()))));
    const renewed = plan('RatePlanCode="BAR" BaseRatePlanCode="RACK" RatePlanNotifType="New"');
    await channel.send(message(code, renewed + plan('RatePlanCode="BAR" RatePlanNotifType="Remove"')));
    assert.deepEqual(await night(day(1), BAR), {});
  });
});

eachChannel("Rates without RatePlanCode", (channel) => {
  const products = '<SellableProducts><SellableProduct InvTypeCode="DBL"/></SellableProducts>';
  const plain = rate().replace(' InvTypeCode="DBL"', "");
  const rule = `<BookingRules><BookingRule Start="${day(1)}" End="${day(1)}"><RestrictionStatus Status="Close"/></BookingRule></BookingRules>`;

  test("stores rates without RatePlanCode for their category, without a plan", async () => {
    const { code, night } = await channel.hotel();
    await channel.send(message(code, plan('RatePlanCode="BAR"', rates(rate()))));
    const { text } = await channel.send(message(code, plan("", products + rates(plain) + rule)));
    assert.match(text, CLEAN);
    assert.deepEqual(await night(day(1), NO_PLAN), { ...double, stopSell: 1 });
    assert.deepEqual(await night(day(2), NO_PLAN), double);
    assert.deepEqual([await night(day(1), BAR), await night(day(1), { ...NO_PLAN, category: "SGL" })], [double, {}]);
    assert.equal((await recordOf(channel, code)).length, 1);
    await channel.send(message(code, plan("", rates(rate("", 'NumberOfGuests="2" AmountAfterTax="99"')))));
    assert.equal((await night(day(1), NO_PLAN))["amount:after:2:10:1"], 9_900);
  });

  test("replaces only the nights of rates without RatePlanCode, even for a new plan", async () => {
    const { code, night } = await channel.hotel();
    await channel.send(message(code, plan("", products + rates(plain))));
    const later = plan('RatePlanNotifType="New"', rates(rate("", 'AmountAfterTax="50"', `Start="${day(2)}" End="${day(2)}"`)));
    assert.match((await channel.send(message(code, later))).text, CLEAN);
    assert.deepEqual(await night(day(1), NO_PLAN), double);
    assert.deepEqual(await night(day(2), NO_PLAN), { currency: "EUR", "amount:after:0:10:1": 5_000 });
  });

  test("refuses rates without RatePlanCode if they have no category, are in a removal or are in an AlpineBits message", async () => {
    const { code, night } = await channel.hotel();
    await channel.send(message(code, plan("", products + rates(plain))));
    const missing = /<Error Type="10" Code="321"[^>]*>Required field missing: RatePlanCode</;
    const removal = plan('RatePlanNotifType="Remove"', products + rates(plain));
    for (const refused of [plan("", rates(plain)), removal, plan("", products), plan("", rates(rate()) + rule)])
      assert.match((await channel.send(message(code, refused))).text, missing, refused);
    const sending = { transport: "alpinebits", action: "OTA_HotelRatePlanNotif:RatePlans", version: "2024-10" } as const;
    const { text } = await channel.send(message(code, plan('RatePlanNotifType="Overlay"', rates(rate()))), sending);
    assert.match(text, /Required field missing: RatePlanCode/);
    assert.deepEqual(await night(day(1), NO_PLAN), double);
  });

  test("warns if a plan without RatePlanCode contains more than rates and rules", async () => {
    const { code, night } = await channel.hotel();
    const { text } = await channel.send(message(code, plan('RatePlanType="12"', rates(rate()))));
    assert.match(text, /<Success\/>.*without RatePlanCode, only rates and booking rules are stored</);
    assert.deepEqual(await night(day(1), NO_PLAN), double);
  });
});
