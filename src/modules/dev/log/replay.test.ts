import assert from "node:assert/strict";
import { test } from "node:test";
import { START, startApp, type TestApp } from "../../../../test/support/app.ts";
import { eachEngine } from "../../../../test/support/databases.ts";
import { countMessage, makeHotel, postMessage, postXml, textOf, TODAY } from "../../../../test/support/hotel.ts";
import { addSender, BY_TEST } from "../../../../test/support/senders.ts";
import { messages } from "../../channel/messages/index.ts";
import { setCode } from "../../channel/senders/code-store.ts";
import { deleteSender } from "../../channel/senders/edit-store.ts";

const ACTION = "OTA_HotelInvCountNotif:FreeRooms";
const XML = countMessage({ control: `Start="${TODAY}" End="${TODAY}" InvTypeCode="DBL"`, counts: [[2, 3]] });

test("replays an AlpineBits form unchanged and opens it in the console with its version and action", async () => {
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
  assert.equal(selected(body, "version"), "2022-10");
  assert.equal(selected(body, "transport"), "alpinebits");
  assert.match(body, new RegExp(`name="messageAction"[^>]*value="${ACTION}"`));
  assert.match(body, /&lt;OTA_HotelInvCountNotifRQ /);
});

test("opens an example in the console with its transport and version", async () => {
  await using service = await startApp();
  const examples = messages.flatMap((message) => message.examples).filter(({ transport }) => transport === "alpinebits");
  const versions = new Set(examples.map(({ version }) => version));
  assert.ok(versions.size > 1);
  for (const { name, version = "2024-10" } of examples) {
    const { body } = await service.inject(`/dev/channel?example=${name}`);
    assert.equal(selected(body, "version"), version, name);
    assert.equal(selected(body, "transport"), "alpinebits", name);
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

function selected(body: string, name: string): string | undefined {
  const [select = ""] = new RegExp(`<select[^>]*name="${name}"[\\s\\S]*?</select>`).exec(body) ?? [];
  return /<option value="([^"]*)" selected/.exec(select)?.[1];
}

test("does not replay a message whose body is no longer stored", async () => {
  await using service = await startApp();
  await makeHotel(service);
  await sendForm(service);
  const visitor = service.visitor();
  await visitor.get("/dev/logs/1");
  const removed = await visitor.post("/dev/logs?view=removal", { action: "remove", property: "", before: String(START + 1), sure: "1" });
  assert.equal(removed.statusCode, 303, removed.body);
  const refused = await visitor.post("/dev/logs/1", { action: "replay" });
  assert.equal(refused.statusCode, 409);
  assert.match(refused.body, /The body of message 1 is no longer available, so it cannot be replayed/);
  const { body, statusCode } = await service.inject("/dev/logs/1?body=request");
  assert.equal(statusCode, 404);
  assert.match(body, /Bodies of message &#39;1&#39; not found/);
});

test("serves bodies as plain text that browsers neither run nor cache", async () => {
  await using service = await startApp();
  await sendForm(service);
  for (const which of ["request", "answer"]) {
    const { headers } = await service.inject(`/dev/logs/1?body=${which}`);
    const { "content-type": type, "cache-control": keeping, "x-content-type-options": sniffing } = headers;
    assert.deepEqual([type, keeping, sniffing], ["text/plain; charset=utf-8", "no-store", "nosniff"]);
  }
});

test("shows how many nights a dry run would change, and replays it as a dry run", async () => {
  await using service = await startApp();
  await makeHotel(service);
  const visitor = service.visitor();
  await visitor.post("/dev/channel", { action: "send", xml: XML, transport: "raw", run: "dry" });
  const { changes, changedNights } = (await service.inject("/dev/logs/1?format=json")).json<Record<string, unknown>>();
  assert.deepEqual([changes, changedNights], [null, 1], "changes of a dry run are not stored");
  const entry = await service.inject("/dev/logs/1");
  assert.match(entry.body, /<h2>Changes \(dry run\)<\/h2>\s*<p>1 night would have changed\. A dry run stores only this log entry\.<\/p>/);
  await visitor.post("/dev/logs/1", { action: "replay" });
  assert.match((await service.inject("/dev/logs/2")).body, /Changes \(dry run\)/);
  assert.doesNotMatch((await service.inject("/inventories?property=ALP&format=json")).body, /"available"/);
});

eachEngine("a replay", (open) => {
  test("a replay processes the message again and marks it as a duplicate", async () => {
    await using service = await startApp({ database: await open() });
    await makeHotel(service);
    await postMessage(service, XML);
    await postMessage(service, XML.replace('Count="3"', 'Count="0"'));
    const visitor = service.visitor();
    const answer = await visitor.post("/dev/logs/1", { action: "replay" });
    assert.deepEqual([answer.statusCode, answer.headers.location], [303, "/dev/logs/3"]);
    const page = textOf(await visitor.get("/dev/logs/3"));
    const { body } = await visitor.get("/dev/logs/1");
    for (const one of ["property=ALP", "sender=pms"]) assert.ok(body.includes(`href="/dev/logs?${one}">all messages<`), one);
    assert.match(page, /Message #1 was replayed\. Outcome: ok, status 200\./);
    assert.match(page, /Replay of #1 Duplicate same body as #1/);
    assert.match((await service.inject("/inventories?property=ALP&format=json")).body, /"available": 3/);
    const { via, sameAs } = (await service.inject("/dev/logs/3?format=json")).json<{ via: string; sameAs: number }>();
    assert.deepEqual([via, sameAs], ["console", 1]);
    await postXml(service, XML.replace('"DBL"', '"NONE"'));
    await visitor.post("/dev/logs/4", { action: "replay" });
    assert.match(textOf(await visitor.get("/dev/logs/5")), /Message #4 was replayed\. Outcome: refused, status 200\./);
  });

  test("a replay keeps the sender's codes and limits and names the user in the audit log", async () => {
    await using service = await startApp({ database: await open() });
    await makeHotel(service);
    const secret = await addSender(service.database, { name: "pms", hotels: ["ALP"] });
    await setCode(service.database, { sender: "pms", kind: "category", property: "ALP", code: "DOUBLE", target: "DBL" }, BY_TEST);
    const headers = { "content-type": "application/xml", "x-api-key": secret };
    const sent = await service.inject({ method: "POST", url: "/channel", headers, payload: XML.replace('"DBL"', '"DOUBLE"') });
    assert.match(sent.body, /<Success\/>/);
    const other = await service.inject({ method: "POST", url: "/channel", headers, payload: XML.replace('"ALP"', '"BET"') });
    assert.match(other.body, /You do not have access to hotel BET/);
    const visitor = service.visitor();
    await visitor.get("/dev/logs/1");
    for (const [from, to, outcome] of [
      ["1", "3", "ok"],
      ["2", "4", "refused"],
    ] as const) {
      const { headers: answered } = await visitor.post(`/dev/logs/${from}`, { action: "replay" });
      assert.equal(answered.location, `/dev/logs/${to}`);
      const entry = (await service.inject(`/dev/logs/${to}?format=json`)).json<{ sender: string; outcome: string }>();
      assert.deepEqual([entry.sender, entry.outcome], ["pms", outcome]);
    }
    await addSender(service.database, { name: "other", hotels: ["ALP"] });
    await deleteSender(service.database, "pms", BY_TEST);
    const refused = await visitor.post("/dev/logs/1", { action: "replay" });
    assert.equal(refused.statusCode, 409);
    assert.match(textOf(refused), /Connection 'pms' does not exist/);
    const { entries } = (await service.inject("/tools/audit?subject=message:1&format=json")).json<{ entries: Record<string, string>[] }>();
    assert.deepEqual(
      entries.map(({ action, user }) => [action, user]),
      [["replay", "open"]],
    );
  });
});
