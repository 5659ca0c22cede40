import assert from "node:assert/strict";
import { test } from "node:test";
import { day, eachChannel } from "../../../../../test/support/channel.ts";
import { addSender } from "../../../../../test/support/senders.ts";

const NAMESPACE = "http://www.expediaconnect.com/EQC/AR/2011/06";
const BAR = { kind: "rate", lane: "BAR" } as const;
const ROOM = { kind: "rate" } as const;
const TOMORROW = `<DateRange from="${day(1)}" to="${day(1)}"/>`;

function message(hotel: string, content: string, authentication = ""): string {
  return `<AvailRateUpdateRQ xmlns="${NAMESPACE}">${authentication}<Hotel id="${hotel}"/>${content}</AvailRateUpdateRQ>`;
}

const update = (hotel: string, room: string, dates = TOMORROW) => message(hotel, `<AvailRateUpdate>${dates}${room}</AvailRateUpdate>`);
const plan = (content: string, attributes = "") => `<RoomType id="DBL"><RatePlan id="BAR"${attributes}>${content}</RatePlan></RoomType>`;

eachChannel("AvailRateUpdateRQ", (channel) => {
  test("stores rooms, rates by occupancy and restrictions, and leaves other values unchanged", async () => {
    const hotel = await channel.hotel();
    const rates = '<Rate currency="EUR"><PerOccupancy rate="100.00" occupancy="1"/><PerOccupancy rate="120.5" occupancy="2"/></Rate>';
    const limits = '<Restrictions minLOS="2" maxLOS="7" closedToArrival="true" closedToDeparture="false"/>';
    const room = `<RoomType id="DBL" closed="false"><Inventory totalInventoryAvailable="9"/><RatePlan id="BAR" closed="true">${rates}${limits}</RatePlan></RoomType>`;
    const answer = await channel.send(update(hotel.code, room));
    assert.equal(
      answer.text,
      `<?xml version="1.0" encoding="UTF-8"?>\n<AvailRateUpdateRS xmlns="${NAMESPACE}"><Success/></AvailRateUpdateRS>`,
    );
    assert.deepEqual(await hotel.night(day(1), {}), { available: 9 });
    assert.deepEqual(await hotel.night(day(1), ROOM), { stopSell: 0 });
    assert.deepEqual(await hotel.night(day(1), BAR), {
      stopSell: 1,
      minStayArrival: 2,
      maxStayArrival: 7,
      closedToArrival: 1,
      closedToDeparture: 0,
      currency: "EUR",
      perPerson: 0,
      "amount:after:1:10:1": 10000,
      "amount:after:2:10:1": 12050,
    });
    for (const other of [{ date: day(2) }, { date: day(1), category: "SGL" }])
      assert.deepEqual(await hotel.night(other.date, { ...BAR, ...other }), {});
    await channel.send(update(hotel.code, plan('<Restrictions minLOS="1"/>')));
    const { minStayArrival, maxStayArrival, stopSell } = await hotel.night(day(1), BAR);
    assert.deepEqual([minStayArrival, maxStayArrival, stopSell], [undefined, 7, 1]);
  });

  test("applies each line only to its date ranges and weekdays", async () => {
    const hotel = await channel.hotel();
    const ranges = `<DateRange from="${day(1)}" to="${day(2)}"/><DateRange from="${day(10)}" to="${day(16)}" sat="true" sun="1"/><DateRange from="${day(20)}" to="${day(26)}" mon="false"/>`;
    await channel.send(update(hotel.code, '<RoomType id="DBL" closed="true"/>', ranges));
    for (let days = 0; days < 28; days++) {
      const weekday = new Date(day(days)).getUTCDay();
      const isClosed =
        [1, 2].includes(days) || (days >= 10 && days <= 16 && [0, 6].includes(weekday)) || (days >= 20 && days <= 26 && weekday !== 1);
      assert.deepEqual(await hotel.night(day(days), ROOM), isClosed ? { stopSell: 1 } : {}, day(days));
    }
  });

  test("stores rates by length of stay as prices for the whole stay", async () => {
    const hotel = await channel.hotel({ prices_include_tax: 0 });
    const rates = '<Rate currency="EUR"><PerDay rate="100.10" lengthOfStay="1"/><PerDay rate="90.05" lengthOfStay="3"/></Rate>';
    assert.match((await channel.send(update(hotel.code, plan(rates)))).text, /<Success\/>/);
    const { currency, ...amounts } = await hotel.night(day(1), BAR);
    assert.deepEqual([currency, amounts], ["EUR", { perPerson: 0, "amount:before:0:10:1": 10010, "amount:before:0:10:3": 27015 }]);
  });

  test("stores rates per person", async () => {
    const hotel = await channel.hotel();
    await channel.send(update(hotel.code, plan('<Rate><PerPerson rate="60"/></Rate>')));
    assert.deepEqual(await hotel.night(day(1), BAR), { currency: "EUR", perPerson: 1, "amount:after:0:10:1": 6000 });
  });

  test("reads the older format, which has no AvailRateUpdate", async () => {
    const hotel = await channel.hotel();
    const old = message(hotel.code, TOMORROW + plan('<Restrictions minLOS="3"/>')).replace("2011/06", "2007/02");
    assert.match((await channel.send(old)).text, /<Success\/>/);
    assert.deepEqual(await hotel.night(day(1), BAR), { minStayArrival: 3 });
  });

  test("warns about values that are not stored", async () => {
    const hotel = await channel.hotel();
    const room = '<RoomType id="DBL" name="Double"><Inventory totalInventoryAvailable="3" flexibleAllocation="2"/></RoomType>';
    const { text } = await channel.send(update(hotel.code, room));
    assert.match(text, /<Success><Warning code="11">Inventory\/@flexibleAllocation is not stored \(1:\d+\)<\/Warning><\/Success>/);
    assert.deepEqual(await hotel.night(day(1), {}), { available: 3 });
  });

  test("warns about text content, because Expedia's elements never contain text", async () => {
    const hotel = await channel.hotel();
    const { text } = await channel.send(update(hotel.code, plan('<Restrictions minLOS="3">7</Restrictions>', ' closed="true"')));
    assert.match(text, /<Success><Warning code="11">text "7" is not stored \(1:\d+\)</);
    assert.deepEqual(await hotel.night(day(1), BAR), { stopSell: 1, minStayArrival: 3 });
  });

  test("refuses invalid values and limits that cannot be stored, and stores nothing", async () => {
    const hotel = await channel.hotel();
    const inventory = '<Inventory totalInventoryAvailable="3"/>';
    const cases: readonly (readonly [string, RegExp])[] = [
      [
        `<RoomType id="DBL" channel="AAA">${inventory}</RoomType>`,
        /code="450">channel="AAA" limits the line to something that is not stored/,
      ],
      [`<RoomType id="DBL"><Promotion/>${inventory}</RoomType>`, /code="450">Promotion="" limits the line/],
      [`<RoomType>${inventory}</RoomType>`, /code="321">Required field missing: id of RoomType/],
      ['<RoomType id="TWIN" closed="true"/>', /code="402">Room type code not found for this hotel \(TWIN\)/],
      ['<RoomType id="DBL"><Restrictions minLOS="2"/></RoomType>', /code="321">Required field missing: RatePlan around Restrictions/],
      ['<RoomType id="DBL" closed="maybe"/>', /code="320">Invalid value "maybe" for closed/],
      ['<RoomType id="DBL"><Inventory totalInventoryAvailable="-1"/></RoomType>', /code="320">Invalid value "-1"/],
      [plan("<Rate/>"), /Required field missing: PerDay, PerOccupancy or PerPerson/],
      [plan('<Rate currency="euro"><PerDay rate="1"/></Rate>'), /code="61">/],
      [plan('<Rate><PerDay rate="1,50"/></Rate>'), /code="320">Invalid value "1,50" for rate/],
      [plan('<Rate><PerOccupancy rate="1"/></Rate>'), /Required field missing: occupancy/],
      [plan('<Rate><PerOccupancy rate="1" occupancy="0"/></Rate>'), /for occupancy/],
      [plan('<Restrictions minLOS="two"/>'), /Invalid value "two" for minLOS/],
    ];
    for (const [room, error] of cases) {
      const { text, receipt } = await channel.send(update(hotel.code, `<RoomType id="DBL">${inventory}</RoomType>${room}`));
      assert.match(text, error);
      assert.doesNotMatch(text, /Success/);
      assert.equal(receipt!.changedNights, 0, room);
    }
    const badDates = [
      ["", /DateRange/],
      [`<DateRange from="${day(3)}" to="${day(1)}"/>`, /code="404">/],
      [`<DateRange from="${day(3)}"/>`, /missing: to/],
      ['<DateRange from="2026-02-30" to="2026-03-01"/>', /code="15">Invalid date "2026-02-30" in from/],
    ] as const;
    for (const [dates, error] of badDates)
      assert.match((await channel.send(update(hotel.code, '<RoomType id="DBL" closed="true"/>', dates))).text, error);
    assert.match((await channel.send(message(hotel.code, ""))).text, /missing: AvailRateUpdate/);
    assert.match((await channel.send(update("NOWHERE", '<RoomType id="DBL" closed="true"/>'))).text, /code="392">/);
    assert.deepEqual(await hotel.night(day(1), {}), {});
    assert.deepEqual(await hotel.night(day(1), ROOM), {});
  });

  test("returns an AvailRateUpdateRS for malformed XML", async () => {
    const { status, text } = await channel.post({ body: `<AvailRateUpdateRQ xmlns="${NAMESPACE}"><Hotel` });
    assert.equal(status, 400);
    assert.match(text, /<AvailRateUpdateRS [^>]*><Error code="450">XML is not well-formed/);
  });

  test("does not require Hotel if the sender has access to only one property", async () => {
    const [own, other] = [await channel.hotel(), await channel.hotel()];
    const content = `<AvailRateUpdate>${TOMORROW}<RoomType id="DBL"><Inventory totalInventoryAvailable="3"/></RoomType></AvailRateUpdate>`;
    const standard = await channel.as({ preset: "expedia", settings: {} }, [own.code]);
    assert.match((await standard(message("", content))).text, /<Success\/>/);
    const byCredential = await channel.as({ preset: "expedia", settings: { hotelCode: "credential" } }, [own.code]);
    assert.match((await byCredential(message(other.code, content.replace('"3"', '"4"')))).text, /<Success\/>/);
    assert.deepEqual([await own.night(day(1), {}), await other.night(day(1), {})], [{ available: 4 }, {}]);
    const wide = await channel.as({ preset: "expedia", settings: {} });
    assert.match((await wide(message("", content))).text, /code="321">Required field missing: id of Hotel/);
  });

  test("stores stay limits as stay-through if the sender's setting says so", async () => {
    const hotel = await channel.hotel();
    const send = await channel.as({ preset: "expedia", settings: { expediaStays: "through" } }, [hotel.code]);
    await send(update(hotel.code, plan('<Restrictions minLOS="2" maxLOS="7"/>')));
    assert.deepEqual(await hotel.night(day(1), BAR), { minStayThrough: 2, maxStayThrough: 7 });
  });

  test("ignores settings for OpenTravel attributes", async () => {
    const hotel = await channel.hotel();
    const send = await channel.as({ preset: "ctrip-2", settings: { end: "excluded" } }, [hotel.code]);
    assert.match((await send(update(hotel.code, plan("", ' closed="true"')))).text, /<Success\/>/);
    assert.deepEqual(await hotel.night(day(1), BAR), { stopSell: 1 });
  });

  test("reads credentials from Authentication and masks them in the log", async () => {
    const hotel = await channel.hotel();
    const secret = await addSender(channel.database, { name: `eqc-${hotel.code}`, hotels: [hotel.code] });
    const post = (password: string, property = hotel.code) => {
      const authentication = `<Authentication username="eqc-${hotel.code}" password="${password}"/>`;
      const line = '<RoomType id="DBL"><Inventory totalInventoryAvailable="4"/></RoomType>';
      return channel.post({
        body: message(property, `<AvailRateUpdate>${TOMORROW}${line}</AvailRateUpdate>`, authentication),
        open: false,
      });
    };
    const wrong = await post("wrong-password");
    assert.match(wrong.text, /<AvailRateUpdateRS [^>]*><Error code="497">Invalid Username and\/or Password</);
    assert.deepEqual(await hotel.night(day(1), {}), {});
    const good = await post(secret);
    assert.match(good.text, /<Success\/>/);
    assert.deepEqual(await hotel.night(day(1), {}), { available: 4 });
    const { request } = await channel.database.read
      .selectFrom("message_body")
      .selectAll()
      .where("message", "=", good.receipt!.id)
      .executeTakeFirstOrThrow();
    assert.ok(!Buffer.from(request).includes(secret));
    const other = await channel.hotel();
    assert.match((await post(secret, other.code)).text, /<Error code="497">You do not have access to hotel/);
    assert.deepEqual(await other.night(day(1), {}), {});
  });
});
