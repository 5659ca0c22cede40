import assert from "node:assert/strict";
import { test } from "node:test";
import { type Answered, day, eachChannel } from "../../../../../test/support/channel.ts";
import { addSender } from "../../../../../test/support/senders.ts";

const JSON_TYPE = { "content-type": "application/json" };
const BAR = { kind: "rate", lane: "BAR" } as const;
const ROOM = { kind: "rate" } as const;

type Found = { pointer: string; code: string; text: string };
const bodyOf = ({ text }: Answered) => JSON.parse(text) as { data?: { id: number }; meta?: { warnings: Found[] }; errors?: Found[] };
const foundIn = (answer: Answered) =>
  (bodyOf(answer).errors ?? bodyOf(answer).meta?.warnings ?? []).map(({ pointer, code, text }) => [pointer, code, text]);

eachChannel("JSON values", (channel) => {
  const post = (body: string, headers: Record<string, string> = {}) => channel.post({ body, headers: { ...JSON_TYPE, ...headers } });
  const send = (...values: readonly object[]) => post(JSON.stringify({ values }));
  const night = (property: string) => ({ property_id: property, room_type_id: "DBL", date: day(1) });

  test("stores a category's availability by weekday", async () => {
    const hotel = await channel.hotel();
    const value = { property_id: hotel.code, room_type_id: "DBL", date_from: day(0), date_to: day(6), days: ["mo", "su"], availability: 3 };
    const answer = await send(value);
    assert.deepEqual([answer.status, answer.headers["content-type"]], [200, "application/json"]);
    assert.deepEqual(bodyOf(answer), { data: { id: answer.receipt!.id }, meta: { warnings: [] } });
    const weekday = (days: number) => new Date(day(days)).getUTCDay();
    for (let days = 0; days < 7; days++) {
      const expected = [0, 1].includes(weekday(days)) ? { available: 3 } : {};
      assert.deepEqual(await hotel.night(day(days), {}), expected, day(days));
    }
    assert.deepEqual(await hotel.night(day(3), { category: "SGL" }), {});
  });

  test("stores a plan's rates and restrictions and keeps other values", async () => {
    const hotel = await channel.hotel();
    const plan = { ...night(hotel.code), rate_plan_id: "BAR" };
    await send({ ...plan, rate: "90.00", stop_sell: true });
    const limits = { min_stay_arrival: 2, min_stay_through: 3, max_stay: 7, closed_to_arrival: true, closed_to_departure: false };
    const rates = [
      { occupancy: 1, rate: "100" },
      { occupancy: 2, rate: 12050 },
    ];
    assert.deepEqual(foundIn(await send({ ...plan, ...limits, rates })), []);
    assert.deepEqual(await hotel.night(day(1), BAR), {
      stopSell: 1,
      minStayArrival: 2,
      minStayThrough: 3,
      maxStayArrival: 7,
      closedToArrival: 1,
      closedToDeparture: 0,
      currency: "EUR",
      "amount:after:0:10:1": 9000,
      "amount:after:1:10:1": 10000,
      "amount:after:2:10:1": 12050,
    });
    assert.deepEqual(await hotel.night(day(1), ROOM), {});
    await send({ ...plan, min_stay_arrival: 1, min_stay_through: 0, max_stay: 0 });
    const { minStayArrival, minStayThrough, maxStayArrival, stopSell } = await hotel.night(day(1), BAR);
    assert.deepEqual([minStayArrival, minStayThrough, maxStayArrival, stopSell], [undefined, undefined, undefined, 1]);
  });

  test("matches codes in any Unicode normalization form", async () => {
    const hotel = await channel.hotel({ code: `ZÜ${process.pid}` });
    assert.equal((await send({ ...night(` ${hotel.code.normalize("NFD")}`), availability: 2 })).status, 200);
    assert.deepEqual(await hotel.night(day(1), {}), { available: 2 });
  });

  test("reads an integer rate as minor units of the currency", async () => {
    const hotel = await channel.hotel({ currency: "JPY", prices_include_tax: 0 });
    assert.deepEqual(foundIn(await send({ ...night(hotel.code), rate: 12000 })), []);
    assert.deepEqual(await hotel.night(day(1), ROOM), { currency: "JPY", "amount:before:0:10:1": 12000 });
    await send({ ...night(hotel.code), date: day(2), rate: 12000, currency: "KWD" });
    assert.deepEqual(await hotel.night(day(2), ROOM), { currency: "KWD", "amount:before:0:10:1": 12000 });
  });

  test("refuses a numeric rate that is not written as a plain whole number", async () => {
    const hotel = await channel.hotel();
    for (const rate of ["200.0", "200.5", "2e2", "-5"]) {
      const answer = await post(`{"values":[{"property_id":"${hotel.code}","room_type_id":"DBL","date":"${day(1)}","rate":${rate}}]}`);
      assert.equal(answer.status, 422, rate);
      assert.deepEqual(foundIn(answer)[0]?.slice(0, 2), ["/values/0/rate", "invalid_value"], rate);
    }
    assert.deepEqual(await hotel.night(day(1), ROOM), {});
  });

  test("does not require room_type_id if the plan is stored for only one category", async () => {
    const hotel = await channel.hotel();
    const plan = { property_id: hotel.code, rate_plan_id: "BAR", date: day(400), stop_sell: true };
    assert.match(foundIn(await send(plan))[0]![2]!, /room_type_id \(rate plan BAR is not stored yet\)/);
    await send({ ...night(hotel.code), rate_plan_id: "BAR", rate: "90" });
    assert.deepEqual(foundIn(await send(plan)), []);
    assert.deepEqual(await hotel.night(day(400), BAR), { stopSell: 1 });
    assert.deepEqual(await hotel.night(day(400), { ...BAR, category: "SGL" }), {});
    await send({ ...night(hotel.code), room_type_id: "SGL", rate_plan_id: "BAR", rate: "80" });
    const answer = await send({ ...plan, stop_sell: false });
    assert.deepEqual(foundIn(answer), [
      ["/values/0", "field_missing", "Required field missing: room_type_id (rate plan BAR is stored for DBL, SGL)"],
    ]);
    assert.deepEqual(await hotel.night(day(400), BAR), { stopSell: 1 });
  });

  test("sets the category's availability if all plans agree, and each plan's allotment otherwise", async () => {
    const hotel = await channel.hotel();
    const of = (plan: string, availability: number) => ({ ...night(hotel.code), rate_plan_id: plan, availability });
    assert.deepEqual(foundIn(await send(of("BAR", 2), of("FLEX", 2))), []);
    assert.deepEqual([await hotel.night(day(1), {}), await hotel.night(day(1), BAR)], [{ available: 2 }, {}]);
    const differ = [
      [
        "/values/0",
        "note",
        "limits for DBL differ by rate plan: each was stored as its plan's allotment, and the count of DBL is unchanged",
      ],
    ];
    assert.deepEqual(foundIn(await send(of("BAR", 5), of("FLEX", 0))), differ);
    assert.deepEqual(
      [await hotel.night(day(1), {}), await hotel.night(day(1), BAR), await hotel.night(day(1), { ...BAR, lane: "FLEX" })],
      [{ available: 2 }, { allotment: 5 }, { allotment: 0 }],
    );
    // Limits for different categories are not compared, even if a value omits its category because its plan has only one.
    await send({ ...night(hotel.code), room_type_id: "SGL", rate_plan_id: "SOLO", rate: "90" });
    const { room_type_id: category, ...solo } = of("SOLO", 3);
    assert.deepEqual(foundIn(await send({ ...of("BAR", 4), room_type_id: category }, solo)), []);
    assert.deepEqual([await hotel.night(day(1), {}), await hotel.night(day(1), { category: "SGL" })], [{ available: 4 }, { available: 3 }]);
  });

  test("warns about an unknown field but refuses one that may limit a value", async () => {
    const hotel = await channel.hotel();
    const stop = { ...night(hotel.code), stop_sell: true };
    assert.deepEqual(foundIn(await send({ ...stop, max_sell: 3, rate: null })), [
      ["/values/0/max_sell", "note", "field max_sell is not stored"],
      ["/values/0/rate", "note", "rate is null and changes nothing"],
    ]);
    assert.deepEqual(await hotel.night(day(1), ROOM), { stopSell: 1 });
    for (const name of ["channel_id", "ratePlanId", "occupancy", "dateTo", "promotion", "roomTypeId", "length_of_stay"]) {
      const answer = await send({ ...stop, stop_sell: false, [name]: "AAA" });
      assert.deepEqual([answer.status, foundIn(answer)[0]?.slice(0, 2)], [422, [`/values/0/${name}`, "not_supported"]], name);
    }
    assert.deepEqual(await hotel.night(day(1), ROOM), { stopSell: 1 });
  });

  test("refuses a top-level field that may limit every value", async () => {
    const hotel = await channel.hotel();
    const values = [{ ...night(hotel.code), stop_sell: true }];
    for (const name of ["channel_id", "property_id", "rate_plan_id", "days"]) {
      const answer = await post(JSON.stringify({ [name]: "AAA", values }));
      assert.deepEqual([answer.status, foundIn(answer)[0]?.slice(0, 2)], [422, [`/${name}`, "not_supported"]], name);
    }
    assert.deepEqual(await hotel.night(day(1), ROOM), {});
    const answer = await post(JSON.stringify({ trace: "AAA", channel_id: null, values }));
    assert.deepEqual(
      foundIn(answer).map(([pointer, code]) => [pointer, code]),
      [
        ["/trace", "note"],
        ["/channel_id", "note"],
      ],
    );
  });

  test("reports every error and stores nothing if there is one", async () => {
    const hotel = await channel.hotel();
    const good = night(hotel.code);
    const bad: readonly (readonly [object, string])[] = [
      [{ ...good, availability: -1 }, "/availability"],
      [{ ...good, availability: "3" }, "/availability"],
      [{ ...good, stop_sell: "yes" }, "/stop_sell"],
      [{ ...good, days: ["monday"] }, "/days"],
      [{ ...good, days: [] }, "/days"],
      [{ ...good, date: "2026-02-30" }, ""],
      [{ ...good, date_to: day(3) }, ""],
      [{ property_id: hotel.code, room_type_id: "DBL", date_from: day(1), availability: 1 }, ""],
      [{ property_id: hotel.code, room_type_id: "DBL", availability: 1 }, ""],
      [{ property_id: hotel.code, date: day(1), availability: 1 }, ""],
      [{ ...good, room_type_id: "TWIN", availability: 1 }, ""],
      [{ ...good, property_id: "OTHER", availability: 1 }, "/property_id"],
      [{ ...good, rates: [{ occupancy: 0, rate: "1" }] }, "/rates/0/occupancy"],
      [{ ...good, rates: [{ occupancy: 2 }] }, "/rates/0"],
      [{ ...good, rate: "1.005" }, "/rate"],
    ];
    const answer = await send({ ...good, availability: 5 }, ...bad.map(([value]) => value));
    assert.deepEqual([answer.status, answer.headers["content-type"]], [422, "application/problem+json"]);
    assert.deepEqual(
      new Set(foundIn(answer).map(([pointer]) => pointer)),
      new Set(bad.map(([, part], index) => `/values/${index + 1}${part}`)),
    );
    assert.deepEqual(await hotel.night(day(1), {}), {});
  });

  test("refuses a document without valid values", async () => {
    for (const body of ["{}", "[]", '{"values":[]}', '{"values":{}}', '{"values":[1]}', "null", '"x"', '{"values":[{}]}']) {
      const answer = await post(body);
      assert.equal(answer.status, 422, body);
      assert.ok(foundIn(answer).length > 0, body);
    }
  });

  test("refuses malformed JSON with status 400 and the position of the error", async () => {
    const { code } = await channel.hotel();
    const cases = [
      ['{"values":\n [}', "line 2, column 3"],
      ['{"values": [', "line 1, column 13"],
      ["{'values': []}", "line 1, column 2"],
      [`{"values": [{"property_id": "${code}", "rate": "1", "rate": "2"}]}`, 'duplicate name "rate"'],
      ['{"values": ["\\u0000"]}', "NUL"],
      ["[".repeat(100_000), "more than 20 levels"],
    ] as const;
    for (const [body, part] of cases) {
      const answer = await post(body);
      assert.equal(answer.status, 400, body.slice(0, 50));
      assert.ok(foundIn(answer)[0]![2]!.includes(part), answer.text);
    }
    const broken = await channel.post({ body: Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), headers: JSON_TYPE });
    assert.match(broken.text, /line 1, column 3: the text is not valid UTF-8/);
  });

  test("reads UTF-8 and UTF-16 with a byte order mark", async () => {
    const hotel = await channel.hotel();
    const body = JSON.stringify({ values: [{ ...night(hotel.code), availability: 4 }] });
    for (const bytes of [Buffer.from(`\uFEFF${body}`), Buffer.from(`\uFEFF${body}`, "utf16le")]) {
      const answer = await channel.post({ body: bytes, headers: JSON_TYPE });
      assert.equal(answer.status, 200, answer.text);
    }
    assert.deepEqual(await hotel.night(day(1), {}), { available: 4 });
  });

  test("returns JSON errors for an unknown property and an empty body", async () => {
    const answer = await send(night("NOWHERE"));
    assert.deepEqual([answer.status, foundIn(answer)[0]?.[1]], [422, "property_not_found"]);
    assert.deepEqual(foundIn(await send({ room_type_id: "DBL", date: day(1), stop_sell: true })), [
      ["/values/0/property_id", "field_missing", "Required field missing: property_id"],
    ]);
    assert.deepEqual(foundIn(await post(""))[0]?.slice(1), ["field_missing", "Empty request body"]);
  });

  test("logs values as JSON together with the pointers in their warnings", async () => {
    const hotel = await channel.hotel();
    const { receipt } = await send({ ...night(hotel.code), availability: 1, colour: "red" });
    assert.equal(receipt!.verdict.notes.warnings[0]!.at, "/values/0/colour");
    const row = await channel.database.read.selectFrom("message").selectAll().where("id", "=", receipt!.id).executeTakeFirstOrThrow();
    assert.deepEqual([row.transport, row.root, row.property, row.lines], ["json", "JSON values", hotel.code, 1]);
  });

  test("stores a plan's availability as the sender's setting specifies", async () => {
    const hotel = await channel.hotel();
    const sendLimits = await channel.as({ preset: "channex", settings: { limitsWithPlan: "plan" } }, [hotel.code]);
    const body = JSON.stringify({ values: [{ ...night(hotel.code), rate_plan_id: "BAR", availability: 2 }] });
    assert.equal((await sendLimits(body, { transport: "json" })).status, 200);
    assert.deepEqual([await hotel.night(day(1), {}), await hotel.night(day(1), BAR)], [{}, { allotment: 2 }]);
  });

  test("accepts fields that the sender's settings ignore", async () => {
    const hotel = await channel.hotel();
    const sendIgnoring = await channel.as({ preset: "channex", settings: { ignored: ["channel_id"] } }, [hotel.code]);
    const value = { ...night(hotel.code), stop_sell: true, channel_id: "AAA" };
    const answer = await sendIgnoring(JSON.stringify({ values: [value] }), { transport: "json" });
    assert.deepEqual([answer.status, foundIn(answer), answer.receipt!.verdict.notes.ignored], [200, [], ["channel_id"]]);
    assert.deepEqual(await hotel.night(day(1), ROOM), { stopSell: 1 });
  });

  test("does not require property_id if the sender has access to only one property", async () => {
    const [own, other] = [await channel.hotel(), await channel.hotel()];
    const value = { room_type_id: "DBL", date: day(1), availability: 3 };
    const standard = await channel.as({ preset: "channex", settings: {} }, [own.code]);
    const sending = { transport: "json" } as const;
    assert.equal((await standard(JSON.stringify({ values: [value] }), sending)).status, 200);
    assert.deepEqual(await own.night(day(1), {}), { available: 3 });
    assert.equal((await standard(JSON.stringify({ values: [{ ...value, property_id: other.code }] }), sending)).status, 422);
    const byCredential = await channel.as({ preset: "channex", settings: { hotelCode: "credential" } }, [own.code]);
    const foreign = { ...value, property_id: other.code, availability: 5 };
    assert.equal((await byCredential(JSON.stringify({ values: [foreign] }), sending)).status, 200);
    assert.deepEqual([await own.night(day(1), {}), await other.night(day(1), {})], [{ available: 5 }, {}]);
    const wide = await channel.as({ preset: "channex", settings: { hotelCode: "credential" } });
    assert.match(
      foundIn(await wide(JSON.stringify({ values: [foreign] }), sending))[0]![2]!,
      /property_id \(the sender must have access to exactly one property\)/,
    );
  });

  test("accepts the secret in user-api-key and returns a JSON 401 without it", async () => {
    const [own, other] = [await channel.hotel(), await channel.hotel()];
    const secret = await addSender(channel.database, { name: `json-${own.code}`, hotels: [own.code] });
    const closed = (headers: Record<string, string>, property: string) =>
      channel.post({
        body: JSON.stringify({ values: [{ ...night(property), availability: 2 }] }),
        headers: { ...JSON_TYPE, ...headers },
        open: false,
      });
    const accepted = await closed({ "user-api-key": secret }, own.code);
    assert.equal(accepted.status, 200, accepted.text);
    const refused = await closed({ "user-api-key": "wrong" }, own.code);
    assert.deepEqual([refused.status, foundIn(refused)[0]?.[1]], [401, "access_denied"]);
    assert.equal((await closed({}, own.code)).status, 401);
    const foreign = await closed({ "user-api-key": secret }, other.code);
    assert.deepEqual([foreign.status, foundIn(foreign)[0]?.[1]], [422, "access_denied"]);
    assert.deepEqual(await other.night(day(1), {}), {});
  });
});
