import assert from "node:assert/strict";
import { test } from "node:test";
import { checkClock, pruneExpired } from "../src/cli/housekeeping.ts";
import type { Database } from "../src/db/database.ts";
import { START, startApp, type TestApp } from "./support/app.ts";
import { eachEngine } from "./support/databases.ts";
import { countMessage, textOf } from "./support/hotel.ts";
import { addSender } from "./support/senders.ts";
import { addPerson, ADMIN_PASSWORD, basic, postForm, signInByForm, TWO_ROLES, VIEWER_PASSWORD } from "./support/sign-in.ts";
import { until } from "./support/until.ts";

const ADMIN = { authorization: `Bearer ${ADMIN_PASSWORD}`, "x-forwarded-for": "203.0.113.7" };

type Entry = {
  user: string;
  kind: string;
  address: string | null;
  action: string;
  subject: string;
  browser: string | null;
  changes: { field: string; to: string }[];
};

eachEngine("the audit log", (open) => {
  const start = async (database?: Database) =>
    startApp({ database: database ?? (await open()), settings: { ...TWO_ROLES, TRUST_PROXY: "127.0.0.1" } });
  const post = async (service: TestApp, url: string, fields: Record<string, string>) => postForm(service, url, { fields, headers: ADMIN });
  const entries = async (service: TestApp, query = "") =>
    (await service.inject({ url: `/tools/audit?format=json${query}`, headers: ADMIN })).json<{ entries: Entry[] }>().entries;

  test("the audit log records who changed what and from where, with the old and new values", async () => {
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

  test("the audit log shows only the new values of a created record, and links to connections and messages", async () => {
    await using service = await start();
    await post(service, "/property/new", { code: "ALP", name: "Alpenblick" });
    await post(service, "/property/ALP/edit", { name: "Bergblick", version: "1" });
    await post(service, "/dev/senders", { action: "create", name: "Great PMS", properties: "ALP" });
    await post(service, "/dev/channel", { action: "send", run: "dry", sender: "Great PMS", xml: countMessage() });
    const page = await service.inject({ url: "/tools/audit?events=changes", headers: ADMIN });
    assert.match(
      textOf(page),
      /update property:ALP .*name: Alpenblick to Bergblick.* create property:ALP .*name: Alpenblick status: active/,
    );
    assert.match(page.body, /<a href="\/dev\/senders\/Great%20PMS">/);
    assert.match(page.body, /<a href="\/dev\/logs\/\d+">/);
  });

  test("the audit log is filtered by user, kind, action, subject and time, and exported as CSV", async () => {
    await using service = await start();
    for (const code of ["ALP", "BET"]) await post(service, "/property/new", { code, name: code });
    service.clock.set(service.clock.now() + 86_400_000);
    const created = await post(service, "/tools/tokens?format=json", { action: "create", name: "sync", "scope-records:write": "on" });
    const { token } = created.json<{ token: string }>();
    const headers = { authorization: `Bearer ${token}` };
    await postForm(service, "/property/new", { fields: { code: "NEW", name: "New" }, headers });
    const subjects = async (query: string) => (await entries(service, query)).map(({ subject }) => subject);
    assert.deepEqual(await subjects("&events=changes&kind=token"), ["property:NEW"]);
    assert.deepEqual(await subjects("&events=changes&actor=token+sync"), ["property:NEW"]);
    assert.deepEqual(await subjects("&subject=property:B"), ["property:BET"]);
    assert.deepEqual(await subjects("&events=changes&action=create&from=2026-11-21"), ["property:NEW", "token:sync"]);
    assert.deepEqual(await subjects("&to=2026-11-20&subject=property"), ["property:BET", "property:ALP"]);
    const invalid = await service.inject({ url: "/tools/audit?format=json&kind=robot", headers: ADMIN });
    assert.deepEqual([invalid.statusCode, invalid.json()], [422, { errors: { kind: "Choose a kind from the list" } }]);
    const csv = await service.inject({ url: "/tools/audit?format=csv&events=changes&kind=token", headers: ADMIN });
    assert.match(
      csv.body,
      /^\ufeffid,at,user,kind,address,browser,action,subject,changes\r\n\d+,2026-11-21T[^,]+,token sync,token,[^,]*,[^,]*,create,property:NEW,/,
    );
  });

  test("the audit log shows 50 entries on a page and links to older ones", async () => {
    await using service = await start();
    for (let index = 0; index < 60; index++) await post(service, "/property/new", { code: `P${index}`, name: "P" });
    const page = await service.inject({ url: "/tools/audit", headers: ADMIN });
    assert.equal(page.body.match(/<a href="\/property\/P\d+">/g)?.length, 50);
    const [, older = ""] = /href="(\/tools\/audit\?before=\d+)"/.exec(page.body) ?? [];
    assert.equal((await service.inject({ url: older, headers: ADMIN })).body.match(/<a href="\/property\/P\d+">/g)?.length, 10);
  });

  test("the audit log lists sign-ins, refusals and lockouts with address and browser", async () => {
    await using service = await start();
    await addPerson(service, "anna", "editor");
    const agent = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
    const headers = { "x-forwarded-for": "198.51.100.4", "user-agent": agent };
    const { visitor } = await signInByForm(service, { name: "anna", headers });
    await visitor.get("/property", headers);
    await visitor.signOut(headers);
    for (const name of ["anna", "my secret pass phrase"]) await signInByForm(service, { name, password: "a wrong guess", headers });
    for (let failure = 0; failure < 8; failure++) await signInByForm(service, { name: "admin", password: "a wrong guess", headers });
    const signIns = await entries(service, "&events=sign-ins");
    assert.deepEqual(
      signIns.slice(1).map((entry) => [entry.action, entry.user, entry.kind, entry.address, entry.browser]),
      [
        ["sign out", "anna", "person", "198.51.100.4", agent],
        ["sign in", "anna", "person", "198.51.100.4", agent],
      ],
    );
    assert.deepEqual([signIns[0]?.user, signIns[0]?.address], ["admin", "203.0.113.7"]);
    const refused = (await entries(service, "&events=refused+sign-ins")).toReversed();
    assert.deepEqual(
      refused.map(({ action, subject, address }) => [action, subject, address]),
      [
        ...["sign-in:anna", "sign-in", "sign-in:admin", "sign-in:admin", "sign-in:admin", "sign-in:admin"].map((subject) => [
          "refused sign-in",
          subject,
          "198.51.100.4",
        ]),
        ["locked out", "sign-in:admin", "198.51.100.4"],
      ],
    );
    const page = await service.inject({ url: "/tools/audit?events=refused+sign-ins", headers: ADMIN });
    assert.match(textOf(page), /All entries Changes Sign-ins Failed sign-ins .*not signed in 198\.51\.100\.4 Firefox on Linux locked out/s);
    assert.doesNotMatch(page.body, /my secret pass phrase/);
  });

  test("the audit log lists a program's sign-in at most once an hour and a sender's at most once a day", async () => {
    const database = await open();
    await using service = await start(database);
    await using other = await start(database);
    const secret = await addSender(database, { name: "pms" });
    const send = async (app: TestApp) => {
      const type = { "content-type": "application/xml", "x-forwarded-for": "198.51.100.9" };
      await app.inject({ method: "POST", url: "/channel", headers: { ...type, ...basic(secret, "pms") }, payload: countMessage() });
      await app.inject({ url: "/property", headers: basic(VIEWER_PASSWORD) });
    };
    const count = async (kind: string) =>
      (await entries(service, `&events=sign-ins&kind=${kind}`)).filter(({ user }) => user !== "admin").length;
    for (let hours = 0; hours < 26; hours++) {
      for (const app of [service, other]) app.clock.set(START + hours * 3_600_000);
      for (const app of [service, other, service]) await send(app);
    }
    await until("an entry of the sender", async () => (await count("sender")) === 1);
    await using next = await startApp({ database, settings: { ...TWO_ROLES, TRUST_PROXY: "127.0.0.1" }, now: START + 26 * 3_600_000 });
    await send(next);
    await until("an entry of the next day", async () => (await count("sender")) === 2);
    assert.equal(await count("person"), 27);
  });

  test("the audit log lists at most 100 refusals a minute and 10,000 a day, across all processes", async () => {
    const database = await open();
    await using service = await start(database);
    await using other = await start(database);
    const guessAll = async (minute: number, guesses: number) => {
      for (const app of [service, other]) app.clock.set(START + minute * 60_000);
      for (let index = 0; index < guesses; index++) {
        const headers = { "x-forwarded-for": `10.${minute}.${index >> 8}.${index & 255}`, ...basic("a wrong guess") };
        await [service, other][index % 2]!.inject({ url: "/property", headers });
      }
    };
    const actions = async () => Object.groupBy(await entries(service, "&events=refused+sign-ins"), ({ action }) => action);
    await guessAll(0, 140);
    const { "refused sign-in": listed = [], "locked out": last = [] } = await actions();
    assert.deepEqual([listed.length, last.length], [100, 1]);
    assert.match(last[0]!.changes[0]!.to, /^too many; not listed until 2026-11-20T09:01:00/);
    await guessAll(1, 3);
    assert.equal((await actions())["refused sign-in"]?.length, 103);
    await database.write.updateTable("sign_in").set({ failures: 10_000 }).where("key", "=", "refusals in a day").execute();
    await guessAll(2, 3);
    await guessAll(200, 3);
    const full = await actions();
    assert.deepEqual([full["refused sign-in"]?.length, full["locked out"]?.length], [103, 2]);
  });

  test("entries of the audit log are kept for KEEP_AUDIT_DAYS", async () => {
    await using service = await startApp({ database: await open(), settings: { ...TWO_ROLES, KEEP_AUDIT_DAYS: "30" } });
    const at = (days: number) => service.clock.set(START + days * 86_400_000);
    for (let day = 0; day <= 31; day++) {
      at(day);
      if (day % 10 === 0) await post(service, "/property/new", { code: `D${day}`, name: "D" });
      await pruneExpired(service);
      await checkClock({ ...service, log: { error: () => {} } });
    }
    const created = await entries(service, "&events=changes");
    assert.deepEqual(
      created.map(({ subject }) => subject),
      ["property:D30", "property:D20", "property:D10"],
    );
  });

  test("the audit log cannot be changed and is visible only to administrators", async () => {
    await using service = await start();
    await post(service, "/property/new", { code: "ALP", name: "Alpenblick" });
    await post(service, "/tools/audit", { action: "delete", id: "1" });
    assert.equal((await entries(service, "&events=changes")).length, 1);
    assert.equal((await service.inject({ url: "/tools/audit", headers: { authorization: `Bearer ${VIEWER_PASSWORD}` } })).statusCode, 403);
  });
});
