import assert from "node:assert/strict";
import { test } from "node:test";
import { startApp } from "../../../test/support/app.ts";
import { eachEngine } from "../../../test/support/databases.ts";
import { countMessage, makeCategory, makeHotel, makeProperty, postMessage, postXml, textOf, TODAY } from "../../../test/support/hotel.ts";
import { withSortName } from "../../records/sort-name.ts";

eachEngine("the page of a property with many categories", (open) => {
  test("shows the first 100 categories and links to all of them", async () => {
    await using service = await startApp({ database: await open() });
    await makeProperty(service, { code: "ALP", name: "Alpenblick" });
    await makeCategory(service, { hotelCode: "ALP", code: "C0", name: "Room 0" });
    const { read, write } = service.database;
    const first = await read.selectFrom("category").selectAll().executeTakeFirstOrThrow();
    const more = Array.from({ length: 400 }, (_, at) => withSortName({ ...first, code: `C${at + 1}`, name: `Room ${at + 1}` }));
    for (let at = 0; at < more.length; at += 100)
      await write
        .insertInto("category")
        .values(more.slice(at, at + 100))
        .execute();
    const page = await service.inject("/property/ALP");
    assert.match(textOf(page), /Room 99 C99 .* Showing the first 100 of 401 categories\. View all/);
    assert.doesNotMatch(page.body, /Room 100/);
    assert.match(textOf(await service.inject("/inventories?property=ALP")), /400 of 401 rows\. Select a category to see/);
    assert.match(textOf(await service.inject("/rates?property=ALP")), /400 of 401 rows\. Select a category or a rate plan to see/);
  });
});

eachEngine("the property page", (open) => {
  test("shows coordinates, check-in times and child ages", async () => {
    await using service = await startApp({ database: await open() });
    const pageWith = async (fields: Record<string, string>) => {
      await makeProperty(service, fields);
      return textOf(await service.inject(`/property/${fields["code"]}`));
    };
    const none = await pageWith({ code: "A", name: "None" });
    assert.doesNotMatch(none, /Coordinates|Check-in|Child age/);
    const place = { latitude: "46.5", longitude: "-11.25" };
    const both = await pageWith({
      code: "B",
      name: "Both",
      ...place,
      checkInFrom: "14:00",
      checkInUntil: "20:00",
      minChildAge: "2",
      maxChildAge: "12",
    });
    assert.match(both, /Coordinates 46\.5, -11\.25 .*Check-in 14:00 to 20:00 .*Child age 2 to 12 /);
    assert.match(
      await pageWith({ code: "C", name: "From", checkInFrom: "15:00", minChildAge: "3" }),
      /Check-in from 15:00 .*Child age from 3 /,
    );
    assert.match(
      await pageWith({ code: "D", name: "Until", checkInUntil: "22:00", maxChildAge: "0" }),
      /Check-in until 22:00 .*Child age up to 0 /,
    );
  });

  test("shows the five most recent messages", async () => {
    await using service = await startApp({ database: await open() });
    await makeHotel(service);
    await makeProperty(service, { code: "SEA", name: "Seaside" });
    assert.match(textOf(await service.inject("/property/ALP")), /Recent messages No messages yet\./);
    const counts = (code: string, available: number) =>
      countMessage({ control: `InvTypeCode="${code}" Start="2026-11-25" End="2026-11-25"`, counts: [[2, available]] });
    for (const available of [1, 2, 3, 4, 5]) await postMessage(service, counts("DBL", available), "pms");
    await postXml(service, counts("NONE", 1), "other");
    const page = await service.inject("/property/ALP");
    assert.match(
      textOf(page),
      /Recent messages \S.{1,20}, 2026-11-20 \S+ refused from other Room type code not found for this hotel \(NONE\) \S.{1,20}, 2026-11-20 \S+ ok from pms DBL 2026-11-25: available 5 .*available 2 View all messages History/,
    );
    assert.doesNotMatch(textOf(page), /available 1/);
    assert.match(page.body, /<a href="\/dev\/logs\/6">[^]*href="\/dev\/logs\?property=ALP">View all messages/);
    assert.match(textOf(await service.inject("/property/SEA")), /No messages yet/);
  });

  test("shows each category's free rooms for the next 14 nights", async () => {
    await using service = await startApp({ database: await open() });
    await makeHotel(service);
    const control = (first: string, last: string) => `Start="${first}" End="${last}" InvTypeCode="DBL"`;
    await postMessage(service, countMessage({ control: control(TODAY, "2026-12-03"), counts: [[2, 3]] }));
    await postMessage(service, countMessage({ control: control("2026-11-25", "2026-11-25"), counts: [[2, 8]] }));
    await postMessage(service, countMessage({ control: control("2026-12-04", "2026-12-04"), counts: [[2, 0]] }));
    const page = await service.inject("/property/ALP");
    assert.match(textOf(page), /Double room DBL 10 Next 14 nights 3–8 Active/);
    assert.match(textOf(page), /Single room SGL 4 no data Active/);
    assert.match(page.body, /<path d="M0,[^"]+" \/>/);
  });
});
