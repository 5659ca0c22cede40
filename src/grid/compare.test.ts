import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { START, startApp, type TestApp } from "../../test/support/app.ts";
import { eachEngine } from "../../test/support/databases.ts";
import { availMessage, countMessage, makeHotel, postMessage, rateMessage, textOf, TODAY } from "../../test/support/hotel.ts";
import { DAY_MS } from "../calendar/night.ts";

const CONTROL = `Start="${TODAY}" End="2026-11-24" InvTypeCode="DBL"`;
const BAR = `${CONTROL} RatePlanCode="BAR"`;
const only = (control: string, night: string) => control.replace(TODAY, night).replace("2026-11-24", night);

const price = (control: string, amount: string, currency = "EUR") =>
  rateMessage({ control, currency, amounts: [`NumberOfGuests="2" AmountAfterTax="${amount}"`] });

/** Each cell of a row as text, such as `130 +10 was 120`. */
async function cellsOf(service: TestApp, url: string, row = "BAR"): Promise<string[]> {
  const { body } = await service.inject(url);
  const links = [...body.matchAll(/<td[^>]*><a href="([^"]+)"[^>]*>([\s\S]*?)<\/a><\/td>/g)];
  const own = links.filter(([, href]) => href!.includes(`at=ALP/DBL/${row}/`));
  return own.map(([, , content]) =>
    content!
      .replaceAll("&ndash;", "–")
      .replaceAll(/<[^>]+>/g, " ")
      .replaceAll(/\s+/g, " ")
      .trim(),
  );
}

eachEngine("changes since a time", (open) => {
  test("shows the changes in a comparison with an earlier time", async () => {
    await using service = await startApp({ database: await open() });
    await makeHotel(service);
    await postMessage(service, countMessage({ control: CONTROL, counts: [[2, 5]] }));
    await postMessage(service, price(BAR, "120"));
    service.clock.set(START + DAY_MS);
    await postMessage(service, price(only(BAR, "2026-11-21"), "130.50"));
    await postMessage(service, price(only(BAR, "2026-11-22"), "99"));
    await postMessage(service, countMessage({ control: only(CONTROL, "2026-11-23"), counts: [[2, 2]] }));
    await postMessage(service, availMessage({ control: only(CONTROL, "2026-11-24"), content: '<RestrictionStatus Status="Close"/>' }));
    const then = "2026-11-20T12:00Z";
    const rates = `/rates?property=ALP&from=${TODAY}&compare=${then}`;
    const shown = ["120.00", "130.50 +10.50 was 120", "99.00 −21 was 120", "120.00", "120.00 Closed was open", "– no data", "– no data"];
    assert.deepEqual(await cellsOf(service, `${rates}&days=7`), shown);
    const rooms = await cellsOf(service, `/inventories?property=ALP&from=${TODAY}&days=7&compare=${then}`, "");
    assert.deepEqual(rooms.slice(3, 5), ["2 −3 was 5", "5 Closed was open"]);
    assert.match(textOf(await service.inject(rates)), /Compared with the data as of 2026-11-20 .*: 4 nights differ\. Stop comparing/);
    const { comparison } = (await service.inject(`${rates}&format=json`)).json();
    assert.deepEqual(comparison.asOf, "2026-11-20T12:00:00.000Z");
    const [head, ...lines] = (await service.inject(`${rates}&days=7&format=csv`)).body.trim().split("\r\n");
    assert.match(head!, /,saleMessage,otherNight,now,nowUnit,nowState,before,beforeUnit,beforeState,change,differs$/);
    const compared = lines.filter((line) => line.includes(",BAR,")).map((line) => line.split(",").slice(-9).join(" "));
    assert.deepEqual(compared.slice(0, 6), [
      "2026-11-20 120.00 EUR open 120.00 EUR open 0 false",
      "2026-11-21 130.50 EUR open 120.00 EUR open 10.5 true",
      "2026-11-22 99.00 EUR open 120.00 EUR open -21 true",
      "2026-11-23 120.00 EUR open 120.00 EUR open 0 false",
      "2026-11-24 120.00 EUR closed 120.00 EUR open 0 true",
      "2026-11-25   gap   gap  false",
    ]);
    const night = comparison.differences.find((one: { night: string }) => one.night === "2026-11-22");
    assert.deepEqual(night, {
      ...{ category: "DBL", plan: "BAR", night: "2026-11-22", otherNight: "2026-11-22" },
      now: { value: "99.00", unit: "EUR", state: "open" },
      before: { value: "120.00", unit: "EUR", state: "open" },
      change: "-21.00",
    });
  });

  test("highlights a changed night for one day", async () => {
    await using service = await startApp({ database: await open() });
    await makeHotel(service);
    await postMessage(service, countMessage({ control: CONTROL, counts: [[2, 5]] }));
    await postMessage(service, price(BAR, "120"));
    service.clock.set(START + 2 * DAY_MS);
    const url = `/rates?property=ALP&from=${TODAY}&days=7`;
    const marked = async () => (await cellsOf(service, url)).map((text) => text.endsWith("changed"));
    assert.ok(!(await marked()).includes(true));
    await postMessage(service, price(only(BAR, "2026-11-23"), "120"));
    assert.ok(!(await marked()).includes(true), "a repeated price is no change");
    await postMessage(service, price(only(BAR, "2026-11-23"), "125"));
    assert.deepEqual(await marked(), [false, false, false, true, false, false, false]);
    service.clock.set(START + 3 * DAY_MS + 60_000);
    assert.ok(!(await marked()).includes(true), "a day later");
  });
});

describe("a comparison", () => {
  test("shows nights that are in only one of the two grids, and a different currency", async () => {
    await using service = await startApp();
    await makeHotel(service);
    await postMessage(service, countMessage({ control: CONTROL, counts: [[2, 5]] }));
    await postMessage(service, price(only(BAR, "2026-11-20"), "80"));
    await postMessage(service, price(only(BAR, "2026-11-24"), "90", "USD"));
    await postMessage(service, price(only(BAR, "2026-11-21").replace("BAR", "OLD"), "70"));
    service.clock.set(START + DAY_MS);
    await postMessage(service, price(only(BAR, "2026-11-22"), "85"));
    await postMessage(service, price(only(BAR, "2026-11-24"), "90", "EUR"));
    await postMessage(service, price(only(BAR, "2026-11-22").replace("BAR", "ALT"), "60"));
    const url = `/rates?property=ALP&from=${TODAY}&compare=2026-11-20T12:00Z`;
    const [first, , third, , fifth] = await cellsOf(service, url);
    assert.deepEqual([first, third, fifth], ["80", "85 new", "90 was 90 USD"]);
    assert.equal((await cellsOf(service, url, "ALT"))[2], "60 new");
  });

  test("compares with other nights and with the same weekdays last year", async () => {
    await using service = await startApp();
    await makeHotel(service);
    await postMessage(service, countMessage({ control: CONTROL, counts: [[2, 5]] }));
    await postMessage(service, price(only(BAR, "2026-11-20"), "80"));
    await postMessage(service, price(only(BAR, "2026-11-23"), "95"));
    const other = `/rates?property=ALP&compare=2026-11-23&days=7`;
    assert.equal((await cellsOf(service, other))[0], "80 −15 was 95");
    assert.match(textOf(await service.inject(other)), /Compared with the nights from Mon 23 November 2026: 2 nights differ\./);
    const shifted = (await service.inject(`${other}&select=2026-11-20/2026-11-20,DBL/BAR&format=csv`)).body.trim().split("\r\n");
    assert.equal(shifted.length, 2);
    assert.match(shifted[1]!, /,2026-11-23,80\.00,EUR,open,95\.00,EUR,open,-15,true$/);
    const { comparison } = (await service.inject("/rates?property=ALP&compare=year&format=json")).json();
    assert.equal(comparison.from, "2025-11-21");
    assert.match(textOf(await service.inject("/rates?property=ALP&compare=year")), /last year, from .*: no data to compare with/);
    service.clock.set(Date.UTC(2027, 10, 19, 9));
    const lastYear = `/rates?property=ALP&compare=year&days=7`;
    assert.match(textOf(await service.inject(lastYear)), /the same weekdays last year, from Fri 20 November 2026: 2 nights differ\./);
    assert.equal((await cellsOf(service, lastYear))[0], "– no data was 80 EUR");
  });

  test("keeps the comparison in links and forms, and lists the allowed values if it is invalid", async () => {
    await using service = await startApp();
    await makeHotel(service);
    const { body } = await service.inject("/rates?property=ALP&compare=year");
    assert.match(body, /<a href="\/rates\?property=ALP&amp;from=2026-12-04&amp;compare=year" rel="next"/);
    assert.match(body, /<form class="grid-form"[^>]*>[\s\S]*?<input type="hidden" name="compare" value="year"/);
    assert.match(body, /\/inventories\?property=ALP&amp;compare=year"[^>]*>Inventories/);
    const offered = [...body.matchAll(/<a href="([^"]+)">(A day ago|A week ago|Same weekdays last year)/g)].map((match) => match[1]);
    assert.deepEqual(offered, [
      "/rates?property=ALP&amp;compare=2026-11-19T09%3A00Z",
      "/rates?property=ALP&amp;compare=2026-11-13T09%3A00Z",
      "/rates?property=ALP&amp;compare=year",
    ]);
    for (const [compare, fault] of [
      ["never", /Enter a date, a date and time such as 2027-03-01T14:30, or “year”, not “never”/],
      ["2027-01-01T10:00", /Enter a date and time in the past/],
    ] as const) {
      const refused = await service.inject(`/rates?property=ALP&compare=${compare}`);
      assert.equal(refused.statusCode, 422);
      assert.match(refused.body, new RegExp(`<a href="#f-compare">${fault.source}`));
      assert.match(refused.body, /<section class="compare" id="compare" {2}?aria/);
    }
  });

  test("offers a comparison for each change in a night's panel", async () => {
    await using service = await startApp();
    await makeHotel(service);
    await postMessage(service, price(BAR, "120"));
    service.clock.set(START + 3_600_000);
    const { body } = await service.inject(`/rates?property=ALP&at=ALP/DBL/BAR/${TODAY}`);
    const [, link] = /<a href="([^"]+)">Compare<\/a>/.exec(body)!;
    const compared = await service.inject(link!.replaceAll("&amp;", "&"));
    assert.match(textOf(compared), /Compared with the data as of .*: 5 nights differ\./);
    assert.match(compared.body, /id="night"/);
  });
});
