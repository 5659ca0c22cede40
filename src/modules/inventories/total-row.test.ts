import assert from "node:assert/strict";
import { test } from "node:test";
import { START, startApp, type TestApp } from "../../../test/support/app.ts";
import { countMessage, editRecord, makeCategory, makeHotel, postMessage, TODAY } from "../../../test/support/hotel.ts";

const WEEK = `Start="${TODAY}" End="2026-11-26" InvTypeCode="DBL"`;

/** The cells of the total row as text and bar; empty if there is none. */
async function totalOf(service: TestApp, query = ""): Promise<string[]> {
  const { body } = await service.inject(`/inventories?property=ALP&days=7${query}`);
  const [, row = ""] = /<tr class="total">([\s\S]*?)<\/tr>/.exec(body) ?? [];
  return [...row.matchAll(/<td class="([^"]*)">([\s\S]*?)<\/td>/g)].map(([, name = "", cell = ""]) =>
    `${cell} ${/left-\d+/.exec(name)?.[0] ?? ""}`
      .replaceAll(/<[^>]*>|\s+/g, " ")
      .replaceAll(/ +/g, " ")
      .trim(),
  );
}

test("sums the rooms left in all active categories", async () => {
  await using service = await startApp();
  await makeHotel(service);
  const total = (query?: string) => totalOf(service, query);
  assert.match((await total())[0]!, /no data/);
  await postMessage(service, countMessage({ control: WEEK, counts: [[2, 3]] }));
  assert.equal((await total())[0], "3 / 14 left-2", "the other category counts only with its rooms");
  await postMessage(service, countMessage({ control: WEEK.replace("DBL", "SGL"), counts: [[2, 4]] }));
  assert.equal((await total())[0], "7 / 14 left-5");
  assert.deepEqual(
    [await total("&category=DBL"), await total("&only=gaps"), await total("&only=changed7")],
    [[], [], []],
    "no total of a filtered grid",
  );
  await makeCategory(service, { hotelCode: "ALP", code: "TENT", name: "Tent", rooms: "0" });
  assert.equal((await total())[0], "7", "the number of rooms is unknown");
});

test("adds nothing for closed nights and inactive categories", async () => {
  await using service = await startApp();
  await makeHotel(service);
  await makeCategory(service, { hotelCode: "ALP", code: "APT", name: "Apartment", rooms: "6" });
  for (const [code, count] of [
    ["DBL", 5],
    ["SGL", 2],
    ["APT", 3],
  ] as const)
    await postMessage(service, countMessage({ control: WEEK.replace("DBL", code).replace("-26", "-24"), counts: [[2, count]] }));
  for (const night of ["2026-11-21", "2026-11-22", "2026-11-25"])
    await postMessage(service, countMessage({ control: `Start="${night}" End="${night}" AllInvCode="true"` }));
  await postMessage(service, countMessage({ control: 'Start="2026-11-22" End="2026-11-22" InvTypeCode="SGL"', counts: [[2, 2]] }));
  const [today, closed, opened, ...others] = await totalOf(service);
  assert.deepEqual([today, closed, opened], ["10 / 20 left-5", "0 / 20", "2 / 20 left-1"]);
  assert.match(others[2]!, /^0 \/ 20/, "closed without a count");
  assert.match(others[3]!, /no data/);
  await editRecord(service, "/category/ALP/APT/edit", { status: "inactive" });
  assert.equal((await totalOf(service))[0], "7 / 14 left-5");
  service.clock.set(START + 60_000);
  const past = `&asOf=${new Date(START + 30_000).toISOString()}`;
  assert.equal((await totalOf(service, past))[0], "10 / 20 left-5", "all categories were active in the past");
  await editRecord(service, "/category/ALP/SGL/edit", { status: "inactive" });
  assert.deepEqual(await totalOf(service), [], "no total of one category");
});
