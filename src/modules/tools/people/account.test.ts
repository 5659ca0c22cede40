import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { startApp } from "../../../../test/support/app.ts";
import { textOf } from "../../../../test/support/hotel.ts";
import { addPerson, ADMIN_PASSWORD, basic, PERSON_PASSWORD, signInByForm, TWO_ROLES } from "../../../../test/support/sign-in.ts";
import { browserName } from "../../../web/parts/browser-name.ts";

const NEW_PASSWORD = "seven green umbrellas";
const FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0";
const SAFARI = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/604.1";

const CHANGE = { action: "change-password", currentPassword: PERSON_PASSWORD, password: NEW_PASSWORD, repeatPassword: NEW_PASSWORD };

describe("the account page", () => {
  test("the account page changes the password and ends all other sessions", async () => {
    await using service = await startApp({ settings: TWO_ROLES });
    await addPerson(service, "vera", "viewer");
    const { visitor } = await signInByForm(service, { name: "vera" });
    const { visitor: other } = await signInByForm(service, { name: "vera" });
    const { body } = await visitor.get("/tools/account");
    assert.match(body, /autocomplete="username"[^]*autocomplete="current-password"[^]*autocomplete="new-password"/);
    const changed = await visitor.post("/tools/account", CHANGE);
    assert.deepEqual([changed.statusCode, changed.headers.location], [303, "/tools/account"]);
    assert.match(textOf(await visitor.get("/tools/account")), /Password changed\. All other sessions were signed out\./);
    assert.equal((await other.get("/property")).statusCode, 401);
    assert.equal((await service.inject({ url: "/property", headers: basic(PERSON_PASSWORD, "vera") })).statusCode, 401);
    assert.equal((await signInByForm(service, { name: "vera", password: NEW_PASSWORD })).response.statusCode, 303);
  });

  test("refuses a wrong current password and counts it as a failed sign-in", async () => {
    await using service = await startApp({ settings: TWO_ROLES });
    await addPerson(service, "vera", "viewer");
    const { visitor } = await signInByForm(service, { name: "vera" });
    await visitor.get("/tools/account");
    const texts: string[] = [];
    for (let time = 0; time < 8; time++) {
      const { statusCode, body } = await visitor.post("/tools/account", { ...CHANGE, currentPassword: `wrong ${time}` });
      assert.equal(statusCode, 422);
      texts.push(/id="e-currentPassword">([^<]+)</.exec(body)![1]!);
    }
    assert.equal(texts[0], "This is not your current password.");
    assert.match(texts.at(-1)!, /^Too many failed sign-ins\. Try again in/);
    assert.equal((await visitor.post("/tools/account", { ...CHANGE, currentPassword: ADMIN_PASSWORD })).statusCode, 422);
    assert.equal((await visitor.get("/property")).statusCode, 200, "the session stays");
  });

  test("the account page does not accept the shared password as the current one", async () => {
    await using service = await startApp({ settings: TWO_ROLES });
    await addPerson(service, "anna", "admin");
    const { visitor } = await signInByForm(service, { name: "anna" });
    await visitor.get("/tools/account");
    assert.equal((await visitor.post("/tools/account", { ...CHANGE, currentPassword: ADMIN_PASSWORD })).statusCode, 422);
    assert.equal((await visitor.post("/tools/account", { ...CHANGE, password: "password1234" })).statusCode, 422);
  });

  test("the account page lists and ends the user's own sessions, including sessions of a shared password", async () => {
    await using service = await startApp({ settings: { ...TWO_ROLES, TRUST_PROXY: "127.0.0.1" } });
    await addPerson(service, "vera", "viewer");
    for (const name of ["vera", "admin"]) {
      const here = { "user-agent": FIREFOX, "x-forwarded-for": "203.0.113.7" };
      const { visitor } = await signInByForm(service, { name, headers: here });
      const { visitor: phone } = await signInByForm(service, { name, headers: { "user-agent": SAFARI, "x-forwarded-for": "203.0.113.8" } });
      const { visitor: tablet } = await signInByForm(service, {
        name,
        headers: { "user-agent": SAFARI, "x-forwarded-for": "203.0.113.9" },
      });
      const page = await visitor.get("/tools/account");
      assert.match(textOf(page), /Firefox on Windows \(this session\) 203\.0\.113\.7 .*Safari on iOS 203\.0\.113\.[89]/);
      const row = page.body.slice(page.body.indexOf("203.0.113.8"));
      const id = /name="id" value="([^"]+)"/.exec(row)![1]!;
      await visitor.post("/tools/account", { action: "end-session", id });
      const statuses = async () => [(await phone.get("/property")).statusCode, (await tablet.get("/property")).statusCode];
      assert.deepEqual(await statuses(), [401, 200]);
      await visitor.post("/tools/account", { action: "end-sessions" });
      assert.deepEqual(await statuses(), [401, 401]);
      assert.match(textOf(await visitor.get("/tools/account")), /1 other session signed out\./);
    }
  });

  test("the account page cannot end other users' sessions", async () => {
    await using service = await startApp({ settings: TWO_ROLES });
    await addPerson(service, "vera", "viewer");
    await addPerson(service, "anna", "admin");
    const { visitor: vera } = await signInByForm(service, { name: "vera" });
    const { visitor: anna } = await signInByForm(service, { name: "anna" });
    const [{ id_hash: id } = { id_hash: "" }] = await service.database.read
      .selectFrom("session")
      .select("id_hash")
      .where("person", "=", "anna")
      .execute();
    await vera.get("/tools/account");
    await vera.post("/tools/account", { action: "end-session", id });
    await vera.post("/tools/account", { action: "end-sessions" });
    assert.equal((await anna.get("/property")).statusCode, 200);
  });

  test("neither shows nor ends the sessions of a user with the same name as a proxy user", async () => {
    const proxy = { PROXY_USER_HEADER: "X-Auth-User", PROXY_USER_NETWORKS: "127.0.0.1", PROXY_ADMINS: "vera,admin" };
    await using service = await startApp({ settings: { ...TWO_ROLES, ...proxy } });
    await addPerson(service, "vera", "viewer");
    for (const name of ["vera", "admin"]) {
      const { visitor } = await signInByForm(service, { name });
      const proxied = service.visitor();
      const headers = { "x-auth-user": name };
      assert.match(textOf(await proxied.get("/tools/account", headers)), /No browser is signed in as this user/);
      await proxied.get("/property/new", headers);
      assert.equal((await proxied.post("/tools/account", { action: "end-sessions" }, headers)).statusCode, 200);
      assert.equal((await visitor.get("/property")).statusCode, 200, name);
    }
  });

  test("does not show or log passwords submitted with an outdated form", async () => {
    await using service = await startApp({ settings: TWO_ROLES });
    await addPerson(service, "vera", "viewer");
    const { visitor } = await signInByForm(service, { name: "vera" });
    const { body: page } = await visitor.get("/tools/account");
    const fields = [...page.matchAll(/type="password"[^>]*/g)].length;
    const names = [...page.matchAll(/name="(\w+)"\s+type="password"/g)].map(([, name]) => name!);
    assert.equal(names.length, fields);
    const typed = Object.fromEntries(names.map((name) => [name, `geheim ${name}`]));
    const payload = new URLSearchParams({ _csrf: "old.token", action: "change-password", ...typed }).toString();
    const answer = await visitor.send("/tools/account", payload, { "content-type": "application/x-www-form-urlencoded" });
    assert.equal(answer.statusCode, 403);
    assert.doesNotMatch(textOf(answer), /geheim/);
    const { entries } = await service.errors.list({}, { limit: 10 });
    const kept = JSON.stringify(await Promise.all(entries.map(({ id }) => service.errors.find(id))));
    assert.match(kept, /Invalid CSRF token/);
    assert.doesNotMatch(kept, /geheim/);
  });

  test("ends a session whose sign-in checked the old password while it was being changed", async () => {
    await using service = await startApp({ settings: TWO_ROLES });
    await addPerson(service, "vera", "viewer");
    const { visitor } = await signInByForm(service, { name: "vera" });
    const { visitor: late } = await signInByForm(service, { name: "vera" });
    const { read, write } = service.database;
    const sessions = await read.selectFrom("session").selectAll().where("person", "=", "vera").execute();
    await visitor.get("/tools/account");
    service.clock.set(service.clock.now() + 1);
    assert.equal((await visitor.post("/tools/account", CHANGE)).statusCode, 303);
    await write.insertInto("session").values(sessions).execute();
    assert.equal((await late.get("/property")).statusCode, 401);
    assert.equal((await visitor.get("/property")).statusCode, 200);
  });

  test("the account page has no password form if users sign in with a shared password or a proxy, or not at all", async () => {
    const proxy = { PROXY_USER_HEADER: "X-Auth-User", PROXY_USER_NETWORKS: "127.0.0.1" };
    await using service = await startApp({ settings: { ...TWO_ROLES, ...proxy } });
    const { visitor } = await signInByForm(service);
    assert.match(textOf(await visitor.get("/tools/account")), /To change it, set ADMIN_PASSWORD or VIEWER_PASSWORD/);
    await visitor.get("/property/new");
    assert.equal((await visitor.post("/tools/account", CHANGE)).statusCode, 409);
    const proxied = await service.inject({ url: "/tools/account", headers: { "x-auth-user": "ben" } });
    assert.match(textOf(proxied), /The proxy signs you in, so there is no password here/);
    await using open = await startApp();
    assert.match(textOf(await open.inject("/tools/account")), /Access is open, so there is no password/);
  });
});

test("names browsers by their User-Agent", () => {
  assert.equal(browserName(FIREFOX), "Firefox on Windows");
  assert.equal(browserName(SAFARI), "Safari on iOS");
  assert.equal(
    browserName("Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0"),
    "Edge on Linux",
  );
  assert.equal(browserName("curl/8.0"), "curl/8.0");
  assert.equal(browserName(undefined), undefined);
});
