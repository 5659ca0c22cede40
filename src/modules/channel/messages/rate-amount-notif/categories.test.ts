import assert from "node:assert/strict";
import { test } from "node:test";
import { after, amountsLine as line, amountsMessage as message, PLAN, rate } from "../../../../../test/support/amounts.ts";
import { day, eachChannel } from "../../../../../test/support/channel.ts";

eachChannel("The category of a Rate", (channel) => {
  test("accepts a category on a Rate if its line has none, but refuses one that differs from the line's", async () => {
    const { code, night } = await channel.hotel();
    const named = (category: string, amount: string) => rate(after(2, amount), category);
    const two = named('InvTypeCode="DBL"', "90") + named('InvCode="SGL"', "70");
    const { text } = await channel.send(message(code, line(two, 'RatePlanCode="BAR"')));
    assert.match(text, /<Success\/><\//);
    const found = await Promise.all(
      ["DBL", "SGL"].map(async (category) => (await night(day(1), { ...PLAN, category }))["amount:after:2:10:1"]),
    );
    assert.deepEqual(found, [9_000, 7_000]);
    await channel.send(message(code, line(named('InvTypeCode="SGL"', "60"), "")));
    assert.equal((await night(day(1), { kind: "rate", category: "SGL" }))["amount:after:2:10:1"], 6_000, "without a plan");
    await channel.send(message(code, line(named('InvTypeCode="SGL"', "50") + named("", "80"), 'RatePlanCode="BAR"')));
    const mixed = await Promise.all(
      ["DBL", "SGL"].map(async (category) => (await night(day(1), { ...PLAN, category }))["amount:after:2:10:1"]),
    );
    assert.deepEqual(mixed, [8_000, 8_000], "the later rate applies to every category");
    const other = await channel.send(message(code, line(named('InvTypeCode="SGL"', "40"))));
    assert.match(other.text, /Code="320"[^>]*>A Rate must not have a category other than its line's</);
    const unknown = await channel.send(message(code, line(named('InvTypeCode="SUITE"', "40"), 'RatePlanCode="BAR"')));
    assert.match(unknown.text, /Code="402"/);
    const nameless = await channel.send(message(code, line(named('InvTypeCode="SGL"', "40") + named("", "80"), "")));
    assert.match(nameless.text, /Code="321"[^>]*>Required field missing: InvTypeCode</);
    const removed = await channel.send(message(code, line(named('InvTypeCode="SGL"', "40"), 'RatePlanCode="BAR"'), "Remove"));
    assert.match(removed.text, /<Success\/><\//);
    assert.deepEqual(await night(day(1), { ...PLAN, category: "SGL" }), {});
    assert.equal((await night(day(1), PLAN))["amount:after:2:10:1"], 8_000);
  });

  test("warns that amounts for an individual room of the line's category are not stored", async () => {
    const { code, night } = await channel.hotel();
    const room = rate(after(2, "50"), 'InvCode="101"');
    for (const target of ['InvTypeCode="DBL" RatePlanCode="BAR"', 'InvTypeCode="DBL" InvCode="101" RatePlanCode="BAR"']) {
      const { text } = await channel.send(message(code, line(room, target)));
      assert.match(text, /<Success\/><Warnings><Warning[^>]*>amounts for individual rooms are not stored<\/Warning><\/Warnings>/, target);
      assert.deepEqual(await night(day(1), PLAN), {});
    }
    const unknown = await channel.send(message(code, line(room, 'InvTypeCode="SUITE" RatePlanCode="BAR"')));
    assert.match(unknown.text, /Code="402"[^>]*>Room type code not found for this hotel \(SUITE\)</);
    const both = await channel.send(message(code, line(rate(after(2, "90")) + room, 'InvTypeCode="DBL" RatePlanCode="BAR"')));
    assert.match(both.text, /<Success\/><Warnings>[^/]*>amounts for individual rooms are not stored/);
    assert.equal((await night(day(1), PLAN))["amount:after:2:10:1"], 9_000, "the category's amounts are stored");
  });

  test("combines rates for the same nights whether the line or the Rate names the category", async () => {
    const { code, night } = await channel.hotel();
    await channel.send(message(code, line(rate(after(1, "60"), 'InvTypeCode="DBL"') + rate(after(2, "80")))));
    const { "amount:after:1:10:1": one, "amount:after:2:10:1": two } = await night(day(1), PLAN);
    assert.deepEqual([one, two], [6_000, 8_000]);
  });
});
