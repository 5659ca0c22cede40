import assert from "node:assert/strict";
import { test } from "node:test";
import { startApp } from "../../test/support/app.ts";
import { makeProperty, textOf } from "../../test/support/hotel.ts";

const LED: readonly (readonly [url: string, links: readonly string[]])[] = [
  ["/property/NONE", ["/property", "/"]],
  ["/category/x/edit?a=1", ["/category", "/"]],
  ["/rates?property=NONE", ["/rates", "/"]],
  ["/dev/logs/999999", ["/dev", "/"]],
  ["/tools/nothing", ["/tools", "/"]],
  ["/propety", ["/"]],
  ["/home/", ["/"]],
  ["//property", ["/"]],
];

test("The page of an error leads to the list that its address lies below, and home", async () => {
  await using service = await startApp();
  for (const [url, links] of LED) {
    const { statusCode, body } = await service.inject(url);
    assert.equal(statusCode, 404, url);
    assert.deepEqual(linksOf(body), links, url);
    assert.equal(body.includes(`<a href="${links[0]}" aria-current="page">`), links.length > 1, url);
  }
});

test("Its links keep the prefix of the service", async () => {
  await using service = await startApp({ settings: { PUBLIC_URL: "http://localhost/rack" } });
  const { body } = await service.inject("/rack/property/NONE");
  assert.deepEqual(linksOf(body), ["/rack/property", "/rack/"]);
});

test("The page of a fault of ours leads to its entry in the error log", async () => {
  await using service = await startApp();
  const { body } = await service.visitor().post("/dev", { action: "raise", kind: "template" });
  const [, entry] = /recorded as <a href="([^"]+)">entry \d+<\/a> of the error log/.exec(body) ?? [];
  assert.ok(entry);
  await service.errors.flush();
  assert.match((await service.inject(entry)).body, /<h1>TemplateRuntimeError<\/h1>/);
});

test("What was typed into a form that is refused for its token is shown, without what nobody typed, and sent again as it was", async () => {
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
  assert.match(textOf(refused), /What you typed is kept below\. Field Typed City Lana Status Test Submit again/);
  for (const [name, value] of Object.entries({ version: "1", city: "Lana", status: "test", phone: "" }))
    assert.ok(refused.body.includes(`<input type="hidden" name="${name}" value="${value}" />`), name);
});

test("A refused form may have fields of any name, those of every object too", async () => {
  await using service = await startApp();
  const visitor = service.visitor();
  for (const url of ["/property/new", "/tools/caches"])
    for (const name of ["constructor", "toString", "__proto__", "hasOwnProperty"]) {
      const refused = await visitor.send(url, `_csrf=wrong&action=clear&${name}=typed`, {
        "content-type": "application/x-www-form-urlencoded",
        accept: "text/html",
      });
      assert.equal(refused.statusCode, 403, `${url} ${name}`);
      assert.match(textOf(refused), new RegExp(`Invalid CSRF token .* Field Typed .*${name} typed Submit again`), name);
    }
});

test("The message of a console form that is refused is shown under the name of its field", async () => {
  await using service = await startApp();
  const visitor = service.visitor();
  const refused = await visitor.post("/dev/channel", {
    _csrf: "wrong",
    action: "send",
    transport: "soap11",
    xml: "<OTA_PingRQ/>",
    run: "dry",
  });
  assert.match(textOf(refused), /Field Typed Transport SOAP 1\.1 Message <OTA_PingRQ\/> Run Dry run Submit again/);
});

test("A file that came with a refused form is asked for again: what was typed beside it is not sent in its place", async () => {
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
  assert.match(textOf(refused), /Message <OTA_Typed\/> Run Send and apply File A file is not kept: choose it again\. Submit again/);
  assert.doesNotMatch(refused.body, /type="hidden" name="file"/);
  assert.doesNotMatch((await send("")).body, /type="file"/, "none was chosen");
});

test("The key of a new category is shown under the name of its field", async () => {
  await using service = await startApp();
  const refused = await service.visitor().post("/category/new", { _csrf: "wrong", hotelCode: "ALP", code: "DBL" });
  assert.match(textOf(refused), /Field Typed Property ALP Code DBL Submit again/);
});

test("Each value of a field that was sent more than once is shown and sent again, as a form or as multipart", async () => {
  await using service = await startApp();
  for (const [type, payload] of SENT_TWICE) {
    const headers = { "content-type": type, accept: "text/html" };
    const refused = await service.inject({ method: "POST", url: "/tools/errors?view=groups", headers, payload });
    assert.equal(refused.statusCode, 403, type);
    assert.match(textOf(refused), /Field Typed Group 7 Group 9 Mute for 1 week Submit again/, type);
    const kept = [...refused.body.matchAll(/<input type="hidden" name="(group|action|for)" value="([^"]*)" \/>/g)];
    assert.deepEqual(
      kept.map(([, name, value]) => `${name}=${value}`),
      ["group=7", "group=9", "action=mute", "for=week"],
      type,
    );
  }
});

const FIELDS = ["group=7", "group=9", "action=mute", "for=week"];
const SENT_TWICE: readonly (readonly [type: string, payload: string])[] = [
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
