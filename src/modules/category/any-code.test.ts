import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { startApp, type TestApp } from "../../../test/support/app.ts";
import { eachEngine } from "../../../test/support/databases.ts";
import {
  availMessage,
  countMessage,
  editRecord,
  makeCategory,
  makeHotel,
  postXml,
  rateMessage,
  TODAY,
} from "../../../test/support/hotel.ts";

const CODES = ["SGL#STD", "DZ BG", "A+B,C", "DZÜ", `50%?x=1&y;"'<b>`, "大床房", ".A:1"];
const NAMESPACE = 'xmlns="http://www.opentravel.org/OTA/2003/05" Version="8.000"';

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;").replaceAll("'", "&#39;");
const unescaped = (text: string) => text.replaceAll(/&#39;|&quot;|&lt;|&gt;|&amp;/g, (one) => ENTITIES[one]!);
const ENTITIES: Readonly<Record<string, string>> = { "&#39;": "'", "&quot;": '"', "&lt;": "<", "&gt;": ">", "&amp;": "&" };
const control = (code: string, plan = "") => `InvTypeCode="${escaped(code)}"${plan} Start="${TODAY}" End="${TODAY}"`;
const push = (code: string) =>
  `<OTA_HotelDescriptiveContentNotifRQ ${NAMESPACE}><HotelDescriptiveContents><HotelDescriptiveContent HotelCode="ALP"><FacilityInfo><GuestRooms><GuestRoom Code="${escaped(code)}"/></GuestRooms></FacilityInfo></HotelDescriptiveContent></HotelDescriptiveContents></OTA_HotelDescriptiveContentNotifRQ>`;

eachEngine("category codes with special characters", (open) => {
  let service: TestApp;
  beforeEach(async () => {
    service = await startApp({ database: await open() });
    await makeHotel(service);
  });
  afterEach(() => service.close());

  const get = async (url: string) => {
    const answer = await service.inject(url);
    assert.equal(answer.statusCode, 200, url);
    return answer;
  };
  const linksIn = (body: string, start: string) =>
    [...body.matchAll(/href="([^"]*)"/g)].map(([, href]) => unescaped(href!)).filter((href) => href.startsWith(start));

  for (const code of CODES) {
    test(`category codes with special characters work in lists, forms and exports: ${code}`, async () => {
      await makeCategory(service, { hotelCode: "ALP", code, name: "Odd", rooms: "9" });
      const edit = `/category/ALP/${encodeURIComponent(code)}/edit`;
      for (const page of ["/category", "/property/ALP"]) {
        assert.ok(linksIn((await get(page)).body, "/category/").includes(edit), page);
      }
      assert.equal((await get(`${edit}?format=json`)).json().code, code);
      await editRecord(service, edit, { name: "Renamed" });
      assert.match((await get(edit)).body, /Renamed/);
      const exported = (await get("/category?format=csv")).body;
      assert.ok(exported.includes(/[",]/.test(code) ? `"${code.replaceAll('"', '""')}"` : code), exported);
      const selected = (await get(`/category?format=json&key=${encodeURIComponent(`ALP/${code}`)}`)).json();
      assert.ok(JSON.stringify(selected).includes(JSON.stringify(code)));
    });

    test(`category codes with special characters work in messages, grids and their exports: ${code}`, async () => {
      assert.match((await postXml(service, push(code))).body, /<Success\/>/);
      for (const xml of [
        countMessage({ control: control(code), counts: [[2, 3]] }),
        rateMessage({ control: control(code, ' RatePlanCode="BAR"'), amounts: ['NumberOfGuests="2" AmountAfterTax="80"'] }),
        availMessage({ control: control(code), content: '<RestrictionStatus Restriction="Arrival" Status="Close"/>' }),
      ]) {
        assert.match((await postXml(service, xml)).body, /<Success\/><\//);
      }
      for (const [grid, row, shown] of [
        ["/inventories", "", "3"],
        ["/rates", "BAR", "80"],
      ] as const) {
        const at = `ALP/${encodeURIComponent(code)}/${row}/${TODAY}`;
        const { body } = await get(`${grid}?property=ALP`);
        assert.ok(
          linksIn(body, "?at=").some((href) => href.startsWith(`?at=${at}`)),
          at,
        );
        const night = (await get(`${grid}?at=${at}`)).body;
        assert.ok(unescaped(night).includes(code) && night.includes(shown), grid);
        assert.ok(
          JSON.stringify((await get(`${grid}?property=ALP&category=${encodeURIComponent(code)}&format=json`)).json()).includes(shown),
        );
        assert.ok((await get(`${grid}?property=ALP&format=csv`)).body.includes(code.replaceAll('"', '""')));
      }
      assert.ok(unescaped((await get("/dev/logs/2")).body).includes(code));
      assert.equal((await get("/dev/logs/2?format=json")).json().changes[0].category, code);
      assert.match((await get(`/category/ALP/${encodeURIComponent(code)}/edit`)).body, /\/dev\/logs\/1"/, "its history");
    });
  }

  test("category codes are compared in Unicode normalization form C", async () => {
    await postXml(service, push("DZ\u00dc"));
    const counts = countMessage({ control: control("DZU\u0308"), counts: [[2, 3]] });
    assert.match((await postXml(service, counts)).body, /<Success\/><\//);
    assert.equal((await get("/dev/logs/2?format=json")).json().changes[0].category, "DZ\u00dc");
    await get(`/category/ALP/${encodeURIComponent("DZU\u0308")}/edit`);
  });

  test("category codes can have 64 characters of three bytes each", async () => {
    const code = "大".repeat(64);
    assert.match((await postXml(service, push(code))).body, /<Success\/>/);
    await get(`/category/ALP/${encodeURIComponent(code)}/edit`);
  });

  test("category codes are refused if they would break URLs or look like other codes", async () => {
    for (const code of ["A/B", "A\\B", ".", "..", "A\u200bB", "A\u00a0B"]) {
      const { body } = await postXml(service, push(code));
      assert.ok(
        body.includes("for Code; allowed: up to 64 visible characters, except / and \\ (which many web servers reject in URLs)"),
        body,
      );
    }
    assert.equal((await get("/category?format=json")).json().total, 2);
  });
});
