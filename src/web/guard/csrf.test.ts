import assert from "node:assert/strict";
import { test } from "node:test";
import { startApp } from "../../../test/support/app.ts";

const PASSWORD = "correct-horse-battery";

test("a form that a page of another site sent is refused, although its token is right", async () => {
  await using service = await startApp({ settings: { ADMIN_PASSWORD: PASSWORD } });
  const authorization = `Basic ${btoa(`admin:${PASSWORD}`)}`;
  const send = async (code: string, more: Readonly<Record<string, string>>) => {
    const page = await service.inject({ url: "/property/new", headers: { authorization } });
    const [, _csrf = ""] = /name="_csrf" value="([^"]+)"/.exec(page.body) ?? [];
    const cookies = Object.fromEntries(page.cookies.map(({ name, value }) => [name, value]));
    const headers = { authorization, "content-type": "application/x-www-form-urlencoded", ...more };
    const payload = new URLSearchParams({ _csrf, code, name: code }).toString();
    const { statusCode, body } = await service.inject({ method: "POST", url: "/property/new", headers, cookies, payload });
    return statusCode === 403 && body.includes("Invalid CSRF token") ? "refused" : statusCode;
  };
  assert.equal(await send("A1", { "sec-fetch-site": "same-origin" }), 303);
  assert.equal(await send("A2", { "sec-fetch-site": "none" }), 303);
  assert.equal(await send("A3", {}), 303, "a program");
  assert.equal(await send("A4", { origin: "http://127.0.0.1", host: "127.0.0.1" }), 303, "an older browser");
  for (const site of ["same-site", "cross-site"]) assert.equal(await send("A5", { "sec-fetch-site": site }), "refused", site);
  assert.equal(await send("A5", { origin: "https://elsewhere.example" }), "refused");
});

test("a refused form of more fields than any has is not given back whole", async () => {
  await using service = await startApp();
  const payload = `code=KEPT&${Array.from({ length: 100_000 }, (_, index) => `f${index}`).join("&")}`;
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const { statusCode, body } = await service.inject({ method: "POST", url: "/property/new", headers, payload });
  assert.equal(statusCode, 403);
  assert.match(body, /name="code" value="KEPT"/);
  assert.ok(body.length < 100_000, `${body.length} characters`);
});
