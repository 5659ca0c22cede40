import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { startApp, type TestApp, type Visitor } from "../../../../test/support/app.ts";
import { textOf } from "../../../../test/support/hotel.ts";
import { addPerson, ADMIN_PASSWORD, basic, keepLog, PERSON_PASSWORD, signInByForm, TWO_ROLES } from "../../../../test/support/sign-in.ts";
import { findPerson } from "../../../access/people.ts";

const DAY_MS = 24 * 3_600_000;
const NEW_PASSWORD = "seven green umbrellas";

async function linkFrom(visitor: Visitor, url: string, fields: Record<string, string>): Promise<string> {
  await visitor.get(url);
  const { body, statusCode } = await visitor.post(url, fields);
  assert.ok(statusCode < 300, body);
  return /value="([^"]+\/tools\/invitation#[\w-]{43})"/.exec(body)![1]!;
}

const secretOf = (link: string) => link.slice(link.indexOf("#") + 1);

async function accept(service: TestApp, secret: string, fields: Record<string, string> = {}) {
  const visitor = service.visitor();
  await visitor.get("/tools/invitation");
  const opened = await visitor.post("/tools/invitation", { action: "open", secret });
  const given = { password: NEW_PASSWORD, repeatPassword: NEW_PASSWORD, ...fields };
  return { visitor, opened, response: await visitor.post("/tools/invitation", { action: "accept", secret, ...given }) };
}

async function actionsOn(service: TestApp, name: string): Promise<unknown[]> {
  const rows = await service.database.read.selectFrom("audit").selectAll().where("subject", "=", `person:${name}`).orderBy("id").execute();
  return rows.map(({ actor, action, kind, address }) => [actor, action, kind, address]);
}

describe("an invitation", () => {
  test("an invitation lets a new user choose a password once, and signs the user in", async () => {
    const { logger, lines } = keepLog();
    await using service = await startApp({ settings: TWO_ROLES, logger });
    const { visitor: admin } = await signInByForm(service);
    const link = await linkFrom(admin, "/tools/users", { action: "create", name: " Anna ", role: "editor" });
    assert.match(link, /^http:\/\/localhost:80\/tools\/invitation#/);
    const secret = secretOf(link);
    assert.match(textOf(await admin.get("/tools/users")), /anna Editor Invited until 2026-11-27 .* never Password/);
    const { visitor, opened, response } = await accept(service, secret);
    assert.match(opened.body, /autocomplete="username" value="anna"[^]*autocomplete="new-password"[^]*autocomplete="new-password"/);
    assert.deepEqual([response.statusCode, response.headers.location], [303, "/"]);
    const home = await visitor.get("/property");
    assert.match(home.body, /href="\/tools\/account"[^>]*>anna</);
    const again = await accept(service, secret);
    assert.deepEqual([again.opened.statusCode, again.response.statusCode], [422, 422]);
    assert.match(again.opened.body, /This invitation is not valid/);
    const stored = JSON.stringify(await service.database.read.selectFrom("person").selectAll().execute());
    assert.doesNotMatch(stored + JSON.stringify(lines), new RegExp(`${secret}|${NEW_PASSWORD}`));
    assert.deepEqual(await actionsOn(service, "anna"), [
      ["admin", "create", "person", "127.0.0.1"],
      ["anna", "change password", "person", "127.0.0.1"],
    ]);
  });

  test("an invitation expires after 7 days, and a new one replaces it", async () => {
    await using service = await startApp({ settings: TWO_ROLES });
    const { visitor: admin } = await signInByForm(service);
    const first = secretOf(await linkFrom(admin, "/tools/users", { action: "create", name: "anna", role: "viewer" }));
    service.clock.set(service.clock.now() + 7 * DAY_MS);
    assert.equal((await accept(service, first)).response.statusCode, 422);
    const { visitor: later } = await signInByForm(service);
    assert.match(textOf(await later.get("/tools/users")), /anna Viewer Invitation expired/);
    const second = secretOf(await linkFrom(later, "/tools/users/anna", { action: "invite" }));
    const third = secretOf(await linkFrom(later, "/tools/users/anna", { action: "invite" }));
    assert.equal((await accept(service, second)).response.statusCode, 422);
    assert.equal((await accept(service, third)).response.statusCode, 303);
  });

  test("an invitation resets a password and ends sessions started with the old one", async () => {
    await using service = await startApp({ settings: TWO_ROLES });
    await addPerson(service, "anna", "editor");
    const { visitor: admin } = await signInByForm(service);
    const { visitor: anna } = await signInByForm(service, { name: "anna" });
    const secret = secretOf(await linkFrom(admin, "/tools/users/anna", { action: "invite" }));
    assert.equal((await anna.get("/property")).statusCode, 200, "until it is used");
    assert.equal((await accept(service, secret)).response.statusCode, 303);
    assert.equal((await anna.get("/property")).statusCode, 401);
    const statusWith = async (password: string) =>
      (await service.inject({ url: "/property", headers: basic(password, "anna") })).statusCode;
    assert.deepEqual([await statusWith(PERSON_PASSWORD), await statusWith(NEW_PASSWORD)], [401, 200]);
  });

  test("refuses weak and mistyped passwords and keeps the invitation", async () => {
    await using service = await startApp({ settings: TWO_ROLES });
    const { visitor: admin } = await signInByForm(service);
    const secret = secretOf(await linkFrom(admin, "/tools/users", { action: "create", name: "anna", role: "viewer" }));
    const cases: readonly (readonly [Record<string, string>, RegExp])[] = [
      [{ password: "short", repeatPassword: "short" }, /Use at least 12 characters/],
      [{ password: "password1234", repeatPassword: "password1234" }, /Use at least 12 characters/],
      [{ repeatPassword: "something else" }, /The passwords do not match/],
    ];
    for (const [fields, fault] of cases) {
      const { response } = await accept(service, secret, fields);
      assert.deepEqual([response.statusCode, fault.test(response.body)], [422, true], JSON.stringify(fields));
      assert.doesNotMatch(response.body, /value="(short|password1234)"/);
    }
    assert.equal((await accept(service, secret)).response.statusCode, 303);
  });

  test("an invitation requires a form token and a valid secret, and starts no session for visitors", async () => {
    await using service = await startApp({ settings: TWO_ROLES });
    const payload = "action=open&secret=guess";
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const bare = await service.inject({ method: "POST", url: "/tools/invitation", headers, payload });
    assert.deepEqual([bare.statusCode, bare.body.includes("Invalid CSRF token")], [403, true]);
    const visitor = service.visitor();
    await visitor.get("/tools/invitation");
    assert.equal((await visitor.post("/tools/invitation", { action: "open", secret: "guess" })).statusCode, 422);
    const crossSite = { "sec-fetch-site": "cross-site" };
    assert.equal((await visitor.post("/tools/invitation", { action: "open", secret: "guess" }, crossSite)).statusCode, 403);
    assert.deepEqual(await service.database.read.selectFrom("session").selectAll().execute(), []);
  });

  test("an invitation link starts with PUBLIC_URL", async () => {
    await using service = await startApp({ settings: { ...TWO_ROLES, PUBLIC_URL: "https://rooms.example.com/hotels" } });
    const headers = { authorization: `Bearer ${ADMIN_PASSWORD}`, "content-type": "application/x-www-form-urlencoded" };
    const payload = "action=create&name=anna&role=viewer";
    const made = await service.inject({ method: "POST", url: "/tools/users?format=json", headers, payload });
    assert.match(made.json<{ invitation: string }>().invitation, /^https:\/\/rooms\.example\.com\/hotels\/tools\/invitation#[\w-]{43}$/);
  });
});

describe("the user pages", () => {
  test("the user pages are for administrators only", async () => {
    await using service = await startApp({ settings: TWO_ROLES });
    await addPerson(service, "anna", "editor");
    const { visitor } = await signInByForm(service, { name: "anna" });
    for (const url of ["/tools/users", "/tools/users/anna", "/tools/users?format=json"])
      assert.equal((await visitor.get(url)).statusCode, 403, url);
    assert.equal((await visitor.post("/tools/users", { action: "create", name: "ben", role: "admin" })).statusCode, 403);
    assert.equal((await visitor.post("/tools/users/anna", { action: "role", role: "admin" })).statusCode, 403);
    assert.doesNotMatch((await visitor.get("/tools")).body, /href="\/tools\/users"/);
  });

  test("the user pages list users as JSON", async () => {
    await using service = await startApp({ settings: TWO_ROLES });
    await addPerson(service, "anna", "editor");
    await signInByForm(service, { name: "anna" });
    const { body } = await service.inject({ url: "/tools/users?format=json", headers: basic(ADMIN_PASSWORD) });
    const now = new Date(service.clock.now()).toISOString();
    const times = { lastSeenAt: now, createdAt: now, passwordChangedAt: now };
    assert.deepEqual(JSON.parse(body), { users: [{ name: "anna", role: "editor", state: "active", signIn: "password", ...times }] });
    assert.doesNotMatch(body, /scrypt/);
  });

  test("the user pages refuse invalid new users and keep the typed values", async () => {
    await using service = await startApp({ settings: TWO_ROLES });
    await addPerson(service, "anna", "editor");
    const { visitor } = await signInByForm(service);
    await visitor.get("/tools/users");
    const cases: readonly (readonly [Record<string, string>, RegExp])[] = [
      [{ name: "ANNA", role: "viewer" }, /There is already a user (&#39;|')anna/],
      [{ name: "Admin", role: "viewer" }, /is reserved/],
      [{ name: "a:b", role: "viewer" }, /Enter a name of up to 100 letters/],
      [{ name: "", role: "viewer" }, /Enter a name of up to 100 letters/],
      [{ name: "x".repeat(101), role: "viewer" }, /Enter a name of up to 100 letters/],
      [{ name: "ben", role: "owner" }, /Choose a role/],
    ];
    for (const [fields, fault] of cases) {
      const { statusCode, body } = await visitor.post("/tools/users", { action: "create", ...fields });
      assert.deepEqual([statusCode, fault.test(body)], [422, true], JSON.stringify(fields));
      assert.ok(body.includes(`value="${fields.name}"`));
    }
    assert.equal((await visitor.post("/tools/users/anna", { action: "role", role: "owner" })).statusCode, 422);
    assert.equal((await visitor.get("/tools/users/none")).statusCode, 404);
  });

  test("the user pages change roles and disable users with immediate effect", async () => {
    await using service = await startApp({ settings: TWO_ROLES });
    await addPerson(service, "anna", "viewer");
    const { visitor: admin } = await signInByForm(service);
    const { visitor: anna } = await signInByForm(service, { name: "anna" });
    assert.equal((await anna.get("/property/new")).statusCode, 403);
    await admin.get("/tools/users/anna");
    assert.equal((await admin.post("/tools/users/anna", { action: "role", role: "editor" })).statusCode, 303);
    assert.equal((await anna.get("/property/new")).statusCode, 200);
    await admin.post("/tools/users/anna", { action: "disable" });
    assert.equal((await anna.get("/property")).statusCode, 401);
    assert.equal((await service.inject({ url: "/property", headers: basic(PERSON_PASSWORD, "anna") })).statusCode, 401);
    assert.equal((await signInByForm(service, { name: "anna" })).response.statusCode, 401);
    assert.equal((await admin.post("/tools/users/anna", { action: "invite" })).statusCode, 409);
    await admin.post("/tools/users/anna", { action: "enable" });
    assert.equal((await anna.get("/property")).statusCode, 401, "old sessions stay ended");
    assert.equal((await signInByForm(service, { name: "anna" })).response.statusCode, 303);
    const actions = (await actionsOn(service, "anna")).map((entry) => (entry as string[])[1]);
    assert.deepEqual(actions, ["create", "change password", "edit", "disable", "enable"]);
  });

  test("the user pages delete a user, whose sessions do not pass to a new user with the same name", async () => {
    await using service = await startApp({ settings: TWO_ROLES });
    await addPerson(service, "anna", "viewer");
    const { visitor: admin } = await signInByForm(service);
    const { visitor: anna } = await signInByForm(service, { name: "anna" });
    await admin.get("/tools/users/anna");
    const deleted = await admin.post("/tools/users/anna", { action: "delete" });
    assert.equal(deleted.headers.location, "/tools/users");
    assert.match((await admin.get("/tools/users")).body, /User deleted\./);
    await addPerson(service, "anna", "admin");
    assert.equal((await anna.get("/property")).statusCode, 401);
  });

  test("the user pages end a user's sessions", async () => {
    await using service = await startApp({ settings: TWO_ROLES });
    await addPerson(service, "anna", "viewer");
    const { visitor: admin } = await signInByForm(service);
    const { visitor: one } = await signInByForm(service, { name: "anna" });
    const { visitor: other } = await signInByForm(service, { name: "anna" });
    const { body } = await admin.get("/tools/users/anna");
    const [id = ""] = [...body.matchAll(/name="id" value="([^"]+)"/g)].map(([, found]) => found!);
    await admin.post("/tools/users/anna", { action: "end-session", id });
    const statuses = [(await one.get("/property")).statusCode, (await other.get("/property")).statusCode];
    assert.deepEqual(statuses.toSorted(), [200, 401]);
    await admin.post("/tools/users/anna", { action: "end-sessions" });
    assert.deepEqual([(await one.get("/property")).statusCode, (await other.get("/property")).statusCode], [401, 401]);
    assert.equal((await admin.get("/property")).statusCode, 200);
  });

  test("the user pages keep at least one administrator who can sign in, unless ADMIN_PASSWORD is set", async (context) => {
    context.mock.method(console, "log", () => {});
    await using service = await startApp({ settings: { NODE_ENV: "production" } });
    await addPerson(service, "anna", "admin");
    const { visitor: anna } = await signInByForm(service, { name: "anna" });
    await linkFrom(anna, "/tools/users", { action: "create", name: "invited", role: "admin" });
    const removals: Record<string, string>[] = [{ action: "disable" }, { action: "delete" }, { action: "role", role: "editor" }];
    for (const fields of removals) {
      const { statusCode, body } = await anna.post("/tools/users/anna", fields);
      assert.deepEqual([statusCode, body.includes("This is the only administrator who can sign in")], [409, true], JSON.stringify(fields));
    }
    assert.equal((await anna.post("/tools/users/invited", { action: "delete" })).statusCode, 303, "who never chose a password");
    await addPerson(service, "ben", "admin");
    assert.equal((await anna.post("/tools/users/anna", { action: "role", role: "editor" })).statusCode, 303);
    await using emergency = await startApp({ database: service.database, settings: TWO_ROLES });
    const { visitor: admin } = await signInByForm(emergency);
    await admin.get("/tools/users/ben");
    assert.equal((await admin.post("/tools/users/ben", { action: "delete" })).statusCode, 303);
    assert.equal(await findPerson(service.database, "ben"), undefined);
  });

  test("the user pages say that access is open", async () => {
    await using service = await startApp();
    assert.match(textOf(await service.inject("/tools/users")), /Access is open, so no one has to sign in yet.*No users yet\./);
  });
});
