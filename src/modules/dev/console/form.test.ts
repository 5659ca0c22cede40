import assert from "node:assert/strict";
import { test } from "node:test";
import { startApp } from "../../../../test/support/app.ts";
import { makeCategory, makeProperty } from "../../../../test/support/hotel.ts";
import { fillDatabase } from "../../../cli/seed/fill.ts";

test("refuses an invalid multipart form and gives the reason", async () => {
  await using service = await startApp();
  const ask = async (type: string, payload: string) => {
    const { statusCode, body } = await service.inject({
      method: "POST",
      url: "/dev/channel",
      headers: { "content-type": `multipart/form-data${type}`, accept: "application/json" },
      payload,
    });
    return [statusCode, JSON.parse(body).error.class, JSON.parse(body).error.message];
  };
  const refusal = [400, "HttpException", "The body is not valid multipart/form-data (RFC 7578) with at most 200 parts"];
  assert.deepEqual(await ask("; boundary=x", "hello"), refusal);
  assert.deepEqual(await ask("", "hello"), refusal);
  const cut = '--x\r\nContent-Disposition: form-data; name="xml"\r\n\r\n<a';
  assert.deepEqual(await ask("; boundary=x", cut), refusal);
});

test("accepts large forms only in the console, and limits their total size", async () => {
  await using service = await startApp();
  const ask = async (url: string, megabytes: readonly number[]) => {
    const part = (size: number) => `--form\r\nContent-Disposition: form-data; name="f"\r\n\r\n${"x".repeat(size * 1024 * 1024)}\r\n`;
    const headers = { "content-type": "multipart/form-data; boundary=form" };
    return (await service.inject({ method: "POST", url, headers, payload: `${megabytes.map(part).join("")}--form--\r\n` })).statusCode;
  };
  assert.deepEqual([await ask("/dev/channel", [20]), await ask("/dev/channel", [8, 8, 8])], [200, 413]);
  for (const url of ["/dev", "/dev/logs", "/dev/logs/1"]) assert.equal(await ask(url, [1]), 413, url);
});

test("selects the property in the URL even if it is not in the list", async () => {
  await using service = await startApp();
  const none = { categories: 0, plans: 0, nights: 0, errors: 0, messages: 0 };
  await fillDatabase(service.database, { properties: 100, ...none }, { now: service.clock.now(), progress: () => {} });
  await makeProperty(service, { code: "LAST", name: "Zzz" });
  const { body } = await service.inject("/dev/channel?property=LAST");
  assert.match(body, /<select id="f-property"[^>]*>(?:(?!<\/select>)[^])*<option value="LAST" selected>/);
});

test("prefers a property with a category for examples", async () => {
  await using service = await startApp();
  await makeProperty(service, { code: "EMPTY", name: "Adler" });
  const hotelIn = async (url: string) => /HotelCode=&quot;([^&]*)&quot;/.exec((await service.inject(url)).body)?.[1];
  const pages = ["/dev", "/dev/channel?example=counts-of-a-week"];
  for (const url of pages) assert.equal(await hotelIn(url), "EMPTY", url);
  await makeProperty(service, { code: "SHUT", name: "Bergblick", status: "inactive" });
  await makeProperty(service, { code: "OPEN", name: "Chalet" });
  for (const hotelCode of ["SHUT", "OPEN"]) await makeCategory(service, { hotelCode, code: "SGL", name: "Single" });
  for (const url of pages) assert.equal(await hotelIn(url), "OPEN", url);
});
