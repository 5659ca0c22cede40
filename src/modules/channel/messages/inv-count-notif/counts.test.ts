import assert from "node:assert/strict";
import { test } from "node:test";
import { day, eachChannel } from "../../../../../test/support/channel.ts";

const message = (hotel: string, lines: string, head = "") =>
  `<OTA_HotelInvCountNotifRQ xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.0">${head}<Inventories HotelCode="${hotel}">${lines}</Inventories></OTA_HotelInvCountNotifRQ>`;
// oxlint-disable-next-line max-params -- the parameters follow the order of the XML
const line = (attributes: string, counts: string | undefined, from = 1, to = from) =>
  `<Inventory><StatusApplicationControl Start="${day(from)}" End="${day(to)}" ${attributes}/>${counts === undefined ? "" : `<InvCounts>${counts}</InvCounts>`}</Inventory>`;
const count = (type: number, value: number) => `<InvCount CountType="${type}" Count="${value}"/>`;
const dbl = 'InvTypeCode="DBL"';
const COMPLETE = '<UniqueID Type="16" ID="1" Instance="CompleteSet"/>';
const IN_ALPINEBITS = { transport: "alpinebits", action: "OTA_HotelInvCountNotif:FreeRooms", version: "2022-10" } as const;

eachChannel("OTA_HotelInvCountNotifRQ", (channel) => {
  test("sets the first and last nights of a range but no nights outside it", async () => {
    const { code, night } = await channel.hotel();
    const { status, text } = await channel.send(message(code, line(dbl, count(2, 3), 1, 5)));
    assert.equal(status, 200);
    assert.match(text, /<OTA_HotelInvCountNotifRS [^>]*Version="1.0"><Success\/><\/OTA_HotelInvCountNotifRS>$/);
    assert.deepEqual(await night(day(1), {}), { available: 3 });
    assert.deepEqual(await night(day(5), {}), { available: 3 });
    assert.deepEqual([await night(day(0), {}), await night(day(6), {})], [{}, {}]);
    assert.deepEqual(await night(day(1), { category: "SGL" }), {});
  });

  test("logs a summary and returns the id of the message", async () => {
    const { code } = await channel.hotel();
    const { receipt, headers } = await channel.send(message(code, line(dbl, count(2, 3), 1, 5)));
    assert.equal(receipt?.verdict.summary, `DBL ${day(1)} to ${day(5)}: available 3`);
    assert.equal(receipt.changedNights, 5);
    assert.equal(headers["x-message-id"], String(receipt.id));
  });

  test("applies the later of two overlapping lines and logs the overlap", async () => {
    const { code, night } = await channel.hotel();
    const lines = line(dbl, count(2, 3), 1, 5) + line(dbl, count(2, 1), 3, 3);
    const { receipt } = await channel.send(message(code, lines));
    assert.equal((await night(day(3), {}))["available"], 1);
    assert.equal((await night(day(4), {}))["available"], 3);
    assert.match(receipt!.verdict.notes.advisories.join(), /overlap/);
  });

  for (const [flags, nights] of [
    ['Mon="1" Fri="true"', [true, false, false, false, true, false, false]],
    ['Sat="0" Sun="0"', [true, true, true, true, true, false, false]],
    ['Wed="true"', [false, false, true, false, false, false, false]],
    ['Tues="0" Thu="0" Weds="0"', [true, false, false, false, true, true, true]],
  ] as const) {
    test(`reads the weekday flags ${flags}`, async () => {
      const { code, night } = await channel.hotel();
      const { receipt } = await channel.send(message(code, line(`${dbl} ${flags}`, count(2, 4), 3, 9)));
      const { ignored, advisories } = receipt!.verdict.notes;
      assert.deepEqual(ignored, []);
      assert.equal(advisories.includes("the standard names for these weekdays are Tue, Weds and Thur"), /Wed=|Thu=/.test(flags));
      const found = await Promise.all(nights.map(async (_, index) => (await night(day(3 + index), {}))["available"] === 4));
      assert.deepEqual(found, nights);
    });
  }

  test("refuses weekday flags that exclude every day or are not boolean", async () => {
    const { code } = await channel.hotel();
    const off = 'Mon="0" Tue="0" Weds="0" Thur="0" Fri="0" Sat="0" Sun="0"';
    assert.match((await channel.send(message(code, line(`${dbl} ${off}`, count(2, 4), 3, 9)))).text, /Type="3" Code="320"/);
    assert.match((await channel.send(message(code, line(`${dbl} Mon="perhaps"`, count(2, 4), 3, 9)))).text, /Type="3" Code="320"/);
  });

  test("warns if the range has no night on the given weekdays", async () => {
    const { code } = await channel.hotel();
    const { text } = await channel.send(message(code, line(`${dbl} Mon="1"`, count(2, 4), 1, 1)));
    assert.match(text, /<Success\/><Warnings><Warning Type="11"/);
  });

  test("marks a category as sold out if its line has no counts", async () => {
    const { code, night } = await channel.hotel();
    await channel.send(message(code, line(dbl, undefined)));
    assert.deepEqual(await night(day(1), {}), { available: 0 });
  });

  test("keeps out-of-order and off-market counts that a message omits, but sets them to 0 in AlpineBits", async () => {
    const { code, night } = await channel.hotel();
    await channel.send(message(code, line(dbl, count(2, 3) + count(6, 2) + count(9, 1))));
    await channel.send(message(code, line(dbl, count(2, 4))));
    assert.deepEqual(await night(day(1), {}), { available: 4, outOfOrder: 2, offMarket: 1 });
    await channel.send(message(code, line(dbl, count(2, 5))), IN_ALPINEBITS);
    assert.deepEqual(await night(day(1), {}), { available: 5, outOfOrder: 0, offMarket: 0 });
  });

  test("derives availability from physical rooms and rooms sold until availability is sent", async () => {
    const { code, night } = await channel.hotel();
    const { receipt } = await channel.send(message(code, line(dbl, count(1, 10) + count(4, 3) + count(5, 1) + count(6, 2))));
    assert.equal(receipt?.verdict.summary, `DBL ${day(1)}: available 4, physical rooms 10, out of order 2`);
    assert.deepEqual(await night(day(1), {}), { available: 4, derived: 1, physical: 10, outOfOrder: 2 });
    await channel.send(message(code, line(dbl, count(2, 6))));
    assert.deepEqual(await night(day(1), {}), { available: 6, physical: 10, outOfOrder: 2 });
  });

  test("warns that physical rooms alone do not set availability", async () => {
    const { code } = await channel.hotel();
    const isWarned = async (counts: string) => {
      const { text } = await channel.send(message(code, line(dbl, counts)));
      return text.includes(">physical rooms (CountType 1) alone do not set availability; send CountType 2<");
    };
    assert.equal(await isWarned(count(1, 9)), true);
    assert.equal(await isWarned(count(1, 9) + count(6, 1)), true);
    assert.equal(await isWarned(count(1, 9) + count(2, 3)), false);
    assert.equal(await isWarned(count(1, 9) + count(4, 3)), false);
    assert.equal(await isWarned(count(6, 1)), false);
  });

  test("derives availability only if physical rooms and rooms sold are sent together and without availability", async () => {
    const { code, night } = await channel.hotel();
    const sent = (counts: string) => channel.send(message(code, line(dbl, counts)));
    assert.match((await sent(count(4, 3))).text, /<Success\/><Warnings><Warning Type="11"[^>]*>count type 4 is not stored</);
    assert.deepEqual(await night(day(1), {}), {}, "only rooms sold");
    assert.match((await sent(count(1, 9))).text, /<Success\/>/);
    assert.deepEqual(await night(day(1), {}), { physical: 9 }, "only physical rooms");
    const { text } = await sent(count(1, 10) + count(2, 6) + count(4, 3) + count(8, 1));
    assert.deepEqual(await night(day(1), {}), { available: 6, physical: 10 }, "with availability");
    assert.match(text, /count type 4 is not stored.*count type 8 is not stored/);
    const derived = await sent(count(1, 10) + count(4, 3) + count(8, 1) + count(13, 1));
    assert.deepEqual(
      [...derived.text.matchAll(/>(count type \d+) is not stored/g)].map(([, words]) => words),
      ["count type 13"],
    );
    await sent(count(1, 3) + count(4, 5));
    assert.equal((await night(day(1), {}))["available"], 0, "more rooms sold than physical rooms");
  });

  test("marks a category as sold out if the list of counts is empty, but not if it contains only other count types", async () => {
    const { code, night } = await channel.hotel();
    await channel.send(message(code, line(dbl, count(6, 2))));
    assert.deepEqual(await night(day(1), {}), { outOfOrder: 2 });
    await channel.send(message(code, line(dbl, "")));
    assert.deepEqual(await night(day(1), {}), { available: 0, outOfOrder: 2 });
  });

  test("refuses a message without lines", async () => {
    const { code } = await channel.hotel();
    assert.match((await channel.send(message(code, ""))).text, /Type="10" Code="321"[^>]*>Required field missing: Inventory</);
  });

  test("reads a count without a type as availability and warns about types that are not stored", async () => {
    const { code, night } = await channel.hotel();
    const { text } = await channel.send(
      message(code, line(dbl, '<InvCount ActionType="Allocation" Count="7"/><InvCount CountType="13" Count="1"/>')),
    );
    assert.equal((await night(day(1), {}))["available"], 7);
    assert.match(text, /Type="11"[^>]*>count type 13 is not stored/);
  });

  test("stores an allotment and its plan without changing the category's count", async () => {
    const { code, night } = await channel.hotel();
    await channel.send(message(code, line(dbl, count(2, 9)) + line(`${dbl} RatePlanCode="TOUR"`, count(2, 4))));
    assert.deepEqual(await night(day(1), {}), { available: 9 });
    assert.deepEqual(await night(day(1), { kind: "rate", lane: "TOUR" }), { allotment: 4 });
    const plan = await channel.database.read.selectFrom("rate_plan").selectAll().where("property", "=", code).executeTakeFirst();
    assert.equal(plan?.code, "TOUR");
  });

  test("logs each harmless attribute and warns about each unknown attribute only once", async () => {
    const { code, night } = await channel.hotel();
    const odd = line(dbl, count(2, 3))
      .replace("<Inventory", '<Inventory Colour="red"')
      .replace("<InvCount ", '<InvCount AdjustReason="Allocation" ');
    const xml = message(code, odd + odd).replace("<Inventories", '<Inventories ChainCode="C"');
    const { receipt, text } = await channel.send(xml);
    assert.deepEqual(
      [...text.matchAll(/<Warning [^>]*>([^<]*)</g)].map(([, warning]) => warning),
      ["Inventory/@Colour is unknown and was ignored"],
    );
    assert.deepEqual(receipt?.verdict.notes.ignored, ["Inventories/@ChainCode", "InvCount/@AdjustReason"]);
    assert.deepEqual(await night(day(1), {}), { available: 3 });
  });

  test("reads a target with harmless attributes and trims its codes", async () => {
    const { code, night } = await channel.hotel();
    const { receipt } = await channel.send(message(code, line('InvTypeCode=" DBL " IsRoom="1" Override="2"', count(2, 3))));
    assert.deepEqual(receipt?.verdict.notes.ignored, ["StatusApplicationControl/@Override"]);
    assert.deepEqual(await night(day(1), {}), { available: 3 });
    const { text } = await channel.send(message(code, line('AllInvCode="perhaps" InvTypeCode="DBL"', count(2, 4))));
    assert.match(text, /Code="320"[^>]*>Invalid value "perhaps" for AllInvCode; allowed: 1, 0, true, false</);
  });

  test("refuses a line with two targets in every message type", async () => {
    const { code, night } = await channel.hotel();
    const control = `<StatusApplicationControl Start="${day(1)}" InvTypeCode="DBL"/>`;
    const lines = [
      ["OTA_HotelInvCountNotifRQ", "Inventories", `<Inventory>${control}${control}</Inventory>`],
      ["OTA_HotelAvailNotifRQ", "AvailStatusMessages", `<AvailStatusMessage BookingLimit="1">${control}${control}</AvailStatusMessage>`],
      [
        "OTA_HotelRateAmountNotifRQ",
        "RateAmountMessages",
        `<RateAmountMessage>${control}${control}<Rates><Rate><BaseByGuestAmts><BaseByGuestAmt AmountAfterTax="9"/></BaseByGuestAmts></Rate></Rates></RateAmountMessage>`,
      ],
    ] as const;
    for (const [root, list, content] of lines) {
      const xml = `<${root} xmlns="http://www.opentravel.org/OTA/2003/05"><${list} HotelCode="${code}">${content}</${list}></${root}>`;
      assert.match((await channel.send(xml)).text, /Code="320"[^>]*>A line must have only one StatusApplicationControl</, root);
    }
    assert.deepEqual(await night(day(1), {}), {});
  });

  test("warns that an allotment for an individual room is not stored", async () => {
    const { code, night } = await channel.hotel();
    const { text } = await channel.send(message(code, line(`${dbl} InvCode="101" RatePlanCode="BAR"`, count(2, 1))));
    assert.match(text, /<Success\/><Warnings><Warning Type="11"[^>]*>allotments for individual rooms are not stored</);
    assert.deepEqual(await night(day(1), { kind: "rate", lane: "BAR" }), {});
  });

  test("matches CompleteSet case-insensitively and logs any other Instance", async () => {
    const { code, night } = await channel.hotel();
    await channel.send(message(code, line(dbl, count(2, 8), 1, 2)));
    const { receipt } = await channel.send(message(code, line(dbl, count(2, 7)), COMPLETE.replace("CompleteSet", "Everything")));
    assert.deepEqual(receipt?.verdict.notes.ignored, ['UniqueID/@Instance="Everything"']);
    assert.equal((await night(day(2), {}))["available"], 8);
    await channel.send(message(code, line(dbl, count(2, 6)), COMPLETE.replace("CompleteSet", " completeset")));
    assert.deepEqual([(await night(day(1), {}))["available"], await night(day(2), {})], [6, {}]);
  });

  test("skips a line for a group block", async () => {
    const { code, night } = await channel.hotel();
    const lines = line(dbl, count(2, 8)) + line(`${dbl} InvBlockCode="GROUP"`, count(2, 1));
    const { text } = await channel.send(message(code, lines));
    assert.match(text, /<Success\/><Warnings><Warning Type="11"[^>]*>InvBlockCode is not stored: lines for group blocks are skipped</);
    assert.deepEqual(await night(day(1), {}), { available: 8 });
  });

  test("replaces all counts from today onward if a complete set is sent", async () => {
    const { code, night } = await channel.hotel();
    await channel.send(message(code, line(dbl, count(2, 9), 1, 9) + line('InvTypeCode="SGL"', count(2, 9), 1, 9)));
    const { receipt } = await channel.send(message(code, line(dbl, count(2, 2), 1, 1), COMPLETE));
    assert.equal((await night(day(1), {}))["available"], 2);
    assert.deepEqual([await night(day(2), {}), await night(day(1), { category: "SGL" })], [{}, {}]);
    assert.equal(receipt?.verdict.completeSet, "counts");
  });

  test("clears all counts if a complete set is empty, and refuses an empty line without CompleteSet", async () => {
    const { code, night } = await channel.hotel();
    await channel.send(message(code, line(dbl, count(2, 9), 1, 9)));
    assert.match((await channel.send(message(code, "<Inventory/>"))).text, /Type="10" Code="321"/);
    assert.equal((await night(day(4), {}))["available"], 9);
    assert.match((await channel.send(message(code, "<Inventory/>", COMPLETE))).text, /<Success\/>/);
    assert.deepEqual(await night(day(4), {}), {});
  });

  test("closes every category during a closing season until a later count reopens it", async () => {
    const { code, night } = await channel.hotel();
    await channel.send(message(code, line('AllInvCode="true"', undefined, 1, 9)));
    assert.deepEqual(await night(day(4), {}), { closed: 1 });
    assert.deepEqual(await night(day(4), { category: "SGL" }), { closed: 1 });
    await channel.send(message(code, line(dbl, count(2, 2), 4, 5)));
    assert.deepEqual(await night(day(4), {}), { available: 2 });
    assert.deepEqual(await night(day(6), {}), { closed: 1 });
    assert.deepEqual(await night(day(4), { category: "SGL" }), { closed: 1 });
  });

  test("warns about and ignores a hotel-wide count above 0, but stores a hotel-wide count of 0 for every category", async () => {
    const { code, night } = await channel.hotel();
    await channel.send(message(code, line(dbl, count(2, 2))));
    for (const counts of [count(2, 87), count(1, 90) + count(4, 3), count(6, 1)]) {
      const { text } = await channel.send(message(code, line('AllInvCode="true"', counts) + line('InvTypeCode="SGL"', count(2, 1))));
      assert.match(text, /<Success\/>.*a count for the whole property is not stored/);
      assert.deepEqual([await night(day(1), {}), await night(day(1), { category: "SGL" })], [{ available: 2 }, { available: 1 }]);
    }
    assert.match((await channel.send(message(code, line('AllInvCode="1"', count(2, 0))))).text, /<Success\/><\//);
    assert.deepEqual([await night(day(1), {}), await night(day(1), { category: "SGL" })], [{ available: 0 }, { available: 0 }]);
  });

  test("refuses relative counts and counts of rooms used", async () => {
    const { code, night } = await channel.hotel();
    const acting = (action: string) => `<InvCount ActionType="${action}" Count="3"/>`;
    for (const action of ["Adjustment", "used"]) {
      const { text } = await channel.send(message(code, line(dbl, acting(action))));
      assert.match(text, new RegExp(`Type="2" Code="450"[^>]*>ActionType="${action}" is not supported;`));
      assert.deepEqual(await night(day(1), {}), {});
    }
    for (const action of ["Allocation", "Remaining"])
      assert.match((await channel.send(message(code, line(dbl, acting(action))))).text, /<Success\/><\//);
    assert.deepEqual(await night(day(1), {}), { available: 3 });
  });

  test("reopens only the nights for which a count is sent", async () => {
    const { code, night } = await channel.hotel();
    const closed = () => Promise.all([1, 2, 3, 4, 8, 9].map(async (at) => (await night(day(at), {}))["closed"] === 1));
    const all = line('AllInvCode="true"', undefined, 1, 9);
    // Day 1 is a Saturday.
    await channel.send(message(code, all + line(`${dbl} Sat="1"`, count(2, 2), 1, 9)));
    assert.deepEqual(await closed(), [false, true, true, true, false, true]);
    await channel.send(message(code, all + line(dbl, count(2, 2), 1, 1) + line(dbl, count(2, 2), 2, 2) + line(dbl, count(2, 2), 4, 8)));
    assert.deepEqual(await closed(), [false, false, true, false, false, true]);
    await channel.send(message(code, all + line(dbl, count(2, 2), 4, 4) + line(dbl, count(2, 2), 2, 2) + line(dbl, count(2, 2), 1, 1)));
    assert.deepEqual(await closed(), [false, false, true, false, true, true]);
  });

  test("replaces the category's count with counts for individual rooms only on their weekdays", async () => {
    const { code, night } = await channel.hotel();
    await channel.send(message(code, line(dbl, count(2, 4), 1, 3)));
    // Day 1 is a Saturday.
    await channel.send(message(code, line(`${dbl} InvCode="101" Sat="1"`, count(2, 1), 1, 3)));
    const found = await Promise.all([1, 2].map((at) => night(day(at), {})));
    assert.deepEqual(found, [{}, { available: 4 }]);
    assert.deepEqual(await night(day(1), { lane: "101" }), { available: 1 });
  });

  test("does not reopen a closed hotel if a message contains no count that is stored", async () => {
    const { code, night } = await channel.hotel();
    const { receipt } = await channel.send(message(code, line('AllInvCode="true"', undefined, 1, 9)));
    assert.equal(receipt?.verdict.summary, `All categories ${day(1)} to ${day(9)}: closed`);
    await channel.send(message(code, line(dbl, count(13, 2))));
    assert.deepEqual(await night(day(1), {}), { closed: 1 });
  });

  test("applies a closure or a count, whichever comes last", async () => {
    const { code, night } = await channel.hotel();
    const all = line('AllInvCode="true"', undefined, 3, 6);
    await channel.send(message(code, line(dbl, count(2, 2), 1, 4) + all + line(dbl, count(2, 7), 6, 6)));
    assert.deepEqual(await night(day(2), {}), { available: 2 });
    assert.deepEqual(await night(day(4), {}), { available: 2, closed: 1 });
    assert.deepEqual(await night(day(6), {}), { available: 7 });
  });

  test("stores the counts of individual rooms separately and removes the category's own count", async () => {
    const { code, night } = await channel.hotel();
    await channel.send(message(code, line(dbl, count(2, 9))));
    const rooms = line(`${dbl} InvCode="101"`, count(2, 1)) + line(`${dbl} InvCode="102"`, count(2, 0));
    await channel.send(message(code, rooms));
    assert.deepEqual(await night(day(1), { lane: "101" }), { available: 1 });
    assert.deepEqual(await night(day(1), { lane: "102" }), { available: 0 });
    assert.deepEqual(await night(day(1), {}), {});
  });

  test("refuses counts for both individual rooms and categories in one message", async () => {
    const { code, night } = await channel.hotel();
    const { text } = await channel.send(message(code, line(dbl, count(2, 9)) + line(`${dbl} InvCode="101"`, count(2, 1), 2)));
    assert.match(text, /Type="3" Code="320"/);
    assert.deepEqual(await night(day(1), {}), {});
  });

  test("uses InvCode as the category if InvTypeCode is missing", async () => {
    const { code, night } = await channel.hotel();
    await channel.send(message(code, line('InvCode="DBL" InvCodeApplication="InvCode"', count(2, 5))));
    assert.equal((await night(day(1), {}))["available"], 5);
  });

  test("warns about past nights and ignores them", async () => {
    const { code, night } = await channel.hotel();
    const one = await channel.send(message(code, line(dbl, count(2, 5), -1, 1)));
    assert.match(one.text, new RegExp(`<Warning Type="11"[^>]*>1 night before ${day(0)} ignored</Warning>`));
    assert.equal((await night(day(0), {}))["available"], 5);
    const { text } = await channel.send(message(code, line(dbl, count(2, 5), -4, -2)));
    assert.match(text, new RegExp(`>3 nights before ${day(0)} ignored<`));
    const several = line(dbl, count(2, 5), -4, -2) + line('InvTypeCode="SGL"', count(2, 5), -9, -3) + line(dbl, count(2, 5), -20, -20);
    assert.match((await channel.send(message(code, several))).text, />9 nights before /, "each past night is counted once");
    const long = line(dbl, count(2, 5)).replace(`Start="${day(1)}"`, 'Start="0001-01-01"');
    const years = (Date.parse(day(0)) - Date.parse("0001-01-01")) / 86_400_000;
    assert.match((await channel.send(message(code, long))).text, new RegExp(`>${years} nights before `));
  });

  test("uses the date in the hotel's time zone as today", async () => {
    const { code, night } = await channel.hotel({ time_zone: "Pacific/Kiritimati" });
    const { text } = await channel.send(message(code, line(dbl, count(2, 5), 0, 1)));
    assert.match(text, new RegExp(`1 night before ${day(1)} ignored`));
    assert.deepEqual(await night(day(0), {}), {});
  });

  test("warns about nights beyond the horizon and ignores them", async () => {
    const { code, night } = await channel.hotel({ horizon_days: 100 });
    const { text } = await channel.send(message(code, line(dbl, count(2, 5), 99, 40_000)));
    assert.match(text, /<Warning Type="3" Code="458"[^>]*>dates are too far in the future for this server to process<\/Warning>/);
    assert.equal((await night(day(100), {}))["available"], 5);
    assert.deepEqual(await night(day(101), {}), {});
    // Day 100 is a Sunday.
    const sundays = await channel.send(message(code, line(`${dbl} Sun="1"`, count(2, 6), 95, 102)));
    assert.doesNotMatch(sundays.text, /<Warning /, "no Sunday is beyond the horizon");
    assert.equal((await night(day(100), {}))["available"], 6);
  });

  test("warns about a count above the category's number of rooms but stores it", async () => {
    const { code, night } = await channel.hotel({}, { rooms: 2 });
    const { text } = await channel.send(message(code, line(dbl, count(2, 5))));
    assert.match(text, /<Warning Type="3"[^>]*>DBL has 2 rooms, but more were sent/);
    assert.equal((await night(day(1), {}))["available"], 5);
    assert.match(
      (await channel.send(message(code, line(dbl, count(2, 1) + count(9, 1))))).text,
      /<Success\/><\//,
      "the counts add up to the number of rooms",
    );
    const derived = await channel.send(message(code, line(dbl, count(1, 4) + count(4, 1))));
    assert.match(derived.text, /<Warning Type="3"[^>]*>DBL has 2 rooms, but more were sent/);
    const rooms = [dbl, 'InvTypeCode="SGL"'].map((type) => line(`${type} InvCode="101"`, count(2, 2)));
    const { text: single } = await channel.send(message(code, rooms.join("")));
    assert.match(single, /<Warning Type="3"[^>]*>DBL room 101 has 1 room, but more were sent/);
    assert.match(single, /<Warning Type="3"[^>]*>SGL room 101 has 1 room, but more were sent/);
  });

  test("logs and acknowledges a message with Target=Test, but changes nothing", async () => {
    const { code, night } = await channel.hotel();
    const xml = message(code, line(dbl, count(2, 5))).replace("Version", 'Target="Test" Version');
    const { text, receipt } = await channel.send(xml);
    assert.match(text, /Target="Test"[^>]*><Success\/>/);
    assert.deepEqual(await night(day(1), {}), {});
    assert.equal(receipt?.changedNights, 1);
  });

  test("finds a hotel by its name if exactly one active hotel has that name", async () => {
    const { code, night } = await channel.hotel({ name: "Hôtel du Lac" });
    const named = message(code, line(dbl, count(2, 5))).replace(`HotelCode="${code}"`, 'HotelName="Hôtel du Lac"');
    assert.match((await channel.send(named)).text, /<Success\/>/);
    assert.equal((await night(day(1), {}))["available"], 5);
    await channel.hotel({ name: "Hôtel du Lac" });
    assert.match((await channel.send(named)).text, /Type="10" Code="321"[^>]*>Required field missing: HotelCode/);
  });

  test("does not warn about nights up to the horizon, or about excluded weekdays beyond it", async () => {
    const { code, night } = await channel.hotel({ horizon_days: 100 });
    assert.match((await channel.send(message(code, line(dbl, count(2, 5), 0, 100)))).text, /<Success\/><\//);
    // Today is a Friday, and so is day 7.
    const friday = (from: number, to: number) => channel.send(message(code, line(`${dbl} Fri="1"`, count(2, 4), from, to)));
    for (const [from, to] of [
      [1, 7],
      [7, 7],
      [7, 12],
    ] as const) {
      assert.match((await friday(from, to)).text, /<Success\/><\//, `${from} to ${to}`);
    }
    assert.deepEqual([await night(day(7), {}), await night(day(6), {})], [{ available: 4 }, { available: 5 }]);
    assert.match((await friday(1, 6)).text, /the range has no night on the given weekdays/);
    assert.match((await friday(-8, 0)).text, />1 night before /);
    assert.match((await friday(-7, -7)).text, /<Warnings><Warning [^>]*>1 night before [^<]*<\/Warning><\/Warnings>/);
    const twice = line(`${dbl} Fri="1"`, count(2, 4), -21, -1) + line(`${dbl} Thur="1" Fri="1"`, count(2, 4), -8, -1);
    assert.match((await channel.send(message(code, twice))).text, />5 nights before /);
  });

  for (const [attributes, nights] of [
    [`Start="${day(1)}Z" End="${day(2)}+01:00"`, 2],
    [`Start="${day(1)}-05:00"`, 1],
    [`Start="${day(1)}T23:59:59.999-05:00"`, 1],
    [`Start="${day(1)}T00:00" End="${day(2)}T24:00:00Z"`, 2],
    [`Start="${day(1)}" Duration="P3N"`, 3],
    [`Start="${day(1)}" Duration="P3D"`, 3],
    [`Start="${day(1)}" Duration="P1W"`, 7],
    [`Start="${day(1)}" Duration="PT48H"`, 2],
    [`Start="${day(1)}" Duration="P1M"`, 30],
    [`Start="${day(1)}" Duration="P1Y1M2D"`, 397],
    [`Start="${day(1)}" End="${day(2)}" Duration="P7N"`, 2],
  ] as const) {
    test(`reads ${attributes.replaceAll(/[\d-]{10}/g, "…")} as ${nights} nights`, async () => {
      const { code, night } = await channel.hotel();
      const xml = message(code, line(dbl, count(2, 5)).replace(/Start="[^"]*" End="[^"]*"/, attributes));
      const { text } = await channel.send(xml);
      assert.match(text, /<Success\/><\//);
      assert.deepEqual([await night(day(nights), {}), await night(day(nights + 1), {})], [{ available: 5 }, {}]);
    });
  }

  test("ends a one-month duration before the same date of the next month, or before the last date of a shorter month", async () => {
    const { code, night } = await channel.hotel();
    const month = line(dbl, count(2, 5)).replace(/Start="[^"]*" End="[^"]*"/, 'Start="2027-01-31" Duration="P1M"');
    await channel.send(message(code, month));
    assert.deepEqual([await night("2027-02-27", {}), await night("2027-02-28", {})], [{ available: 5 }, {}]);
  });

  for (const [attributes, code] of [
    [`Start="${day(1)} 00:00"`, 15],
    [`Start="${day(1)}T25:00:00"`, 15],
    [`Start="${day(1)}T:"`, 15],
    [`Start="${day(1)}+1"`, 15],
    [`Start="${day(1)}" Duration="1M"`, 320],
    [`Start="${day(1)}" Duration="P0D"`, 320],
    [`Start="${day(1)}" Duration="P"`, 320],
    [`Start="${day(1)}" Duration="-P3D"`, 320],
    [`Start="${day(1)}" Duration="PT12H"`, 320],
  ] as const) {
    test(`refuses ${attributes.replaceAll(/[\d-]{10}/g, "…")}`, async () => {
      const hotel = await channel.hotel();
      const xml = message(hotel.code, line(dbl, count(2, 5)).replace(/Start="[^"]*" End="[^"]*"/, attributes));
      assert.match((await channel.send(xml)).text, new RegExp(`<Error Type="3" Code="${code}"`));
      assert.deepEqual(await hotel.night(day(1), {}), {});
    });
  }

  test("uses Start as End if End is missing and ignores a time of day", async () => {
    const { code, night } = await channel.hotel();
    const xml = message(
      code,
      `<Inventory><StatusApplicationControl Start="${day(1)}T00:00:00" ${dbl}/><InvCounts>${count(2, 5)}</InvCounts></Inventory>`,
    );
    const { receipt } = await channel.send(xml);
    assert.equal((await night(day(1), {}))["available"], 5);
    assert.equal(receipt?.verdict.notes.advisories.length, 2);
  });
});
