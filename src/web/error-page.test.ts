import assert from "node:assert/strict";
import { test } from "node:test";
import { startApp } from "../../test/support/app.ts";
import { makeProperty, textOf } from "../../test/support/hotel.ts";

const LINKS: readonly (readonly [url: string, links: readonly string[]])[] = [
  ["/property/NONE", ["/property", "/"]],
  ["/category/x/edit?a=1", ["/category", "/"]],
  ["/rates?property=NONE", ["/rates", "/"]],
  ["/dev/logs/999999", ["/dev/logs", "/"]],
  ["/tools/nothing", ["/tools", "/"]],
  ["/propety", ["/"]],
  ["/home/", ["/"]],
  ["//property", ["/"]],
];

test("links to the URL's section and to the home page", async () => {
  await using service = await startApp();
  for (const [url, links] of LINKS) {
    const { statusCode, body } = await service.inject(url);
    assert.equal(statusCode, 404, url);
    assert.deepEqual(linksOf(body), links, url);
    assert.equal(body.includes(`<a href="${links[0]}" aria-current="page">`), links.length > 1, url);
  }
});

test("keeps the path prefix in links", async () => {
  await using service = await startApp({ settings: { PUBLIC_URL: "http://localhost/rack" } });
  const { body } = await service.inject("/rack/property/NONE");
  assert.deepEqual(linksOf(body), ["/rack/property", "/rack/"]);
});

test("links an internal error to its log entry", async () => {
  await using service = await startApp();
  const { body } = await service.visitor().post("/dev", { action: "raise", kind: "template" });
  const [, entry] = /recorded as <a href="([^"]+)">entry \d+<\/a> in the error log/.exec(body) ?? [];
  assert.ok(entry);
  await service.errors.flush();
  assert.match((await service.inject(entry)).body, /<h1>TemplateRuntimeError<\/h1>/);
});

test("redisplays what was submitted with an invalid token, and keeps it to be submitted again unchanged", async () => {
  await using service = await startApp();
  await makeProperty(service, { code: "ALP", name: "Alpenblick" });
  const visitor = service.visitor();
  const refused = await visitor.post("/property/ALP/edit", {
    _csrf: "wrong",
    version: "1",
    seen: "x".repeat(200),
    city: "Lana",
    status: "test",
    phone: "",
  });
  assert.equal(refused.statusCode, 403);
  assert.match(textOf(refused), /Your input is kept below\. Field Value City Lana Status Test Submit again/);
  for (const [name, value] of Object.entries({ version: "1", city: "Lana", status: "test", phone: "" }))
    assert.ok(refused.body.includes(`<input type="hidden" name="${name}" value="${value}" />`), name);
});

test("redisplays fields of a refused form that are named like built-in object properties", async () => {
  await using service = await startApp();
  const visitor = service.visitor();
  for (const url of ["/property/new", "/tools/caches"])
    for (const name of ["constructor", "toString", "__proto__", "hasOwnProperty"]) {
      const refused = await visitor.send(url, `_csrf=wrong&action=clear&${name}=typed`, {
        "content-type": "application/x-www-form-urlencoded",
        accept: "text/html",
      });
      assert.equal(refused.statusCode, 403, `${url} ${name}`);
      assert.match(textOf(refused), new RegExp(`Invalid CSRF token .* Field Value .*${name} typed Submit again`), name);
    }
});

test("labels the fields of a refused console form", async () => {
  await using service = await startApp();
  const visitor = service.visitor();
  const refused = await visitor.post("/dev/channel", {
    _csrf: "wrong",
    action: "send",
    transport: "soap11",
    xml: "<OTA_PingRQ/>",
    run: "dry",
  });
  assert.match(textOf(refused), /Field Value Transport SOAP 1\.1 Message <OTA_PingRQ\/> Run Dry run Submit again/);
});

test("a refused form with a file can be resubmitted only after the file is chosen again", async () => {
  await using service = await startApp();
  const send = async (content: string) => {
    const file = `--b\r\nContent-Disposition: form-data; name="file"; filename="${content && "ping.xml"}"\r\nContent-Type: application/octet-stream\r\n\r\n${content}\r\n`;
    const payload = `${["action=send", "xml=<OTA_Typed/>", "run=apply"].map(partOf).join("")}${file}--b--\r\n`;
    const headers = { "content-type": "multipart/form-data; boundary=b", accept: "text/html" };
    return service.inject({ method: "POST", url: "/dev/channel", headers, payload });
  };
  const refused = await send("<OTA_PingRQ/>");
  assert.equal(refused.statusCode, 403);
  assert.match(refused.body, /<form method="post" data-unsaved="typed" enctype="multipart\/form-data">/);
  assert.match(
    refused.body,
    /<label for="f-file">File<\/label>[^]*<input id="f-file" name="file" type="file" required aria-describedby="h-file" \/>/,
  );
  assert.match(textOf(refused), /Message <OTA_Typed\/> Run Send and apply File Files are not kept\. Choose the file again\. Submit again/);
  assert.doesNotMatch(refused.body, /type="hidden" name="file"/);
  assert.doesNotMatch((await send("")).body, /type="file"/, "no file was chosen");
});

test("labels the property and code of a refused category form", async () => {
  await using service = await startApp();
  const refused = await service.visitor().post("/category/new", { _csrf: "wrong", hotelCode: "ALP", code: "DBL" });
  assert.match(textOf(refused), /Field Value Property ALP Code DBL Submit again/);
});

test("keeps each value of a repeated field in a refused form, URL-encoded or multipart", async () => {
  await using service = await startApp();
  for (const [type, payload] of REPEATED) {
    const headers = { "content-type": type, accept: "text/html" };
    const refused = await service.inject({ method: "POST", url: "/tools/errors?view=groups", headers, payload });
    assert.equal(refused.statusCode, 403, type);
    assert.match(textOf(refused), /Field Value Group 7 Group 9 Mute for 1 week Submit again/, type);
    const kept = [...refused.body.matchAll(/<input type="hidden" name="(group|action|for)" value="([^"]*)" \/>/g)];
    assert.deepEqual(
      kept.map(([, name, value]) => `${name}=${value}`),
      ["group=7", "group=9", "action=mute", "for=week"],
      type,
    );
  }
});

const FIELDS = ["group=7", "group=9", "action=mute", "for=week"];
const REPEATED: readonly (readonly [type: string, payload: string])[] = [
  ["application/x-www-form-urlencoded", FIELDS.join("&")],
  ["multipart/form-data; boundary=b", `${FIELDS.map(partOf).join("")}--b--\r\n`],
];

function partOf(field: string): string {
  const [name, value] = field.split("=");
  return `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
}

function linksOf(body: string): string[] {
  const [main = ""] = /<main[\s\S]*<\/main>/.exec(body) ?? [];
  return [...main.matchAll(/href="([^"]+)"/g)].map(([, to]) => to!);
}
