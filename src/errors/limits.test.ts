import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import type { InjectOptions } from "fastify";
import { START, startApp, type TestApp } from "../../test/support/app.ts";
import { eachEngine } from "../../test/support/databases.ts";
import { allMessages, countRows, newest } from "../../test/support/error-log.ts";
import { countMessage, makeHotel, postXml, TODAY } from "../../test/support/hotel.ts";
import type { Database } from "../db/database.ts";
import type { ErrorDetail, ErrorEntry } from "./entry.ts";

const KB = 1024;
/** Number of errors in one group that keep their context. */
const BURST = 200;
const FILLER = "x".repeat(58_000);

const MESSAGE = countMessage({ control: `Start="${TODAY}" End="${TODAY}" InvTypeCode="DBL"`, counts: [[2, 3]] });

type Trimmed = { rule: string; count: number };

eachEngine("an error entry", (open) => {
  test("an error entry keeps an ordinary request in full", async () => {
    await using service = await startApp({ database: await open() });
    const headers = { host: "rooms.example", "x-long": "a".repeat(KB), accept: "text/html" };
    await service.inject({ url: `/no/such?q=${"b".repeat(900)}`, headers });
    const { detail } = await newest(service.errors);
    assert.equal(detail.server.HTTP_X_LONG, headers["x-long"]);
    assert.deepEqual(detail.get, { _uri: "/no/such", q: "b".repeat(900) });
    assert.equal(detail.cut, undefined);
    assert.doesNotMatch((await service.inject(`/tools/errors/${(await newest(service.errors)).id}`)).body, /was truncated|were kept/);
  });

  const hostile: readonly (readonly [name: string, request: InjectOptions])[] = [
    ["an unknown path with a header of 58 kB", { url: "/no", headers: { "x-filler": FILLER } }],
    ["an unknown path with 58 headers of 1 kB", { url: "/no", headers: manyHeaders("y") }],
    ["an unknown path with headers full of quotes", { url: "/no", headers: manyHeaders('"') }],
    ["a path of 58 kB", { url: `/no/${FILLER}` }],
    ["a query of 58 kB", { url: `/no?${"a=1&".repeat(14_500)}` }],
    ["an empty message to /channel", { method: "POST", url: "/channel", headers: { "x-filler": FILLER } }],
    ["a form without a token", { method: "POST", url: "/property/new", headers: { "x-filler": FILLER }, payload: "" }],
  ];
  for (const [name, request] of hostile)
    test(`an error entry keeps at most 8 kB of context for ${name}`, async () => {
      await using service = await startApp({ database: await open() });
      assert.ok((await service.inject(request)).statusCode >= 400);
      const entry = await newest(service.errors);
      assertTruncated(entry);
      assert.equal(entry.detail.server.REQUEST_METHOD, request.method ?? "GET");
      assert.equal(entry.detail.server.REMOTE_ADDR, "127.0.0.1");
    });

  test("an error entry keeps at most 8 kB of context for a request with two Host headers", async () => {
    await using service = await startApp({ database: await open() });
    const socket = connect(Number(new URL(await service.listen()).port), "127.0.0.1");
    await once(socket, "connect");
    socket.end(`GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\nX-Filler: ${FILLER}\r\nConnection: close\r\n\r\n`);
    assert.match(await text(socket), /^HTTP\/1\.1 400 /);
    assertTruncated(await newest(service.errors));
  });

  test("truncates a value over 1 kB and notes its length", async () => {
    await using service = await startApp({ database: await open() });
    await service.inject({ url: "/no", headers: { "x-filler": FILLER, "x-last": "kept", cookie: `sid=${FILLER}` } });
    const { server } = (await newest(service.errors)).detail;
    assert.equal(server.HTTP_X_FILLER, `${"x".repeat(KB)}… (58000 characters in total)`);
    assert.equal(server.HTTP_X_LAST, "kept", "a long value does not use up the space of others");
    assert.equal(server.HTTP_COOKIE, "[redacted, 58004 characters]");
  });

  test("keeps at most 8 kB of a browser's report", async () => {
    await using service = await startApp({ database: await open() });
    const stack = `Error\n${"    at f (a.js:1:1)\n".repeat(500)}`;
    for (const filler of ["x".repeat(45_000), "\u0001".repeat(8_000), Array.from({ length: 5_000 }, () => 1)]) {
      await sendReport(service, { message: "broken", stack, context: { filler } });
      const entry = await newest(service.errors);
      assertTruncated(entry);
      assert.ok(jsonBytes(entry.detail.trace) < 16 * KB);
      assert.match(entry.detail.trace.at(-1)!, /^#\d+ \{main\}$/);
    }
  });

  test("keeps at most 8 kB of the properties of an error without a request", async () => {
    await using service = await startApp({ database: await open() });
    const error = Object.assign(new Error("z".repeat(58_000)), { path: FILLER, parts: Array.from({ length: 100 }, () => "p".repeat(500)) });
    await service.errors.record(error, undefined);
    assertTruncated(await newest(service.errors));
  });

  test("notes that a long call stack was truncated", async () => {
    await using service = await startApp({ database: await open() });
    await sendReport(service, { message: "broken", stack: `Error\n${"    at f (a.js:1:1)\n".repeat(300)}` });
    assert.equal((await newest(service.errors)).detail.cut, undefined);
    await sendReport(service, { message: "broken", stack: `Error\n${"    at f (a.js:1:1)\n".repeat(500)}` });
    assert.equal((await newest(service.errors)).detail.cut, "size");
  });

  test("a truncated error entry says so on its page, in JSON and in Markdown", async () => {
    await using service = await startApp({ database: await open() });
    await service.inject({ url: "/no", headers: { "x-filler": FILLER } });
    const { id } = await newest(service.errors);
    const url = `/tools/errors/${id}`;
    const note = /This entry was truncated\. Limits: 1 kB per value, 8 kB for the request/;
    assert.match((await service.inject(url)).body, note);
    assert.match((await service.inject(`${url}?format=markdown`)).body, note);
    assert.equal((await service.inject(`${url}?format=json`)).json<ErrorEntry>().detail.cut, "size");
  });

  test("an error entry keeps only its time and path if its group recurs too often", async () => {
    await using service = await startApp({ database: await open() });
    for (let index = 0; index < BURST + 50; index++) await service.inject({ url: `/no/${index}?q=1`, headers: { "x-custom": "kept" } });
    await service.errors.flush();
    const entry = await newest(service.errors);
    assert.deepEqual([entry.message, entry.at, entry.status], [`Route 'GET /no/${BURST + 49}' not found`, START, 404]);
    const { cut, server, get, session, object, trace } = entry.detail;
    assert.deepEqual(server, {
      REQUEST_METHOD: "GET",
      REQUEST_URI: `/no/${BURST + 49}?q=1`,
      REQUEST_TIME: START / 1000,
      REQUEST_TIME_FLOAT: START / 1000,
    });
    assert.deepEqual([cut, get, session, object.status, trace.at(-1)], ["repeat", [], null, 404, `#${trace.length - 1} {main}`]);
    assert.equal((await allMessages(service.errors)).length, BURST + 50);
    const { groups } = (await service.inject("/tools/errors?view=groups&format=json")).json<{ groups: { count: number }[] }>();
    assert.deepEqual(
      groups.map(({ count }) => count),
      [BURST + 50],
    );
    const complete = await Promise.all([1, BURST].map((id) => service.errors.find(id)));
    for (const first of complete) assert.deepEqual([first!.detail.cut, first!.detail.server.HTTP_X_CUSTOM], [undefined, "kept"]);
  });

  test("an error entry keeps its context during an outage only if it is the first with its cause in that minute", async () => {
    const database = await open();
    const refuse = () => Promise.reject(Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" }));
    const refusing: Database["commit"] = (batch) => (batch.lock === undefined ? database.commit(batch) : refuse());
    await using service = await startApp({ database: { ...database, commit: refusing } });
    await makeHotel(service);
    const sizes: number[] = [];
    for (const at of [START, START + 61_000]) {
      service.clock.set(at);
      for (let index = 0; index < 10; index++) assert.equal((await postXml(service, MESSAGE)).statusCode, 503);
      await service.errors.flush();
      const rows = await database.read.selectFrom("error_entry").select("detail").where("at", "=", at).orderBy("id").execute();
      const details = rows.map(({ detail }) => JSON.parse(detail) as ErrorDetail);
      assert.deepEqual(
        details.map(({ cut }) => cut),
        [undefined, ...Array.from({ length: 9 }, () => "repeat")],
      );
      sizes.push(...rows.map(({ detail }) => detail.length));
    }
    assert.ok(sizes[1]! < sizes[0]! * 0.75, `${sizes[1]} bytes, ${sizes[0]} with context`);
    const { groups } = (await service.inject("/tools/errors?view=groups&format=json")).json<{ groups: { count: number }[] }>();
    assert.deepEqual(
      groups.map(({ count }) => count),
      [20],
    );
  });

  test("an error entry keeps its context during a flood in another group, and after a flood in its own", async () => {
    await using service = await startApp({ database: await open() });
    for (let index = 0; index <= BURST; index++) await service.inject(`/no/${index}`);
    await service.errors.flush();
    assert.equal((await newest(service.errors)).detail.cut, "repeat");
    await service.inject("/tools/errors/999");
    assert.equal((await newest(service.errors)).detail.cut, undefined);
    service.clock.set(START + 1_000);
    await service.inject("/no/after");
    const { cut, get } = (await newest(service.errors)).detail;
    assert.deepEqual([cut, get], [undefined, { _uri: "/no/after" }]);
  });

  test("an error entry loses its context if errors in many different groups arrive too fast", async () => {
    await using service = await startApp({ database: await open() });
    for (let index = 0; index <= 10 * BURST; index++) await service.errors.record(new Error(letters(index)), undefined, 400);
    await service.errors.flush();
    assert.equal((await newest(service.errors)).detail.cut, "repeat");
  });

  test("an error entry is marked on its page and in the lists if its context is missing", async () => {
    await using service = await startApp({ database: await open() });
    for (const view of ["list", "groups"])
      assert.doesNotMatch((await service.inject(`/tools/errors?view=${view}`)).body, /without request context/);
    for (let index = 0; index < BURST + 7; index++) await service.inject(`/no/${index}`);
    await service.errors.flush();
    const { id } = await newest(service.errors);
    const note = /This error repeated too quickly, so only its time and path were kept, not the request/;
    const page = (await service.inject(`/tools/errors/${id}`)).body;
    assert.match(page, note);
    assert.match((await service.inject(`/tools/errors/${id}?format=markdown`)).body, note);
    for (const view of ["list", "groups"])
      assert.match((await service.inject(`/tools/errors?view=${view}`)).body, /7 repeats were recorded without request context/, view);
    assert.deepEqual(await trimmed(service), [{ rule: "repeats without context", count: 7 }]);
    assert.doesNotMatch((await service.inject("/tools/errors")).body, /This log is incomplete/);
    assert.doesNotMatch((await service.inject("/tools")).body, /skipped/);
  });
});

eachEngine("the error log", (open) => {
  test("removes the oldest entries to stay within its size limit, and reports the removal", async () => {
    const database = await open();
    await using service = await startApp({ database, settings: { KEEP_ERRORS_MB: "1" } });
    for (let index = 0; index < BURST; index++) await service.inject({ url: `/no/${index}`, headers: manyHeaders("y") });
    await service.errors.flush();
    while ((await countRows(database)) > 140);
    await service.errors.prune();
    const messages = await allMessages(service.errors);
    assert.ok(messages.length > 50 && messages.length < 140, `${messages.length} of 9 kB each`);
    assert.deepEqual(
      messages,
      Array.from(messages, (_, index) => `Route 'GET /no/${BURST - 1 - index}' not found`),
    );
    const removed = BURST - messages.length;
    assert.deepEqual(await trimmed(service), [{ rule: "removed to stay within KEEP_ERRORS_MB", count: removed }]);
    const { body } = await service.inject("/tools/errors");
    assert.match(body, new RegExp(`${removed} old entries were removed to keep the log within 1 MB`));
  });

  test("removes the newest entry of each group last", async () => {
    const database = await open();
    await using service = await startApp({ database, settings: { KEEP_ERRORS_MB: "1" } });
    await service.errors.record(new RangeError("rare"), undefined);
    for (let index = 0; index < BURST; index++) await service.inject({ url: `/no/${index}`, headers: manyHeaders("y") });
    await service.errors.flush();
    await service.errors.prune();
    assert.equal((await allMessages(service.errors)).at(-1), "rare");
    for (let index = 0; index < BURST; index++) await service.errors.record(bigError(letters(index)), undefined, 400);
    await service.errors.flush();
    await service.errors.prune();
    const messages = await allMessages(service.errors);
    assert.ok(messages.length < 150, `${messages.length}`);
    assert.equal(messages[0], `big ${letters(BURST - 1)}`);
    assert.ok(!messages.includes("rare"));
  });

  test("does not count entries deleted by age towards its size", async () => {
    const database = await open();
    await using service = await startApp({ database, settings: { KEEP_ERRORS_MB: "1", KEEP_ERRORS_DAYS: "1" } });
    for (let day = 0; day < 4; day++) {
      service.clock.set(START + day * 2 * 86_400_000);
      for (let index = 0; index < 60; index++) await service.inject({ url: `/no/${day}/${index}`, headers: manyHeaders("y") });
      await service.errors.flush();
      await service.errors.prune();
      assert.equal(await countRows(database), 60);
    }
    assert.deepEqual(await trimmed(service), []);
  });
});

function manyHeaders(filler: string): Record<string, string> {
  return Object.fromEntries(Array.from({ length: 58 }, (_, index) => [`x-filler-${index}`, filler.repeat(900)]));
}

/** Returns text that makes a message belong to a different group. A number would not. */
function letters(index: number): string {
  return String(index).replaceAll(/\d/g, (digit) => "ghijklmnop"[Number(digit)]!);
}

function bigError(name: string): Error {
  const parts = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`part${index}`, "p".repeat(900)]));
  return Object.assign(new Error(`big ${name}`), parts);
}

function assertTruncated({ detail }: ErrorEntry): void {
  const { server, get, session, extra }: ErrorDetail = detail;
  const context = jsonBytes({ server, get, session, userAgent: extra.userAgent });
  const rest = jsonBytes({ ...extra, requestId: undefined, userAgent: undefined });
  assert.ok(context <= 8 * KB, `${context} bytes of context`);
  assert.ok(rest <= 8 * KB, `${rest} bytes of other details`);
  assert.equal(detail.cut, "size");
}

function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

async function sendReport(service: TestApp, report: object): Promise<void> {
  const headers = { "content-type": "application/json" };
  const payload = JSON.stringify(report);
  assert.equal((await service.inject({ method: "POST", url: "/_errors/log", headers, payload })).statusCode, 204);
}

async function trimmed(service: TestApp): Promise<Trimmed[]> {
  const { cut } = (await service.inject("/tools/errors?format=json")).json<{ cut: Trimmed[] }>();
  return cut.map(({ rule, count }) => ({ rule, count }));
}
