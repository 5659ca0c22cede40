import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import type { LightMyRequestResponse } from "fastify";
import { HtmlValidate } from "html-validate";
import { changePerson } from "../src/access/person-changes.ts";
import { searchAudit } from "../src/records/audit.ts";
import { type AppOverrides, startApp, type TestApp, type Visitor } from "./support/app.ts";
import { eachEngine } from "./support/databases.ts";
import { textOf } from "./support/hotel.ts";
import { type Account, startIdentityProvider, type TestIdentityProvider } from "./support/identity-provider.ts";
import { addPerson, ADMIN_PASSWORD, basic, keepLog, signInByForm } from "./support/sign-in.ts";

const PUBLIC_URL = "https://rooms.example.com/hotels/";
const SIGN_IN_LINK = /href="\/hotels(\/\?sign-in=sso&amp;back=[^"]*)"[^>]*>\s*Sign in with single sign-on/;
const ROLES = { OIDC_ROLE_CLAIM: "groups", OIDC_ADMINS: "it, owners", OIDC_EDITORS: "revenue" };

let idp: TestIdentityProvider;

before(async () => {
  idp = await startIdentityProvider({ redirectUri: PUBLIC_URL, accounts: {} });
});

function account(id: string, claims: Account["claims"], method: Omit<Account, "claims"> = {}): string {
  idp.accounts[id] = { claims, ...method };
  return id;
}

function start(settings: Record<string, string> = {}, overrides: AppOverrides = {}): Promise<TestApp> {
  return startApp({ settings: { NODE_ENV: "production", ADMIN_PASSWORD, ...idp.settings, ...settings }, ...overrides });
}

/** Follows the link on the sign-in page of `back` and returns the provider's address. */
async function begin(visitor: Visitor, back = "/property"): Promise<string> {
  const page = await visitor.get(back, { accept: "text/html" });
  assert.equal(page.statusCode, 401);
  const link = SIGN_IN_LINK.exec(page.body)![1]!.replaceAll("&amp;", "&");
  const { statusCode, headers } = await visitor.get(link);
  assert.equal(statusCode, 303);
  return String(headers.location);
}

const targetOf = (callback: string) => callback.slice("https://rooms.example.com".length);

type SignedIn = { visitor: Visitor; response: LightMyRequestResponse; callback: string };

async function signIn(service: TestApp, id: string, back?: string): Promise<SignedIn> {
  const visitor = service.visitor();
  const callback = targetOf(await idp.signIn(await begin(visitor, back), id));
  return { visitor, callback, response: await visitor.get(callback) };
}

async function userOf(visitor: Visitor): Promise<string | number> {
  const { statusCode, body } = await visitor.get("/tools/account?format=json");
  if (statusCode !== 200) return statusCode;
  const { name, role, signIn: by } = JSON.parse(body) as Record<string, string>;
  return `${name} (${role}, ${by})`;
}

/** Why the last sign-in failed, as the page shows it. */
async function failureOf(visitor: Visitor): Promise<string | undefined> {
  const { statusCode, body } = await visitor.get("/property", { accept: "text/html" });
  assert.equal(statusCode, 401);
  return /role="alert">([^<]+)</.exec(body)?.[1]!.replaceAll("&#39;", "'");
}

async function auditOf({ database }: TestApp, subject: string) {
  const entries = await searchAudit(database, { subject }, 20);
  return entries.toReversed().map(({ action, actor, kind, address, changes }) => {
    return { action, actor, kind, address, changes: changes.map(({ field, from, to }) => `${field}: ${from} > ${to}`) };
  });
}

describe("single sign-on", () => {
  test("returns to the requested page, and creates the user once", async () => {
    await using service = await start();
    const anna = account("1001", { preferred_username: "Anna", email: "anna@example.com" });
    const { visitor, response } = await signIn(service, anna, "/property?q=alp&sort=-name");
    assert.deepEqual([response.statusCode, response.headers.location], [303, "/hotels/property?q=alp&sort=-name"]);
    assert.equal(await userOf(visitor), "anna (viewer, single sign-on)");
    idp.accounts[anna]!.claims = { preferred_username: "anna.married", email: "anna@example.com" };
    const { visitor: again } = await signIn(service, anna);
    assert.equal(await userOf(again), "anna (viewer, single sign-on)", "the subject counts, not the name");
    assert.deepEqual(await auditOf(service, "person:"), [
      {
        action: "create",
        actor: "anna",
        kind: "person",
        address: "127.0.0.1",
        changes: ["role:  > viewer", `subject:  > ${idp.issuer} 1001`],
      },
    ]);
    const users = await service.inject({ url: "/tools/users", headers: { ...basic(ADMIN_PASSWORD), accept: "text/html" } });
    assert.match(textOf(users), /anna Viewer Active .*Single sign-on/);
  });

  test("sends state, nonce and PKCE to the provider, and requests the required methods", async () => {
    await using service = await start({ OIDC_SCOPES: "groups,email", OIDC_REQUIRED_ACR: "gold,mfa" });
    const url = new URL(await begin(service.visitor()));
    const { state = "", nonce = "", code_challenge: challenge = "", ...rest } = Object.fromEntries(url.searchParams);
    assert.ok([state, nonce, challenge].every(({ length }) => length === 43));
    assert.deepEqual(rest, {
      client_id: "roomrack",
      response_type: "code",
      redirect_uri: PUBLIC_URL,
      scope: "openid profile email groups",
      code_challenge_method: "S256",
      acr_values: "gold mfa",
    });
  });

  test("starts a new session and ends the browser's old one", async () => {
    await using service = await start();
    const visitor = service.visitor();
    await visitor.get("/property");
    await visitor.post("/", { action: "sign-in", name: "admin", password: ADMIN_PASSWORD, back: "/" });
    const earlier = visitor.on(service);
    assert.equal(await userOf(earlier), "admin (admin, shared)");
    const begun = await visitor.get("/?sign-in=sso&back=/rates");
    const callback = await idp.signIn(String(begun.headers.location), account("1002", { preferred_username: "ben" }));
    const { cookies } = await visitor.get(targetOf(callback));
    const { httpOnly, sameSite, secure } = cookies.find(({ name }) => name === "__Host-sid")!;
    assert.deepEqual([httpOnly, sameSite, secure], [true, "Lax", true]);
    assert.equal(await userOf(visitor), "ben (viewer, single sign-on)");
    assert.equal(await userOf(earlier), 401);
  });

  test("keeps the authorization code out of the process log and the error log", async () => {
    const lines: string[] = [];
    const logger = { level: "debug", stream: { write: (line: string) => lines.push(line) } };
    await using service = await start({}, { logger });
    const { visitor, callback } = await signIn(service, account("1003", { preferred_username: "carla" }));
    await visitor.get(callback);
    await service.inject({ url: `/no/such${callback.slice(callback.indexOf("?"))}`, headers: { accept: "text/html" } });
    const code = new URLSearchParams(callback.slice(callback.indexOf("?"))).get("code")!;
    const log = lines.join("");
    assert.ok(log.includes('"url":"/hotels/?code=') && !log.includes(code));
    const entries = await service.database.read.selectFrom("error_entry").selectAll().execute();
    assert.ok(!JSON.stringify(entries).includes(code));
  });

  test("never redirects to another site", async () => {
    await using service = await start();
    for (const back of ["https://evil.example/", "//evil.example", "/.//evil.example", `/${"a".repeat(3000)}`]) {
      const visitor = service.visitor();
      const begun = await visitor.get(`/?sign-in=sso&back=${encodeURIComponent(back)}`);
      const callback = await idp.signIn(String(begun.headers.location), account("1004", { preferred_username: "dora" }));
      assert.equal((await visitor.get(targetOf(callback))).headers.location, "/hotels/", back);
    }
  });

  test("reads claims from the userinfo endpoint if the ID token lacks them", async () => {
    const accounts = { "1": { claims: { preferred_username: "emma", groups: ["revenue"] } } };
    const other = await startIdentityProvider({ redirectUri: PUBLIC_URL, accounts, claimsInIdToken: false });
    await using service = await startApp({ settings: { NODE_ENV: "production", ADMIN_PASSWORD, ...other.settings, ...ROLES } });
    const visitor = service.visitor();
    await visitor.get(targetOf(await other.signIn(await begin(visitor), "1")));
    assert.equal(await userOf(visitor), "emma (editor, single sign-on)");
  });

  test("authenticates to the provider with a method that it supports", async () => {
    for (const clientAuthentication of ["client_secret_basic", "client_secret_post"] as const) {
      const accounts = { "1": { claims: { preferred_username: "finn" } } };
      const other = await startIdentityProvider({ redirectUri: PUBLIC_URL, accounts, clientAuthentication });
      await using service = await startApp({ settings: { NODE_ENV: "production", ADMIN_PASSWORD, ...other.settings } });
      const visitor = service.visitor();
      await visitor.get(targetOf(await other.signIn(await begin(visitor), "1")));
      assert.equal(await userOf(visitor), "finn (viewer, single sign-on)", clientAuthentication);
    }
  });

  test("single sign-on has a valid HTML sign-in page, even after a failure", async () => {
    await using service = await start();
    const visitor = service.visitor();
    await visitor.get("/?error=access_denied&state=guessed");
    const validator = new HtmlValidate({ root: true, extends: ["html-validate:standard", "html-validate:a11y"] });
    for (const isFailure of [true, false]) {
      const { body } = await visitor.get("/property", { accept: "text/html" });
      assert.equal(body.includes('role="alert"'), isFailure);
      const { results } = await validator.validateString(body);
      assert.deepEqual(
        results.flatMap(({ messages }) => messages.map(({ message }) => message)),
        [],
      );
    }
  });

  test("single sign-on is not offered without OIDC_ISSUER", async () => {
    await using service = await startApp({ settings: { NODE_ENV: "production", ADMIN_PASSWORD } });
    assert.doesNotMatch((await service.visitor().get("/property", { accept: "text/html" })).body, /single sign-on/);
    assert.equal((await service.inject("/?sign-in=sso")).statusCode, 401);
  });

  test("single sign-on disables open access", async (context) => {
    context.mock.method(console, "log", () => undefined);
    await using service = await startApp({ settings: idp.settings });
    assert.equal((await service.inject("/property")).statusCode, 401);
  });
});

describe("single sign-on refuses", () => {
  const OUT_OF_DATE = /^This sign-in took too long, was started in another browser, or was replaced by a newer one\./;

  test("single sign-on refuses a wrong state, another browser and a late response, and always redirects", async () => {
    await using service = await start();
    const felix = account("2001", { preferred_username: "felix" });
    const visitor = service.visitor();
    const callback = targetOf(await idp.signIn(await begin(visitor), felix));
    const refused = async (by: Visitor, target: string) => {
      const { statusCode, headers } = await by.get(target);
      assert.deepEqual([statusCode, headers.location], [303, "/hotels/"]);
      assert.match((await failureOf(by)) ?? "", OUT_OF_DATE);
    };
    await refused(visitor, callback.replace(/state=[^&]+/, "state=guessed"));
    await refused(service.visitor(), callback);
    await refused(visitor, "/hotels/?error=access_denied&state=guessed");
    service.clock.set(service.clock.now() + 600_000);
    await refused(visitor, callback);
    assert.equal(await failureOf(visitor), undefined, "the reason is shown once");
    service.clock.set(service.clock.now() - 600_000);
    assert.equal((await visitor.get(callback)).headers.location, "/hotels/property", "nothing was wrong but the state and the time");
  });

  test("single sign-on refuses a cookie that the browser changed", async () => {
    await using service = await start();
    const name = "__Host-single-sign-on";
    const begun = await service.inject("/?sign-in=sso");
    const [text = "", signature] = begun.cookies.find((cookie) => cookie.name === name)!.value.split(".");
    const callback = targetOf(await idp.signIn(String(begun.headers.location), account("2006", { preferred_username: "karl" })));
    const changed = Buffer.from(text, "base64url").toString().replace('"back":"/"', '"back":"//evil.example"');
    const forged = `${Buffer.from(changed).toString("base64url")}.${signature}`;
    for (const [cookie, isAccepted] of [
      [forged, false],
      ["", false],
      ["junk", false],
      [`.${signature}`, false],
      [`${text}.${signature}`, true],
    ] as const) {
      const { statusCode, headers, cookies } = await service.inject({ url: callback, cookies: { [name]: cookie } });
      const hasSession = cookies.some((set) => set.name === "__Host-sid");
      assert.deepEqual([statusCode, headers.location, hasSession], [303, "/hotels/", isAccepted], cookie);
    }
  });

  test("single sign-on refuses a replayed code", async () => {
    await using service = await start();
    const visitor = service.visitor();
    const callback = targetOf(await idp.signIn(await begin(visitor), account("2002", { preferred_username: "gerd" })));
    const copy = visitor.on(service);
    await visitor.get(callback);
    await copy.get(callback);
    assert.equal(await failureOf(copy), "This sign-in has already been used or has expired. Sign in again.");
    assert.equal((await visitor.get("/property")).statusCode, 200, "the session of the first use stays");
  });

  test("single sign-on refuses a code from another sign-in", async () => {
    await using service = await start();
    const id = account("2003", { preferred_username: "hans" });
    const stolen = new URL(await idp.signIn(await begin(service.visitor()), id)).searchParams.get("code")!;
    const visitor = service.visitor();
    const callback = new URL(await idp.signIn(await begin(visitor), id));
    callback.searchParams.set("code", stolen);
    await visitor.get(targetOf(callback.href));
    assert.equal(await failureOf(visitor), "This sign-in has already been used or has expired. Sign in again.");
  });

  test("single sign-on refuses a response from another issuer", async () => {
    await using service = await start();
    const visitor = service.visitor();
    const callback = new URL(await idp.signIn(await begin(visitor), account("2004", { preferred_username: "ida" })));
    callback.searchParams.set("iss", "https://evil.example");
    await visitor.get(targetOf(callback.href));
    assert.equal(await failureOf(visitor), "The identity provider's response is not valid. Sign in again, or ask an administrator.");
  });

  test("single sign-on refuses sign-ins that the provider refuses, and shows the reason", async () => {
    await using service = await start();
    const visitor = service.visitor();
    const callback = await idp.signIn(await begin(visitor, "/rates"), "");
    assert.equal((await visitor.get(targetOf(callback))).headers.location, "/hotels/rates");
    assert.equal(await failureOf(visitor), "The identity provider refused the sign-in (access_denied: The user cancelled).");
  });

  test("single sign-on refuses a disabled user and keeps the user's role", async () => {
    await using service = await start(ROLES);
    const id = account("2005", { preferred_username: "jan", groups: ["revenue"] });
    const { visitor: first } = await signIn(service, id);
    const by = { actor: "admin", at: service.clock.now() };
    await changePerson(service.database, { name: "jan", change: "disable", mayRemoveLastAdmin: true }, by);
    assert.equal(await userOf(first), 401);
    idp.accounts[id]!.claims.groups = ["it"];
    const { visitor } = await signIn(service, id);
    assert.equal(await failureOf(visitor), "Your account is disabled. Contact an administrator.");
    assert.equal(await userOf(visitor), 401);
    await changePerson(service.database, { name: "jan", change: "enable", mayRemoveLastAdmin: true }, by);
    assert.equal(await userOf((await signIn(service, id)).visitor), "jan (admin, single sign-on)");
  });

  test("single sign-on refuses sign-ins without the required method", async () => {
    await using service = await start({ OIDC_REQUIRED_ACR: "gold, mfa" });
    const cases: readonly (readonly [Omit<Account, "claims">, boolean])[] = [
      [{}, false],
      [{ acr: "silver", amr: ["pwd"] }, false],
      [{ acr: "gold" }, true],
      [{ acr: "silver", amr: ["pwd", "mfa"] }, true],
    ];
    for (const [index, [method, isAllowed]] of cases.entries()) {
      const { visitor } = await signIn(service, account(`210${index}`, { preferred_username: `kim${index}` }, method));
      if (isAllowed) assert.equal(await userOf(visitor), `kim${index} (viewer, single sign-on)`);
      else assert.match((await failureOf(visitor)) ?? "", /^This service requires multi-factor authentication/);
    }
    const users = await service.database.read.selectFrom("person").select("name").orderBy("name").execute();
    assert.deepEqual(users, [{ name: "kim2" }, { name: "kim3" }]);
  });

  test("single sign-on refuses users with a missing, unconfirmed or reserved name", async () => {
    await using service = await start();
    for (const [index, claims] of [{ preferred_username: "Admin" }, {}, { email: "boss@example.com", email_verified: false }].entries()) {
      const { visitor } = await signIn(service, account(`220${index}`, claims));
      assert.match((await failureOf(visitor)) ?? "", /^The identity provider sent no valid user name or email address\./);
    }
    const { visitor } = await signIn(service, account("2209", { preferred_username: "viewer", email: "Vera@example.com" }));
    assert.equal(await userOf(visitor), "vera@example.com (viewer, single sign-on)");
  });
});

describe("single sign-on users", () => {
  test("single sign-on users never take over the account of another user with the same name", async () => {
    await using service = await start();
    await addPerson(service, "lena", "admin");
    const names: unknown[] = [];
    for (const id of ["3001", "3002", "3001"])
      names.push(await userOf((await signIn(service, account(id, { preferred_username: "lena" }))).visitor));
    assert.deepEqual(
      names,
      ["lena-2", "lena-3", "lena-2"].map((name) => `${name} (viewer, single sign-on)`),
    );
  });

  test("single sign-on users get their role from the claim at each sign-in", async () => {
    await using service = await start(ROLES);
    const id = account("3003", { preferred_username: "mia" });
    for (const [groups, role] of [
      [["revenue", "guests"], "editor"],
      [["revenue", "it"], "admin"],
      ["owners", "admin"],
      [["IT"], "viewer"],
      [undefined, "viewer"],
    ] as const) {
      idp.accounts[id]!.claims = { preferred_username: "mia", groups };
      assert.equal(await userOf((await signIn(service, id)).visitor), `mia (${role}, single sign-on)`);
    }
    const changes = (await auditOf(service, "person:mia")).slice(1).map((entry) => [entry.action, entry.actor, ...entry.changes]);
    assert.deepEqual(changes, [
      ["edit", "mia", "role: editor > admin"],
      ["edit", "mia", "role: admin > viewer"],
    ]);
  });

  test("single sign-on users are refused if OIDC_VIEWERS is set and none of their claim values is listed", async () => {
    await using service = await start({ OIDC_ROLE_CLAIM: "realm_access.roles", OIDC_ADMINS: "it", OIDC_VIEWERS: "desk" });
    const withRoles = (id: string, roles: unknown) => account(id, { preferred_username: `nora${id}`, realm_access: { roles } });
    assert.equal(await userOf((await signIn(service, withRoles("3004", ["desk"]))).visitor), "nora3004 (viewer, single sign-on)");
    assert.equal(await userOf((await signIn(service, withRoles("3005", ["it"]))).visitor), "nora3005 (admin, single sign-on)");
    const { visitor } = await signIn(service, withRoles("3006", ["kitchen", 7]));
    assert.match((await failureOf(visitor)) ?? "", /^Your identity provider account has no role for this service\./);
  });

  test("single sign-on users keep the role that an administrator chose if no claim sets it", async () => {
    await using service = await start();
    const id = account("3007", { preferred_username: "olaf", groups: ["it"] });
    await signIn(service, id);
    const { visitor: admin } = await signInByForm(service);
    await admin.get("/tools/users/olaf");
    assert.equal((await admin.post("/tools/users/olaf", { action: "role", role: "editor" })).statusCode, 303);
    assert.equal(await userOf((await signIn(service, id)).visitor), "olaf (editor, single sign-on)");
  });

  test("single sign-on users have no password", async () => {
    await using service = await start(ROLES);
    const { visitor } = await signIn(service, account("3008", { preferred_username: "pia", groups: ["it"] }));
    const page = await visitor.get("/tools/account");
    assert.match(page.body, /You sign in with single sign-on, so there is no password here\./);
    assert.doesNotMatch(page.body, /type="password"/);
    await visitor.get("/tools/users/pia");
    assert.equal((await visitor.post("/tools/account", { action: "change-password", password: "seven green umbrellas" })).statusCode, 409);
    assert.equal((await visitor.post("/tools/users/pia", { action: "invite" })).statusCode, 409);
    assert.equal((await service.inject({ url: "/property", headers: basic("", "pia") })).statusCode, 401);
    assert.match(textOf(await visitor.get("/tools/users/pia")), /The identity provider sets the role again at the next sign-in\./);
  });
});

describe("while the provider is unavailable", () => {
  test("starts the service, explains the outage, and still accepts passwords", async () => {
    const down = await startIdentityProvider({ redirectUri: PUBLIC_URL, accounts: { "1": { claims: { preferred_username: "quinn" } } } });
    await down.stop();
    await using service = await startApp({ settings: { NODE_ENV: "production", ADMIN_PASSWORD, ...down.settings } });
    const visitor = service.visitor();
    const begun = await visitor.get("/?sign-in=sso&back=/rates");
    assert.deepEqual([begun.statusCode, begun.headers.location], [303, "/hotels/rates"]);
    assert.match((await failureOf(visitor)) ?? "", /^Single sign-on is not available, because the identity provider can't be reached\./);
    assert.equal((await signInByForm(service)).response.statusCode, 303);
    await down.start();
    await visitor.get(targetOf(await down.signIn(await begin(visitor), "1")));
    assert.equal(await userOf(visitor), "quinn (viewer, single sign-on)", "it recovers without a restart");
  });

  test("a sign-in that had already started reports the outage", async () => {
    const failing = await startIdentityProvider({ redirectUri: PUBLIC_URL, accounts: { "1": { claims: { preferred_username: "rita" } } } });
    await using service = await startApp({ settings: { NODE_ENV: "production", ADMIN_PASSWORD, ...failing.settings } });
    const visitor = service.visitor();
    const callback = await failing.signIn(await begin(visitor), "1");
    await failing.stop();
    await visitor.get(targetOf(callback));
    assert.match((await failureOf(visitor)) ?? "", /^Single sign-on is not available/);
  });

  test("reports a wrong issuer, and writes the details to the process log", async () => {
    const { logger, lines } = keepLog();
    await using service = await start({ OIDC_ISSUER: `${idp.issuer}/other` }, { logger });
    const visitor = service.visitor();
    await visitor.get("/?sign-in=sso");
    assert.match((await failureOf(visitor)) ?? "", /OIDC_ISSUER doesn't point to an identity provider/);
    const [{ reason, ip } = {}] = lines.filter(({ msg }) => msg === "single sign-on failed");
    assert.match(String(reason), /^discovery at http:\/\/127\.0\.0\.1:\d+\/other failed: unexpected HTTP response status code$/);
    assert.equal(ip, "127.0.0.1");
  });

  test("reports a wrong client secret", async () => {
    await using service = await start({ OIDC_CLIENT_SECRET: "wrong" });
    const { visitor } = await signIn(service, account("4001", { preferred_username: "sven" }));
    assert.match((await failureOf(visitor)) ?? "", /^The identity provider doesn't accept this service\..*OIDC_CLIENT_SECRET/);
  });
});

eachEngine("concurrent first sign-ins of one user", (open) => {
  test("a user who first signs in from several browsers at once is created once", async () => {
    await using service = await start({}, { database: await open() });
    const id = account("5001", { preferred_username: "tina" });
    const visitors = [service.visitor(), service.visitor(), service.visitor()];
    const callbacks: string[] = [];
    for (const visitor of visitors) callbacks.push(targetOf(await idp.signIn(await begin(visitor), id)));
    await Promise.all(visitors.map((visitor, index) => visitor.get(callbacks[index]!)));
    const expected = "tina (viewer, single sign-on)";
    assert.deepEqual(await Promise.all(visitors.map(userOf)), [expected, expected, expected]);
    assert.equal((await auditOf(service, "person:")).length, 1);
  });
});
