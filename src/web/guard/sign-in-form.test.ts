import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { HtmlValidate } from "html-validate";
import { startApp } from "../../../test/support/app.ts";
import { textOf } from "../../../test/support/hotel.ts";
import {
  addPerson,
  ADMIN_PASSWORD,
  basic,
  PERSON_PASSWORD,
  signInByForm,
  TWO_ROLES,
  VIEWER_PASSWORD,
} from "../../../test/support/sign-in.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

describe("the sign-in form", () => {
  test("the sign-in form replaces every page, with the field names that password managers look for", async () => {
    await using service = await startApp({ settings: TWO_ROLES });
    for (const url of ["/", "/property", "/tools/users", "/property/new"]) {
      const { statusCode, headers, body } = await service.inject({ url, headers: { accept: "text/html" } });
      assert.deepEqual([statusCode, headers["www-authenticate"]], [401, undefined], url);
      assert.match(body, /<form method="post" action="\/"[^]*autocomplete="username"[^]*autocomplete="current-password"/);
      assert.doesNotMatch(body, /aria-label="Main"/, "no navigation");
    }
    assert.deepEqual(await service.database.read.selectFrom("session").selectAll().execute(), []);
    assert.equal((await service.inject({ method: "POST", url: "/login" })).statusCode, 404);
  });

  test("signs in named users and shared passwords, and returns to the requested page", async () => {
    await using service = await startApp({ settings: TWO_ROLES });
    await addPerson(service, "anna", "editor");
    const users = { Anna: PERSON_PASSWORD, admin: ADMIN_PASSWORD, viewer: VIEWER_PASSWORD };
    for (const [name, password] of Object.entries(users)) {
      const { visitor, response } = await signInByForm(service, { name, password, back: "/property?q=a&sort=-name" });
      assert.deepEqual([response.statusCode, response.headers.location], [303, "/property?q=a&sort=-name"]);
      const { body } = await visitor.get("/property");
      assert.match(body, new RegExp(`href="/tools/account"[^>]*>${name.toLowerCase()}<[^]*>Sign out<`));
    }
  });

  test("the sign-in form is valid HTML, as are pages with the user's menu", async () => {
    await using service = await startApp({ settings: TWO_ROLES });
    const { visitor } = await signInByForm(service);
    await signInByForm(service);
    const signedOut = await service.inject({ url: "/", headers: { accept: "text/html" } });
    const wrong = (await signInByForm(service, { password: "wrong one" })).response;
    const validator = new HtmlValidate({ root: true, extends: ["html-validate:standard", "html-validate:a11y"] });
    for (const { body } of [signedOut, wrong, await visitor.get("/property"), await visitor.get("/tools/account")]) {
      const { results } = await validator.validateString(body);
      assert.deepEqual(
        results
          .flatMap(({ messages }) => messages.map(({ ruleId, message }) => `${ruleId}: ${message}`))
          .filter((text) => !text.startsWith("prefer-native-element")),
        [],
      );
    }
  });

  test("keeps the user name but not the password after a failed sign-in", async () => {
    await using service = await startApp({ settings: TWO_ROLES });
    const { response } = await signInByForm(service, { name: "anna", password: "wrong one", back: "/rates" });
    assert.equal(response.statusCode, 401);
    assert.match(response.body, /role="alert">Wrong user name or password\.[^]*name="back" value="\/rates"[^]*value="anna"/);
    assert.doesNotMatch(response.body, /wrong one/);
  });

  test("does not trim passwords", async () => {
    await using service = await startApp({ settings: TWO_ROLES });
    await addPerson(service, "anna", "editor");
    assert.equal((await signInByForm(service, { name: "anna", password: ` ${PERSON_PASSWORD}` })).response.statusCode, 401);
  });

  const OTHER_SITES = [
    "//evil.example",
    "/\\evil.example",
    "/.//evil.example",
    "/%2e//evil.example",
    "/\t/evil.example",
    "https://evil.example/",
  ].concat(["javascript:alert(1)", "\\\\evil.example", "evil.example", "http:evil.example", ""]);
  test("the sign-in form never redirects to another site", async () => {
    await using service = await startApp({ settings: TWO_ROLES });
    for (const back of OTHER_SITES) {
      const visitor = service.visitor();
      await visitor.get("/");
      const { headers } = await visitor.post("/", { action: "sign-in", name: "admin", password: ADMIN_PASSWORD, back });
      assert.equal(headers.location, "/", JSON.stringify(back));
    }
  });

  test("requires the token that belongs to its cookie, and refuses requests from other sites", async () => {
    await using service = await startApp({ settings: TWO_ROLES });
    const fields = { action: "sign-in", name: "admin", password: ADMIN_PASSWORD };
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const bare = await service.inject({ method: "POST", url: "/", headers, payload: new URLSearchParams(fields).toString() });
    assert.deepEqual([bare.statusCode, bare.body.includes("This form is out of date")], [401, true]);
    const attacker = await service.inject({ url: "/", headers: { accept: "text/html" } });
    const token = /name="_csrf" value="([^"]+)"/.exec(attacker.body)![1]!;
    const victim = service.visitor();
    await victim.get("/");
    assert.equal((await victim.send("/", new URLSearchParams({ ...fields, _csrf: token }).toString(), headers)).statusCode, 401);
    for (const site of ["cross-site", "same-site"])
      assert.equal((await victim.post("/", fields, { "sec-fetch-site": site })).statusCode, 401, site);
    assert.equal((await victim.post("/", fields)).statusCode, 303);
  });

  test("signing in replaces the session, so that a planted session is worthless", async () => {
    await using service = await startApp({ settings: TWO_ROLES });
    const { visitor } = await signInByForm(service, { name: "viewer", password: VIEWER_PASSWORD });
    const ids = async () => (await service.database.read.selectFrom("session").select("id_hash").execute()).map((row) => row.id_hash);
    const before = await ids();
    await visitor.get("/property");
    const form = await service.inject({ url: "/", headers: { accept: "text/html" } });
    const cookies = Object.fromEntries(form.cookies.map(({ name, value }) => [name, value]));
    const token = /name="_csrf" value="([^"]+)"/.exec(form.body)![1]!;
    const cookie = `sign-in=${cookies["sign-in"]}`;
    const payload = new URLSearchParams({ action: "sign-in", name: "admin", password: ADMIN_PASSWORD, _csrf: token }).toString();
    const sent = await visitor.send("/", payload, { "content-type": "application/x-www-form-urlencoded", cookie });
    assert.equal(sent.statusCode, 303);
    assert.equal(before.length, 1);
    assert.ok((await ids()).every((id) => !before.includes(id)));
  });

  test("explains that nothing was changed if the session has been lost", async () => {
    await using service = await startApp({ settings: TWO_ROLES });
    const { visitor } = await signInByForm(service);
    await visitor.get("/property/new");
    await service.database.write.deleteFrom("session").execute();
    const { statusCode, body } = await visitor.post("/property/new", { code: "ALP", name: "Alpenblick" });
    assert.deepEqual([statusCode, body.includes("nothing was changed")], [401, true]);
    assert.match(body, /name="back" value="\/property\/new"/);
  });

  test("the sign-in form replaces pages for browsers that send Basic credentials, because they could not sign out otherwise", async () => {
    await using service = await startApp({ settings: TWO_ROLES });
    const statusOf = async (headers: Record<string, string>) =>
      (await service.inject({ url: "/property", headers: { ...basic(ADMIN_PASSWORD), ...headers } })).statusCode;
    assert.deepEqual([await statusOf({}), await statusOf({ "sec-fetch-mode": "navigate" })], [200, 401]);
  });
});

describe("signing out", () => {
  test("signing out ends the session on the server", async () => {
    await using service = await startApp({ settings: TWO_ROLES });
    const { visitor } = await signInByForm(service);
    await visitor.get("/property");
    const { statusCode, headers } = await visitor.signOut();
    assert.deepEqual([statusCode, headers.location], [303, "/?signed-out=1"]);
    assert.match(String(headers["set-cookie"]), /^sid=;.*Path=\/;.*HttpOnly/);
    assert.deepEqual(await service.database.read.selectFrom("session").selectAll().execute(), []);
    assert.match(textOf(await service.inject({ url: String(headers.location), headers: { accept: "text/html" } })), /You are signed out\./);
  });

  test("signing out clears the cookie over TLS too, where the Secure attribute is required", async () => {
    await using service = await startApp({ settings: { ...TWO_ROLES, PUBLIC_URL: "https://rooms.example.com" } });
    const { visitor } = await signInByForm(service);
    await visitor.get("/property");
    assert.match(String((await visitor.signOut()).headers["set-cookie"]), /^__Host-sid=;.*Path=\/;.*Secure/);
  });

  test("signing out requires its own form token and is refused from another site", async () => {
    await using service = await startApp({ settings: TWO_ROLES });
    const { visitor } = await signInByForm(service);
    await visitor.get("/property");
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    assert.equal((await visitor.send("/", "action=sign-out", headers)).statusCode, 403);
    assert.equal((await visitor.signOut({ "sec-fetch-site": "cross-site" })).statusCode, 403);
    assert.equal((await visitor.get("/property")).statusCode, 200);
  });

  test("the sign-out form has a token that is valid only for signing out", async () => {
    await using service = await startApp({ settings: TWO_ROLES });
    const { visitor } = await signInByForm(service);
    const token = /name="_csrf" value="([^"]+)"/.exec((await visitor.get("/property")).body)![1]!;
    const payload = new URLSearchParams({ _csrf: token, code: "ALP", name: "Alpenblick" }).toString();
    assert.equal((await visitor.send("/property/new", payload, { "content-type": "application/x-www-form-urlencoded" })).statusCode, 403);
  });
});

describe("a session started with the form", () => {
  test("a session started with the form ends after 8 hours without a request, and after 7 days", async () => {
    await using service = await startApp({ settings: TWO_ROLES });
    await addPerson(service, "anna", "editor");
    for (const name of ["anna", "admin"]) {
      const start = service.clock.now();
      const { visitor } = await signInByForm(service, { name });
      const { visitor: idle } = await signInByForm(service, { name });
      service.clock.set(start + 8 * HOUR_MS);
      assert.equal((await idle.get("/property")).statusCode, 200, "after 8 hours");
      service.clock.set(start + 16 * HOUR_MS + 1);
      assert.equal((await idle.get("/property")).statusCode, 401);
      const { visitor: busy } = await signInByForm(service, { name });
      const begun = service.clock.now();
      for (let at = begun; at <= begun + 7 * DAY_MS; at += 7 * HOUR_MS) {
        service.clock.set(at);
        assert.equal((await busy.get("/property")).statusCode, 200);
      }
      service.clock.set(begun + 7 * DAY_MS + 1);
      assert.equal((await busy.get("/property")).statusCode, 401);
      assert.equal((await visitor.get("/property")).statusCode, 401);
    }
  });

  test("a session ends if ADMIN_PASSWORD is changed, unless it is the session of a named user", async () => {
    await using service = await startApp({ settings: TWO_ROLES });
    await addPerson(service, "anna", "editor");
    const { database } = service;
    const { visitor: admin } = await signInByForm(service);
    const { visitor: viewer } = await signInByForm(service, { name: "viewer", password: VIEWER_PASSWORD });
    const { visitor: anna } = await signInByForm(service, { name: "anna" });
    await using changed = await startApp({ database, settings: { ...TWO_ROLES, ADMIN_PASSWORD: "another-long-secret" } });
    await using same = await startApp({ database, settings: TWO_ROLES });
    assert.equal((await admin.on(same).get("/property")).statusCode, 200, "after a restart with the same one");
    assert.equal((await viewer.on(changed).get("/property")).statusCode, 200);
    assert.equal((await anna.on(changed).get("/property")).statusCode, 200);
    assert.equal((await admin.on(changed).get("/property")).statusCode, 401);
  });

  test("does not store a fast hash of the shared password", async () => {
    await using service = await startApp({ settings: TWO_ROLES });
    await signInByForm(service);
    const { hash } = await import("node:crypto");
    const quick = hash("sha256", ADMIN_PASSWORD, "base64url");
    const [row] = await service.database.read.selectFrom("session").select("data").execute();
    assert.ok(!row!.data.includes(quick.slice(0, 8)));
  });
});
