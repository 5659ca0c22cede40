import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { fill } from "../src/cli/seed/fill.ts";
import { startApp, type TestApp } from "./support/app.ts";

const MAX_BYTES = 60_000;
const AMOUNTS = { properties: 60, categories: 10, plans: 3, nights: 30, errors: 10, messages: 50 };

describe("default page size", () => {
  let service: TestApp;

  before(async () => {
    service = await startApp();
    await fill(service.database, AMOUNTS, { now: service.clock.now(), progress: () => undefined });
  });
  after(() => service.close());

  for (const { url, row, rows } of [
    { url: "/property", row: /<tr>\s*<td class="pick">/g, rows: 50 },
    { url: "/inventories?property=SEED00001", row: /<tr class="category">/g, rows: 10 },
    { url: "/rates?property=SEED00001", row: /<tr class="(?:category|part)">/g, rows: 30 },
    { url: "/", row: /<td class="nowrap"><a href="\/dev\/logs\/\d+">/g, rows: 5 },
  ]) {
    test(`keeps ${url} under ${MAX_BYTES} bytes`, async () => {
      const { body } = await service.inject(url);
      assert.equal(body.match(row)?.length, rows);
      assert.ok(Buffer.byteLength(body) < MAX_BYTES, `${Buffer.byteLength(body)} bytes`);
    });
  }
});
