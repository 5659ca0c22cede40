import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { startApp, type TestApp } from "../../../test/support/app.ts";
import { eachEngine } from "../../../test/support/databases.ts";
import { countMessage, makeCategory, makeHotel, makeProperty, postMessage, textOf } from "../../../test/support/hotel.ts";
import { addSender } from "../../../test/support/senders.ts";

type Group = { title: string; results: { label: string; detail: string; url: string }[] };

async function search(service: TestApp, query: string, headers: Record<string, string> = {}): Promise<Record<string, string[]>> {
  const response = await service.inject({ url: `/tools/search?format=json&${query}`, headers });
  const { groups } = response.json<{ groups: Group[] }>();
  return Object.fromEntries(groups.map(({ title, results }) => [title, results.map(({ url }) => url)]));
}

eachEngine("the search", (open) => {
  test("finds records by any part of a word, ignoring case and accents, with codes first", async () => {
    await using service = await startApp({ database: await open() });
    await makeProperty(service, { code: "SEA", name: "Grand Hôtel Alpenblick", city: "Zürich" });
    await makeProperty(service, { code: "BLICK", name: "Pension Linde" });
    await makeCategory(service, { hotelCode: "SEA", code: "BLK", name: "Mit Seeblick" });
    assert.deepEqual(await search(service, "q=BLICK"), {
      Properties: ["/property/BLICK", "/property/SEA"],
      Categories: ["/category/SEA/BLK/edit"],
    });
    assert.deepEqual(await search(service, "q=otel+zuri"), { Properties: ["/property/SEA"] });
    assert.deepEqual(await search(service, "q=hotel+nowhere"), {});
    for (const q of ["", "%25", "_", "%00", "'"]) assert.deepEqual(await search(service, `q=${q}`), {}, q);
  });

  test("finds rate plans, and messages by id and EchoToken", async () => {
    await using service = await startApp({ database: await open() });
    await makeHotel(service);
    const xml = countMessage({ control: 'InvTypeCode="DBL" Start="2026-11-25" End="2026-11-25"', counts: [[2, 1]] });
    await postMessage(service, xml.replace("<OTA_HotelInvCountNotifRQ", '<OTA_HotelInvCountNotifRQ EchoToken="Order-77af"'));
    const { write } = service.database;
    await write
      .insertInto("rate_plan")
      .values({ property: "ALP", code: "FRUH", name: "Frühbucher", status: "active", first_seen_at: 1, version: 1, last_seen_at: 1 })
      .execute();
    await write.insertInto("search_text").values({ kind: "plan", property: "ALP", code: "FRUH", words: " alp fruh fruhbucher" }).execute();
    assert.deepEqual(await search(service, "q=BUCHER"), { "Rate plans": ["/rates?property=ALP&plan=FRUH"] });
    assert.deepEqual((await search(service, "q=order-77AF")).Messages, ["/dev/logs/1"]);
    assert.deepEqual((await search(service, "q=%231")).Messages, ["/dev/logs/1"]);
    assert.equal((await search(service, "q=2")).Messages, undefined);
  });
});

describe("the search", () => {
  test("finds connections and pages", async () => {
    await using service = await startApp();
    await addSender(service.database, { name: "Café PMS" });
    assert.deepEqual((await search(service, "q=cafe")).Connections, ["/dev/senders/Caf%C3%A9%20PMS"]);
    assert.ok((await search(service, "q=audit")).Pages?.includes("/tools/audit"));
  });

  test("opens another property on the same tab, with the same nights", async () => {
    await using service = await startApp();
    await makeHotel(service);
    await makeProperty(service, { code: "ALM", name: "Almhof" });
    const nights = new URLSearchParams({ nights: "from=2026-12-24&days=28&format=csv&property=X" });
    assert.deepEqual(await search(service, `q=almhof&tab=rates&${nights.toString()}`), {
      Properties: ["/rates?property=ALM&from=2026-12-24&days=28"],
    });
    assert.deepEqual(await search(service, `q=double&tab=rates`), {}, "only properties");
  });

  test("suggests what to try if nothing matches, and adds the path prefix to links", async () => {
    await using service = await startApp({ settings: { PUBLIC_URL: "http://localhost/rack" } });
    await makeHotel(service);
    assert.match(textOf(await service.inject("/tools/search?q=<zzz>")), /Nothing matches “<zzz>”\. Try part of a name/);
    assert.match((await service.inject("/tools/search?q=blick")).body, /<a href="\/rack\/property\/ALP">Alpenblick<\/a>/);
    assert.deepEqual((await search(service, "q=blick")).Properties, ["/rack/property/ALP"]);
  });
});

describe("search by a limited user", () => {
  const ADMIN = "correct-horse-battery";
  const VIEWER = "quiet-viewer-battery";
  const as = (secret: string) => ({ authorization: `Bearer ${secret}` });

  test("shows no administrator pages to a viewer", async () => {
    await using service = await startApp({ settings: { ADMIN_PASSWORD: ADMIN, VIEWER_PASSWORD: VIEWER } });
    assert.ok((await search(service, "q=audit", as(ADMIN))).Pages?.includes("/tools/audit"));
    assert.equal((await search(service, "q=audit", as(VIEWER))).Pages, undefined);
    const { body } = await service.inject({ url: "/tools", headers: as(VIEWER) });
    assert.doesNotMatch(body, /href="\/tools\/users"/);
  });

  test("shows only the properties of the token", async () => {
    await using open = await startApp();
    await makeHotel(open);
    await makeProperty(open, { code: "ALM", name: "Almblick" });
    await addSender(open.database, { name: "blick" });
    await using service = await startApp({ database: open.database, settings: { ADMIN_PASSWORD: ADMIN } });
    const fields = { action: "create", name: "reader", "scope-read": "on", properties: "ALP" };
    const answer = await service.inject({
      method: "POST",
      url: "/tools/tokens?format=json",
      headers: { ...as(ADMIN), "content-type": "application/x-www-form-urlencoded" },
      payload: new URLSearchParams(fields).toString(),
    });
    const { token } = answer.json<{ token: string }>();
    assert.deepEqual(await search(service, "q=blick", as(token)), { Properties: ["/property/ALP"] });
    assert.deepEqual(Object.keys(await search(service, "q=blick", as(ADMIN))), ["Properties", "Connections"]);
    assert.deepEqual((await search(service, "q=1", as(token))).Messages, undefined);
  });
});
