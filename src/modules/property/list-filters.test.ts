import assert from "node:assert/strict";
import { test } from "node:test";
import { startApp, type TestApp } from "../../../test/support/app.ts";
import { eachEngine } from "../../../test/support/databases.ts";
import { countMessage, makeCategory, makeProperty, postMessage, textOf } from "../../../test/support/hotel.ts";

const DAY_MS = 86_400_000;

eachEngine("the property list", (open) => {
  test("the property list filters by status, together with search, sort order and export", async () => {
    await using service = await startApp({ database: await open() });
    await makeProperty(service, { code: "A1", name: "Adler" });
    await makeProperty(service, { code: "B1", name: "Bergblick", status: "inactive" });
    await makeProperty(service, { code: "C1", name: "Chalet Berg", status: "inactive" });
    await makeProperty(service, { code: "T1", name: "Trial", status: "test" });
    assert.deepEqual(await codesOf(service, "status=inactive"), ["B1", "C1"]);
    assert.deepEqual(await codesOf(service, "status=inactive&sort=-code"), ["C1", "B1"]);
    assert.deepEqual(await codesOf(service, "status=inactive&q=chalet"), ["C1"]);
    assert.deepEqual(await codesOf(service, "status=active&q=chalet"), []);
    const { body } = await service.inject("/property?status=inactive&format=csv");
    assert.deepEqual(body.match(/^[A-Z]\d(?=,)/gm), ["B1", "C1"]);
    const page = await service.inject("/property?status=inactive");
    assert.match(textOf(page), /1–2 of 2/);
    assert.match(page.body, /<option value="inactive" selected>/);
    assert.match(page.body, /href="\/property\?status=inactive&amp;sort=-name"/);
    assert.match(textOf(await service.inject("/property?status=active&q=chalet")), /No properties match these filters\. Show all/);
  });

  test("the property list filters by days since the last message", async () => {
    await using service = await startApp({ database: await open() });
    for (const code of ["A1", "B1", "C1"]) {
      await makeProperty(service, { code, name: `Hotel ${code}` });
      await makeCategory(service, { hotelCode: code, code: "DBL", name: "Double", rooms: "9" });
    }
    await receiveCounts(service, "A1");
    service.clock.set(service.clock.now() + 3 * DAY_MS);
    await receiveCounts(service, "B1");
    assert.deepEqual(await codesOf(service, "silent=2"), ["A1"]);
    assert.deepEqual(await codesOf(service, "silent=7"), []);
    assert.deepEqual(await codesOf(service, "silent=never"), ["C1"], "only properties that never sent a message");
    assert.deepEqual(await codesOf(service, "silent=2&q=a1"), ["A1"]);
    assert.match(textOf(await service.inject("/property?silent=never")), /1–1 of 1/);
  });

  test("the property list ignores an invalid filter and reports the error", async () => {
    await using service = await startApp({ database: await open() });
    await makeProperty(service, { code: "A1", name: "Adler" });
    const page = await service.inject("/property?status=nonsense&silent=3");
    assert.equal(page.statusCode, 422);
    assert.match(page.body, /<title>Error: Properties/);
    const text = textOf(page);
    assert.match(text, /There is a problem Choose a status: active, inactive, test or archived Choose 1, 2, 7 or 30 days, or never/);
    assert.match(text, /Adler A1/);
    assert.match(page.body, /href="#f-status"/);
    assert.match(page.body, /<select id="f-status" name="status" aria-invalid="true" aria-describedby="e-status">/);
    assert.match(page.body, /<option value="nonsense" selected>nonsense</);
    for (const format of ["json", "csv"]) {
      const data = await service.inject(`/property?status=nonsense&format=${format}`);
      assert.equal(data.statusCode, 422);
      assert.deepEqual(data.json(), { errors: { status: "Choose a status: active, inactive, test or archived" } });
    }
  });
});

async function codesOf(service: TestApp, query: string): Promise<string[]> {
  const { properties } = (await service.inject(`/property?${query}&format=json`)).json<{ properties: { code: string }[] }>();
  return properties.map(({ code }) => code);
}

async function receiveCounts(service: TestApp, code: string): Promise<void> {
  const control = 'Start="2026-12-01" End="2026-12-02" InvTypeCode="DBL"';
  await postMessage(service, countMessage({ control, counts: [[2, 3]] }).replace("ALP", code));
}
