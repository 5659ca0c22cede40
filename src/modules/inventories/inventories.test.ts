import assert from "node:assert/strict";
import { test } from "node:test";
import { START, startApp, type TestApp } from "../../../test/support/app.ts";
import { eachEngine } from "../../../test/support/databases.ts";
import { countMessage, makeCategory, makeHotel, makeProperty, postMessage, textOf, TODAY } from "../../../test/support/hotel.ts";
import { localMoment } from "../../web/parts/moment.ts";

const WEEK = `Start="${TODAY}" End="2026-11-26" InvTypeCode="DBL"`;
const HOUR = 3_600_000;

type Night = {
  night: string;
  available?: number;
  outOfOrder?: number;
  closed?: boolean;
  summed?: boolean;
  allotment?: number;
  message?: number;
};
type Grid = {
  from: string;
  days: number;
  categories: {
    code: string;
    nights: Night[];
    singleRooms: { room: string; nights: Night[] }[];
    allotments: { plan: string; nights: Night[] }[];
  }[];
};

eachEngine("the inventories page", (open) => {
  test("shows a posted count on the page, as CSV and as JSON", async () => {
    await using service = await startApp({ database: await open() });
    await makeHotel(service);
    await postMessage(
      service,
      countMessage({
        control: WEEK,
        counts: [
          [2, 3],
          [6, 1],
        ],
      }),
    );
    const page = await service.inject("/inventories?property=ALP");
    assert.equal(page.statusCode, 200);
    assert.match(cellOf(page.body, "DBL", TODAY), /left-3.*<b>3<\/b> <i>OOO 1<\/i>/);
    await service.database.write.updateTable("category").set({ rooms: 0 }).where("code", "=", "DBL").execute();
    const unknown = (await service.inject("/inventories?property=ALP")).body;
    assert.doesNotMatch(cellOf(unknown, "DBL", TODAY), /left-/, "no bar if the number of rooms is unknown");
    await service.database.write.updateTable("category").set({ rooms: 10 }).where("code", "=", "DBL").execute();
    const csv = (await service.inject("/inventories?property=ALP&format=csv&days=7")).body.split("\r\n");
    assert.match(csv[0]!, /^\ufeffproperty,category,room,plan,night,rooms,available,physical,outOfOrder,/);
    assert.ok(csv.includes(`ALP,DBL,,,${TODAY},10,3,,1,,,false,,false,,1,,,,true,sellable,`), csv.join("\n"));
    const grid = await readGrid(service, "property=ALP&days=7");
    assert.deepEqual(pick(grid, "DBL", TODAY), { available: 3, outOfOrder: 1 });
    assert.equal(grid.categories[0]!.nights[0]!.message, 1);
    const { categories } = await readGrid(service, "property=ALP&category=SGL");
    assert.deepEqual(
      categories.map(({ code }) => code),
      ["SGL"],
    );
  });

  test("shows an empty history for an invalid room or plan code", async () => {
    await using service = await startApp({ database: await open() });
    await makeHotel(service);
    for (const lane of ["room", "plan"]) {
      const response = await service.inject(`/inventories?property=ALP&category=DBL&${lane}=%00&night=${TODAY}`);
      assert.equal(response.statusCode, 200, lane);
    }
  });

  test("with `asOf`, shows past counts", async () => {
    await using service = await startApp({ database: await open() });
    await makeHotel(service);
    await postMessage(service, countMessage({ control: WEEK, counts: [[2, 3]] }));
    service.clock.set(START + 2 * HOUR);
    await postMessage(service, countMessage({ control: WEEK, counts: [[2, 0]] }));
    service.clock.set(START + 3 * HOUR);
    assert.equal(pick(await readGrid(service, "property=ALP"), "DBL", TODAY).available, 0);
    const before = localMoment(START + HOUR).replace(" ", "T");
    assert.equal(pick(await readGrid(service, `property=ALP&asOf=${before}`), "DBL", TODAY).available, 3);
    const earliest = localMoment(START - HOUR).replace(" ", "T");
    assert.equal(pick(await readGrid(service, `property=ALP&asOf=${earliest}`), "DBL", TODAY).available, undefined);
    assert.match(textOf(await service.inject(`/inventories?property=ALP&asOf=${before}`)), /As of 2026-11-20/);
  });

  test("with `asOf`, ignores later messages, even if they repeat the count", async () => {
    await using service = await startApp({ database: await open() });
    await makeHotel(service);
    const post = async (count: number) => {
      await postMessage(service, countMessage({ control: WEEK, counts: [[2, count]] }));
      return (await night()).message;
    };
    const night = async (moment?: number) => {
      const { categories } = await readGrid(service, `property=ALP&asOf=${moment === undefined ? "" : new Date(moment).toISOString()}`);
      return categories.find(({ code }) => code === "DBL")!.nights.find((one) => one.night === TODAY)!;
    };
    const first = await post(3);
    service.clock.set(START + 2 * HOUR);
    const second = await post(3);
    service.clock.set(START + 4 * HOUR);
    const third = await post(0);
    assert.ok(first! < second! && second! < third!);
    const { available, message } = await night(START + HOUR);
    assert.deepEqual([available, message], [3, undefined]);
    assert.equal((await night(START + 3 * HOUR)).message, second);
  });

  test("lists a night's changes with values, time and sender", async () => {
    await using service = await startApp({ database: await open() });
    await makeHotel(service);
    await postMessage(service, countMessage({ control: WEEK, counts: [[2, 3]] }), "zenith");
    service.clock.set(START + HOUR);
    await postMessage(service, countMessage({ control: WEEK, counts: [[2, 5]] }), "other");
    const cell = cellOf((await service.inject("/inventories?property=ALP")).body, "DBL", TODAY);
    const link = /href="([^"]+)"/.exec(cell)![1]!.replaceAll("&amp;", "&");
    const page = await service.inject(`/inventories${link}`);
    const panel = page.body.slice(page.body.indexOf('id="night"'), page.body.indexOf("</section>"));
    assert.match(panel, /href="\/dev\/logs\/1"/);
    assert.match(panel, /href="\/dev\/logs\/2"/);
    assert.match(page.body, new RegExp(`at=ALP/DBL//${TODAY}" aria-current="true">`), "marked in the grid");
    assert.deepEqual([...page.body.matchAll(/aria-current="true">(?!Grid|auto)/g)].length, 1, "only one");
    const list = (await service.inject(`/inventories${link}&view=list`)).body;
    assert.match(list, new RegExp(`<dd class="[^"]*"><a href="[^"]*at=ALP/DBL//${TODAY}" aria-current="true">`), "marked in the list");
    assert.equal([...list.matchAll(/<dd [^>]*><a [^>]*aria-current/g)].length, 1);
    assert.equal(rowsIn(page.body), 2, "other rows stay");
    const step = async (to: string) => textOf(await service.inject(linkIn(page.body, to)));
    assert.match(
      await step("‹ Thu 19 November 2026"),
      /Thu 19 November 2026: DBL Close Not for sale: no room count received; past night\. No data for this night/,
    );
    assert.match(await step("Sat 21 November 2026 ›"), /Sat 21 November 2026: DBL/);
    assert.doesNotMatch(await step("Close"), /Timeline/);
    service.clock.set(START + 2 * HOUR);
    const before = await step("View grid before this change");
    assert.match(before, /As of 2026-11-20 .* Available 3 message 1 from zenith, 2026-11-20/);
    assert.match(
      before,
      /message 2 from other, [^·]* · after the time shown · View grid before this change · Compare Available: from 3 to 5/,
    );
    assert.doesNotMatch(before, /Timeline.* message 1 from zenith, [^·]* · after the time shown/);
    const text = textOf(page);
    assert.doesNotMatch(text, /after the time shown/);
    assert.match(text, /Available 5 message 2 from other, /);
    assert.match(
      text,
      /message 2 from other, 2026-11-20 \d\d:00:00(?: \(11:00:00 at the property\))? · View grid before this change · Compare Available: from 3 to 5/,
    );
    assert.match(
      text,
      /message 1 from zenith, 2026-11-20 \d\d:00:00(?: \(10:00:00 at the property\))? · View grid before this change · Compare Available: from nothing to 3/,
    );
  });

  test("sums a category's rooms if it has no counts, and shows rows for rooms and allotments", async () => {
    await using service = await startApp({ database: await open() });
    await makeHotel(service);
    const room = (code: string, count: number) => ({ control: `${WEEK} InvCode="${code}"`, counts: [[2, count]] as const });
    await postMessage(service, countMessage(room("101", 1), room("102", 1), room("103", 0)));
    await postMessage(service, countMessage({ control: `${WEEK} RatePlanCode="BAR"`, counts: [[2, 4]] }));
    const { categories } = await readGrid(service, "property=ALP&days=7");
    const night = categories[0]!.nights[0]!;
    assert.deepEqual([night.available, night.summed], [2, true]);
    assert.deepEqual(
      categories[0]!.singleRooms.map((single) => [single.room, single.nights[0]!.available]),
      [
        ["101", 1],
        ["102", 1],
        ["103", 0],
      ],
    );
    assert.deepEqual(
      categories[0]!.allotments.map(({ plan, nights }) => [plan, nights[0]!.allotment]),
      [["BAR", 4]],
    );
    const { body } = await service.inject("/inventories?property=ALP&days=7");
    assert.match(cellOf(body, "DBL", TODAY), /<b>2<\/b>.*SUM/);
    assert.match(body, /Allotment BAR/);
    assert.match(body, /Room 103/);
  });
});

test("draws the share of free rooms as a bar that covers at least one tenth", async () => {
  await using service = await startApp();
  await makeHotel(service);
  const barOf = async (count: number) => {
    await postMessage(service, countMessage({ control: WEEK, counts: [[2, count]] }));
    return /left-\d+/.exec(cellOf((await service.inject("/inventories?property=ALP")).body, "DBL", TODAY))?.[0];
  };
  const rooms = (await service.inject("/inventories?property=ALP&format=json")).json<{ categories: { rooms: number }[] }>().categories[0]!
    .rooms;
  assert.equal(await barOf(rooms), "left-10");
  assert.equal(await barOf(rooms / 2), "left-5");
  assert.equal(await barOf(1), `left-${Math.max(1, Math.round(10 / rooms))}`);
  assert.equal(await barOf(0), undefined);
});

test("distinguishes nights without data from sold-out and closed nights", async () => {
  await using service = await startApp();
  await makeHotel(service);
  await postMessage(service, countMessage({ control: `Start="${TODAY}" End="${TODAY}" InvTypeCode="DBL"`, counts: [[2, 0]] }));
  await postMessage(service, countMessage({ control: 'Start="2026-11-21" End="2026-11-21" AllInvCode="true"' }));
  const { body } = await service.inject("/inventories?property=ALP");
  assert.match(cellOf(body, "DBL", TODAY), /^<td class="zero .*<b>0<\/b>/);
  assert.match(cellOf(body, "DBL", "2026-11-21"), /^<td class="closed".*<i>Closed</);
  assert.match(cellOf(body, "DBL", "2026-11-22"), /^<td class="gap.*no data/);
});

test("starts at the property's current date and moves with Previous, Today and Next", async () => {
  await using service = await startApp({ now: Date.UTC(2026, 10, 20, 23, 30) });
  await makeHotel(service);
  assert.equal((await readGrid(service, "property=ALP")).from, "2026-11-21", "in Rome it is past midnight");
  const { body } = await service.inject("/inventories?property=ALP&from=2026-12-24&days=7");
  assert.match(body, /href="\/inventories\?property=ALP&amp;from=2026-12-17&amp;days=7" rel="prev"/);
  assert.match(body, /href="\/inventories\?property=ALP&amp;from=2026-12-31&amp;days=7" rel="next"/);
  assert.match(body, /href="\/inventories\?property=ALP&amp;days=7">Today/);
  assert.match(body, /<th scope="colgroup" colspan="7"><span>December 2026<\/span><\/th>/);
});

test("opens the only property, or lists the properties if there are several", async () => {
  await using service = await startApp();
  const empty = await service.inject("/inventories");
  assert.match(textOf(empty), /No properties yet/);
  assert.doesNotMatch(empty.body, /id="q"/, "no search without properties");
  await makeHotel(service);
  assert.match(textOf(await service.inject("/inventories")), /Alpenblick ALP/);
  await makeProperty(service, { code: "SEA", name: "Seaside" });
  const choice = await service.inject("/inventories");
  assert.match(choice.body, /href="\/inventories\?property=SEA"/);
  assert.match(choice.body, /href="\/inventories\?property=ALP"/);
  const found = await service.inject("/inventories?q=sea");
  assert.match(found.body, /name="q"[^>]*value="sea"/);
  assert.match(found.body, /href="\/inventories\?property=SEA"/);
  assert.doesNotMatch(found.body, /href="\/inventories\?property=ALP"/);
  for (const url of ["/inventories", "/rates"]) {
    const table = (await service.inject(`${url}?format=csv&from=2026-11-26&days=1`)).body;
    assert.match(table, /^\ufeffproperty,name,night,[^\n]+\nALP,Alpenblick,2026-11-26,[^\n]+\nSEA,Seaside,2026-11-26,/, url);
    const { properties, total } = (await service.inject(`${url}?format=json&q=sea`)).json();
    assert.deepEqual([properties.length, properties[0].code, total], [1, "SEA", 1], url);
  }
});

test("lists properties on request, even if there is only one", async () => {
  await using service = await startApp();
  await makeHotel(service);
  const { body } = await service.inject("/inventories");
  assert.match(body, /<table class="grid/);
  assert.match((await service.inject("/inventories?choose=property")).body, /<table class="grid portfolio">/);
});

test("includes the last message and the number of categories in JSON records", async () => {
  await using service = await startApp();
  await makeHotel(service);
  const read = async (url: string) => (await service.inject(`${url}?format=json`)).json();
  const { lastMessageAt, lastCompleteSetAt, categories } = await read("/property/ALP");
  assert.deepEqual([lastMessageAt, lastCompleteSetAt, categories], [undefined, undefined, 2]);
  assert.equal((await read("/category/ALP/DBL/edit")).lastInventoryUpdateAt, undefined);
  service.clock.set(START + 60_000);
  await postMessage(service, countMessage({ control: WEEK, counts: [[2, 3]] }));
  const minute = /^2026-11-20T09:01:00\.\d{3}Z$/;
  assert.match((await read("/property/ALP")).lastMessageAt, minute);
  assert.match((await read("/category/ALP/DBL/edit")).lastInventoryUpdateAt, minute);
  assert.equal((await read("/category/ALP/SGL/edit")).lastInventoryUpdateAt, undefined);
});

test("reports invalid fields beside the fields, and returns 404 for unknown records", async () => {
  await using service = await startApp();
  await makeHotel(service);
  const wrong = await service.inject("/inventories?property=ALP&days=5&from=2027-02-30&asOf=2099-01-01T00:00&only=full");
  assert.equal(wrong.statusCode, 422);
  const text = textOf(wrong);
  for (const kept of ["5", "full"]) assert.ok(wrong.body.includes(`<option value="${kept}" selected>${kept}<`), "keeps the typed value");
  for (const fault of [
    "Choose 7, 14, 28 or 31 days, not “5”",
    "not “2027-02-30”",
    "Enter a date and time in the past",
    "Choose a row filter from the list, not “full”",
  ])
    assert.ok(text.includes(fault), fault);
  assert.match(wrong.body, /<title>Error: /);
  const asData = await service.inject("/inventories?property=ALP&days=5&format=json");
  assert.equal(asData.statusCode, 422);
  assert.deepEqual(asData.json(), { errors: { days: "Choose 7, 14, 28 or 31 days, not “5”" } });
  const absent = await service.inject("/inventories?property=NONE");
  assert.equal(absent.statusCode, 404);
  assert.match(textOf(absent), /Property 'NONE' not found/);
  assert.match(textOf(await service.inject("/inventories?property=ALP&category=NONE")), /Category 'ALP\/NONE' not found/);
});

test("keeps the time from the URL in the form", async () => {
  await using service = await startApp();
  await makeHotel(service);
  for (const [written, shown] of [
    ["2026-11-19", "2026-11-19T00:00"],
    ["2026-11-19+08:30", "2026-11-19T08:30"],
    ["2026-11-19T08:30:15", "2026-11-19T08:30:15"],
    ["2026-11-19T08:30:15.250", "2026-11-19T08:30:15.250"],
    ["2026-11-19T08:30:00.004", "2026-11-19T08:30:00.004"],
  ] as const) {
    const { body } = await service.inject(`/inventories?property=ALP&asOf=${written}`);
    assert.ok(body.includes(`name="asOf" type="datetime-local" value="${shown}"`), written);
  }
});

test("filters for rows with problems", async () => {
  await using service = await startApp();
  await makeHotel(service);
  const fortnight = (category: string) => `Start="${TODAY}" End="2026-12-03" InvTypeCode="${category}"`;
  await postMessage(
    service,
    countMessage({ control: fortnight("DBL"), counts: [[2, 3]] }, { control: fortnight("SGL"), counts: [[2, 0]] }),
  );
  const rows = async (only: string) =>
    [
      ...(await service.inject(`/inventories?property=ALP&only=${only}`)).body.matchAll(
        /<tr class="category">\s*<th scope="row"><span class="line"\s*><span><b>(\w+)/g,
      ),
    ].map((row) => row[1]);
  assert.deepEqual(await rows(""), ["DBL", "SGL"]);
  assert.deepEqual(await rows("zero"), ["SGL"]);
  assert.deepEqual(await rows("gaps"), []);
  const data = async (only: string) =>
    (await service.inject(`/inventories?property=ALP&only=${only}&format=csv`)).body.trimEnd().split("\r\n").length - 1;
  assert.deepEqual([await data("zero"), await data("gaps"), await data("")], [14, 0, 28], "CSV has the same rows");
});

test("filters for rows with recent changes", async () => {
  await using service = await startApp();
  await makeHotel(service);
  const counts = (control: string, count: number) => countMessage({ control, counts: [[2, count]] });
  const single = 'Start="2026-11-23" End="2026-11-24" InvTypeCode="SGL"';
  await postMessage(service, counts(WEEK, 3));
  service.clock.set(START + 3 * 24 * HOUR);
  await postMessage(service, counts(single, 2));
  const categories = async (query: string) =>
    (await readGrid(service, `property=ALP&from=${TODAY}&${query}`)).categories.map(({ code }) => code);
  assert.deepEqual(await categories("only=changed1"), ["SGL"]);
  assert.deepEqual(await categories("only=changed7"), ["DBL", "SGL"]);
  service.clock.set(START + 5 * 24 * HOUR);
  await postMessage(service, counts('Start="2026-11-25" End="2026-11-26" InvTypeCode="SGL"', 2));
  await postMessage(service, counts('Start="2026-11-25" End="2026-11-26" InvTypeCode="DBL"', 3));
  assert.deepEqual(await categories("only=changed1"), ["SGL"], "a repeated value is not a change");
  assert.deepEqual(await categories("only=changed1&days=7&from=2026-11-27"), [], "only nights that are shown count");
  const asOf = localMoment(START + 2 * HOUR).replace(" ", "T");
  assert.deepEqual(await categories(`only=changed1&asOf=${asOf}`), ["DBL"], "counted from the time shown");
});

test("filters for rows without recent updates", async () => {
  await using service = await startApp();
  await makeHotel(service);
  await postMessage(service, countMessage({ control: WEEK, counts: [[2, 3]] }));
  service.clock.set(START + 3 * 24 * HOUR);
  await postMessage(service, countMessage({ control: 'Start="2026-11-23" End="2026-11-24" InvTypeCode="SGL"', counts: [[2, 3]] }));
  const categories = async (only: string) => {
    const csv = (await service.inject(`/inventories?property=ALP&format=csv&only=${only}`)).body.trim().split("\r\n").slice(1);
    return [...new Set(csv.map((line) => line.split(",")[1]))];
  };
  assert.deepEqual(await categories("stale2"), ["DBL"]);
  assert.deepEqual(await categories("stale7"), []);
  service.clock.set(START + 6 * 24 * HOUR);
  assert.deepEqual(await categories("stale2"), ["DBL", "SGL"]);
});

test("treats updates to individual rooms as updates to their category", async () => {
  await using service = await startApp();
  await makeHotel(service);
  await postMessage(service, countMessage({ control: `${WEEK} InvCode="101"`, counts: [[2, 1]] }));
  service.clock.set(START + 3 * 24 * HOUR);
  const stale = async () => {
    const csv = (await service.inject("/inventories?property=ALP&category=DBL&format=csv&only=stale2")).body.trim().split("\r\n").slice(1);
    return [...new Set(csv.map((line) => line.split(",").slice(1, 3).join("/")))];
  };
  assert.deepEqual(await stale(), ["DBL/", "DBL/101"]);
  await postMessage(service, countMessage({ control: `${WEEK} InvCode="102"`, counts: [[2, 1]] }));
  assert.deepEqual(await stale(), ["DBL/101"]);
});

test("the list view shows the nights of the grid day by day", async () => {
  await using service = await startApp();
  await makeHotel(service);
  await postMessage(service, countMessage({ control: WEEK, counts: [[2, 3]] }));
  const page = await service.inject("/inventories?property=ALP&view=list&days=7");
  assert.match(textOf(page), /Fri 20 November 2026 Today DBL Double room 3 SGL Single room - no data/);
});

test("links to the grid as of one day earlier and one day later", async () => {
  await using service = await startApp();
  await makeHotel(service);
  await postMessage(service, countMessage({ control: WEEK, counts: [[2, 3]] }));
  service.clock.set(START + 30 * HOUR);
  await postMessage(service, countMessage({ control: WEEK, counts: [[2, 5]] }));
  const now = (await service.inject("/inventories?property=ALP&from=2026-11-22")).body;
  assert.match(cellOf(now, "DBL", "2026-11-22"), /<b>5<\/b>/);
  const yesterday = (await service.inject(linkIn(now, "a day ago"))).body;
  assert.match(cellOf(yesterday, "DBL", "2026-11-22"), /<b>3<\/b>/);
  const before = (await service.inject(linkIn(yesterday, "A day earlier"))).body;
  assert.match(cellOf(before, "DBL", "2026-11-22"), /no data/);
  assert.match(cellOf((await service.inject(linkIn(before, "A day later"))).body, "DBL", "2026-11-22"), /<b>3<\/b>/);
  const late = (await service.inject(`/inventories?property=ALP&asOf=${new Date(START + 29 * HOUR).toISOString()}`)).body;
  assert.doesNotMatch(late, /A day later/);
});

test("the calendar view shows weeks from Monday to Sunday, and its links keep the view", async () => {
  await using service = await startApp();
  await makeHotel(service);
  await postMessage(service, countMessage({ control: WEEK, counts: [[2, 3]] }));
  const { body } = await service.inject("/inventories?property=ALP&category=DBL&view=calendar&days=7");
  const [, weeks = ""] = /<table class="calendar">[\s\S]*<tbody>([\s\S]*)<\/tbody>/.exec(body) ?? [];
  const days = [...weeks.matchAll(/<tr>([\s\S]*?)<\/tr>/g)].map(([, week = ""]) =>
    [...week.matchAll(/<td[^>]*>([\s\S]*?)<\/td>/g)].map(([, cell = ""]) =>
      cell
        .replaceAll(/<[^>]*>|\s+/g, " ")
        .replaceAll(/ +/g, " ")
        .trim(),
    ),
  );
  assert.deepEqual(days, [
    ["", "", "", "", "20 Nov today 3 changed", "21 3 changed", "22 3 changed"],
    ["23 3 changed", "24 3 changed", "25 3 changed", "26 3 changed", "", "", ""],
  ]);
  assert.match(body, /from=2026-11-27&amp;days=7&amp;view=calendar" rel="next"/);
  const night = await service.inject(`/inventories${/href="([^"]*\/2026-11-21)"/.exec(weeks)![1]!.replaceAll("&amp;", "&")}`);
  assert.match(night.body, /<table class="calendar">/);
  assert.match(textOf(night), /Sat 21 November 2026: DBL/);
});

test("returns 304 until the page changes", async () => {
  await using service = await startApp();
  await makeHotel(service);
  const first = await service.inject("/inventories?property=ALP");
  const headers = { "if-none-match": String(first.headers.etag) };
  assert.equal((await service.inject({ url: "/inventories?property=ALP", headers })).statusCode, 304);
  service.clock.set(START + 10 * 60_000);
  assert.equal(
    (await service.inject({ url: "/inventories?property=ALP", headers })).statusCode,
    304,
    "rendered again with the same content",
  );
  await postMessage(service, countMessage({ control: WEEK, counts: [[2, 3]] }));
  assert.equal((await service.inject({ url: "/inventories?property=ALP", headers })).statusCode, 200);
});

test("immediately shows changes to the property and the start of a new day", async () => {
  await using service = await startApp();
  await makeHotel(service);
  const text = async () => textOf(await service.inject("/inventories?property=ALP"));
  assert.match(await text(), /DBL 10 rooms Double room/);
  await makeCategory(service, { hotelCode: "ALP", code: "APT", name: "Apartment" });
  assert.match(await text(), /APT 1 room Apartment/);
  const visitor = service.visitor();
  const form = await visitor.get("/property/ALP/edit");
  const version = /name="version" value="(\d+)"/.exec(form.body)![1]!;
  await visitor.post("/property/ALP/edit", { name: "Bergblick", version });
  assert.match(await text(), /Bergblick ALP/);
  assert.match(await text(), /Fri 20 Today/);
  service.clock.set(START + 24 * HOUR);
  assert.match(await text(), /Sat 21 Today/);
});

async function readGrid(service: TestApp, query: string): Promise<Grid> {
  return (await service.inject(`/inventories?${query}&format=json`)).json<Grid>();
}

function pick(grid: Grid, category: string, night: string): Pick<Night, "available" | "outOfOrder"> {
  const found = grid.categories.find(({ code }) => code === category)?.nights.find((one) => one.night === night);
  assert.ok(found);
  return {
    ...(found.available !== undefined && { available: found.available }),
    ...(found.outOfOrder !== undefined && { outOfOrder: found.outOfOrder }),
  };
}

/** Returns the target of the link with this text. */
function linkIn(body: string, text: string): string {
  const [, href] = new RegExp(`<a [^>]*href="([^"]+)"[^>]*>${text}</a>`).exec(body) ?? [];
  assert.ok(href, `no link "${text}"`);
  return href.replaceAll("&amp;", "&");
}

function rowsIn(body: string): number {
  return [...body.matchAll(/<tr class="(?:category|part)">/g)].length;
}

/** Returns a night's cell in a category's row. */
function cellOf(body: string, category: string, night: string): string {
  const row = [...body.matchAll(/<tr class="category">[\s\S]*?<\/tr>/g)]
    .map(([text]) => text)
    .find((text) => text.includes(`<b>${category}</b>`));
  assert.ok(row, `no row of ${category}`);
  const cell = [...row.matchAll(/<td[\s\S]*?<\/td>/g)]
    .map(([text]) => text.replaceAll(/\s+/g, " ").replaceAll(" >", ">"))
    .find((text) => text.includes(`/${night}"`));
  assert.ok(cell, `no cell of ${night}`);
  return cell;
}
