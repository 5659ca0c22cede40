import assert from "node:assert/strict";
import { test } from "node:test";
import { startApp } from "../../../test/support/app.ts";
import { eachEngine } from "../../../test/support/databases.ts";
import { countMessage, makeHotel, postMessage, textOf, TODAY } from "../../../test/support/hotel.ts";

eachEngine("The page of a property", (open) => {
  test("it shows how many rooms of each category are free in the next two weeks", async () => {
    await using service = await startApp({ database: await open() });
    await makeHotel(service);
    const control = (first: string, last: string) => `Start="${first}" End="${last}" InvTypeCode="DBL"`;
    await postMessage(service, countMessage({ control: control(TODAY, "2026-12-03"), counts: [[2, 3]] }));
    await postMessage(service, countMessage({ control: control("2026-11-25", "2026-11-25"), counts: [[2, 8]] }));
    await postMessage(service, countMessage({ control: control("2026-12-04", "2026-12-04"), counts: [[2, 0]] }));
    const page = await service.inject("/property/ALP");
    assert.match(textOf(page), /Double room DBL 10 The next 14 nights 3–8 Active/);
    assert.match(textOf(page), /Single room SGL 4 nothing received Active/);
    assert.match(page.body, /<path d="M0,[^"]+"/);
  });
});
