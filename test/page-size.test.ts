import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { fillDatabase } from "../src/cli/seed/fill.ts";
import { startApp, type TestApp } from "./support/app.ts";

const MAX_BYTES = 60_000;
/** With its style sheets and scripts. */
const MAX_ALL_BYTES = 120_000;
const MAX_MONTH_BYTES = 250_000;
const AMOUNTS = { properties: 60, categories: 10, plans: 3, nights: 30, errors: 10, messages: 50 };

describe("default page size", () => {
  let service: TestApp;

  before(async () => {
    service = await startApp();
    await fillDatabase(service.database, AMOUNTS, { now: service.clock.now(), progress: () => undefined });
  });
  after(() => service.close());

  for (const { url, row, rows } of [
    { url: "/property", row: /<tr>\s*<td class="pick">/g, rows: 50 },
    { url: "/inventories?property=SEED00001", row: /<tr class="category">/g, rows: 10 },
    { url: "/rates?property=SEED00001", row: /<tr class="(?:category|part)">/g, rows: 30 },
    { url: "/", row: /<td class="nowrap"><a href="\/dev\/logs\/\d+">/g, rows: 5 },
    { url: "/dev/logs", row: /<td class="number"><a href="\/dev\/logs\/\d+">/g, rows: 40 },
  ]) {
    test(`keeps ${url} under ${MAX_BYTES} bytes`, async () => {
      const { body } = await service.inject(url);
      assert.equal(body.match(row)?.length, rows);
      assert.ok(Buffer.byteLength(body) < MAX_BYTES, `${Buffer.byteLength(body)} bytes`);
    });
  }

  test(`keeps a grid with its style sheets and scripts under ${MAX_ALL_BYTES} bytes`, async () => {
    const { body } = await service.inject("/rates?property=SEED00001");
    const files = [...body.matchAll(/(?:href|src)="(\/assets\/[^"]+\.(?:css|js))"/g)].map(([, file]) => service.inject(file!));
    assert.ok(files.length > 4);
    const all = [body, ...(await Promise.all(files)).map((file) => file.body)].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    assert.ok(all < MAX_ALL_BYTES, `${all} bytes`);
  });

  test(`keeps 31 nights of 30 rows under ${MAX_MONTH_BYTES} bytes`, async () => {
    const { body } = await service.inject("/rates?property=SEED00001&days=31");
    assert.equal(body.match(/<td[^>]*><a /g)?.length, 30 * 31);
    assert.ok(Buffer.byteLength(body) < MAX_MONTH_BYTES, `${Buffer.byteLength(body)} bytes`);
  });
});
