import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import { START, startApp, type TestApp } from "../../../test/support/app.ts";
import { eachEngine } from "../../../test/support/databases.ts";

const SECTIONS = ["Object", "Trace", "SERVER", "GET", "SESSION"];

eachEngine("the error pages", (open) => {
  test("the error pages list a request for an unknown URL immediately, in exactly five columns", async () => {
    await using service = await startApp({ database: await open() });
    await service.inject("/login");
    const page = await service.inject("/tools/errors");
    assert.equal(page.statusCode, 200);
    assert.deepEqual(headsOf(page.body), ["Date", "Class", "Message", "Source", "Caught"]);
    const [row] = rowsOf(page.body);
    assert.match(row![0]!, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    assert.deepEqual(row!.slice(1), ["NotFoundException", "Route 'GET /login' not found", "php", "No"]);
    assert.match(page.body, /<time datetime="2026-11-20T09:00:00Z" title="[^"]+"/);
  });

  test("the error pages list the newest error first, even within one second", async () => {
    await using service = await startApp({ database: await open() });
    for (const name of ["a", "b", "c"]) await service.inject(`/${name}`);
    const page = await service.inject("/tools/errors");
    const messages = rowsOf(page.body).map((row) => row[2]);
    assert.deepEqual(
      messages,
      ["c", "b", "a"].map((name) => `Route 'GET /${name}' not found`),
    );
    assert.match(page.body, /CSV and JSON include up to 10,000 matching entries\./);
  });

  test("the error pages return the list for every HTTP method", async () => {
    await using service = await startApp({ database: await open() });
    for (const method of ["GET", "POST", "PUT", "DELETE", "PROPFIND"] as const) {
      const page = await service.inject({ method: method as "GET", url: "/tools/errors" });
      assert.equal(page.statusCode, 200, method);
      assert.match(page.body, /No errors yet/);
    }
  });

  test("the error pages show the sections of an error in the specified order", async () => {
    await using service = await startApp({ database: await open() });
    await service.inject({ url: "/no/such?a=1", headers: { "x-forwarded-for": "203.0.113.7" } });
    const page = await service.inject(await newestLink(service));
    assert.equal(page.statusCode, 200);
    assert.match(page.body, /<h1>NotFoundException<\/h1>/);
    assert.deepEqual(headsOf(page.body).slice(0, 5), ["Date", "Class", "Message", "Source", "Caught"]);
    const sections = sectionsOf(page.body);
    assert.deepEqual([...sections.keys()].slice(0, 5), SECTIONS);
    const object = JSON.parse(sections.get("Object")!);
    assert.deepEqual(Object.keys(object), ["status", "message", "code", "file", "line"]);
    assert.deepEqual([object.status, object.message, object.code], [404, "Route 'GET /no/such' not found", 0]);
    const trace = sections.get("Trace")!.split("\n");
    for (const [index, line] of trace.slice(0, -1).entries()) assert.match(line, new RegExp(`^#${index} \\S.*\\(\\d+\\): .+`));
    assert.equal(trace.at(-1), `#${trace.length - 1} {main}`);
    const server = JSON.parse(sections.get("SERVER")!);
    assert.deepEqual([server.QUERY_STRING, server.HTTP_X_FORWARDED_FOR], ["_uri=/no/such&a=1", "203.0.113.7"]);
    assert.deepEqual(JSON.parse(sections.get("GET")!), { _uri: "/no/such", a: "1" });
    assert.equal(sections.get("SESSION"), "null");
    assert.match(sections.get("Source code")!, /^> +\d+ .*NotFoundException/m);
    const group = page.body.slice(page.body.indexOf('<h2 id="group">Group</h2>'));
    assert.doesNotMatch(group, /<section/, "it comes last");
    assert.match(group, /message pattern\s+<code>Route &#39;&#39; not found<\/code>[^]*location <code>src\/web\/\S+\.ts/);
    assert.match(group, /<title>Last 28 days: 1 entry, peak 1 per day<\/title>/);
    assert.match(group, /<th scope="row"><a href="\/tools\/errors\?group=\d+&amp;from=2026-11-20&amp;to=2026-11-20">2026-11-20<\/a><\/th>/);
  });

  test("the error pages return the sections as JSON without internal fields", async () => {
    await using service = await startApp({ database: await open() });
    await service.inject("/no/such");
    const { detail } = (await service.inject(`${await newestLink(service)}?format=json`)).json<{ detail: object }>();
    assert.deepEqual(Object.keys(detail), ["object", "trace", "server", "get", "session", "extra"]);
  });

  test("the error pages show the cause chain with traces", async () => {
    await using service = await startApp({ database: await open() });
    await service.errors.record(new RangeError("not saved", { cause: new TypeError("disk full") }), undefined, 500);
    const { body } = await service.inject(await newestLink(service));
    assert.match(body, /Cause chain<[^]*?<pre tabindex="0">TypeError: disk full\n#0 [^]*?\{main\}<\/pre>/);
  });

  test("the error pages show the session without its secrets", async () => {
    await using service = await startApp({ database: await open() });
    const visitor = service.visitor();
    await visitor.get("/property/new");
    await visitor.get("/tools/errors/999");
    const sections = sectionsOf((await service.inject(await newestLink(service))).body);
    assert.match(JSON.parse(sections.get("SESSION")!).csrf, /^\[redacted, \d+ characters\]$/);
  });

  test("the error pages escape reported text in the list and on the page of an entry", async () => {
    await using service = await startApp({ database: await open() });
    const attack = `"><script>alert(1)</script><img src=x onerror=alert(1)>'`;
    const report = {
      message: attack,
      class: attack,
      file: attack,
      stack: `Error: x\n    at ${attack} (${attack}:1:1)`,
      context: { [attack]: attack },
    };
    await service.inject({
      method: "POST",
      url: "/_errors/log",
      headers: { "content-type": "application/json" },
      payload: JSON.stringify(report),
    });
    await service.inject({ url: `/${encodeURIComponent(attack)}`, headers: { "user-agent": attack } });
    const link = await newestLink(service, "js");
    for (const url of ["/tools/errors", link, `/tools/errors?q=${encodeURIComponent(attack)}&class=${encodeURIComponent(attack)}`]) {
      const { body } = await service.inject(url);
      assert.ok(body.includes("&lt;script&gt;alert(1)&lt;/script&gt;"), url);
      assert.ok(!body.includes("<script>alert") && !body.includes("<img src=x"), url);
    }
  });

  test("the error pages export Markdown that reported text cannot break out of", async () => {
    await using service = await startApp({ database: await open() });
    await service.inject({
      method: "POST",
      url: "/_errors/log",
      headers: { "content-type": "text/plain" },
      payload: '{"message":"a|b ```` <b>"}',
    });
    const response = await service.inject(`${await newestLink(service)}?format=markdown`);
    assert.match(String(response.headers["content-type"]), /^text\/markdown/);
    assert.match(response.body, /^# Error$/m);
    assert.match(response.body, /\| a\\\|b \\`\\`\\`\\` \\<b\\> \| js \| No \|/);
    assert.match(response.body, /^`{5}json$/m);
    assert.match(response.body, /^## Group\n\n`{5}text\nState: open\nCount: 1\n/m);
  });

  test("the error pages show a server error's request as a curl command without secrets", async () => {
    await using service = await startApp({ database: await open() });
    const headers = { "x-asked-by": "it's me", cookie: "sid=hunter2", host: "rooms.example" };
    await service.inject({ method: "DELETE", url: "/no/such?a[]=1&token=hunter2", headers });
    const curl = async () => /<pre id="as-curl"[^>]*>([^<]*)<\/pre>/.exec((await service.inject(await newestLink(service))).body)?.[1];
    const command = (await curl())!.replaceAll("&#39;", "'").replaceAll("&amp;", "&");
    assert.deepEqual(command.split(" \\\n  "), [
      "curl -X DELETE",
      "--globoff",
      "'http://rooms.example/no/such?a[]=1&token=[redacted, 7 characters]'",
      String.raw`-H 'x-asked-by: it'\''s me'`,
      "-H 'cookie: [redacted, 11 characters]'",
      "-H 'user-agent: lightMyRequest'",
    ]);
    const report = { method: "POST", url: "/_errors/log", headers: { "content-type": "text/plain" }, payload: '{"message":"x"}' } as const;
    await service.inject(report);
    assert.equal(await curl(), undefined, "the request that delivered a report did not cause the error");
  });

  test("the error pages show a specific message for an unknown id", async () => {
    await using service = await startApp({ database: await open() });
    for (const id of ["999", "0", "-1", "abc", "1.5", "99999999999999999999", "%F0%9F%9B%8F"]) {
      const response = await service.inject({ url: `/tools/errors/${id}`, headers: { accept: "application/json" } });
      assert.equal(response.statusCode, 404);
      assert.equal(response.json().error.message, `Error '${decodeURIComponent(id)}' not found`);
    }
  });

  test("the error pages apply every filter", async () => {
    await using service = await startApp({ database: await open() });
    for (const [index, name] of ["alpha", "beta", "gamma"].entries()) {
      service.clock.set(START + index * 3_600_000);
      await service.inject(`/${name}`);
    }
    const report = { message: "beta broke", class: "TypeError", caught: true };
    await service.inject({
      method: "POST",
      url: "/_errors/log",
      headers: { "content-type": "application/json" },
      payload: JSON.stringify(report),
    });
    const at = (hours: number) => localText(START + hours * 3_600_000);
    const filters: readonly (readonly [query: string, expected: readonly string[]])[] = [
      ["q=BETA", ["beta broke", "Route 'GET /beta' not found"]],
      ["q=typeerr", ["beta broke"]],
      ["class=TypeError", ["beta broke"]],
      ["source=php&q=beta", ["Route 'GET /beta' not found"]],
      ["caught=yes", ["beta broke"]],
      ["caught=Yes&source=JS", ["beta broke"]],
      ["status=404&q=alpha", ["Route 'GET /alpha' not found"]],
      ["status=500", []],
      [`from=${at(1)}&to=${at(1)}`, ["Route 'GET /beta' not found"]],
      [`to=${at(0)}`, ["Route 'GET /alpha' not found"]],
      ["from=2026-11-30", []],
    ];
    for (const [query, expected] of filters) {
      const { body } = await service.inject(`/tools/errors?${query}`);
      assert.deepEqual(
        rowsOf(body).map((row) => row[2]),
        expected,
        query,
      );
    }
  });

  test("the error pages find nothing for text that cannot be stored", async () => {
    await using service = await startApp({ database: await open() });
    await service.inject("/login");
    for (const name of ["q", "class"]) assert.match((await service.inject(`/tools/errors?${name}=%00`)).body, /No entries match/, name);
  });

  test("the error pages report invalid filters and still show the list", async () => {
    await using service = await startApp({ database: await open() });
    await service.inject("/x");
    const { statusCode, body } = await service.inject(
      "/tools/errors?source=cobol&status=abc&from=2026-02-30&caught=maybe&before=x&size=7&q=",
    );
    assert.equal(statusCode, 422);
    const faults = {
      source: "Choose a source: php, js, csp",
      caught: "Choose yes or no",
      status: "Enter an HTTP status such as 404",
      from: "Enter a date such as 2026-11-20, or a time such as 2026-11-20T08:30",
    };
    assert.match(body, /<title>Error: Error log/);
    for (const [name, fault] of Object.entries(faults)) {
      assert.ok(body.includes(`<a href="#f-${name}">${fault}</a>`), name);
      assert.ok(body.includes(`<p class="fault" id="e-${name}">${fault}</p>`), name);
    }
    assert.match(body, /<option value="cobol" selected>/, "the input is kept");
    for (const format of ["json", "csv"]) {
      const data = await service.inject(`/tools/errors?source=cobol&format=${format}`);
      assert.deepEqual([data.statusCode, data.json()], [422, { errors: { source: faults.source } }]);
    }
    assert.equal(rowsOf(body).length, 1);
  });

  test("the error pages use the last value of a repeated parameter", async () => {
    await using service = await startApp({ database: await open() });
    for (const name of ["a", "b"]) await service.inject(`/${name}`);
    const [, older] = (await service.inject("/tools/errors?format=json")).json().errors;
    const page = await service.inject(`/tools/errors?before=x&before=${older.id + 1}`);
    assert.deepEqual([page.statusCode, rowsOf(page.body).map((row) => row[2])], [200, ["Route 'GET /a' not found"]]);
  });

  test("the error pages are paginated by position, and export filtered entries as CSV and JSON", async () => {
    await using service = await startApp({ database: await open() });
    for (let index = 0; index < 60; index++) await service.inject(`/n${index}`);
    const first = await service.inject("/tools/errors?size=25&q=/n");
    assert.equal(rowsOf(first.body).length, 25);
    const second = await service.inject(/href="([^"]+)" rel="next"/.exec(first.body)![1]!.replaceAll("&amp;", "&"));
    assert.equal(rowsOf(second.body)[0]![2], "Route 'GET /n34' not found");
    const csv = await service.inject("/tools/errors?format=csv&q=/n5");
    const lines = csv.body.replace("\ufeff", "").trimEnd().split("\r\n");
    assert.equal(lines[0], "Date,Class,Message,Source,Caught,Status,Id");
    assert.equal(lines.length, 1 + 11);
    assert.match(lines[1]!, /^[\d-]{10} [\d:]{8},NotFoundException,Route 'GET \/n59' not found,php,No,404,60$/);
    const json = (await service.inject("/tools/errors?format=json&q=/n5")).json();
    assert.equal(json.errors.length, 11);
    const { errors, next } = (await service.inject("/tools/errors?format=json&q=/n&size=25")).json();
    assert.deepEqual([errors.length, next], [25, `${Date.parse(errors.at(-1).at)}.${errors.at(-1).id}`]);
    assert.deepEqual(new Set(errors.map(({ group }: { group: unknown }) => typeof group)), new Set(["number"]));
    assert.deepEqual(
      { ...json.errors[0], date: "", id: 0, group: 0 },
      {
        id: 0,
        date: "",
        at: "2026-11-20T09:00:00.000Z",
        class: "NotFoundException",
        message: "Route 'GET /n59' not found",
        source: "php",
        caught: "No",
        status: 404,
        group: 0,
      },
    );
  });

  test("the error pages skip no entry after a deleted one, even if ids and times are in different orders", async () => {
    const database = await open();
    await using service = await startApp({ database });
    for (let index = 1; index <= 28; index++) await service.inject(`/n${index}`);
    await service.errors.list({}, { limit: 1 });
    await database.write.updateTable("error_entry").set({ at: 1 }).where("id", "=", 3).execute();
    const { next } = (await service.inject("/tools/errors?format=json&size=25")).json<{ next: string }>();
    const page = (await service.inject("/tools/errors?size=25")).body;
    await database.write.deleteFrom("error_entry").where("id", "=", 4).execute();
    const older = /href="([^"]+)" rel="next"/.exec(page)![1]!.replaceAll("&amp;", "&");
    for (const url of [older, `/tools/errors?size=25&before=${next}`])
      assert.deepEqual(
        rowsOf((await service.inject(url)).body).map((row) => row[2]),
        [2, 1, 3].map((index) => `Route 'GET /n${index}' not found`),
        url,
      );
  });

  test("the error pages export the entries older than a given entry as CSV", async () => {
    await using service = await startApp({ database: await open() });
    for (const name of ["a", "b", "c"]) await service.inject(`/${name}`);
    const { errors } = (await service.inject("/tools/errors?format=json")).json<{ errors: { id: number }[] }>();
    const csv = (await service.inject(`/tools/errors?format=csv&before=${errors[0]!.id}`)).body;
    assert.deepEqual(csv.match(/(?<=Route 'GET \/)\w+/g), ["b", "a"]);
  });

  test("the CSV export of errors searches the whole log, even if the page stops at its limit", async () => {
    await using service = await startApp({ database: await open() });
    await service.inject("/needle");
    await service.errors.flush();
    await sql`insert into error_entry (at, class, message, source, caught, status, detail, group_id)
      with recursive numbers (number) as (select 1 union all select number + 1 from numbers where number < 120000)
      select cast(${START} as bigint) + number, 'Error', 'hay', 'js', 0, null, '{}', 1 from numbers`.execute(service.database.write);
    assert.match((await service.inject("/tools/errors?q=needle")).body, /Search further back/);
    assert.match(
      (await service.inject("/tools/errors?q=needle&format=csv")).body,
      /\r\n[^\r]+,Route 'GET \/needle' not found,php,No,404,1\r\n$/,
    );
    assert.equal((await service.inject("/tools/errors?format=csv")).body.split("\r\n").length, 1 + 10_000 + 1);
  });
});

async function newestLink(service: TestApp, source = ""): Promise<string> {
  const { body } = await service.inject(`/tools/errors?source=${source}`);
  return /<td[^>]*><a href="(\/tools\/errors\/\d+)">/.exec(body)![1]!;
}

function headsOf(body: string): string[] {
  return [...body.matchAll(/<th scope="col"[^>]*>([^<]*)<\/th>/g)].map((match) => match[1]!);
}

function rowsOf(body: string): string[][] {
  const table = /<tbody>([\s\S]*?)<\/tbody>/.exec(body)?.[1] ?? "";
  return [...table.matchAll(/<tr>([\s\S]*?)<\/tr>/g)].map((row) =>
    [...row[1]!.matchAll(/<td[^>]*>([\s\S]*?)<\/td>/g)].map((cell) => textOf(cell[1]!)),
  );
}

function sectionsOf(body: string): Map<string, string> {
  const found = body.matchAll(/<h2 id="s-\d+">([^<]*)<\/h2>[\s\S]*?<pre tabindex="0">([\s\S]*?)<\/pre>/g);
  return new Map([...found].map((match) => [match[1]!, textOf(match[2]!)]));
}

function textOf(markup: string): string {
  const text = markup.replaceAll(/<[^>]+>/g, "").trim();
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&amp;", "&");
}

/** A time as entered in the form, in the server's time zone. */
function localText(at: number): string {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).toPlainDateTime().toString({ smallestUnit: "minute" });
}
