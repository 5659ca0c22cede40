import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { START, startApp } from "../../test/support/app.ts";
import { eachEngine } from "../../test/support/databases.ts";
import { allMessages, countRows, newest } from "../../test/support/error-log.ts";
import { runUntil } from "../../test/support/time.ts";
import { DAY_MS } from "../calendar/night.ts";
import { fallbackEntry } from "./describe/error.ts";
import type { ErrorLog } from "./recorder.ts";
import type { ErrorPage } from "./storage/list-store.ts";

eachEngine("the error log", (open) => {
  test("records a request for an unknown path with the specified message, whatever its HTTP method", async () => {
    await using service = await startApp({ database: await open() });
    for (const method of ["GET", "HEAD", "POST", "DELETE", "PATCH", "OPTIONS"] as const) {
      const response = await service.inject({ method, url: "/category/x/edit?from=here" });
      assert.equal(response.statusCode, 404);
    }
    const { entries } = await service.errors.list({}, { limit: 10 });
    const expected = ["OPTIONS", "PATCH", "DELETE", "POST", "HEAD", "GET"].map((method) => `Route '${method} /category/x/edit' not found`);
    assert.deepEqual(
      entries.map((entry) => entry.message),
      expected,
    );
    for (const entry of entries) {
      assert.deepEqual([entry.class, entry.source, entry.caught, entry.status], ["NotFoundException", "php", false, 404]);
    }
  });

  test("describes the request as CGI variables, with _uri for an unknown path", async () => {
    await using service = await startApp({ database: await open() });
    await service.inject({
      url: "/no/such%20place?b=2&b=3",
      headers: { host: "rooms.example:8443", "x-forwarded-for": "203.0.113.7", "x-custom": "kept" },
      remoteAddress: "198.51.100.4",
    });
    const { detail } = await newest(service.errors);
    assert.equal(detail.object.status, 404);
    assert.equal(detail.object.code, 0);
    assert.match(detail.object.file, /src\/web\/error-handler\.ts$/);
    assert.ok(detail.object.line > 0);
    assert.match(detail.trace[0]!, /^#0 \S+error-handler\.ts\(\d+\): /);
    assert.equal(detail.trace.at(-1), `#${detail.trace.length - 1} {main}`);
    const expected = {
      REQUEST_METHOD: "GET",
      REQUEST_URI: "/no/such%20place?b=2&b=3",
      QUERY_STRING: "_uri=/no/such%2520place&b=2&b=3",
      REQUEST_TIME: START / 1000,
      REQUEST_TIME_FLOAT: START / 1000,
      REMOTE_ADDR: "198.51.100.4",
      SERVER_NAME: "rooms.example",
      SERVER_PORT: "8443",
      SERVER_PROTOCOL: "HTTP/1.1",
      HTTP_X_FORWARDED_FOR: "203.0.113.7",
      HTTP_X_CUSTOM: "kept",
    };
    assert.deepEqual({ ...detail.server, ...expected }, detail.server);
    assert.deepEqual(detail.get, { _uri: "/no/such%20place", b: ["2", "3"] });
    assert.equal(detail.session, null);
  });

  test("shows GET as an empty array only if there are no parameters", async () => {
    await using service = await startApp({ database: await open() });
    await service.inject("/tools/errors/404");
    const without = (await newest(service.errors)).detail;
    assert.deepEqual([without.object.message, without.get, without.server.QUERY_STRING], ["Error '404' not found", [], ""]);
    for (const query of ["?", "?&", "?&&"]) {
      await service.inject(`/tools/errors/404${query}`);
      assert.deepEqual((await newest(service.errors)).detail.get, [], query);
    }
    await service.inject("/tools/errors/404?a=1");
    assert.deepEqual((await newest(service.errors)).detail.get, { a: "1" });
  });

  test("reveals only the id of a server error to the client", async () => {
    const database = await open();
    await using service = await startApp({ database });
    await sql`alter table property rename to property_away`.execute(database.write);
    const response = await service.inject({ url: "/property", headers: { accept: "application/json" } });
    assert.equal(response.statusCode, 500);
    const entry = await newest(service.errors);
    assert.equal(response.json().error.id, entry.id);
    assert.deepEqual([entry.source, entry.caught, entry.status, entry.detail.object.status], ["php", false, 500, 500]);
    assert.match(entry.message, /property/);
    assert.ok(!response.body.includes(entry.message));
  });

  test("records an error's causes and properties", async () => {
    await using service = await startApp({ database: await open() });
    const cause = Object.assign(new Error("disk full"), { errno: 28 });
    const { id } = await service.errors.record(
      Object.assign(new RangeError("not saved", { cause }), { code: "ENOSPC", path: "/a" }),
      undefined,
    );
    const entry = await service.errors.find(id!);
    assert.deepEqual([entry!.class, entry!.message, entry!.detail.object.code], ["RangeError", "not saved", 0]);
    const [first] = entry!.detail.extra.cause as { class: string; message: string }[];
    assert.deepEqual([first!.class, first!.message], ["Error", "disk full"]);
    assert.deepEqual(entry!.detail.extra.properties, { code: "ENOSPC", path: "/a" });
  });

  test("records the errors of an AggregateError and marks unreadable properties", async () => {
    await using service = await startApp({ database: await open() });
    const aggregate = new AggregateError([new Error("refused at ::1"), new Error("refused at 127.0.0.1")]);
    const error = new Error("not saved", { cause: aggregate });
    Object.defineProperty(error, "unreadable", {
      enumerable: true,
      get: () => {
        throw new Error("no");
      },
    });
    const { id } = await service.errors.record(error, undefined);
    const { message, detail } = (await service.errors.find(id!))!;
    assert.deepEqual([message, detail.extra.properties], ["not saved", { unreadable: "[unreadable]" }]);
    const causes = detail.extra.cause as { class: string; message: string }[];
    assert.deepEqual(
      causes.map((cause) => [cause.class, cause.message]),
      [
        ["AggregateError", ""],
        ["Error", "refused at ::1"],
        ["Error", "refused at 127.0.0.1"],
      ],
    );
  });

  test("redacts secrets in the request before storing it", async () => {
    const database = await open();
    await using service = await startApp({ database });
    const secrets = [
      "s3cr3t-bearer-value",
      "c00kie-value-123456",
      "hunter2secret",
      "4111111111111111",
      "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln",
    ];
    const [bearer, cookie, password, card, token] = secrets;
    await service.inject({
      url: `/pay/${card};jsessionid=${cookie}?password=${password}&next=${token}&to=%2Fback%3Fkey_token%3D${password}`,
      headers: {
        authorization: `Bearer ${bearer}`,
        cookie: `sid=${cookie}`,
        referer: `https://anna:${password}@rooms.example/`,
        "x-jwt": token,
      },
    });
    await service.errors.flush();
    const row = await database.read.selectFrom("error_entry").selectAll().executeTakeFirstOrThrow();
    for (const secret of secrets) assert.ok(!JSON.stringify(row).includes(secret), `${secret} was stored`);
    assert.match(row.detail, /"HTTP_AUTHORIZATION":"\[redacted, 26 characters\]"/);
  });

  for (const [name, settings] of [
    ["sid", {}],
    ["__Host-sid", { PUBLIC_URL: "https://rooms.example/" }],
  ] as const)
    test(`redacts the session ID of the ${name} cookie wherever it occurs`, async () => {
      const database = await open();
      await using service = await startApp({ database, settings });
      const [cookie = ""] = (await service.inject("/property/new")).headers["set-cookie"]?.toString().split(";") ?? [];
      assert.ok(cookie.startsWith(`${name}=`), cookie);
      const id = cookie.slice(name.length + 1);
      assert.equal(id.length, 43);
      const headers = { cookie: `theme=dark; ${cookie}`, referer: `http://h/${id}?to=${id}`, "x-trace": `a ${id}` };
      await service.inject({ url: `/no/${id}?x=${id}`, headers });
      await service.inject({ url: `/property/${id}`, headers });
      const report = { message: `lost ${id}`, stack: `Error\n    at f (http://h/${id}.js:1:1)`, context: { seen: [id] } };
      await service.inject({ method: "POST", url: "/_errors/log", headers, payload: report });
      await service.errors.flush();
      const rows = await database.read.selectFrom("error_entry").selectAll().execute();
      assert.equal(rows.length, 3);
      for (const row of rows) assert.ok(!JSON.stringify(row).includes(id), JSON.stringify(row));
      assert.deepEqual(
        rows.map(({ message, status }) => [message, status]),
        [
          ["Route 'GET /no/[redacted, 43 characters]' not found", 404],
          ["Property '[redacted, 43 characters]' not found", 404],
          ["lost [redacted, 43 characters]", null],
        ],
      );
    });

  test("does not record rejected credentials as errors", async () => {
    await using service = await startApp({ database: await open(), settings: { ADMIN_PASSWORD: "correct-horse-battery" } });
    assert.equal((await service.inject("/property")).statusCode, 401);
    const wrong = await service.inject({ url: "/property", headers: { authorization: "Bearer a guess" } });
    assert.equal(wrong.statusCode, 401);
    assert.equal((await service.errors.list({}, { limit: 10 })).entries.length, 0);
  });

  test("keeps the order of entries with the same time", async () => {
    await using service = await startApp({ database: await open() });
    for (let index = 0; index < 400; index++) await service.inject(`/n${index}`);
    const messages = await allMessages(service.errors);
    assert.deepEqual(
      messages,
      Array.from({ length: 400 }, (_, index) => `Route 'GET /n${399 - index}' not found`),
    );
  });

  test("stores each of 5,000 concurrent errors once", async () => {
    const database = await open();
    await using service = await startApp({ database });
    for (let round = 0; round < 50; round++) {
      await Promise.all(Array.from({ length: 100 }, (_, index) => service.inject(`/flood/${round}/${index}`)));
    }
    await service.errors.flush();
    const rows = await database.read.selectFrom("error_entry").select("message").distinct().execute();
    assert.equal(rows.length, 5_000);
    assert.equal(await countRows(database), 5_000);
  });

  test("records thrown values that are not errors, and errors that throw during inspection", async () => {
    await using service = await startApp({ database: await open() });
    const hostile = new Proxy(new Error("x"), {
      get() {
        throw new Error("no");
      },
    });
    for (const thrown of ["some text", undefined, null, { any: "thing" }, hostile]) await service.errors.record(thrown, undefined);
    const { entries } = await service.errors.list({}, { limit: 10 });
    assert.equal(entries.length, 5);
    assert.deepEqual(
      entries.slice(1).map((entry) => entry.message),
      ['{"any":"thing"}', "null", "null", "some text"],
    );
  });

  test("shares one pruning run among concurrent callers", async () => {
    await using service = await startApp({ database: await open() });
    for (let count = 0; count < 1_200; count++) service.errors.add(() => fallbackEntry(new Error("old"), START), START);
    await service.errors.flush();
    await runUntil(service, START + 400 * DAY_MS);
    assert.deepEqual(await Promise.all([service.errors.prune(), service.errors.prune()]), [1_200, 1_200]);
    assert.equal(await service.errors.prune(), 0);
  });

  test("finishes only the current batch when closed while pruning", async () => {
    const database = await open();
    const service = await startApp({ database });
    for (let count = 0; count < 1_200; count++) service.errors.add(() => fallbackEntry(new Error("old"), START), START);
    await service.errors.flush();
    await runUntil(service, START + 400 * DAY_MS);
    const pruned = service.errors.prune();
    await service.errors.close();
    assert.ok((await Promise.race([pruned, Promise.resolve(Number.POSITIVE_INFINITY)])) <= 500);
    assert.ok((await countRows(database)) >= 700);
    await service.close();
  });

  test("prunes by age and by count, oldest first", async () => {
    const database = await open();
    await using service = await startApp({ database, settings: { KEEP_ERRORS: "1000", KEEP_ERRORS_DAYS: "30" } });
    for (let index = 0; index < 1_300; index++) await service.inject(`/p${index}`);
    await service.errors.flush();
    assert.equal(await service.errors.prune(), 300);
    assert.equal((await newest(service.errors)).message, "Route 'GET /p1299' not found");
    service.clock.set(START + 31 * DAY_MS);
    await service.inject("/young");
    await service.errors.flush();
    assert.equal(await service.errors.prune(), 1_000);
    assert.deepEqual(await allMessages(service.errors), ["Route 'GET /young' not found"]);
  });

  test("filters by text, class, source, status and time, and paginates without duplicates", async () => {
    await using service = await startApp({ database: await open() });
    for (let index = 0; index < 60; index++) {
      service.clock.set(START + index * 1_000);
      if (index % 20 === 0) await service.errors.record(new RangeError("out"), undefined);
      else await service.inject(`/Search_100%25/${index}`);
    }
    const list = (filter: Parameters<ErrorLog["list"]>[0]) =>
      service.errors.list(filter, { limit: 100 }).then((found) => found.entries.length);
    assert.equal(await list({ q: "search_100%" }), 57);
    for (const q of ["searchX100", "sea%100", "search?100", "SearchX_00", "_________", "\\"]) assert.equal(await list({ q }), 0, q);
    assert.equal(await list({ q: "rangeerror" }), 3);
    assert.equal(await list({ class: "RangeError" }), 3);
    assert.equal(await list({ class: "RangeError", source: "php", caught: false, status: 500 }), 3);
    assert.equal(await list({ class: "RangeError", source: "js" }), 0);
    assert.equal(await list({ caught: true }), 0);
    assert.equal(await list({ status: 404, from: START + 1_000, to: START + 5_000 }), 5);
    const seen: number[] = [];
    for (let before: ErrorPage["next"]; ;) {
      const page = await service.errors.list({ q: "search" }, { before, limit: 25 });
      seen.push(...page.entries.map((entry) => entry.id));
      if (page.next === undefined) break;
      before = page.next;
    }
    assert.equal(new Set(seen).size, 57);
    assert.deepEqual(
      seen,
      seen.toSorted((a, b) => b - a),
    );
  });

  test("continues a list after an entry that has been deleted", async () => {
    const database = await open();
    await using service = await startApp({ database });
    for (const path of ["/one", "/two", "/three"]) await service.inject(path);
    const { entries } = await service.errors.list({}, { limit: 3 });
    const [, two, one] = entries.map(({ id }) => id);
    await database.write.deleteFrom("error_entry").where("id", "=", two!).execute();
    const messagesBelow = async (before: number) =>
      (await service.errors.list({}, { before, limit: 3 })).entries.map(({ message }) => message);
    assert.deepEqual(await messagesBelow(two!), ["Route 'GET /one' not found"]);
    await database.write.deleteFrom("error_entry").where("id", "=", one!).execute();
    assert.deepEqual(await messagesBelow(two!), []);
  });
});
