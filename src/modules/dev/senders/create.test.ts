import assert from "node:assert/strict";
import { test } from "node:test";
import { startApp, type TestApp } from "../../../../test/support/app.ts";
import { eachEngine } from "../../../../test/support/databases.ts";
import { availMessage, countMessage, editRecord, makeHotel, rateMessage, textOf } from "../../../../test/support/hotel.ts";
import { message, plan } from "../../../../test/support/rate-plans.ts";
import { addSender } from "../../../../test/support/senders.ts";
import { exampleRequest } from "../../channel/example.ts";
import { messages } from "../../channel/messages/index.ts";

type Preview = {
  upTo: number;
  properties: {
    property: string;
    isNew: boolean;
    name?: string;
    currency?: string;
    needsAccess: boolean;
    categories: { code: string; name: string; rooms: number; maxOccupancy: number }[];
    plans: { code: string; name?: string; currency?: string; mealPlan?: string }[];
    impossible: string[];
  }[];
};

const PAGE = "/dev/senders/pms?view=create";
const DAY_MS = 86_400_000;
const NIGHTS = 'Start="2026-11-21" End="2026-11-25"';

const counts = (code: string, rooms: number) => countMessage({ control: `${NIGHTS} InvTypeCode="${code}"`, counts: [[2, rooms]] });
const prices = (control: string, currency: string, guests: number) =>
  rateMessage({ control: `${NIGHTS} ${control}`, currency, amounts: [`NumberOfGuests="${guests}" AmountAfterTax="90"`] });

test("previews the records for every example message in the documentation", async () => {
  await using service = await startApp();
  const secret = await addSender(service.database, { name: "pms" });
  const authorization = `Basic ${Buffer.from(`pms:${secret}`).toString("base64")}`;
  const day = (days: number) => new Date(service.clock.now() + days * DAY_MS).toISOString().slice(0, 10);
  for (const example of messages.flatMap(({ examples }) => examples)) {
    const { headers, body } = exampleRequest(example, { hotel: "NEW", category: "DBL", plan: "BAR", currency: "EUR", day });
    await service.inject({ method: "POST", url: "/channel", headers: { ...headers, authorization }, payload: Buffer.from(body) });
  }
  const { properties } = (await service.inject(`${PAGE}&format=json`)).json<Preview>();
  const [property] = properties.filter(({ property: code }) => code === "NEW");
  assert.deepEqual(
    property!.categories.map(({ code, name }) => `${code} ${name}`),
    ["DBL Double room", "FAM Family room"],
  );
  assert.deepEqual(
    property!.plans.map(({ code, name }) => `${code} ${name}`),
    ["BAR Best price"],
  );
});

eachEngine("records from a connection's refused messages", (open) => {
  const start = async (hotels?: readonly string[]) => {
    const service = await startApp({ database: await open() });
    await makeHotel(service);
    const secret = await addSender(service.database, { name: "pms", hotels });
    return { service, secret, [Symbol.asyncDispose]: service.close };
  };
  const send = async ({ service, secret }: { service: TestApp; secret: string }, payload: string) => {
    const authorization = `Basic ${Buffer.from(`pms:${secret}`).toString("base64")}`;
    const answer = await service.inject({
      method: "POST",
      url: "/channel",
      headers: { "content-type": "application/xml", authorization },
      payload,
    });
    return answer.body;
  };
  const read = async <T>(service: TestApp, url: string) =>
    (await service.inject({ url, headers: { accept: "application/json" } })).json<T>();

  test("records from a connection's refused messages are created with the values in the messages, including the property", async () => {
    await using started = await start();
    const { service } = started;
    const hotel = (xml: string) => xml.replaceAll('HotelCode="ALP"', 'HotelCode="SEA" HotelName="Seaside"');
    const refused = [counts("TWN", 7), counts("SGL", 3), prices('InvTypeCode="TWN" RatePlanCode="BAR"', "CHF", 3)].map(hotel);
    for (const xml of refused) assert.match(await send(started, xml), /Code="392"/);
    const details = '<Description Name="title"><Text>Half board special</Text></Description>';
    await send(started, message("SEA", plan("Overlay", details, 'RatePlanCode="HB"')));
    const preview = await read<Preview>(service, PAGE);
    assert.deepEqual(preview.properties, [
      {
        ...{ property: "SEA", isNew: true, name: "Seaside", currency: "CHF", needsAccess: false, impossible: [] },
        categories: [
          { code: "TWN", name: "TWN", rooms: 7, maxOccupancy: 3 },
          { code: "SGL", name: "SGL", rooms: 3, maxOccupancy: 2 },
        ],
        plans: [
          { code: "HB", name: "Half board special" },
          { code: "BAR", currency: "CHF" },
        ],
      },
    ]);
    const visitor = service.visitor();
    assert.match(textOf(await visitor.get(PAGE)), /New property SEA .*SEA Property Seaside, CHF TWN Category 7 rooms, up to 3 guests/);
    const late = hotel(counts("LATE", 1));
    await send(started, late);
    const wrong = await visitor.post(PAGE, { action: "create-records", upTo: String(preview.upTo), timeZone: "Mars/Olympus" });
    assert.match(textOf(wrong), /Choose a time zone/);
    const done = await visitor.post(PAGE, { action: "create-records", upTo: String(preview.upTo), timeZone: "Europe/Rome" });
    assert.equal(done.statusCode, 303, textOf(done));
    assert.match(textOf(await visitor.get(PAGE)), /LATE Category 1 room,/);
    const property = await read<{ name: string; timeZone: string; currency: string; categories: number }>(service, "/property/SEA");
    assert.deepEqual([property.name, property.timeZone, property.currency, property.categories], ["Seaside", "Europe/Rome", "CHF", 2]);
    for (const xml of refused) assert.match(await send(started, xml), /<Success\/>/);
    const { entries } = await read<{ entries: { subject: string }[] }>(service, "/tools/audit?subject=SEA&action=create");
    assert.deepEqual(entries.map(({ subject }) => subject).toSorted(), [
      "category:SEA/SGL",
      "category:SEA/TWN",
      "plan:SEA/BAR",
      "plan:SEA/HB",
      "property:SEA",
    ]);
  });

  test("records from a connection's refused messages omit codes that no record can have and names that the forms refuse", async () => {
    await using started = await start();
    const { service } = started;
    const title = (text: string) => `<Description Name="title"><Text>${text}</Text></Description>`;
    const long = "P".repeat(65);
    await editRecord(service, "/property/ALP/edit", { knownPlansOnly: "on" });
    for (const hotel of ["ALP", "SEA"]) {
      for (const code of [long, "B\u202eAR"])
        await send(started, prices(`InvTypeCode="TWN" RatePlanCode="${code}"`, "EUR", 2).replace("ALP", hotel));
      await send(started, message(hotel, plan("Overlay", title("Half\nboard"), 'RatePlanCode="HB"')));
    }
    const { properties } = await read<Preview>(service, PAGE);
    const [alp, sea] = ["ALP", "SEA"].map((code) => properties.find(({ property }) => property === code));
    assert.deepEqual([sea!.plans, sea!.impossible.toSorted()], [[{ code: "HB", name: "HB" }], ["B\u202eAR", long]]);
    assert.ok([...alp!.plans, ...alp!.categories].every(({ code }) => ["TWN", "HB"].includes(code)));
    assert.match(textOf(await service.inject(PAGE)), new RegExp(`Roomrack doesn’t allow the code ${long}`));
  });

  test("records from a connection's refused messages are subject to the same rules as records created in the forms", async () => {
    await using started = await start();
    const { service } = started;
    const names = [
      ["new", "Reserved"],
      ["LONG", "N".repeat(400)],
      ["TURN", "Sea\u202eside"],
      ["B\u202eD", "Turned code"],
    ] as const;
    for (const [code, name] of names)
      await send(started, counts("TWN", 7).replace('HotelCode="ALP"', `HotelCode="${code}" HotelName="${name}"`));
    const { upTo, properties } = await read<Preview>(service, PAGE);
    assert.deepEqual(properties.map(({ property, name, impossible }) => [property, name, impossible]).toSorted(), [
      ["B\u202eD", undefined, ["B\u202eD"]],
      ["LONG", "LONG", []],
      ["TURN", "TURN", []],
      ["new", undefined, ["new"]],
    ]);
    const visitor = service.visitor();
    assert.match(textOf(await visitor.get(PAGE)), /Roomrack doesn’t allow the code new/);
    const done = await visitor.post(PAGE, { action: "create-records", upTo: String(upTo), timeZone: "UTC" });
    assert.equal(done.statusCode, 303, textOf(done));
    const stored = await read<{ properties: { code: string; name: string }[] }>(service, "/property");
    assert.deepEqual(stored.properties.map(({ code, name }) => `${code} ${name}`).toSorted(), ["ALP Alpenblick", "LONG LONG", "TURN TURN"]);
  });

  test("records from a connection's refused messages can be created one at a time", async () => {
    await using started = await start(["ALP"]);
    const { service } = started;
    await editRecord(service, "/property/ALP/edit", { knownPlansOnly: "on" });
    for (const code of ["TWN", "SUI"]) await send(started, counts(code, 2));
    await send(
      started,
      availMessage({ control: `${NIGHTS} InvTypeCode="DBL" RatePlanCode="NRF"`, content: '<RestrictionStatus Status="Open"/>' }),
    );
    const of = (kind: string, code: string) => `${PAGE}&kind=${kind}&property=ALP&code=${code}`;
    const { upTo, properties } = await read<Preview>(service, of("category", "SUI"));
    assert.deepEqual(
      properties.map(({ isNew, categories, plans }) => [isNew, categories.map(({ code }) => code), plans]),
      [[false, ["SUI"], []]],
    );
    const misspelt = await service.inject(of("categorie", "SUI"));
    assert.equal(misspelt.statusCode, 422);
    assert.match(textOf(misspelt), /Choose a kind: property, category or plan/);
    const create = async (kind: string, code: string) => {
      const visitor = service.visitor();
      await visitor.get(of(kind, code));
      return visitor.post(of(kind, code), { action: "create-records", upTo: String(upTo) });
    };
    assert.equal((await create("category", "SUI")).statusCode, 303);
    assert.equal((await create("plan", "NRF")).statusCode, 303);
    const { unknownCodes } = await read<{ unknownCodes: { code: string }[] }>(service, "/dev/senders/pms");
    assert.deepEqual(
      unknownCodes.map(({ code }) => code),
      ["TWN"],
    );
  });

  test("records from a connection's refused messages require confirmation if the connection has no access to the property", async () => {
    await using started = await start(["ALP"]);
    const { service } = started;
    const xml = counts("TWN", 2).replace("ALP", "SEA");
    assert.match(await send(started, xml), /Code="497"/);
    const { upTo, properties } = await read<Preview>(service, PAGE);
    assert.deepEqual(
      properties.map(({ property, needsAccess }) => [property, needsAccess]),
      [["SEA", true]],
    );
    const visitor = service.visitor();
    await visitor.get(PAGE);
    const fields = { action: "create-records", upTo: String(upTo), timeZone: "UTC" };
    assert.match(textOf(await visitor.post(PAGE, fields)), /Confirm that you want to give the connection access/);
    assert.equal((await service.inject("/property/SEA")).statusCode, 404);
    assert.equal((await visitor.post(PAGE, { ...fields, access: "on" })).statusCode, 303);
    assert.match(await send(started, xml), /<Success\/>/);
    assert.match(textOf(await service.inject(PAGE)), /Nothing to create/);
  });
});
