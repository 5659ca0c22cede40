import assert from "node:assert/strict";
import { test } from "node:test";
import { startApp, type TestApp } from "./support/app.ts";
import { eachEngine } from "./support/databases.ts";
import { ADMIN_PASSWORD, postForm, TWO_ROLES, VIEWER_PASSWORD } from "./support/sign-in.ts";

const ADMIN = { authorization: `Bearer ${ADMIN_PASSWORD}`, "x-forwarded-for": "203.0.113.7" };

type Entry = { user: string; kind: string; address: string | null; action: string; subject: string; changes: { field: string }[] };

eachEngine("the audit log", (open) => {
  const start = async () => startApp({ database: await open(), settings: { ...TWO_ROLES, TRUST_PROXY: "127.0.0.1" } });
  const post = async (service: TestApp, url: string, fields: Record<string, string>) => postForm(service, url, { fields, headers: ADMIN });
  const entries = async (service: TestApp, query = "") =>
    (await service.inject({ url: `/tools/audit?format=json${query}`, headers: ADMIN })).json<{ entries: Entry[] }>().entries;

  test("names who changed what, from where, with the values before and after", async () => {
    await using service = await start();
    await post(service, "/property/new", { code: "ALP", name: "Alpenblick" });
    await post(service, "/property/ALP/edit", { name: "Bergblick", version: "1" });
    await post(service, "/tools/tokens", { action: "create", name: "report", "scope-read": "on" });
    const [token, edit, creation] = await entries(service);
    assert.deepEqual([token?.action, token?.subject, token?.user, token?.kind], ["create", "token:report", "admin", "person"]);
    assert.deepEqual([edit?.action, edit?.subject, edit?.address], ["update", "property:ALP", "203.0.113.7"]);
    assert.deepEqual(
      edit?.changes.filter(({ field }) => field === "name"),
      [{ field: "name", from: "Alpenblick", to: "Bergblick" }],
    );
    assert.equal(creation?.action, "create");
  });

  test("is filtered by user, kind, action, subject and time, and exported as CSV", async () => {
    await using service = await start();
    for (const code of ["ALP", "BET"]) await post(service, "/property/new", { code, name: code });
    service.clock.set(service.clock.now() + 86_400_000);
    const created = await post(service, "/tools/tokens?format=json", { action: "create", name: "sync", "scope-records:write": "on" });
    const { token } = created.json<{ token: string }>();
    const headers = { authorization: `Bearer ${token}` };
    await postForm(service, "/property/new", { fields: { code: "NEW", name: "New" }, headers });
    const subjects = async (query: string) => (await entries(service, query)).map(({ subject }) => subject);
    assert.deepEqual(await subjects("&kind=token"), ["property:NEW"]);
    assert.deepEqual(await subjects("&actor=token+sync"), ["property:NEW"]);
    assert.deepEqual(await subjects("&subject=property:B"), ["property:BET"]);
    assert.deepEqual(await subjects("&action=create&from=2026-11-21"), ["property:NEW", "token:sync"]);
    assert.deepEqual(await subjects("&to=2026-11-20&subject=property"), ["property:BET", "property:ALP"]);
    const invalid = await service.inject({ url: "/tools/audit?format=json&kind=robot", headers: ADMIN });
    assert.deepEqual([invalid.statusCode, invalid.json()], [422, { errors: { kind: "Choose a kind from the list" } }]);
    const csv = await service.inject({ url: "/tools/audit?format=csv&kind=token", headers: ADMIN });
    assert.match(
      csv.body,
      /^\ufeffid,at,user,kind,address,action,subject,changes\r\n\d+,2026-11-21T[^,]+,token sync,token,[^,]*,create,property:NEW,/,
    );
  });

  test("shows 50 entries on a page and leads to older ones", async () => {
    await using service = await start();
    for (let index = 0; index < 60; index++) await post(service, "/property/new", { code: `P${index}`, name: "P" });
    const page = await service.inject({ url: "/tools/audit", headers: ADMIN });
    assert.equal(page.body.match(/<a href="\/property\/P\d+">/g)?.length, 50);
    const [, older = ""] = /href="(\/tools\/audit\?before=\d+)"/.exec(page.body) ?? [];
    assert.equal((await service.inject({ url: older, headers: ADMIN })).body.match(/<a href="\/property\/P\d+">/g)?.length, 10);
  });

  test("cannot be changed and is for administrators", async () => {
    await using service = await start();
    await post(service, "/property/new", { code: "ALP", name: "Alpenblick" });
    await post(service, "/tools/audit", { action: "delete", id: "1" });
    assert.equal((await entries(service)).length, 1);
    assert.equal((await service.inject({ url: "/tools/audit", headers: { authorization: `Bearer ${VIEWER_PASSWORD}` } })).statusCode, 403);
  });
});
