import assert from "node:assert/strict";
import { test } from "node:test";
import { startApp } from "../../test/support/app.ts";
import { makeHotel } from "../../test/support/hotel.ts";

test("accepts formats in upper or lower case", async () => {
  await using service = await startApp();
  await makeHotel(service);
  await service.inject("/login");
  const typeOf = async (url: string) => (await service.inject(url)).headers["content-type"];
  for (const url of [
    "/property?q=a",
    "/category?q=d",
    "/rates?property=ALP",
    "/inventories?property=ALP",
    "/dev/logs?q=",
    "/tools/errors?q=",
  ])
    for (const [format, type] of [
      ["JSON", "application/json; charset=utf-8"],
      ["Csv", "text/csv; charset=utf-8"],
    ])
      assert.equal(await typeOf(`${url}&format=${format}`), type, `${url} ${format}`);
  for (const url of ["/", "/property/ALP", "/dev", "/tools", "/tools/env", "/login", "/property/NONE"])
    assert.equal(await typeOf(`${url}?format=Json`), "application/json; charset=utf-8", url);
  assert.equal(await typeOf("/tools/errors/1?format=Markdown"), "text/markdown; charset=utf-8");
});
