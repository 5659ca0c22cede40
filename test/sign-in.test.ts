import assert from "node:assert/strict";
import { test } from "node:test";
import type { LightMyRequestResponse } from "fastify";
import { sql } from "kysely";
import { pruneExpired } from "../src/cli/housekeeping.ts";
import type { Database } from "../src/db/database.ts";
import { startApp, type TestApp } from "./support/app.ts";
import { eachEngine } from "./support/databases.ts";
import { countMessage } from "./support/hotel.ts";
import { floodSignIn } from "./support/sign-in-flood.ts";
import { addPerson, ADMIN_PASSWORD, basic, keepLog, PERSON_PASSWORD, TWO_ROLES, VIEWER_PASSWORD } from "./support/sign-in.ts";

const SETTINGS = { ...TWO_ROLES, TRUST_PROXY: "127.0.0.1" };
const ADMIN_ADDRESS = "203.0.113.7";
const DAY_MS = 24 * 3_600_000;

type Client = { service: TestApp; address?: string; cookies?: Record<string, string> };

function ask(
  { service, address = ADMIN_ADDRESS, cookies = {} }: Client,
  headers: Record<string, string> = {},
): Promise<LightMyRequestResponse> {
  return service.inject({ url: "/property", headers: { accept: "text/html", "x-forwarded-for": address, ...headers }, cookies });
}

async function statusOf(client: Client, password: string): Promise<number> {
  return (await ask(client, basic(password))).statusCode;
}

async function guessSecret(service: TestApp, address = ADMIN_ADDRESS): Promise<number> {
  const headers = { "content-type": "application/xml", "x-forwarded-for": address, ...basic("guess", "pms") };
  return (await service.inject({ method: "POST", url: "/channel", headers, payload: countMessage() })).statusCode;
}

async function guess(client: Client, times: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let time = 0; time < times; time++) statuses.push(await statusOf(client, `a wrong guess ${time}`));
  return statuses;
}

async function browserOf(client: Client, password = ADMIN_PASSWORD): Promise<Required<Client>> {
  const { statusCode, cookies } = await ask(client, basic(password));
  assert.equal(statusCode, 200);
  return { address: ADMIN_ADDRESS, ...client, cookies: Object.fromEntries(cookies.map(({ name, value }) => [name, value])) };
}

const count = (statuses: readonly number[], status: number) => statuses.filter((one) => one === status).length;

eachEngine("sign-in", (open, makePlace) => {
  const start = async (database?: Database, settings: Record<string, string> = SETTINGS) =>
    startApp({ database: database ?? (await open()), settings });

  test("admits a known browser whose address is locked out because of another client", async () => {
    await using service = await start();
    const admin = await browserOf({ service });
    const viewer = await browserOf({ service }, VIEWER_PASSWORD);
    for (let round = 0; round < 20; round++) {
      await guess({ service }, 3);
      assert.deepEqual([await statusOf(admin, ADMIN_PASSWORD), await statusOf(viewer, VIEWER_PASSWORD)], [200, 200]);
      service.clock.set(service.clock.now() + 5_000);
    }
    assert.equal(await statusOf({ service }, ADMIN_PASSWORD), 429, "a browser that never signed in is locked out");
    assert.equal(await statusOf({ ...admin, address: "198.51.100.9" }, ADMIN_PASSWORD), 200, "the address does not matter");
  });

  test("asks a known browser for its password again after a mistyped one", async () => {
    await using service = await start();
    const admin = await browserOf({ service });
    await guess({ service }, 10);
    const { statusCode, headers } = await ask(admin, { accept: "*/*" });
    assert.deepEqual([statusCode, headers["www-authenticate"]], [401, 'Basic realm="Roomrack", charset="UTF-8"']);
    assert.equal(await statusOf(admin, "a mistyped password"), 401);
    assert.equal(await statusOf(admin, ADMIN_PASSWORD), 200);
  });

  test("delays guesses from a known browser", async () => {
    await using service = await start();
    const stolen = await browserOf({ service });
    await guess({ service }, 6);
    const statuses = await guess(stolen, 20);
    assert.deepEqual([count(statuses, 401), count(statuses, 429)], [6, 14]);
    assert.equal(await statusOf(stolen, ADMIN_PASSWORD), 429);
    service.clock.set(service.clock.now() + 60_000);
    assert.equal(await statusOf(stolen, ADMIN_PASSWORD), 200);
  });

  test("delays a viewer's guesses of administrator passwords", async () => {
    await using service = await start();
    await guess({ service }, 6);
    service.clock.set(service.clock.now() + 1_000);
    const viewer = await browserOf({ service }, VIEWER_PASSWORD);
    await guess({ service }, 1);
    assert.equal(await statusOf(viewer, ADMIN_PASSWORD), 429, "the right password is not checked");
    assert.equal(await statusOf(viewer, VIEWER_PASSWORD), 200);
    let checked = 0;
    for (let round = 0; round < 10; round++) {
      const fresh = await ask({ service, address: "198.51.100.77" }, basic(VIEWER_PASSWORD));
      const cookies = Object.fromEntries(fresh.cookies.map(({ name, value }) => [name, value]));
      checked += count(await guess({ service, address: "198.51.100.77", cookies }, 5), 401);
    }
    assert.equal(checked, 6, "new browsers don't allow more guesses");
    const address = "198.51.100.78";
    const browsers: Client[] = [];
    while (browsers.length < 30) browsers.push(await browserOf({ service, address }, VIEWER_PASSWORD));
    const tries = browsers.map((browser, index) => statusOf(browser, index === 20 ? ADMIN_PASSWORD : "a wrong guess"));
    const statuses = await Promise.all(tries);
    assert.deepEqual([count(statuses, 401), count(statuses, 200)], [6, 0], "nor all at once");
  });

  test("does not let a user's browser try other users' passwords during a lockout", async () => {
    await using service = await start();
    await addPerson(service, "anna", "editor");
    await addPerson(service, "ben", "editor");
    const as = async (client: Client, name: string) => (await ask(client, basic(PERSON_PASSWORD, name))).statusCode;
    const first = await ask({ service }, basic(PERSON_PASSWORD, "anna"));
    const cookies = Object.fromEntries(first.cookies.map(({ name, value }) => [name, value]));
    await guess({ service }, 6);
    assert.deepEqual([await as({ service }, "anna"), await as({ service, cookies }, "anna")], [429, 200]);
    assert.equal(await as({ service, cookies }, "ben"), 429);
  });

  test("rejects a cookie that was changed, forged, or signed for another password", async () => {
    const database = await open();
    await using service = await start(database);
    const { cookies } = await browserOf({ service });
    const [name = "", value = ""] = Object.entries(cookies).find(([key]) => key.includes("browser")) ?? [];
    assert.notEqual(value, "");
    await guess({ service }, 20);
    for (const forged of [`${value}x`, value.replace(/^\w+/, "viewer"), value.replace(/\.[^.]+$/, "."), "admin", "....", ""])
      assert.equal(await statusOf({ service, cookies: { [name]: forged } }, ADMIN_PASSWORD), 429, forged);
    const PASSWORD = "another-long-secret";
    await using changed = await start(database, { ...SETTINGS, ADMIN_PASSWORD: PASSWORD });
    assert.equal(await statusOf({ service: changed, cookies }, PASSWORD), 429);
    assert.equal(await statusOf({ service, cookies }, ADMIN_PASSWORD), 200);
    service.clock.set(service.clock.now() + 181 * DAY_MS);
    await guess({ service }, 20);
    assert.equal(await statusOf({ service, cookies }, ADMIN_PASSWORD), 429, "half a year later");
  });

  test("remembers a browser with a cookie that scripts can't read, and renews the cookie", async () => {
    await using service = await start(undefined, { ...SETTINGS, PUBLIC_URL: "https://rooms.example.com" });
    const first = await ask({ service }, basic(ADMIN_PASSWORD));
    const [cookie] = first.cookies;
    assert.match(
      String(first.headers["set-cookie"]),
      /^__Host-browser-token=admin\.[^;]+; Max-Age=15552000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    const cookies = { [cookie!.name]: cookie!.value };
    assert.deepEqual((await ask({ service, cookies }, basic(ADMIN_PASSWORD))).cookies, []);
    service.clock.set(service.clock.now() + 31 * DAY_MS);
    const [renewed] = (await ask({ service, cookies }, basic(ADMIN_PASSWORD))).cookies;
    assert.notEqual(renewed?.value, cookie!.value);
    const wrong = await ask({ service, cookies }, basic("a wrong guess"));
    assert.deepEqual(
      wrong.cookies.map(({ name }) => name),
      ["__Host-sign-in"],
      "a wrong password sets only the cookie of the sign-in form",
    );
  });

  test("limits guesses in a burst of parallel requests, even if one of them is right", async () => {
    await using service = await start();
    const passwords = Array.from({ length: 60 }, (_, index) => (index === 40 ? ADMIN_PASSWORD : `a wrong guess ${index}`));
    const statuses = await Promise.all(passwords.map((password) => statusOf({ service }, password)));
    assert.deepEqual([count(statuses, 401), count(statuses, 429)], [6, 54]);
  });

  test("shares failures between processes, for pages and for the channel", async () => {
    const place = await makePlace();
    const [one, other] = [await start(await open(place)), await start(await open(place))];
    await using first = one;
    await using second = other;
    assert.deepEqual(await guess({ service: first }, 3), [401, 401, 401]);
    assert.deepEqual(await guess({ service: second }, 4), [401, 401, 401, 429]);
    assert.equal(await statusOf({ service: first }, ADMIN_PASSWORD), 429);
    assert.equal(await statusOf({ service: first, address: "203.0.113.8" }, ADMIN_PASSWORD), 200);
    for (let time = 0; time < 51; time++) assert.equal(await guessSecret(time % 2 === 0 ? first : second), 401);
    assert.deepEqual([await guessSecret(first), await guessSecret(second)], [429, 429]);
  });

  test("keeps the delay after a restart", async () => {
    const place = await makePlace();
    const before = await open(place);
    const first = await start(before);
    await guess({ service: first }, 10);
    await first.close();
    await before.close();
    await using second = await start(await open(place));
    assert.equal(await statusOf({ service: second }, ADMIN_PASSWORD), 429);
  });

  test("limits the total number of guesses across all addresses, but admits known browsers and addresses", async () => {
    const { logger, lines } = keepLog();
    await using service = await startApp({ database: await open(), settings: SETTINGS, logger });
    const admin = await browserOf({ service, address: "192.0.2.1" });
    const viewer = await browserOf({ service, address: "192.0.2.2" }, VIEWER_PASSWORD);
    const round = async (from: number, to: number, site = "2001:db8:7") => {
      const statuses: number[] = [];
      for (let index = from; index < to; index++)
        statuses.push(await statusOf({ service, address: `${site}:${index.toString(16)}::1` }, "a wrong guess"));
      return count(statuses, 401);
    };
    assert.equal(await round(0, 150), 100, "from the networks of one site");
    assert.equal(await round(0, 30, "2001:db8:8"), 10, "from another site's addresses");
    assert.equal(await statusOf({ service, address: "192.0.2.2" }, "a wrong guess"), 401);
    assert.equal(await statusOf({ service, address: "192.0.2.1" }, "a wrong guess"), 401);
    assert.equal(await statusOf({ ...admin, address: "198.51.100.2" }, ADMIN_PASSWORD), 200, "a known browser elsewhere");
    assert.equal(await statusOf({ ...viewer, address: "2001:db8:7:1::1" }, VIEWER_PASSWORD), 200);
    assert.equal(await statusOf({ ...viewer, address: "2001:db8:7:1::1" }, ADMIN_PASSWORD), 429);
    assert.equal(await statusOf({ service, address: "192.0.2.1" }, ADMIN_PASSWORD), 200, "a program where an administrator signed in");
    assert.equal(await statusOf({ service, address: "192.0.2.2" }, VIEWER_PASSWORD), 429, "not where only a viewer did");
    service.clock.set(service.clock.now() + 60_000);
    assert.equal(await round(150, 300), 100);
    assert.equal(lines.filter(({ msg }) => String(msg).startsWith("100 failed sign-ins in a minute")).length, 2);
  });

  test("gives each address without failures one attempt a minute, regardless of other clients", async () => {
    await using service = await start();
    for (let index = 0; index < 100; index++) await guess({ service, address: `10.0.0.${index}` }, 1);
    for (const address of ["198.51.100.1", "2001:db8:9::1"]) {
      assert.equal(await statusOf({ service, address }, ADMIN_PASSWORD), 200);
      const other = address.replace(/1$/, "2");
      const fresh = address.includes(":") ? "2001:db8:a::1" : other;
      assert.equal(await statusOf({ service, address: fresh }, VIEWER_PASSWORD), 200);
      assert.equal(await statusOf({ service, address: fresh }, "a wrong guess"), 401);
      const lockedOut = await ask({ service, address: fresh }, basic(ADMIN_PASSWORD));
      assert.deepEqual([lockedOut.statusCode, lockedOut.headers["retry-after"]], [429, "60"]);
    }
    service.clock.set(service.clock.now() + 59_000);
    for (let index = 0; index < 100; index++) await guess({ service, address: `10.0.1.${index}` }, 1);
    assert.equal(await statusOf({ service, address: "198.51.100.2" }, ADMIN_PASSWORD), 429);
    service.clock.set(service.clock.now() + 1_000);
    assert.equal(await statusOf({ service, address: "198.51.100.2" }, ADMIN_PASSWORD), 200);
  });

  test("limits the total number of guesses across all addresses in a burst of parallel requests", async () => {
    await using service = await start();
    const burst = async (size: number, addressOf: (index: number) => string) => {
      const all = Array.from({ length: size }, (_, index) => statusOf({ service, address: addressOf(index) }, "a wrong guess"));
      return count(await Promise.all(all), 401);
    };
    assert.equal(await burst(300, (index) => `2001:db8:7:${index.toString(16)}::1`), 100);
    assert.equal(await burst(300, (index) => `10.0.0.${index % 100}`), 100, "one for each address");
  });

  test("doesn't lock out an administrator after failures from many addresses", async () => {
    await using service = await start();
    let round = 0;
    const failures = await floodSignIn(service, { addresses: 600, rounds: 3, name: "admin" }, async () => {
      round++;
      assert.equal(await statusOf({ service, address: `198.51.100.${round}` }, ADMIN_PASSWORD), 200);
    });
    assert.deepEqual([round, failures], [3, 1_800]);
    const rows = await service.database.read.selectFrom("sign_in").select("key").execute();
    assert.ok(rows.length < 1_300, `${rows.length} rows`);
  });

  test("doesn't store attempts during a lockout, and stores an administrator's address only once a day", async () => {
    const real = await open();
    let commits = 0;
    const commit: Database["commit"] = (batch) => {
      if (batch.lock === "roomrack: sign-in of people") commits++;
      return real.commit(batch);
    };
    await using service = await start({ ...real, commit });
    const stored = () => real.read.selectFrom("sign_in").selectAll().where("door", "=", "people").orderBy("key").execute();
    await guess({ service }, 6);
    assert.equal(commits, 6);
    const before = await stored();
    assert.equal(count(await guess({ service }, 10), 429), 10);
    assert.deepEqual([commits, await stored()], [6, before]);
    for (let time = 0; time < 5; time++) assert.equal(await statusOf({ service, address: "203.0.113.9" }, ADMIN_PASSWORD), 200);
    assert.equal(commits, 7, "the address is stored once");
    service.clock.set(service.clock.now() + DAY_MS + 1);
    for (let time = 0; time < 5; time++) assert.equal(await statusOf({ service, address: "203.0.113.9" }, ADMIN_PASSWORD), 200);
    assert.equal(commits, 8, "and once a day");
  });

  test("doesn't store passwords, and prunes expired failures", async () => {
    const database = await open();
    await using service = await start(database);
    await browserOf({ service });
    await guess({ service, address: "2001:db8:1:2:3:4:5:6" }, 6);
    const keys = async () =>
      (await database.read.selectFrom("sign_in").select("key").where("door", "=", "people").orderBy("key").execute()).map(({ key }) => key);
    assert.deepEqual(await keys(), ["address 2001:db8:1:2", "all", `known ${ADMIN_ADDRESS}`, "site 2001:db8:1"]);
    service.clock.set(service.clock.now() + DAY_MS);
    await pruneExpired(service);
    assert.deepEqual(await keys(), [`known ${ADMIN_ADDRESS}`]);
    service.clock.set(service.clock.now() + 31 * DAY_MS);
    await pruneExpired(service);
    assert.deepEqual(await keys(), []);
  });

  test("prunes the rows of a flood from many addresses", async () => {
    const database = await open();
    await using service = await start(database);
    const rows = async () => (await database.read.selectFrom("sign_in").select("key").where("door", "=", "senders").execute()).length;
    for (let index = 0; index < 150; index++) assert.equal(await guessSecret(service, `10.0.0.${index}`), 401);
    assert.equal(await rows(), 150);
    service.clock.set(service.clock.now() + 60_001);
    for (let index = 0; index < 2; index++) await guessSecret(service, `10.0.1.${index}`);
    assert.equal(await rows(), 2);
  });

  test("accepts the right password if the database can't be written, but limits other attempts", async () => {
    const database = await open();
    await using service = await start(database);
    const admin = await browserOf({ service, address: "203.0.113.99" });
    await sql.raw(refuseWrites(database.columnTypes.serial)).execute(database.write);
    assert.equal(await statusOf({ service }, ADMIN_PASSWORD), 200);
    assert.ok((await statusOf({ service }, "a wrong guess")) >= 500, "the failure cannot be stored");
    assert.equal(await statusOf({ service }, ADMIN_PASSWORD), 429, "guesses that can't be counted must be limited");
    assert.equal(await statusOf(admin, ADMIN_PASSWORD), 200);
    service.clock.set(service.clock.now() + 1_000);
    assert.equal(await statusOf({ service }, ADMIN_PASSWORD), 200);
  });
});

function refuseWrites(serial: string): string {
  return serial.includes("autoincrement")
    ? "create trigger full before insert on sign_in begin select raise(abort, 'disk is full'); end"
    : "alter table sign_in add constraint full_disk check (key = '') not valid";
}

test("lifts the delay if the clock is set back", async () => {
  await using service = await startApp({ settings: SETTINGS });
  await guess({ service }, 6);
  assert.equal(await statusOf({ service }, ADMIN_PASSWORD), 429);
  service.clock.set(service.clock.now() - 3_600_000);
  assert.equal(await statusOf({ service }, ADMIN_PASSWORD), 200);
});
