import assert from "node:assert/strict";
import { test } from "node:test";
import { startApp, type Visitor } from "../../../test/support/app.ts";
import { textOf } from "../../../test/support/hotel.ts";
import { signInByForm, TWO_ROLES } from "../../../test/support/sign-in.ts";

const PASSWORD = "correct-horse-battery";

test("accepts only unchanged form tokens of the same session", async () => {
  await using service = await startApp();
  const [visitor, other] = [service.visitor(), service.visitor()];
  const tokenOf = async (of: Visitor) => /name="_csrf" value="([^"]+)"/.exec((await of.get("/property/new")).body)![1]!;
  const [own, another, foreign] = [await tokenOf(visitor), await tokenOf(visitor), await tokenOf(other)];
  const [mask, signature] = own.split(".");
  const send = async (token: string, headers: Record<string, string> = {}) => {
    const payload = new URLSearchParams({ _csrf: token, code: `A${token.length}`, name: "Alpenblick" }).toString();
    const type = { "content-type": "application/x-www-form-urlencoded" };
    return (await visitor.send("/property/new", payload, { ...type, ...headers })).statusCode;
  };
  const changed = signature!.replace(/^./, (first) => (first === "A" ? "B" : "A"));
  for (const token of [foreign, `${mask}.${changed}`, `${mask}.${another.split(".")[1]}`, `${mask}.`, mask!, `.${signature}`, "", "."]) {
    assert.equal(await send(token), 403, token);
    assert.equal(await send(own, { "x-csrf-token": token }), 403, `${token} in the header, which takes precedence`);
  }
  assert.notEqual(own, another, "differs each time, because pages are compressed");
  assert.equal(await send("", { "x-csrf-token": another }), 303);
  assert.equal(await send(own), 303);
});

test("does not accept the token of the sign-out button for other forms", async () => {
  await using service = await startApp({ settings: TWO_ROLES });
  const { visitor } = await signInByForm(service);
  const { body } = await visitor.get("/property");
  const [, token = ""] = /name="_csrf" value="([^"]+)"/.exec(body) ?? [];
  assert.match(body, /value="sign-out"/);
  const send = async (_csrf: string, action: string) => {
    const payload = new URLSearchParams({ _csrf, action }).toString();
    return (await visitor.send("/tools/account", payload, { "content-type": "application/x-www-form-urlencoded" })).statusCode;
  };
  for (const sent of [token, `sign-out.${token}`]) assert.equal(await send(sent, "end-sessions"), 403, sent);
  assert.equal((await visitor.signOut()).statusCode, 303);
});

test("refuses a form that another site sent, even with a valid token", async () => {
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

test("redisplays everything submitted in a refused cross-site form, but issues no token and starts no session", async () => {
  await using service = await startApp({ settings: { ADMIN_PASSWORD: PASSWORD } });
  const url = "/dev/logs?view=removal";
  const headers = { authorization: `Basic ${btoa(`admin:${PASSWORD}`)}`, accept: "text/html" };
  const form = { ...headers, "content-type": "application/x-www-form-urlencoded" };
  const send = (visitor: Visitor, site: string) => visitor.send(url, "action=remove&before=1&sure=on", { ...form, "sec-fetch-site": site });
  const refused = await send(service.visitor(), "cross-site");
  assert.deepEqual([refused.statusCode, refused.cookies.map(({ name }) => name)], [403, ["browser-token"]]);
  assert.match(refused.body, /name="_csrf" value=""/);
  assert.match(textOf(refused), /Another site sent this form.* Action remove .* Submit again/);
  const visitor = service.visitor();
  await visitor.get(url, headers);
  const again = await send(visitor, "same-origin");
  assert.deepEqual([again.statusCode, again.cookies], [403, []], "keeps the existing session");
  assert.match(again.body, /name="_csrf" value="[^"]+"/);
});

test("redisplays only a limited number of fields of a refused form", async () => {
  await using service = await startApp();
  const payload = `code=KEPT&${Array.from({ length: 100_000 }, (_, index) => `f${index}`).join("&")}`;
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const { statusCode, body } = await service.inject({ method: "POST", url: "/property/new", headers, payload });
  assert.equal(statusCode, 403);
  assert.match(body, /name="code" value="KEPT"/);
  assert.ok(body.length < 100_000, `${body.length} characters`);
});
