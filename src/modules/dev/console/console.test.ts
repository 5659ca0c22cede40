import assert from "node:assert/strict";
import { test } from "node:test";
import { startApp, type TestApp } from "../../../../test/support/app.ts";
import { eachEngine } from "../../../../test/support/databases.ts";
import { countMessage, makeHotel, postXml, textOf, TODAY } from "../../../../test/support/hotel.ts";
import { addSender, BY_TEST } from "../../../../test/support/senders.ts";
import { setCode } from "../../channel/senders/code-store.ts";

const WEEK = `Start="${TODAY}" End="2026-11-26" InvTypeCode="DBL"`;
const COUNTS = countMessage({ control: WEEK, counts: [[2, 3]] });

eachEngine("the console", (open) => {
  test("the console returns its form and result as JSON", async () => {
    await using service = await startApp({ database: await open() });
    await makeHotel(service);
    const visitor = service.visitor();
    const { property, message, examples } = (await visitor.get("/dev/channel?example=counts-of-a-week&format=json")).json();
    assert.deepEqual([property, message.transport], ["ALP", "raw"]);
    assert.ok(examples.some(({ name }: { name: string }) => name === "counts-of-a-week"));
    const sent = { action: "send", run: "apply", transport: "raw", xml: message.xml };
    await visitor.get("/dev/channel");
    const { id, outcome, answer, answerHeaders, curl } = (await visitor.post("/dev/channel", sent, { accept: "application/json" })).json();
    assert.deepEqual([id, outcome, answerHeaders["content-type"]], [1, "ok", "application/xml; charset=utf-8"]);
    assert.match(answer, /<Success\/>/);
    assert.match(curl, /^curl /);
    const index = (await service.inject("/dev?format=json")).json();
    assert.deepEqual([index.endpoint, index.messages.length], ["http://localhost:80/channel", 1]);
  });

  test("shows changes in a dry run without storing them, then applies them", async () => {
    await using service = await startApp({ database: await open() });
    await makeHotel(service);
    const visitor = service.visitor();
    const dry = textOf(await visitor.post("/dev/channel", { action: "send", run: "dry", transport: "raw", xml: COUNTS }));
    assert.match(dry, /Response 200 ok Dry run\. Only the log entry was stored\./);
    assert.match(dry, /Changes it would make 7 changed nights .* available nothing 3/);
    assert.equal(await available(service), undefined);
    const applied = textOf(await visitor.post("/dev/channel", { action: "send", run: "apply", transport: "raw", xml: COUNTS }));
    assert.match(applied, /Changes 7 changed nights/);
    assert.match(applied, /curl -i http:\/\/localhost:80\/channel -H 'Content-Type: application\/xml' --data-binary @- <<'XML'/);
    assert.equal(await available(service), 3);
    assert.deepEqual(
      (await loggedMessages(service)).map(({ dryRun, via }) => [dryRun, via]),
      [
        [false, "console"],
        [true, "console"],
      ],
    );
  });

  test("uses made-up codes in examples if there are no properties", async () => {
    await using service = await startApp({ database: await open() });
    const { body } = await service.inject("/dev/channel?example=counts-of-a-week");
    assert.match(body, /HotelCode=&quot;HOTEL1&quot;/);
    assert.match(body, /InvTypeCode=&quot;DBL&quot;/);
  });
});

test("fills examples with an existing property and dates starting today", async () => {
  await using service = await startApp();
  await makeHotel(service);
  const visitor = service.visitor();
  const xml = messageOf((await visitor.get("/dev/channel?example=counts-of-a-week")).body);
  assert.match(xml, /HotelCode="ALP"/);
  assert.match(xml, new RegExp(`Start="${TODAY}" End="2026-11-26" InvTypeCode="DBL"`));
  assert.match(textOf(await visitor.post("/dev/channel", { action: "send", run: "apply", xml })), /Response 200 ok/);
});

test("sends a message with the chosen transport", async () => {
  await using service = await startApp();
  await makeHotel(service);
  const visitor = service.visitor();
  const send = async (fields: Record<string, string>) =>
    textOf(await visitor.post("/dev/channel", { action: "send", run: "apply", xml: COUNTS, ...fields }));
  assert.match(
    await send({ transport: "soap11", username: "anna & co", password: "<geheim" }),
    /<soap:Envelope .*<OTA_HotelInvCountNotifRS/,
  );
  assert.match(await send({ transport: "soap12" }), /<env:Envelope .*<OTA_HotelInvCountNotifRS/);
  const chosen = async (id: number) => /<option value="(\w+)" selected/.exec((await visitor.get(`/dev/channel?message=${id}`)).body)?.[1];
  assert.deepEqual([await chosen(1), await chosen(2)], ["soap11", "soap12"], "reopens a message with its transport");
  const action = "OTA_HotelInvCountNotif:FreeRooms";
  const form = await send({ transport: "alpinebits", messageAction: action, version: "2024-10" });
  assert.match(form, new RegExp(`-F action=${action} -F 'request=<-'`));
  assert.match(await send({ transport: "alpinebits", messageAction: "nonsense" }), /Response 400 .*ERROR:unknown or missing action/);
  assert.deepEqual(
    (await loggedMessages(service)).map((entry) => entry.outcome),
    ["malformed", "ok", "ok", "ok"],
  );
  const stored = textOf(await service.inject("/dev/logs/1"));
  assert.match(stored, /<wsse:Username>anna &amp; co<\/wsse:Username>/);
  assert.doesNotMatch(stored, /geheim/);
});

test("reads a message with the chosen profile and settings", async () => {
  await using service = await startApp();
  await makeHotel(service);
  const visitor = service.visitor();
  const xml = countMessage({ control: `Start="${TODAY}" End="2026-11-26" RatePlanCode="DBL"`, counts: [[2, 3]] });
  const send = async (fields: Record<string, string>) =>
    visitor.post("/dev/channel", { action: "send", run: "dry", transport: "raw", xml, ...fields });
  await visitor.get("/dev/channel");
  const chosen = await send({ profile: "ctrip-2", settings: "end=excluded distribution=ABC" });
  assert.match(textOf(chosen), /6 changed nights .* available nothing 3/);
  assert.match(chosen.body, /<option value="ctrip-2" selected>/);
  assert.match(chosen.body, /name="settings"[^>]*value="end=excluded distribution=ABC"/);
  assert.doesNotMatch(textOf(await send({})), /changed nights .* available nothing 3/);
  const other = xml.replace('HotelCode="ALP"', 'HotelCode="OTHER"').replace("RatePlanCode", "InvTypeCode");
  assert.match(textOf(await send({ settings: "hotelCode=credential", xml: other })), /7 changed nights/);
});

test("refuses unknown profiles and settings without sending anything", async () => {
  await using service = await startApp();
  const visitor = service.visitor();
  await visitor.get("/dev/channel");
  for (const [fields, fault] of [
    [{ profile: "excellent" }, /Unknown profile 'excellent'\. Allowed: standard, .*/],
    [{ settings: "end=outside" }, /end cannot be 'outside'\. Allowed: included, excluded\./],
  ] as const) {
    const answer = await visitor.post("/dev/channel", { action: "send", run: "apply", transport: "raw", xml: COUNTS, ...fields });
    assert.equal(answer.statusCode, 422);
    assert.match(textOf(answer), fault);
  }
  assert.deepEqual(await loggedMessages(service), []);
});

test("opens and replays a logged message with its sender's profile", async () => {
  await using service = await startApp();
  await makeHotel(service);
  const profile = { preset: "ctrip-2", settings: { end: "excluded" } } as const;
  const secret = await addSender(service.database, { name: "pms", profile });
  const payload = countMessage({ control: `Start="${TODAY}" End="2026-11-26" RatePlanCode="DBL"`, counts: [[2, 3]] });
  const headers = { authorization: `Bearer ${secret}`, "content-type": "application/xml" };
  await service.inject({ method: "POST", url: "/channel", headers, payload });
  const visitor = service.visitor();
  const opened = (await visitor.get("/dev/channel?message=1")).body;
  assert.match(opened, /<option value="ctrip-2" selected>/);
  assert.match(opened, /name="settings"[^>]*value="end=excluded"/);
  await visitor.get("/dev/logs/1");
  await visitor.post("/dev/logs/1", { action: "replay" });
  assert.deepEqual(
    (await loggedMessages(service)).map(({ outcome }) => outcome),
    ["ok", "ok"],
  );
});

test("resends an opened message with its connection's codes and limits, and names the user in the audit log", async () => {
  await using service = await startApp();
  await makeHotel(service);
  const secret = await addSender(service.database, { name: "pms", hotels: ["ALP"] });
  await setCode(service.database, { sender: "pms", kind: "category", property: "ALP", code: "DOUBLE", target: "DBL" }, BY_TEST);
  const xml = COUNTS.replace('"DBL"', '"DOUBLE"');
  await service.inject({
    method: "POST",
    url: "/channel",
    headers: { authorization: `Bearer ${secret}`, "content-type": "application/xml" },
    payload: xml.replace('Count="3"', 'Count="4"'),
  });
  const visitor = service.visitor();
  const opened = (await visitor.get("/dev/channel?message=1")).body;
  assert.match(opened, /<option value="pms" selected>pms, with its properties and code mapping</);
  const send = (fields: Record<string, string>) =>
    visitor.post("/dev/channel?sender=pms", { action: "send", run: "apply", transport: "raw", xml, sender: "pms", ...fields });
  assert.match(textOf(await send({})), /Changes 7 changed nights/);
  assert.equal(await available(service), 3);
  assert.match(textOf(await send({ xml: xml.replace('"ALP"', '"BET"') })), /You do not have access to hotel BET/);
  const own = await send({ sender: "" });
  assert.match(textOf(own), /Room type code not found for this hotel \(DOUBLE\)/);
  assert.match(own.body, /<option value="pms">/, "can be chosen again");
  const unknown = await send({ sender: "other" });
  assert.deepEqual([unknown.statusCode, textOf(unknown).includes("Connection other does not exist")], [422, true]);
  await send({ sender: "", run: "dry" });
  const { entries } = (await service.inject("/tools/audit?action=send&format=json")).json<{ entries: Record<string, string>[] }>();
  assert.deepEqual(
    entries.map(({ user, subject }) => [user, subject]),
    [
      ["open", "message:4"],
      ["open", "message:3"],
      ["open", "message:2"],
    ],
    "a dry run as a user changes nothing",
  );
});

test("sends a file unchanged, in its own encoding", async () => {
  await using service = await startApp();
  await makeHotel(service);
  const visitor = service.visitor();
  const page = await visitor.get("/dev/channel");
  const token = /name="_csrf" value="([^"]+)"/.exec(page.body)![1]!;
  const file = Buffer.from(COUNTS.replace("<OTA_", '<?xml version="1.0" encoding="UTF-16"?><OTA_'), "utf16le");
  const form = new FormData();
  for (const [name, value] of Object.entries({ _csrf: token, action: "send", run: "apply", transport: "raw", xml: "" }))
    form.append(name, value);
  form.append("file", new Blob([Buffer.from([0xff, 0xfe]), file]), "message.xml");
  const request = new Request("http://localhost/", { method: "POST", body: form });
  const cookies = Object.fromEntries(page.cookies.map(({ name, value }) => [name, value]));
  const headers = { "content-type": request.headers.get("content-type")! };
  const answer = await service.inject({
    method: "POST",
    url: "/dev/channel",
    headers,
    cookies,
    payload: Buffer.from(await request.arrayBuffer()),
  });
  assert.match(textOf(answer), /Response 200 ok Message sent\./);
  assert.equal(await available(service), 3);
});

test("explains what the expected results of the examples depend on", async () => {
  await using service = await startApp();
  assert.match(textOf(await service.inject("/dev/channel")), /Expected results assume categories with 50 rooms for up to 4 guests/);
});

test("opens the SOAP and AlpineBits options if the selected example needs them", async () => {
  await using service = await startApp();
  const isOpen = async (example: string) =>
    /<details open>\s*<summary>SOAP and AlpineBits options/.test((await service.inject(`/dev/channel?example=${example}`)).body);
  assert.deepEqual([await isOpen("ping"), await isOpen("counts-in-soap"), await isOpen("handshake")], [false, true, true]);
});

test("expands only the message type of the chosen example", async () => {
  await using service = await startApp();
  const visitor = service.visitor();
  const expanded = (body: string) => [...body.matchAll(/<details open>\s*<summary>(OTA_\w+)/g)].map(([, root]) => root);
  assert.deepEqual(expanded((await visitor.get("/dev/channel")).body), []);
  const { body } = await visitor.get("/dev/channel?example=ping");
  assert.deepEqual(expanded(body), ["OTA_PingRQ"]);
  const [, action = ""] = /<form method="post" action="([^"]+)"/.exec(body) ?? [];
  const sent = (await visitor.post(action, { action: "send", run: "dry", xml: "<OTA_PingRQ/>" })).body;
  assert.deepEqual(expanded(sent), ["OTA_PingRQ"], "also after sending");
  assert.match(sent, /<b>ping<\/b>[^<]*Expected: success/);
});

test("the console opens a logged message", async () => {
  await using service = await startApp();
  await makeHotel(service);
  await postXml(service, COUNTS);
  assert.equal(messageOf((await service.inject("/dev/channel?message=1")).body), COUNTS);
});

type Entry = { outcome: string; dryRun: boolean; via: string };

async function loggedMessages(service: TestApp): Promise<Entry[]> {
  return (await service.inject("/dev/logs?format=json")).json<{ messages: Entry[] }>().messages;
}

async function available(service: TestApp): Promise<number | undefined> {
  const grid = (await service.inject("/inventories?property=ALP&format=json")).json<{
    categories: { nights: { available?: number }[] }[];
  }>();
  return grid.categories[0]!.nights[0]!.available;
}

function messageOf(body: string): string {
  const text = /<textarea[^>]*>\n([\s\S]*?)<\/textarea>/.exec(body)![1]!;
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&amp;", "&");
}
