import assert from "node:assert/strict";
import { test } from "node:test";
import { day, eachChannel } from "../../../../../test/support/channel.ts";

const BAR = { kind: "rate", lane: "BAR" } as const;

const room = (id: string, more = "") => `<RoomData><RoomID>${id}</RoomID>${more}</RoomData>`;
const named = (text: string) => `<Name><Text text="${text}" language="en"/><Text text="Zimmer" language="de"/></Name>`;
const plan = (id: string, more = "") => `<PackageData><PackageID>${id}</PackageID>${more}</PackageData>`;

function message(hotel: string, content: string, action = ' action="delta"'): string {
  return `<Transaction timestamp="2026-11-20T12:00:00Z" id="tx-1" partner="pms"><PropertyDataSet${action}><Property>${hotel}</Property>${content}</PropertyDataSet></Transaction>`;
}

eachChannel("A Transaction message", (channel) => {
  const categories = async (property: string) => {
    const rows = await channel.database.read.selectFrom("category").selectAll().where("property", "=", property).orderBy("code").execute();
    return rows.map(({ code, name, status, max_occupancy }) => [code, name, status, max_occupancy]);
  };
  const plans = async (property: string) => {
    const rows = await channel.database.read.selectFrom("rate_plan").selectAll().where("property", "=", property).orderBy("code").execute();
    return rows.map(({ code, name, status }) => [code, name, status]);
  };
  const price = async (property: string, code: string) => {
    const value = { property_id: property, room_type_id: "DBL", rate_plan_id: code, date: day(1), rate: "90" };
    const answer = await channel.post({ body: JSON.stringify({ values: [value] }) });
    assert.equal(answer.status, 200, answer.text);
  };

  test("creates and updates categories and plans and keeps the others", async () => {
    const { code } = await channel.hotel();
    const suite = room(
      "SUI",
      `${named("Suite")}<Capacity>5</Capacity><OccupancySettings><MinOccupancy>2</MinOccupancy></OccupancySettings>`,
    );
    const answer = await channel.send(message(code, room("DBL", named("Double")) + suite + plan("BAR", named("Best price"))));
    assert.equal(
      answer.text,
      '<?xml version="1.0" encoding="UTF-8"?>\n<TransactionResponse timestamp="2026-11-20T12:00:00Z" id="tx-1" partner="pms"><Success/></TransactionResponse>',
    );
    assert.deepEqual(await categories(code), [
      ["DBL", "Double", "active", 4],
      ["SGL", "SGL", "active", 4],
      ["SUI", "Suite", "active", 5],
    ]);
    assert.deepEqual(await plans(code), [["BAR", "Best price", "active"]]);
  });

  test("removes nothing if the message has no action", async () => {
    const { code } = await channel.hotel();
    await channel.send(message(code, room("SUI"), ""));
    assert.deepEqual(
      (await categories(code)).map(([category, , status]) => [category, status]),
      [
        ["DBL", "active"],
        ["SGL", "active"],
        ["SUI", "active"],
      ],
    );
  });

  test("replaces only the kinds of records that an overlay contains", async () => {
    const hotel = await channel.hotel();
    const { code } = hotel;
    await price(code, "BAR");
    await price(code, "OLD");
    const onlyRooms = await channel.send(message(code, room("DBL"), ' action="overlay"'));
    assert.match(onlyRooms.text, /<Success\/><Issues><Issue code="11" status="warning">omitted categories became inactive: SGL</);
    assert.deepEqual(await plans(code), [
      ["BAR", null, "active"],
      ["OLD", null, "active"],
    ]);
    const onlyPlans = await channel.send(message(code, plan("BAR"), ' action="overlay"'));
    assert.match(onlyPlans.text, /omitted rate plans were removed: OLD</);
    assert.deepEqual(await plans(code), [
      ["BAR", null, "active"],
      ["OLD", null, "removed"],
    ]);
    assert.deepEqual(await hotel.night(day(1), { ...BAR, lane: "OLD" }), {});
    assert.deepEqual(await hotel.night(day(1), BAR), { currency: "EUR", "amount:after:0:10:1": 9000 });
    assert.deepEqual(
      (await categories(code)).map(([category, , status]) => [category, status]),
      [
        ["DBL", "active"],
        ["SGL", "inactive"],
      ],
    );
  });

  test("warns about limits that are not stored", async () => {
    const { code } = await channel.hotel();
    const limits = "<AllowablePackageIDs><AllowablePackageID>BAR</AllowablePackageID></AllowablePackageIDs>";
    const { text } = await channel.send(message(code, room("DBL", limits)));
    assert.match(text, /<Success\/><Issues><Issue code="11" status="warning">AllowablePackageIDs is not stored/);
    const unknown = await channel.send(message(code, `${room("DBL", "<Beds>2</Beds>")}<Result/><Name/>`));
    assert.deepEqual(
      [...unknown.text.matchAll(/status="warning">([^<]*) \(/g)].map(([, one]) => one),
      ["Beds is unknown and was ignored", "Result is unknown and was ignored", "Name is not expected here and was ignored"],
    );
    const harmless = room("DBL", "<RoomFeatures><Beds><Bed size='king'/></Beds></RoomFeatures>");
    assert.match((await channel.send(message(code, harmless))).text, /<Success\/><\/TransactionResponse>$/);
  });

  test("refuses invalid values and stores nothing", async () => {
    const { code } = await channel.hotel();
    const before = await categories(code);
    const cases: readonly (readonly [string, RegExp])[] = [
      [message(code, ""), /code="321" status="error">Required field missing: RoomData or PackageData/],
      [message(code, "<RoomData/>"), /Required field missing: RoomID/],
      [message(code, room("A") + room("A")), /RoomData A appears twice/],
      [message(code, room("A", "<Capacity>many</Capacity>")), /Invalid value "many" for Capacity/],
      [message(code, room("A", "<Capacity>0</Capacity>")), /Invalid value "0" for Capacity/],
      [message(code, room("A"), ' action="replace"'), /Invalid value "replace" for action/],
      [message(code, room("A"), ' action="delta" country="AT"'), /code="450" status="error">country="AT" limits the line/],
      [message(code, room("A", '<Market code="AT"/>')), /code="450" status="error">code="AT" limits the line/],
      [message("", room("A")), /Required field missing: Property/],
      [message("NOWHERE", room("A")), /code="392"/],
      [
        message(code, room("A")).replace(
          "</PropertyDataSet>",
          "</PropertyDataSet><PropertyDataSet><Property>B</Property></PropertyDataSet>",
        ),
        /A message must be for one hotel/,
      ],
    ];
    for (const [xml, error] of cases) {
      const { text } = await channel.send(xml);
      assert.match(text, error);
      assert.doesNotMatch(text, /Success/);
    }
    assert.deepEqual(await categories(code), before);
  });
});
