import assert from "node:assert/strict";
import { test } from "node:test";
import { startApp } from "../../test/support/app.ts";

test("a form that a page of another site sent is refused, although its token is right", async () => {
  await using service = await startApp();
  const send = async (code: string, headers: Readonly<Record<string, string>>) => {
    const page = await service.inject("/property/new");
    const [, token = ""] = /name="_csrf" value="([^"]+)"/.exec(page.body) ?? [];
    const cookies = Object.fromEntries(page.cookies.map(({ name, value }) => [name, value]));
    const form = new URLSearchParams({ _csrf: token, code, name: code });
    const type = { "content-type": "application/x-www-form-urlencoded" };
    const sent = await service.inject({
      method: "POST",
      url: "/property/new",
      headers: { ...headers, ...type },
      cookies,
      payload: `${form}`,
    });
    if (sent.statusCode === 403) assert.match(sent.body, /Invalid CSRF token/);
    return sent.statusCode;
  };
  assert.equal(await send("A1", { "sec-fetch-site": "same-origin" }), 303);
  assert.equal(await send("A2", { "sec-fetch-site": "none" }), 303);
  assert.equal(await send("A3", {}), 303, "a program");
  assert.equal(await send("A4", { origin: "http://127.0.0.1", host: "127.0.0.1" }), 303, "an older browser");
  for (const site of ["same-site", "cross-site"]) assert.equal(await send("A5", { "sec-fetch-site": site }), 403, site);
  assert.equal(await send("A5", { origin: "https://elsewhere.example" }), 403);
  assert.equal((await service.inject("/property/A5")).statusCode, 404);
});
