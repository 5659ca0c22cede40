import assert from "node:assert/strict";
import { METHODS } from "node:http";
import { test } from "node:test";
import { startApp } from "../../../test/support/app.ts";
import { countMessage, makeHotel, postXml, textOf, TODAY } from "../../../test/support/hotel.ts";

const COUNTS = countMessage({ control: `Start="${TODAY}" End="2026-11-26" InvTypeCode="DBL"`, counts: [[2, 3]] });

test("raises and records each kind of test error", async () => {
  await using service = await startApp();
  const visitor = service.visitor();
  const expected = [
    ["not-found", 404, "NotFoundException"],
    ["http", 409, "HttpException"],
    ["template", 500, "TemplateRuntimeError"],
    ["value", 500, "ValueError"],
    ["unexpected", 500, "TypeError"],
  ] as const;
  for (const [kind, status, name] of expected) {
    await visitor.get("/dev");
    assert.equal((await visitor.post("/dev", { action: "raise", kind })).statusCode, status, kind);
    const { errors } = (await service.inject("/tools/errors?format=json")).json<{ errors: { class: string }[] }>();
    assert.equal(errors[0]!.class, name);
  }
  for (const kind of ["", "none", "__proto__", "constructor"])
    assert.equal((await visitor.post("/dev", { action: "raise", kind })).statusCode, 200, kind);
});

test("developer pages respond to every HTTP method, but perform actions only with a form token", async () => {
  await using service = await startApp();
  await makeHotel(service);
  await postXml(service, COUNTS);
  for (const url of ["/dev", "/dev/channel", "/dev/logs", "/dev/logs/1"]) {
    for (const method of METHODS.filter((one) => !["CONNECT", "HEAD"].includes(one))) {
      const { statusCode } = await service.inject({ method: method as "GET", url });
      assert.ok(statusCode === 200 || (method === "OPTIONS" && statusCode === 204), `${method} ${url}: ${statusCode}`);
    }
  }
  const forms = { "/dev": "action=raise&kind=http", "/dev/channel": "action=send&xml=x", "/dev/logs/1": "action=replay" };
  for (const [url, payload] of Object.entries(forms)) {
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const answer = await service.inject({ method: "POST", url, headers, payload });
    assert.equal(answer.statusCode, 403, url);
    assert.match(textOf(answer), /Invalid CSRF token/);
  }
  const { messages } = (await service.inject("/dev/logs?format=json")).json<{ messages: unknown[] }>();
  assert.equal(messages.length, 1);
});
