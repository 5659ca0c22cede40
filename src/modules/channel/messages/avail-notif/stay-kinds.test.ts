import assert from "node:assert/strict";
import { test } from "node:test";
import { day, eachChannel } from "../../../../../test/support/channel.ts";
import { STANDARD_PROFILE } from "../../profiles/presets.ts";

const message = (hotel: string, ...lines: readonly string[]) =>
  `<OTA_HotelAvailNotifRQ xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.0"><AvailStatusMessages HotelCode="${hotel}">${lines.join("")}</AvailStatusMessages></OTA_HotelAvailNotifRQ>`;
const line = (target: string, ...content: readonly string[]) =>
  `<AvailStatusMessage><StatusApplicationControl Start="${day(1)}" End="${day(2)}" ${target}/>${content.join("")}</AvailStatusMessage>`;
const stays = (flag: "true" | "false" | undefined, ...lengths: readonly string[]) =>
  `<LengthsOfStay${flag === undefined ? "" : ` ArrivalDateBased="${flag}"`}>${lengths.join("")}</LengthsOfStay>`;
const limit = (type: string, time?: number) => `<LengthOfStay MinMaxMessageType="${type}"${time === undefined ? "" : ` Time="${time}"`}/>`;
const min = (time: number) => limit("SetMinLOS", time);
const max = (time: number) => limit("SetMaxLOS", time);
const bar = 'InvTypeCode="DBL" RatePlanCode="BAR"';
const PLAN = { kind: "rate", lane: "BAR" } as const;
const THROUGH = { preset: "standard", settings: { stayLimits: "through" } } as const;
const CLEAN = /<Success\/><\//;

eachChannel("A stay limit", (channel) => {
  test("stores a stay limit as ArrivalDateBased specifies, or as arrival-based by default", async () => {
    const { code, night } = await channel.hotel();
    assert.match((await channel.send(message(code, line(bar, stays("true", min(5)))))).text, CLEAN);
    assert.deepEqual(await night(day(1), PLAN), { minStayArrival: 5 });
    assert.match((await channel.send(message(code, line(bar, stays("false", min(2), max(9)))))).text, CLEAN);
    assert.deepEqual(await night(day(1), PLAN), { minStayArrival: 5, minStayThrough: 2, maxStayThrough: 9 });
    assert.match((await channel.send(message(code, line(bar, stays(undefined, min(4), max(7)))))).text, CLEAN);
    assert.deepEqual(await night(day(2), PLAN), { minStayArrival: 4, maxStayArrival: 7, minStayThrough: 2, maxStayThrough: 9 });
    assert.deepEqual(await night(day(3), PLAN), {});
  });

  const both = { minStayArrival: 5, minStayThrough: 2 };
  for (const [order, lines] of [
    ["after an arrival-based one", [line(bar, stays("true", min(5))), line(bar, stays(undefined, min(2)))]],
    ["before an arrival-based one", [line(bar, stays(undefined, min(2))), line(bar, stays("true", min(5)))]],
    ["after an arrival-based one in the same line", [line(bar, stays("true", min(5)), stays(undefined, min(2)))]],
    ["before an arrival-based one in the same line", [line(bar, stays(undefined, min(2)), stays("true", min(5)))]],
  ] as const) {
    test(`stores a stay limit without ArrivalDateBased as stay-through if sent ${order}`, async () => {
      const { code, night } = await channel.hotel();
      assert.match((await channel.send(message(code, ...lines))).text, CLEAN);
      assert.deepEqual(await night(day(1), PLAN), both);
      assert.deepEqual(await night(day(2), PLAN), both);
    });
  }

  test("treats a stay limit without ArrivalDateBased as arrival-based if only other categories or plans set ArrivalDateBased", async () => {
    const { code, night } = await channel.hotel();
    const others = ['InvTypeCode="SGL" RatePlanCode="BAR"', 'InvTypeCode="DBL" RatePlanCode="FLEX"', 'InvTypeCode="DBL"'];
    const lines = others.map((target) => line(target, stays("true", min(5))));
    await channel.send(message(code, ...lines, line(bar, stays(undefined, min(2)))));
    assert.deepEqual(await night(day(1), PLAN), { minStayArrival: 2 });
    assert.deepEqual(await night(day(1), { kind: "rate", lane: "FLEX" }), { minStayArrival: 5 });
    await channel.send(message(code, line('RatePlanCode="BAR"', stays("true", min(6))), line(bar, stays(undefined, min(3)))));
    assert.deepEqual(await night(day(1), PLAN), { minStayArrival: 6, minStayThrough: 3 }, "the limit for every category is arrival-based");
    assert.deepEqual(await night(day(1), { ...PLAN, category: "SGL" }), { minStayArrival: 6 });
  });

  test("stores a stay limit in a RestrictionStatus as arrival-based, even after a stay-through LengthsOfStay", async () => {
    const { code, night } = await channel.hotel();
    await channel.send(message(code, line(bar, stays("false", max(9)), '<RestrictionStatus MinLOS="3"/>')));
    assert.deepEqual(await night(day(1), PLAN), { minStayArrival: 3, maxStayThrough: 9 });
  });

  test("treats a stay limit without ArrivalDateBased as arrival-based if only a skipped line sets ArrivalDateBased", async () => {
    const { code, night } = await channel.hotel();
    await channel.send(message(code, line(`${bar} InvBlockCode="GROUP"`, stays("true", min(5))), line(bar, stays(undefined, min(2)))));
    assert.deepEqual(await night(day(1), PLAN), { minStayArrival: 2 });
  });

  test("stores a stay limit as the arrival-based or stay-through limit that its type names", async () => {
    const { code, night } = await channel.hotel();
    const types = [limit("SetMinLOS_Through", 2), limit("SetMaxLOS_Through", 9), limit("SetMinLOS", 5), limit("setmaxlos_arrival", 8)];
    assert.match((await channel.send(message(code, line(bar, stays(undefined, ...types))))).text, CLEAN);
    assert.deepEqual(await night(day(1), PLAN), { minStayArrival: 5, maxStayArrival: 8, minStayThrough: 2, maxStayThrough: 9 });
    await channel.send(message(code, line(bar, stays("true", limit("SetForwardMinStay", 3), limit("RemoveMaxLOS_Through")))));
    assert.deepEqual(await night(day(1), PLAN), { minStayArrival: 5, maxStayArrival: 8, minStayThrough: 3 });
  });

  const WARNING =
    /<Success\/><Warnings><Warning Type="11"[^>]*>removed the minimum stay \(arrival\) of DBL\/BAR, which still has a minimum stay \(through\): ArrivalDateBased="false" would remove that</;

  test("removes a stay limit but not one of the other kind, and warns if the sender may have meant the other one", async () => {
    const { code, night } = await channel.hotel();
    const set = message(code, line(bar, stays("true", min(5)), stays("false", min(2))));
    const remove = (flag: "true" | "false" | undefined, type = limit("RemoveMinLOS")) => message(code, line(bar, stays(flag, type)));
    await channel.send(set);
    assert.match((await channel.send(remove("false"))).text, CLEAN);
    assert.deepEqual(await night(day(1), PLAN), { minStayArrival: 5 });
    await channel.send(set);
    assert.match((await channel.send(remove("true"))).text, CLEAN);
    assert.deepEqual(await night(day(1), PLAN), { minStayThrough: 2 });
    for (const type of [limit("RemoveMinLOS"), limit("SetMinLOS"), min(1)]) {
      await channel.send(set);
      assert.match((await channel.send(remove(undefined, type))).text, WARNING);
      assert.deepEqual(await night(day(1), PLAN), { minStayThrough: 2 });
    }
  });

  test("does not warn about removing a stay limit if its nights have none of the other kind or the message names the kind", async () => {
    const { code, night } = await channel.hotel();
    await channel.send(message(code, line(bar, stays("true", min(5)), stays("false", min(2)))));
    const elsewhere = line(bar, stays(undefined, limit("RemoveMinLOS"))).replace(
      /Start="[^"]*" End="[^"]*"/,
      `Start="${day(3)}" End="${day(9)}"`,
    );
    assert.match((await channel.send(message(code, elsewhere))).text, CLEAN);
    const named = line(bar, stays(undefined, limit("RemoveMinLOS"), limit("SetForwardMinStay", 4)));
    assert.match((await channel.send(message(code, named))).text, CLEAN);
    assert.deepEqual(await night(day(1), PLAN), { minStayThrough: 4 });
    const all = message(code, line(bar, '<RestrictionStatus Status="Open"/>', stays(undefined, limit("RemoveMinLOS"))));
    const set = all.replace("<AvailStatusMessages", '<UniqueID Type="16" ID="1" Instance="CompleteSet"/>$&');
    assert.match((await channel.send(set)).text, CLEAN);
    assert.deepEqual(await night(day(1), PLAN), { stopSell: 0 });
  });

  test("does not turn a pattern of allowed stays into stay-through limits", async () => {
    const { code, night } = await channel.hotel();
    const pattern = '<LengthOfStay MinMaxMessageType="FullPatternLOS"><LOS_Pattern FullPatternLOS="NYY"/></LengthOfStay>';
    assert.match((await channel.send(message(code, line(bar, stays("true", pattern))))).text, CLEAN);
    const { text } = await channel.send(message(code, line(bar, stays("false", pattern))));
    assert.match(
      text,
      /<Success\/>.*allowed lengths of stay were stored as arrival-based; ArrivalDateBased="false" is not supported for them</,
    );
    assert.deepEqual(await night(day(1), PLAN), { pattern: "NYY" });
  });
});

eachChannel("A stay limit without ArrivalDateBased from a sender with a stay-through profile", (channel) => {
  test("sets and removes a stay limit without ArrivalDateBased as stay-through if the sender's profile says so", async () => {
    const { code, night } = await channel.hotel();
    const send = await channel.as(THROUGH);
    await send(message(code, line(bar, stays(undefined, min(2), max(9)))));
    assert.deepEqual(await night(day(1), PLAN), { minStayThrough: 2, maxStayThrough: 9 });
    await send(message(code, line(bar, stays("true", min(4)))));
    assert.deepEqual(await night(day(1), PLAN), { minStayArrival: 4, minStayThrough: 2, maxStayThrough: 9 });
    const { text } = await send(message(code, line(bar, stays(undefined, limit("RemoveMinLOS"), limit("SetMaxLOS", 0)))));
    assert.match(text, /removed the minimum stay \(through\) of DBL\/BAR, which still has a minimum stay \(arrival\): Arrival[^"]+"true"/);
    assert.deepEqual(await night(day(1), PLAN), { minStayArrival: 4 });
  });
});

eachChannel("A maximum advance booking of 0 days", (channel) => {
  const CLEARS = { preset: "standard", settings: { maxAdvance0: "clears" } } as const;
  const window = (attributes: string) => line(bar, `<RestrictionStatus ${attributes}/>`);

  for (const zero of ["0", "P0D"]) {
    test(`warns about a maximum advance booking of ${zero} and stores it, or removes the limit if the profile says so`, async () => {
      const { code, night } = await channel.hotel();
      const [send, sendClearing] = [await channel.as(STANDARD_PROFILE), await channel.as(CLEARS)];
      await send(message(code, window('MinAdvancedBookingOffset="0" MaxAdvancedBookingOffset="30"')));
      const { text } = await send(message(code, window(`MaxAdvancedBookingOffset="${zero}"`)));
      assert.match(
        text,
        /<Success\/><Warnings><Warning Type="11"[^>]*>MaxAdvancedBookingOffset 0 was stored: these nights can be booked only on the day/,
      );
      assert.deepEqual(await night(day(1), PLAN), { minAdvance: 0, maxAdvance: 0 });
      const cleared = await sendClearing(message(code, window(`MaxAdvancedBookingOffset="${zero}"`)));
      assert.match(cleared.text, CLEAN);
      assert.deepEqual(await night(day(1), PLAN), { minAdvance: 0 });
    });
  }
});
