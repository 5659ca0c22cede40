import assert from "node:assert/strict";
import { test } from "node:test";
import { startApp } from "../../test/support/app.ts";

const LOGS = ["/dev/logs?", "/tools/errors?", "/tools/errors?view=groups&"];
const FAULT = "Enter a time that is not before From";

test("reports an end before the start instead of showing an empty list", async () => {
  await using service = await startApp();
  for (const url of LOGS) {
    const query = `${url}from=2026-11-20&to=2026-11-19T23:59`;
    const page = await service.inject(query);
    assert.equal(page.statusCode, 422, url);
    assert.ok(page.body.includes(`<a href="#f-to">${FAULT}</a>`), url);
    const data = await service.inject(`${query}&format=json`);
    assert.deepEqual([data.statusCode, data.json()], [422, { errors: { to: FAULT } }], url);
  }
});

test("accepts the same day or minute as start and end", async () => {
  await using service = await startApp();
  for (const moment of ["2026-11-20", "2026-11-20T08:30"])
    for (const url of LOGS) assert.equal((await service.inject(`${url}from=${moment}&to=${moment}`)).statusCode, 200, url + moment);
});
