import assert from "node:assert/strict";
import { test } from "node:test";
import { replaceAdminPassword, rotateSessionKey } from "../src/access/secrets.ts";
import { startApp, type TestApp } from "./support/app.ts";
import { eachEngine } from "./support/databases.ts";
import { addPerson, basic, signInByForm, TWO_ROLES } from "./support/sign-in.ts";

const NOTICED_AFTER_MS = 10_000;

eachEngine("a running service", (open) => {
  const by = ({ clock }: TestApp) => ({ actor: "command line", kind: "command", at: clock.now() }) as const;
  const notice = ({ clock }: TestApp) => clock.set(clock.now() + NOTICED_AFTER_MS);

  test("rotating the session key ends all sessions and forgets known browsers", async () => {
    await using service = await startApp({ database: await open(), settings: TWO_ROLES });
    await addPerson(service, "anna", "editor");
    const visitors = [(await signInByForm(service)).visitor, (await signInByForm(service, { name: "anna" })).visitor];
    const guess = (visitor: (typeof visitors)[0]) => visitor.get("/property", basic("a wrong guess", "admin"));
    assert.equal(await rotateSessionKey(service.database, by(service)), 2);
    for (const visitor of visitors) assert.equal((await visitor.get("/property")).statusCode, 401);
    for (let failure = 0; failure < 6; failure++) await service.inject({ url: "/property", headers: basic("a wrong guess") });
    assert.equal((await guess(visitors[0]!)).statusCode, 401, "the browser is known until the key is read again");
    notice(service);
    for (let failure = 0; failure < 3; failure++) await service.inject({ url: "/property", headers: basic("a wrong guess") });
    assert.equal((await guess(visitors[0]!)).statusCode, 429, "the browser waits as its address does");
    service.clock.set(service.clock.now() + 60_000);
    const { visitor } = await signInByForm(service);
    assert.equal((await visitor.get("/property")).statusCode, 200);
    const audit = await visitor.get("/tools/audit?format=json&action=rotate");
    const { entries } = audit.json<{ entries: { user: string; kind: string; subject: string }[] }>();
    assert.deepEqual(
      entries.map(({ user, kind, subject }) => [user, kind, subject]),
      [["command line", "command", "secret:session-key"]],
    );
  });

  test("accepts only the new generated administrator password", async () => {
    const database = await open();
    const first = await replaceAdminPassword(database, { actor: "command line", at: 0 });
    await using service = await startApp({ database, settings: { NODE_ENV: "production" } });
    const { visitor } = await signInByForm(service, { password: first });
    assert.equal((await visitor.get("/property")).statusCode, 200);
    const second = await replaceAdminPassword(database, by(service));
    assert.notEqual(second, first);
    notice(service);
    assert.equal((await visitor.get("/property")).statusCode, 401);
    const statuses = [first, second].map(
      async (password) => (await service.inject({ url: "/property", headers: basic(password) })).statusCode,
    );
    assert.deepEqual(await Promise.all(statuses), [401, 200]);
    const { body } = await service.inject({ url: "/tools/audit?format=csv", headers: basic(second) });
    assert.match(body, /command line,command,,,replace,secret:admin-password,/);
    assert.ok(!body.includes(second) && !body.includes(first));
  });
});
