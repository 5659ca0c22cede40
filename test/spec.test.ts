/** Tests every row, field and rule of the interface specification. */
import assert from "node:assert/strict";
import { METHODS } from "node:http";
import { connect } from "node:net";
import { afterEach, beforeEach, describe, test } from "node:test";
import type { InjectOptions } from "fastify";
import { START, startApp, type TestApp } from "./support/app.ts";
import { eachEngine } from "./support/databases.ts";

const PROPERTY = {
  code: "H1",
  name: "Hotel One",
  currency: "EUR",
  timeZone: "UTC",
  propertyType: "20",
  status: "active",
  horizonDays: "750",
};
const CATEGORY = {
  hotelCode: "H1",
  code: "DBL",
  name: "Double",
  kind: "room",
  standardOccupancy: "2",
  minOccupancy: "1",
  rooms: "10",
  status: "active",
};

const COUNTS = `<OTA_HotelInvCountNotifRQ xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.0" EchoToken="e1">
  <Inventories HotelCode="H1"><Inventory>
    <StatusApplicationControl Start="2026-12-01" End="2026-12-05" InvTypeCode="DBL"/>
    <InvCounts><InvCount CountType="2" Count="7"/></InvCounts>
  </Inventory></Inventories></OTA_HotelInvCountNotifRQ>`;
const RATES = `<OTA_HotelRateAmountNotifRQ xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.0" EchoToken="e2">
  <RateAmountMessages HotelCode="H1"><RateAmountMessage>
    <StatusApplicationControl Start="2026-12-01" End="2026-12-05" InvTypeCode="DBL" RatePlanCode="BAR"/>
    <Rates><Rate><BaseByGuestAmts><BaseByGuestAmt AmountAfterTax="123.45" CurrencyCode="EUR" NumberOfGuests="2"/></BaseByGuestAmts></Rate></Rates>
  </RateAmountMessage></RateAmountMessages></OTA_HotelRateAmountNotifRQ>`;

/** Routes in part 4 without a stated method. They accept every HTTP method that Node can parse. */
const ANY_ROUTES = [
  "/",
  "/dev",
  "/dev/channel",
  "/dev/logs",
  "/tools",
  "/tools/dbsync",
  "/tools/caches",
  "/tools/phpinfo",
  "/tools/request",
].concat(["/tools/modules", "/tools/routes", "/tools/env", "/tools/aliases", "/tools/errors"]);

const GET_ROUTES = [
  "/property",
  "/property/new",
  "/property/H1",
  "/property/H1/edit",
  "/category",
  "/category/new",
  "/category/H1/DBL/edit",
  "/rates",
  "/inventories",
];

eachEngine("the interface specification", (open) => {
  let service: TestApp;

  beforeEach(async () => {
    service = await startApp({ database: await open() });
  });
  afterEach(() => service.close());

  const ask = (method: string, url: string, more: InjectOptions = {}) => service.inject({ ...more, method: method as "GET", url });
  const json = { accept: "application/json" };

  async function createRecords(): Promise<void> {
    const visitor = service.visitor();
    assert.equal((await visitor.post("/property/new", PROPERTY)).statusCode, 303);
    await visitor.get("/category/new");
    assert.equal((await visitor.post("/category/new", CATEGORY)).statusCode, 303);
  }

  const postXml = (payload: string) => ask("POST", "/channel", { payload, headers: { "content-type": "application/xml" } });

  type Entry = { id: number; date: string; class: string; message: string; source: string; caught: string };
  async function listErrors(): Promise<Entry[]> {
    const { errors } = (await ask("GET", "/tools/errors?format=json")).json<{ errors: Entry[] }>();
    return errors;
  }

  describe("part 4, properties and categories", () => {
    test("creates, shows, edits and lists a property", async () => {
      const visitor = service.visitor();
      const form = await visitor.get("/property/new");
      assert.equal(form.statusCode, 200);
      assert.match(form.body, /name="code"/);
      const created = await visitor.post("/property/new", PROPERTY);
      assert.equal(created.statusCode, 303);
      assert.equal(created.headers.location, "/property/H1");
      assert.match((await visitor.get("/property/H1")).body, /Hotel One/);
      const edit = await visitor.get("/property/H1/edit");
      const version = /name="version" value="(\d+)"/.exec(edit.body)![1]!;
      const updated = await visitor.post("/property/H1/edit", { ...PROPERTY, name: "Hotel Uno", version });
      assert.equal(updated.statusCode, 303);
      assert.match((await visitor.get("/property")).body, /Hotel Uno/);
    });

    test("identifies a category by its property's code and its own code", async () => {
      await createRecords();
      const visitor = service.visitor();
      const edit = await visitor.get("/category/H1/DBL/edit");
      assert.match(edit.body, /value="Double"/);
      const version = /name="version" value="(\d+)"/.exec(edit.body)![1]!;
      const updated = await visitor.post("/category/H1/DBL/edit", { ...CATEGORY, name: "Twin", version });
      assert.equal(updated.statusCode, 303);
      assert.equal(updated.headers.location, "/category/H1/DBL/edit");
      assert.match((await visitor.get("/category")).body, /Twin/);
    });

    test("returns a page with one h1 for GET, and the same headers without a body for HEAD", async () => {
      await createRecords();
      for (const url of GET_ROUTES) {
        const page = await ask("GET", url);
        assert.equal(page.statusCode, 200, url);
        assert.match(String(page.headers["content-type"]), /^text\/html/, url);
        assert.equal(page.body.match(/<h1[ >]/g)?.length, 1, url);
        const head = await ask("HEAD", url);
        assert.equal(head.statusCode, 200, `HEAD ${url}`);
        assert.equal(head.body, "", `HEAD ${url}`);
      }
    });

    test("returns JSON to clients that prefer it, and the page to browsers", async () => {
      await createRecords();
      await postXml(COUNTS);
      await ask("GET", "/nope");
      const [{ id }] = (await listErrors()) as [Entry];
      const browser = { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" };
      const grid = "?property=H1&from=2026-12-01&days=7";
      const urls = [
        "/property",
        "/property/H1",
        "/category",
        "/category/H1/DBL/edit",
        `/rates${grid}`,
        `/inventories${grid}`,
        "/rates?choose",
      ];
      for (const url of [...urls, "/dev/logs", "/dev/logs/1", "/tools", "/tools/routes", "/tools/errors", `/tools/errors/${id}`]) {
        for (const headers of [browser, { accept: "*/*" }, { accept: "text/html, application/json" }, {}]) {
          assert.match((await ask("GET", url, { headers })).body, /<h1[ >]/, url);
        }
        for (const accept of ["application/json", "application/json, text/plain, */*", "text/html;q=0.5, application/json"]) {
          const answer = await ask("GET", url, { headers: { accept } });
          assert.deepEqual([answer.statusCode, answer.headers["content-type"]], [200, "application/json; charset=utf-8"], url);
          assert.equal(typeof answer.json(), "object");
        }
        const named = await ask("GET", `${url}${url.includes("?") ? "&" : "?"}format=page`, { headers: json });
        assert.match(named.body, /<h1[ >]/, url);
      }
      const { properties, total, exact, page, size } = (await ask("GET", "/inventories?choose", { headers: json })).json<{
        properties: { code: string; name: string }[];
        [field: string]: unknown;
      }>();
      assert.deepEqual({ total, exact, page, size }, { total: 1, exact: true, page: 1, size: 50 });
      assert.deepEqual(
        properties.map(({ code, name }) => [code, name]),
        [["H1", "Hotel One"]],
      );
    });

    test("returns 404 for a category path with only one identifier", async () => {
      const answer = await ask("GET", "/category/x/edit", { headers: json });
      assert.equal(answer.statusCode, 404);
      assert.match(answer.body, /Route 'GET \/category\/x\/edit' not found/);
    });

    test("shows the form at /property/new even if a property has that code", async () => {
      assert.match((await ask("GET", "/property/new")).body, /name="code"/);
      const visitor = service.visitor();
      assert.equal((await visitor.post("/property/new", { ...PROPERTY, code: "new" })).statusCode, 422);
    });
  });

  describe("part 4, channel and data views", () => {
    test("shows a message's counts in /inventories and its amounts in /rates", async () => {
      await createRecords();
      assert.match((await postXml(COUNTS)).body, /<Success\s*\/>/);
      assert.match((await postXml(RATES)).body, /<Success\s*\/>/);
      const inventories = await ask("GET", "/inventories?property=H1&category=DBL&from=2026-12-01&days=7&format=csv");
      assert.equal(inventories.body.match(/,7,/g)?.length, 5, inventories.body);
      const rates = await ask("GET", "/rates?property=H1&category=DBL&plan=BAR&from=2026-12-01&days=7");
      assert.equal(rates.body.match(/123\.45/g)!.length >= 5, true);
    });

    test("shows a message in /dev/logs and at its own URL for any method", async () => {
      await createRecords();
      await postXml(COUNTS);
      const { messages } = (await ask("GET", "/dev/logs?format=json")).json<{ messages: { id: number; message: string }[] }>();
      assert.equal(messages[0]!.message, "OTA_HotelInvCountNotifRQ");
      for (const method of ["GET", "POST", "DELETE", "PROPFIND"]) {
        const page = await ask(method, `/dev/logs/${messages[0]!.id}`);
        assert.equal(page.statusCode, 200, method);
        assert.match(page.body, /EchoToken/);
      }
    });

    test("describes /channel for GET and HEAD and treats every other method as a message", async () => {
      await createRecords();
      assert.match((await ask("GET", "/channel")).body, /<h1[ >]/);
      assert.equal((await ask("HEAD", "/channel")).statusCode, 200);
      assert.equal((await ask("OPTIONS", "/channel")).statusCode, 204);
      for (const method of ["POST", "PUT", "PATCH", "DELETE", "PROPFIND"]) {
        const answer = await ask(method, "/channel", { payload: COUNTS, headers: { "content-type": "application/xml" } });
        assert.match(answer.body, /<Success\s*\/>/, method);
      }
    });
  });

  describe("part 4, routes without a stated method", () => {
    for (const url of ANY_ROUTES) {
      test(`${url} responds to every HTTP method`, async () => {
        for (const method of METHODS.filter((one) => one !== "CONNECT")) {
          const answer = await ask(method, url);
          assert.ok(
            answer.statusCode === 200 || (method === "OPTIONS" && answer.statusCode === 204),
            `${method} ${url}: ${answer.statusCode}`,
          );
        }
      });
    }

    test("ignores the content type of an empty body", async () => {
      for (const method of METHODS.filter((one) => one !== "CONNECT")) {
        for (const type of ["application/json", "application/xml", "multipart/form-data"]) {
          const answer = await ask(method, "/tools", { headers: { "content-type": type, "content-length": "0" } });
          assert.equal(answer.statusCode, 200, `${method} ${type}`);
        }
      }
    });

    test("returns the page for a CONNECT request", async () => {
      const { port } = new URL(await service.listen());
      const answer = await new Promise<string>((resolve, reject) => {
        const socket = connect(Number(port), "127.0.0.1", () => socket.write(`CONNECT /tools HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`));
        let text = "";
        socket
          .on("data", (chunk) => (text += chunk.toString()))
          .on("end", () => resolve(text))
          .on("error", reject);
      });
      assert.match(answer, /^HTTP\/1\.1 200 /);
    });
  });

  describe("part 4, error intake", () => {
    test("records error reports", async () => {
      const report = { class: "TypeError", message: "x is undefined", file: "http://localhost/app.js", line: 3, column: 1 };
      const logged = await ask("POST", "/_errors/log", {
        payload: JSON.stringify(report),
        headers: { "content-type": "application/json" },
      });
      assert.equal(logged.statusCode, 204);
      const violation = {
        "csp-report": { "document-uri": "http://localhost/tools", "effective-directive": "script-src", "blocked-uri": "inline" },
      };
      const csp = await ask("POST", "/_errors/csp", {
        payload: JSON.stringify(violation),
        headers: { "content-type": "application/csp-report" },
      });
      assert.equal(csp.statusCode, 204);
      const [second, first] = await listErrors();
      assert.deepEqual([first!.source, first!.class, first!.message], ["js", "TypeError", "x is undefined"]);
      assert.deepEqual([second!.source, second!.class], ["csp", "ContentSecurityPolicyViolation"]);
    });
  });

  describe("part 5, access", () => {
    test("returns 404 for /login, even if credentials are required", async () => {
      await using closed = await startApp({ settings: { ADMIN_PASSWORD: "correct horse" } });
      const answer = await closed.inject({ url: "/login", headers: json });
      assert.equal(answer.statusCode, 404);
      assert.match(answer.body, /Route 'GET \/login' not found/);
      assert.equal((await closed.inject("/property")).statusCode, 401);
    });

    test("refuses and records a form without a valid token", async () => {
      const answer = await ask("POST", "/property/new", {
        payload: "code=H9",
        headers: { "content-type": "application/x-www-form-urlencoded" },
      });
      assert.equal(answer.statusCode, 403);
      assert.match(answer.body, /Invalid CSRF token/);
      assert.match(answer.body, /H9/);
      const [entry] = await listErrors();
      assert.deepEqual([entry!.class, entry!.message, entry!.source, entry!.caught], ["HttpException", "Invalid CSRF token", "php", "No"]);
    });
  });

  describe("parts 2 and 7, errors", () => {
    const UNROUTED: readonly (readonly [method: string, url: string, shown?: string])[] = [
      ["GET", "/nope"],
      ["POST", "/nope"],
      ["HEAD", "/nope"],
      ["DELETE", "/property"],
      ["PROPFIND", "/category"],
      ["GET", "/_errors/log"],
      ["GET", "/property/"],
      ["GET", "/category//X/edit"],
      ["GET", "/category/x/edit"],
      ["GET", "/property/%zz"],
      ["GET", "/%zz"],
      ["GET", `/${"a".repeat(10_000)}`],
      ["GET", `/property/${"a".repeat(10_000)}`],
      ["GET", "/login?next=%2F", "/login"],
      ["GET", "/tools/"],
      ["PUT", "/rates"],
    ];
    for (const [method, url, shown = url] of UNROUTED) {
      test(`returns the not-found error for ${method} ${url.slice(0, 40)}`, async () => {
        const answer = await ask(method, url, { headers: json });
        assert.equal(answer.statusCode, 404);
        const [entry] = await listErrors();
        assert.deepEqual([entry!.class, entry!.source, entry!.caught], ["NotFoundException", "php", "No"]);
        assert.equal(entry!.message, `Route '${method} ${shown}' not found`.slice(0, entry!.message.length));
        assert.ok(entry!.message.length >= Math.min(2_000, shown.length));
        if (method === "HEAD") return;
        const { error } = answer.json();
        assert.deepEqual([error.status, error.code, error.class], [404, 0, "NotFoundException"]);
        assert.equal(error.message, `Route '${method} ${shown}' not found`);
      });
    }

    test("reports an unknown path rather than an invalid body", async () => {
      for (const type of ["application/json", "application/x-unknown", "multipart/form-data"]) {
        const answer = await ask("POST", "/nope", { payload: "{broken", headers: { "content-type": type, ...json } });
        assert.match(answer.body, /Route 'POST \/nope' not found/, type);
      }
    });

    test("lists the newest entry first, even within one second", async () => {
      for (const name of ["a", "b", "c"]) await ask("GET", `/${name}`);
      const messages = (await listErrors()).map((entry) => entry.message);
      assert.deepEqual(
        messages,
        ["c", "b", "a"].map((name) => `Route 'GET /${name}' not found`),
      );
      assert.equal((await ask("GET", "/property")).statusCode, 200);
    });

    test("lists entries with the columns Date, Class, Message, Source and Caught", async () => {
      await ask("GET", "/nope");
      const { body } = await ask("GET", "/tools/errors");
      const heads = [...body.matchAll(/<th scope="col"[^>]*>\s*(?:<[^>]+>)?([^<]+)/g)].map((match) => match[1]!.trim());
      assert.deepEqual(heads, ["Date", "Class", "Message", "Source", "Caught"]);
      assert.match(body, /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/);
    });

    test("shows an entry with its class as title, and Object, Trace, SERVER, GET and SESSION", async () => {
      await ask("GET", "/nope?x=1", { headers: { "x-forwarded-for": "203.0.113.9", authorization: "Basic c2VjcmV0" } });
      const [entry] = await listErrors();
      const { body } = await ask("GET", `/tools/errors/${entry!.id}`);
      assert.match(body, /<h1[^>]*>NotFoundException<\/h1>/);
      const order = ["Object", "Trace", "SERVER", "GET", "SESSION"].map((name) => body.search(new RegExp(`<h2[^>]*>${name}<`)));
      assert.ok(
        order.every((place, i) => place > (order[i - 1] ?? 0)),
        String(order),
      );
      assert.match(body, /#0 .+\(\d+\): /);
      assert.match(body, /#\d+ \{main\}/);
      assert.doesNotMatch(body, /c2VjcmV0/);

      type Detail = { object: Record<string, unknown>; server: Record<string, unknown>; get: unknown; session: unknown };
      const { detail } = (await ask("GET", `/tools/errors/${entry!.id}?format=json`)).json<{ detail: Detail }>();
      assert.deepEqual(Object.keys(detail.object), ["status", "message", "code", "file", "line"]);
      assert.deepEqual([detail.object.status, detail.object.code], [404, 0]);
      assert.equal(Number.isInteger(detail.object.line), true);
      assert.equal(detail.server.REQUEST_METHOD, "GET");
      assert.equal(detail.server.REQUEST_URI, "/nope?x=1");
      assert.equal(detail.server.REQUEST_TIME, Math.floor(START / 1000));
      assert.equal(typeof detail.server.REQUEST_TIME_FLOAT, "number");
      assert.equal(detail.server.HTTP_X_FORWARDED_FOR, "203.0.113.9");
      assert.match(String(detail.server.QUERY_STRING), /_uri=/);
      assert.deepEqual(detail.get, { _uri: "/nope", x: "1" });
      assert.equal(detail.session, null);
    });

    test("returns 404 for an unknown record", async () => {
      await createRecords();
      for (const [url, message] of [
        ["/property/X", "Property 'X' not found"],
        ["/category/H1/X/edit", "Category 'H1/X' not found"],
      ] as const) {
        const answer = await ask("GET", url, { headers: json });
        assert.equal(answer.statusCode, 404);
        assert.ok(answer.body.includes(message), answer.body);
        assert.equal((await listErrors())[0]!.message, message);
      }
    });

    test("records a null in a template as a TemplateRuntimeError", async () => {
      const visitor = service.visitor();
      assert.equal((await visitor.post("/dev", { action: "raise", kind: "template" })).statusCode, 500);
      const [entry] = await listErrors();
      assert.equal(entry!.class, "TemplateRuntimeError");
      assert.match(entry!.message, /^An exception has been thrown during the rendering of a template \(".+"\)$/);
    });

    for (const payload of ["", "  \n"]) {
      test(`records an empty message (${JSON.stringify(payload)}) as a ValueError and reports that it is empty`, async () => {
        const answer = await postXml(payload);
        assert.equal(answer.statusCode, 400);
        assert.match(answer.body, /empty/i);
        const [entry] = await listErrors();
        assert.deepEqual(
          [entry!.class, entry!.message, entry!.source, entry!.caught],
          ["ValueError", "DOMDocument::loadXML(): Argument #1 ($source) must not be empty", "php", "No"],
        );
      });
    }

    test("shows the entry id of an unexpected error, but not its stack", async () => {
      const visitor = service.visitor();
      const answer = await visitor.post("/dev", { action: "raise", kind: "unexpected" });
      assert.equal(answer.statusCode, 500);
      const [entry] = await listErrors();
      assert.ok(answer.body.includes(`entry ${entry!.id}`), answer.body);
      assert.doesNotMatch(answer.body, /\.ts\b/);
    });
  });
});
