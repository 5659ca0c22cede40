import assert from "node:assert/strict";
import { test } from "node:test";
import { START, startApp, type TestApp } from "../../../test/support/app.ts";
import { countMessage, makeHotel, TODAY } from "../../../test/support/hotel.ts";
import { messages } from "../channel/messages/index.ts";

const ACTION = "OTA_HotelInvCountNotif:FreeRooms";
const XML = countMessage({ control: `Start="${TODAY}" End="${TODAY}" InvTypeCode="DBL"`, counts: [[2, 3]] });

test("A form of AlpineBits is sent again as it came, and opened in the console with its version and action", async () => {
  await using service = await startApp();
  await makeHotel(service);
  await sendForm(service);
  const { transport, status, request } = await entryOf(service, 1);
  const visitor = service.visitor();
  const again = await visitor.post("/dev/logs/1", { action: "replay" });
  assert.equal(again.headers.location, "/dev/logs/2");
  assert.deepEqual(await entryOf(service, 2), { transport, status, request });
  assert.equal(transport, "form");
  const { body } = await service.inject("/dev/channel?message=1");
  assert.equal(chosen(body, "version"), "2022-10");
  assert.equal(chosen(body, "transport"), "alpinebits");
  assert.match(body, new RegExp(`name="messageAction"[^>]*value="${ACTION}"`));
  assert.match(body, /&lt;OTA_HotelInvCountNotifRQ /);
});

test("An example is opened in the console with its transport and its version", async () => {
  await using service = await startApp();
  const examples = messages.flatMap((message) => message.examples).filter(({ transport }) => transport === "alpinebits");
  const versions = new Set(examples.map(({ version }) => version));
  assert.ok(versions.size > 1);
  for (const { name, version = "2024-10" } of examples) {
    const { body } = await service.inject(`/dev/channel?example=${name}`);
    assert.equal(chosen(body, "version"), version, name);
    assert.equal(chosen(body, "transport"), "alpinebits", name);
  }
});

function sendForm(service: TestApp) {
  const headers = { "content-type": "application/x-www-form-urlencoded", "x-alpinebits-clientprotocolversion": "2022-10" };
  const payload = new URLSearchParams({ action: ACTION, request: XML }).toString();
  return service.inject({ method: "POST", url: "/channel", headers, payload });
}

async function entryOf(service: TestApp, id: number): Promise<{ transport: string; status: number; request: string }> {
  const { transport, status, request } = (await service.inject(`/dev/logs/${id}?format=json`)).json<Awaited<ReturnType<typeof entryOf>>>();
  return { transport, status, request };
}

/** The value of a field of choices that is selected. */
function chosen(body: string, name: string): string | undefined {
  const [select = ""] = new RegExp(`<select[^>]*name="${name}"[\\s\\S]*?</select>`).exec(body) ?? [];
  return /<option value="([^"]*)" selected/.exec(select)?.[1];
}

test("A message whose body is no longer kept is not sent again, and has no body to show", async () => {
  await using service = await startApp();
  await makeHotel(service);
  await sendForm(service);
  const visitor = service.visitor();
  await visitor.get("/dev/logs/1");
  const removed = await visitor.post("/dev/logs?view=removal", { action: "remove", property: "", before: String(START + 1), sure: "1" });
  assert.equal(removed.statusCode, 303, removed.body);
  const refused = await visitor.post("/dev/logs/1", { action: "replay" });
  assert.equal(refused.statusCode, 409);
  assert.match(refused.body, /The body of message 1 is no longer kept, so it cannot be sent again/);
  const { body, statusCode } = await service.inject("/dev/logs/1?body=request");
  assert.equal(statusCode, 404);
  assert.match(body, /Bodies of message &#39;1&#39; not found/);
});

test("A body is shown as text, which no browser runs or keeps", async () => {
  await using service = await startApp();
  await sendForm(service);
  for (const which of ["request", "answer"]) {
    const { headers } = await service.inject(`/dev/logs/1?body=${which}`);
    const { "content-type": type, "cache-control": keeping, "x-content-type-options": sniffing } = headers;
    assert.deepEqual([type, keeping, sniffing], ["text/plain; charset=utf-8", "no-store", "nosniff"]);
  }
});

test("The entry of a dry run says what it would have changed, and when it is sent again that is none either", async () => {
  await using service = await startApp();
  await makeHotel(service);
  const visitor = service.visitor();
  await visitor.post("/dev/channel", { action: "send", xml: XML, transport: "raw", run: "dry" });
  const { changes, changedNights } = (await service.inject("/dev/logs/1?format=json")).json<Record<string, unknown>>();
  assert.deepEqual([changes, changedNights], [null, 1], "what would have changed is not kept");
  const entry = await service.inject("/dev/logs/1");
  assert.match(entry.body, /<h2>What it would have changed<\/h2>\s*<p>1 night; a dry run stores nothing but this entry\.<\/p>/);
  await visitor.post("/dev/logs/1", { action: "replay" });
  assert.match((await service.inject("/dev/logs/2")).body, /What it would have changed/);
  assert.doesNotMatch((await service.inject("/inventories?property=ALP&format=json")).body, /"available"/);
});
