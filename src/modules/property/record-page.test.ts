import assert from "node:assert/strict";
import { test } from "node:test";
import { startApp } from "../../../test/support/app.ts";
import { eachEngine } from "../../../test/support/databases.ts";
import { makeCategory, makeProperty, textOf } from "../../../test/support/hotel.ts";
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
