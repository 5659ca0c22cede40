import assert from "node:assert/strict";
import { test } from "node:test";
import { startApp } from "../../../test/support/app.ts";
import { countMessage, makeHotel, postMessage, textOf, TODAY } from "../../../test/support/hotel.ts";

const WEEK = `Start="${TODAY}" End="2026-11-26" InvTypeCode="DBL"`;

test("reads a night from the short link in a cell", async () => {
  await using service = await startApp();
  await makeHotel(service);
  await postMessage(service, countMessage({ control: WEEK, counts: [[2, 3]] }));
  const named = textOf(await service.inject(`/inventories?at=ALP/DBL//${TODAY}`));
  assert.match(named, /Fri 20 November 2026: DBL .* from nothing to 3/);
  for (const grid of ["inventories", "rates"]) {
    const json = async (query: string) => (await service.inject(`/${grid}?${query}&format=json`)).json<{ history: unknown }>().history;
    const long = await json(`property=ALP&nightCategory=DBL&night=${TODAY}`);
    assert.deepEqual(await json(`at=ALP/DBL//${TODAY}`), long, grid);
  }
  for (const at of ["ALP/DBL/", `ALP/DBL///${TODAY}`, "x"]) {
    const wrong = await service.inject(`/inventories?property=ALP&at=${at}`);
    assert.equal(wrong.statusCode, 422);
    assert.ok(textOf(wrong).includes(`Enter a night as property/category/row/date, not “${at}”`), at);
  }
  const noDate = await service.inject("/inventories?at=ALP/DBL//2026-02-30");
  assert.equal(noDate.statusCode, 422);
  assert.match(textOf(noDate), /not “2026-02-30”/);
  assert.equal((await service.inject(`/inventories?at=ALP/NONE//${TODAY}`)).statusCode, 404);
  assert.equal((await service.inject(`/inventories?at=NONE/DBL//${TODAY}`)).statusCode, 404);
});
