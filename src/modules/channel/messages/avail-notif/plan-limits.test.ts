import assert from "node:assert/strict";
import { test } from "node:test";
import { day, eachChannel } from "../../../../../test/support/channel.ts";

const message = (hotel: string, ...lines: readonly string[]) =>
  `<OTA_HotelAvailNotifRQ xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.0"><AvailStatusMessages HotelCode="${hotel}">${lines.join("")}</AvailStatusMessages></OTA_HotelAvailNotifRQ>`;
type Days = readonly [first: number, last: number];
// oxlint-disable-next-line max-params -- the parameters follow the order of the XML
const line = (target: string, limit: string, [first, last]: Days = [1, 2], content = "") =>
  `<AvailStatusMessage ${limit}><StatusApplicationControl Start="${day(first)}" End="${day(last)}" ${target}/>${content}</AvailStatusMessage>`;
const limit = (rooms: number) => `BookingLimit="${rooms}"`;
const REMOVE = 'BookingLimitMessageType="RemoveLimit"';
const flex = 'InvTypeCode="DBL" RatePlanCode="FLEX"';
const promo = 'InvTypeCode="DBL" RatePlanCode="PROMO"';
const FLEX = { kind: "rate", lane: "FLEX" } as const;
const PROMO = { kind: "rate", lane: "PROMO" } as const;
const CLEAN = /<Success\/><\//;
const DIFFER =
  /<Success\/><Warnings><Warning Type="11"[^>]*>limits for DBL differ by rate plan: each was stored as its plan's allotment, and the count of DBL is unchanged<\/Warning><\/Warnings>/;

eachChannel("A booking limit with a rate plan", (channel) => {
  test("sets the category's count if all plan limits in the message are equal", async () => {
    const { code, night } = await channel.hotel();
    assert.match((await channel.send(message(code, line(flex, limit(5))))).text, CLEAN);
    assert.deepEqual(await night(day(1), {}), { available: 5 });
    assert.match((await channel.send(message(code, line(flex, limit(4)), line(promo, limit(4))))).text, CLEAN);
    assert.deepEqual([await night(day(1), {}), await night(day(1), FLEX), await night(day(1), PROMO)], [{ available: 4 }, {}, {}]);
  });

  for (const [order, lines] of [
    ["higher limit first", [line(flex, limit(5)), line(promo, limit(0))]],
    ["lower limit first", [line(promo, limit(0)), line(flex, limit(5))]],
  ] as const) {
    test(`sets each plan's allotment if the plan limits differ: ${order}`, async () => {
      const { code, night } = await channel.hotel();
      await channel.send(message(code, line('InvTypeCode="DBL"', limit(9))));
      assert.match((await channel.send(message(code, ...lines))).text, DIFFER);
      assert.deepEqual(await night(day(1), FLEX), { allotment: 5 });
      assert.deepEqual(await night(day(2), PROMO), { allotment: 0 });
      assert.deepEqual(await night(day(1), {}), { available: 9 });
      assert.deepEqual(await night(day(3), FLEX), {});
    });
  }

  test("compares plan limits separately for each category and night", async () => {
    const { code, night } = await channel.hotel();
    const lines = [
      line(flex, limit(5), [1, 5]),
      line(promo, limit(0), [3, 3]),
      line('InvTypeCode="SGL" RatePlanCode="FLEX"', limit(2), [1, 5]),
    ];
    assert.match((await channel.send(message(code, ...lines))).text, DIFFER);
    assert.deepEqual([await night(day(2), {}), await night(day(3), {}), await night(day(4), {})], [{ available: 5 }, {}, { available: 5 }]);
    assert.deepEqual(
      [await night(day(2), FLEX), await night(day(3), FLEX), await night(day(3), PROMO)],
      [{}, { allotment: 5 }, { allotment: 0 }],
    );
    assert.deepEqual(await night(day(3), { category: "SGL" }), { available: 2 });
  });

  test("compares plan limits only on the weekdays of each line", async () => {
    const { code, night } = await channel.hotel();
    const weekend = line(`${flex} Sat="1" Sun="1"`, limit(5), [1, 14]);
    const week = line(`${promo} Mon="1" Tue="1" Wed="1" Thu="1" Fri="1"`, limit(0), [1, 14]);
    assert.match((await channel.send(message(code, weekend, week))).text, CLEAN);
    const found = await Promise.all([1, 2, 3, 7, 8, 9, 10].map(async (at) => (await night(day(at), {}))["available"]));
    assert.deepEqual(found, [5, 5, 0, 0, 5, 5, 0], "today is a Friday");
  });

  test("compares plan limits with limits that have no plan or apply to every category", async () => {
    const { code, night } = await channel.hotel();
    assert.match((await channel.send(message(code, line('InvTypeCode="DBL"', limit(5)), line(promo, limit(0))))).text, DIFFER);
    assert.deepEqual([await night(day(1), {}), await night(day(1), PROMO)], [{ available: 5 }, { allotment: 0 }]);
    const { text } = await channel.send(message(code, line(flex, limit(3)), line('RatePlanCode="PROMO"', limit(1))));
    assert.match(text, /limits for DBL differ by rate plan/);
    assert.doesNotMatch(text, /limits of SGL/);
    assert.deepEqual([await night(day(1), FLEX), await night(day(1), PROMO)], [{ allotment: 3 }, { allotment: 1 }]);
    assert.deepEqual(await night(day(1), { category: "SGL" }), { available: 1 });
  });

  test("does not compare plan limits with the limits of skipped lines", async () => {
    const { code, night } = await channel.hotel();
    const { text } = await channel.send(message(code, line(flex, limit(5)), line(`${promo} InvBlockCode="GROUP"`, limit(0))));
    assert.doesNotMatch(text, /limits of DBL differ/);
    assert.deepEqual([await night(day(1), {}), await night(day(1), FLEX), await night(day(1), PROMO)], [{ available: 5 }, {}, {}]);
  });

  test("removes earlier allotments if the plan limits become equal again or RemoveLimit is sent", async () => {
    const { code, night } = await channel.hotel();
    const differ = message(code, line(flex, limit(5)), line(promo, limit(0)));
    await channel.send(differ);
    await channel.send(message(code, line(flex, limit(3), [1, 1]), line(promo, limit(3), [1, 1])));
    assert.deepEqual([await night(day(1), {}), await night(day(1), FLEX), await night(day(1), PROMO)], [{ available: 3 }, {}, {}]);
    assert.deepEqual([await night(day(2), FLEX), await night(day(2), PROMO)], [{ allotment: 5 }, { allotment: 0 }]);
    await channel.send(differ);
    await channel.send(message(code, line(flex, REMOVE), line(promo, limit(2))));
    assert.deepEqual([await night(day(1), FLEX), await night(day(1), PROMO)], [{}, { allotment: 2 }]);
    const set = message(code, line(flex, limit(4))).replace(
      "<AvailStatusMessages",
      '<UniqueID Type="16" ID="1" Instance="CompleteSet"/>$&',
    );
    await channel.send(set);
    assert.deepEqual([await night(day(1), {}), await night(day(1), PROMO)], [{ available: 4 }, {}]);
  });

  test("stores an allotment's restrictions and warns about its threshold", async () => {
    const { code, night } = await channel.hotel();
    const closed = '<RestrictionStatus Status="Close"/>';
    const lines = [line(flex, `${limit(5)} BookingThreshold="2"`), line(promo, limit(0), [1, 2], closed)];
    const { text } = await channel.send(message(code, ...lines));
    assert.match(text, /BookingThreshold for an allotment is not stored/);
    assert.deepEqual([await night(day(1), FLEX), await night(day(1), PROMO)], [{ allotment: 5 }, { allotment: 0, stopSell: 1 }]);
  });

  test("does not set an allotment for an individual room", async () => {
    const { code, night } = await channel.hotel();
    const room = (plan: string) => `InvTypeCode="DBL" InvCode="101" RatePlanCode="${plan}"`;
    const { text } = await channel.send(message(code, line(room("FLEX"), limit(1)), line(room("PROMO"), limit(0))));
    assert.match(text, /allotments for individual rooms are not stored/);
    assert.deepEqual([await night(day(1), { lane: "101" }), await night(day(1), FLEX)], [{}, {}]);
  });
});

eachChannel("A booking limit with a rate plan from a sender with a profile", (channel) => {
  test("sets the count or the allotment, depending on the profile", async () => {
    const { code, night } = await channel.hotel();
    const both = message(code, line(flex, limit(5)), line(promo, limit(0)));
    const sendForPlans = await channel.as({ preset: "standard", settings: { limitsWithPlan: "plan" } });
    assert.match((await sendForPlans(both)).text, CLEAN);
    assert.deepEqual(
      [await night(day(1), {}), await night(day(1), FLEX), await night(day(1), PROMO)],
      [{}, { allotment: 5 }, { allotment: 0 }],
    );
    assert.match((await sendForPlans(message(code, line(flex, limit(2))))).text, CLEAN);
    assert.deepEqual([await night(day(1), {}), await night(day(1), FLEX)], [{}, { allotment: 2 }]);
    const sendForRooms = await channel.as({ preset: "standard", settings: { limitsWithPlan: "room" } });
    assert.match((await sendForRooms(both)).text, CLEAN);
    assert.deepEqual([await night(day(1), {}), await night(day(1), FLEX), await night(day(1), PROMO)], [{ available: 0 }, {}, {}]);
  });
});
