import assert from "node:assert/strict";
import { test } from "node:test";
import { startApp } from "../../../test/support/app.ts";
import { makeHotel } from "../../../test/support/hotel.ts";

test("keeps sort order and page size when searching", async () => {
  await using service = await startApp();
  await makeHotel(service);
  await service.inject("/no/such/page");
  await service.errors.flush();
  for (const [url, kept] of [
    ["/property?sort=-code&size=25&status=active", ["sort -code", "size 25"]],
    ["/category?sort=-hotelCode&size=100&q=dbl", ["sort -hotelCode", "size 100"]],
    ["/tools/errors?size=25", ["size 25"]],
    ["/tools/errors?view=groups&state=all&sort=count&size=25", ["view groups", "state all", "sort count", "size 25"]],
  ] as const) {
    const { body } = await service.inject(url);
    const [form] = /<form[^>]* role="search"[^]*?<\/form>/.exec(body.slice(body.indexOf("<main")))!;
    const hidden = [...form.matchAll(/type="hidden" name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => `${name} ${value}`);
    assert.deepEqual(hidden, kept, url);
  }
});
