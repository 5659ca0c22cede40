import assert from "node:assert/strict";
import { test } from "node:test";
import { startApp } from "../../../test/support/app.ts";
import { eachEngine } from "../../../test/support/databases.ts";
import { countMessage, makeCategory, makeHotel, makeProperty, postMessage, postXml, textOf } from "../../../test/support/hotel.ts";
import { sorted } from "../../db/sort-name.ts";

eachEngine("A property with many categories", (open) => {
  test("shows the first of them, and where the others are", async () => {
    await using service = await startApp({ database: await open() });
    await makeProperty(service, { code: "ALP", name: "Alpenblick" });
    await makeCategory(service, { hotelCode: "ALP", code: "C0", name: "Room 0" });
    const { read, write } = service.database;
    const first = await read.selectFrom("category").selectAll().executeTakeFirstOrThrow();
    const more = Array.from({ length: 400 }, (_, at) => sorted({ ...first, code: `C${at + 1}`, name: `Room ${at + 1}` }));
    for (let at = 0; at < more.length; at += 100)
      await write
        .insertInto("category")
        .values(more.slice(at, at + 100))
        .execute();
    const page = await service.inject("/property/ALP");
    assert.match(textOf(page), /Room 99 C99 .* The first 100 of 401 categories are shown\. See all of them/);
    assert.doesNotMatch(page.body, /Room 100/);
    assert.match(textOf(await service.inject("/inventories?property=ALP")), /400 of 401 rows are shown\. Choose a category to see/);
    assert.match(
      textOf(await service.inject("/rates?property=ALP")),
      /400 of 401 rows are shown\. Choose a category or a rate plan to see/,
    );
  });
});

eachEngine("The page of a property", (open) => {
  test("tells where it is, and from when to when guests arrive and children count as such", async () => {
    await using service = await startApp({ database: await open() });
    const said = async (fields: Record<string, string>) => {
      await makeProperty(service, fields);
      return textOf(await service.inject(`/property/${fields["code"]}`));
    };
    const none = await said({ code: "A", name: "None" });
    assert.doesNotMatch(none, /Coordinates|Check-in|Age of children/);
    const place = { latitude: "46.5", longitude: "-11.25" };
    const both = await said({
      code: "B",
      name: "Both",
      ...place,
      checkInFrom: "14:00",
      checkInUntil: "20:00",
      minChildAge: "2",
      maxChildAge: "12",
    });
    assert.match(both, /Coordinates 46\.5, -11\.25 .*Check-in 14:00 to 20:00 .*Age of children 2 to 12 /);
    assert.match(
      await said({ code: "C", name: "From", checkInFrom: "15:00", minChildAge: "3" }),
      /Check-in from 15:00 .*Age of children from 3 /,
    );
    assert.match(
      await said({ code: "D", name: "Until", checkInUntil: "22:00", maxChildAge: "0" }),
      /Check-in until 22:00 .*Age of children until 0 /,
    );
  });

  test("tells its last messages: when each came, from whom, and what became of it", async () => {
    await using service = await startApp({ database: await open() });
    await makeHotel(service);
    await makeProperty(service, { code: "SEA", name: "Seaside" });
    assert.match(textOf(await service.inject("/property/ALP")), /Last messages The message log has none\./);
    const counts = (code: string, available: number) =>
      countMessage({ control: `InvTypeCode="${code}" Start="2026-11-25" End="2026-11-25"`, counts: [[2, available]] });
    for (const available of [1, 2, 3, 4, 5]) await postMessage(service, counts("DBL", available), "pms");
    await postXml(service, counts("NONE", 1), "other");
    const page = await service.inject("/property/ALP");
    assert.match(
      textOf(page),
      /Last messages 2026-11-20 \S+ refused from other Room type code not found for this hotel \(NONE\) 2026-11-20 \S+ ok from pms DBL 2026-11-25: available 5 .*available 2 All messages History/,
    );
    assert.doesNotMatch(textOf(page), /available 1/, "five of them");
    assert.match(page.body, /<a href="\/dev\/logs\/6">[^]*href="\/dev\/logs\?property=ALP">All messages/);
    assert.match(textOf(await service.inject("/property/SEA")), /The message log has none/);
  });
});
