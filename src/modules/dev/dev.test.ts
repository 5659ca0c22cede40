import assert from "node:assert/strict";
import { METHODS } from "node:http";
import { test } from "node:test";
import { START, startApp, type TestApp } from "../../../test/support/app.ts";
import { eachEngine } from "../../../test/support/databases.ts";
import { countMessage, makeHotel, makeProperty, postMessage, postXml, rateMessage, textOf, TODAY } from "../../../test/support/hotel.ts";
import { localMoment } from "../../web/parts/moment.ts";

const WEEK = `Start="${TODAY}" End="2026-11-26" InvTypeCode="DBL"`;
const COUNTS = countMessage({ control: WEEK, counts: [[2, 3]] });
const ANY = METHODS.filter((method) => !["CONNECT", "HEAD"].includes(method));

type Entry = {
  id: number;
  property?: string;
  message?: string;
  outcome: string;
  sender?: string;
  via: string;
  dryRun: boolean;
  sameAs?: number;
};

eachEngine("The message log", (open) => {
  test("Every message is listed with its answer, newest first, and can be filtered", async () => {
    await using service = await startApp({ database: await open() });
    await makeHotel(service);
    await makeProperty(service, { code: "SEA", name: "Seaside" });
    await postMessage(service, COUNTS, "zenith");
    await postXml(service, countMessage({ control: WEEK.replace("DBL", "NONE"), counts: [[2, 3]] }), "other");
    service.clock.set(START + 3_600_000);
    await postXml(service, "<broken", "other");
    await postXml(service, COUNTS.replace('"ALP"', '"SEA"'));
    assert.deepEqual(
      (await list(service)).map(({ id }) => id),
      [4, 3, 2, 1],
    );
    assert.deepEqual(await ids(service, "property=SEA"), [4]);
    assert.deepEqual(await ids(service, "outcome=ok"), [1]);
    assert.deepEqual(await ids(service, "outcome=malformed"), [3]);
    assert.deepEqual(await ids(service, "sender=other"), [3, 2]);
    assert.deepEqual(await ids(service, "message=OTA_HotelInvCountNotifRQ&property=ALP"), [2, 1]);
    assert.deepEqual(await ids(service, "q=available+3"), [1]);
    assert.deepEqual(await ids(service, "q=%00"), []);
    const half = localMoment(START + 1_800_000).replace(" ", "T");
    assert.deepEqual(await ids(service, `from=${half}`), [4, 3]);
    assert.deepEqual(await ids(service, `to=${half}`), [2, 1]);
    const text = textOf(await service.inject("/dev/logs?outcome=refused"));
    assert.match(text, /refused ALP OTA_HotelInvCountNotifRQ Room type code not found for this hotel \(NONE\) 200/);
    const csv = await service.inject("/dev/logs?format=csv&property=ALP");
    assert.match(csv.body, /^\ufeffid,receivedAt,property,message,action,outcome,status,/);
    assert.match(csv.body, /\r\n1,2026-11-20T09:00:00.000Z,ALP,OTA_HotelInvCountNotifRQ,,ok,200,/);
  });

  test("Messages are found by the status of their answer and by how long it took", async () => {
    await using service = await startApp({ database: await open() });
    await makeHotel(service);
    await postMessage(service, COUNTS);
    await postMessage(service, COUNTS);
    await postXml(service, " ");
    await service.database.write.updateTable("message").set({ micros: 750_000 }).where("id", "=", 1).execute();
    assert.deepEqual(await ids(service, "status=200"), [2, 1]);
    assert.deepEqual(await ids(service, "status=400"), [3]);
    assert.deepEqual(await ids(service, "slower=750"), [1]);
    assert.deepEqual(await ids(service, "slower=751"), []);
    const refused = await service.inject("/dev/logs?status=ok&slower=1.5");
    assert.equal(refused.statusCode, 422);
    assert.match(textOf(refused), /Enter an HTTP status such as 500 Enter milliseconds as a whole number, such as 500/);
  });

  test("Messages are found by their size, their lines and the way they came", async () => {
    await using service = await startApp({ database: await open() });
    await makeHotel(service);
    await postMessage(service, COUNTS);
    const more = countMessage({ control: WEEK, counts: [[2, 4]] }, { control: WEEK, counts: [[2, 5]] });
    await postMessage(service, more.replace("Version=", 'EchoToken="token-7" Version='));
    const visitor = service.visitor();
    await visitor.post("/dev/logs/1", { action: "replay" });
    assert.deepEqual(await ids(service, "lines=2"), [2]);
    assert.deepEqual(await ids(service, `bytes=${COUNTS.length + 1}`), [2]);
    assert.deepEqual(await ids(service, `bytes=${COUNTS.length}`), [3, 2, 1]);
    assert.deepEqual(await ids(service, "via=console"), [3]);
    assert.deepEqual(await ids(service, "via=channel&lines=2&q=token-7&message=OTA_HotelInvCountNotifRQ"), [2]);
    const page = await service.inject("/dev/logs?lines=2");
    assert.match(page.body, /<td class="number" data-label="Lines">2<\/td>/);
    assert.match(textOf(page), /OTA_HotelInvCountNotifRQ EchoToken token-7/);
    const refused = await service.inject("/dev/logs?lines=few&bytes=1k&via=post");
    assert.match(
      textOf(refused),
      /Enter bytes as a whole number, such as 1000000 Enter a whole number of lines, such as 1000 Choose a way from the list/,
    );
  });

  test("No message ends its own command and begins another, whatever its line ends", async () => {
    await using service = await startApp({ database: await open() });
    for (const [index, end] of ["\n", "\r\n", "\r"].entries()) {
      await postXml(service, ["<a>", "XML", "touch pwned", "XML_", "touch pwned", "</a>"].join(end));
      const { body } = await service.inject(`/dev/logs/${index + 1}`);
      const [, mark] = /&lt;&lt;&#39;(\w+)&#39;/.exec(body) ?? [];
      assert.equal(mark, "XML__", JSON.stringify(end));
    }
  });

  test("The size of a message can be read at a glance", async () => {
    await using service = await startApp({ database: await open() });
    await postXml(service, COUNTS + " ".repeat(1_234_567 - COUNTS.length));
    const page = await service.inject("/dev/logs");
    assert.match(page.body, /<th scope="col" class="number">Bytes<\/th>/);
    assert.match(page.body, /<td class="number" data-label="Bytes">1,234,567<\/td>/);
    assert.match(textOf(await service.inject("/dev/logs/1")), /1,234,567 bytes in, [\d,]+ bytes out/);
  });

  test("An entry shows request and answer, what changed with old and new values, and why it was refused", async () => {
    await using service = await startApp({ database: await open() });
    await makeHotel(service);
    await postMessage(service, COUNTS);
    await postMessage(service, countMessage({ control: WEEK, counts: [[2, 5]] }));
    await postXml(service, countMessage({ control: WEEK, counts: [[2, -1]] }));
    const second = textOf(await service.inject("/dev/logs/2"));
    assert.match(second, /DBL – 2026-11-20 to 2026-11-26 available 3 5/);
    assert.match(second, /<InvCount CountType="2" Count="5"\/>/);
    assert.match(second, /<Success\/>/);
    const third = textOf(await service.inject("/dev/logs/3"));
    assert.match(third, /Errors Invalid value "-1" for Count \(type 3, code 320, at 1:\d+\)/);
    assert.match(third, /No night was changed/);
    await postXml(service, COUNTS.replace('"ALP"', '"NONE"'));
    assert.match((await service.inject("/dev/logs/3")).body, /href="\/property\/ALP"/);
    assert.doesNotMatch((await service.inject("/dev/logs/4")).body, /href="\/property\/NONE"/, "a link to nothing");
    const data = (await service.inject("/dev/logs/2?format=json")).json<{ changes: { from: number; to: number }[]; request: string }>();
    assert.deepEqual(
      data.changes.map(({ from, to }) => [from, to]),
      [[3, 5]],
    );
    assert.match(data.request, /Count="5"/);
    assert.match((await service.inject("/dev/logs/2")).body, /<main id="main" class="wide"/, "its tables need the width");
  });

  test("What a message changed is told by kind, category and plan, whatever its order", async () => {
    await using service = await startApp({ database: await open() });
    await makeHotel(service);
    const night = `Start="${TODAY}" End="${TODAY}"`;
    const line = (category: string, plan: string) => ({
      control: `${night} InvTypeCode="${category}" RatePlanCode="${plan}"`,
      amounts: ['NumberOfGuests="1" AmountAfterTax="90.00"'],
    });
    await postMessage(service, rateMessage(line("SGL", "B"), line("DBL", "B"), line("SGL", "A"), line("DBL", "A")));
    const { changes } = (await service.inject("/dev/logs/1?format=json")).json<{ changes: { category: string; plan: string }[] }>();
    assert.deepEqual([...new Set(changes.map(({ category, plan }) => `${category} ${plan}`))], ["DBL A", "DBL B", "SGL A", "SGL B"]);
  });

  test("Without a property an example names codes that stand for yours", async () => {
    await using service = await startApp({ database: await open() });
    const { body } = await service.inject("/dev/channel?example=counts-of-a-week");
    assert.match(body, /HotelCode=&quot;HOTEL1&quot;/);
    assert.match(body, /InvTypeCode=&quot;DBL&quot;/);
  });

  test("An entry is sent again by Replay, and marked as the same body", async () => {
    await using service = await startApp({ database: await open() });
    await makeHotel(service);
    await postMessage(service, COUNTS);
    await postMessage(service, countMessage({ control: WEEK, counts: [[2, 0]] }));
    const visitor = service.visitor();
    const answer = await visitor.post("/dev/logs/1", { action: "replay" });
    assert.deepEqual([answer.statusCode, answer.headers.location], [303, "/dev/logs/3"]);
    const page = textOf(await visitor.get("/dev/logs/3"));
    const { body } = await visitor.get("/dev/logs/1");
    for (const one of ["property=ALP", "sender=pms"]) assert.ok(body.includes(`href="/dev/logs?${one}">all messages<`), one);
    assert.match(page, /Message #1 was sent again\. Outcome: ok, status 200\./);
    assert.match(page, /same body as #1/);
    assert.equal(await available(service), 3);
    assert.deepEqual([(await list(service))[0]!.via, (await list(service))[0]!.sameAs], ["console", 1]);
    await postXml(service, COUNTS.replace('"DBL"', '"NONE"'));
    await visitor.post("/dev/logs/4", { action: "replay" });
    assert.match(textOf(await visitor.get("/dev/logs/5")), /Message #4 was sent again\. Outcome: refused, status 200\./);
  });
});

eachEngine("The console", (open) => {
  test("Programs are given the form, and what came back, as JSON", async () => {
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

  test("A dry run shows what would change and changes nothing, then it is applied", async () => {
    await using service = await startApp({ database: await open() });
    await makeHotel(service);
    const visitor = service.visitor();
    const dry = textOf(await visitor.post("/dev/channel", { action: "send", run: "dry", transport: "raw", xml: COUNTS }));
    assert.match(dry, /Answer 200 ok Dry run: nothing was stored/);
    assert.match(dry, /What it would change 7 changed nights .* available nothing 3/);
    assert.equal(await available(service), undefined);
    const applied = textOf(await visitor.post("/dev/channel", { action: "send", run: "apply", transport: "raw", xml: COUNTS }));
    assert.match(applied, /What it changed 7 changed nights/);
    assert.match(applied, /curl -i http:\/\/localhost:80\/channel -H 'Content-Type: application\/xml' --data-binary @- <<'XML'/);
    assert.equal(await available(service), 3);
    assert.deepEqual(
      (await list(service)).map(({ dryRun, via }) => [dryRun, via]),
      [
        [false, "console"],
        [true, "console"],
      ],
    );
  });
});

test("Of a very large message the page shows the beginning, and leads to all of it as it came", async () => {
  await using service = await startApp();
  await makeHotel(service);
  const xml = COUNTS.replace("<Inventories", `${"<!-- filler -->".repeat(100_000)}<Inventories`);
  await postMessage(service, xml);
  const { body } = await service.inject("/dev/logs/1");
  assert.ok(body.length < 250_000, `${body.length}`);
  assert.match(body, /<p class="hint">The first 100,000 characters\.<\/p>/);
  const [, whole] = /<a href="([^"]+)">Request as it came<\/a>/.exec(body) ?? [];
  const text = await service.inject(whole!);
  assert.deepEqual([text.statusCode, text.headers["content-type"], text.body], [200, "text/plain; charset=utf-8", xml]);
  assert.equal((await service.inject("/dev/logs/1?format=json")).json<{ request: string }>().request, xml);
  assert.match((await service.inject("/dev/logs/1?body=answer")).body, /^<\?xml .*<Success\/>/s);
});

test("A body that holds no document is shown as it came", async () => {
  await using service = await startApp();
  const headers = { "content-type": "multipart/form-data; boundary=x" };
  await service.inject({
    method: "POST",
    url: "/channel",
    headers,
    payload: '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n--x--',
  });
  assert.match(
    textOf(await service.inject("/dev/logs/1")),
    /Request content-type: .* --x Content-Disposition: form-data; name="a" b --x--/,
  );
});

test("An example is written for a real property and the days from today", async () => {
  await using service = await startApp();
  await makeHotel(service);
  const visitor = service.visitor();
  const xml = messageOf((await visitor.get("/dev/channel?example=counts-of-a-week")).body);
  assert.match(xml, /HotelCode="ALP"/);
  assert.match(xml, new RegExp(`Start="${TODAY}" End="2026-11-26" InvTypeCode="DBL"`));
  assert.match(textOf(await visitor.post("/dev/channel", { action: "send", run: "apply", xml })), /Answer 200 ok/);
});

test("A message goes out in the transport that was chosen", async () => {
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
  assert.deepEqual([await chosen(1), await chosen(2)], ["soap11", "soap12"], "and again in the same one");
  const action = "OTA_HotelInvCountNotif:FreeRooms";
  const form = await send({ transport: "alpinebits", messageAction: action, version: "2024-10" });
  assert.match(form, new RegExp(`-F action=${action} -F 'request=<-'`));
  assert.match(await send({ transport: "alpinebits", messageAction: "nonsense" }), /Answer 400 .*ERROR:unknown or missing action/);
  assert.deepEqual(
    (await list(service)).map((entry) => entry.outcome),
    ["malformed", "ok", "ok", "ok"],
  );
  const stored = textOf(await service.inject("/dev/logs/1"));
  assert.match(stored, /<wsse:Username>anna &amp; co<\/wsse:Username>/);
  assert.doesNotMatch(stored, /geheim/);
});

test("A file is sent as it is, in its own encoding", async () => {
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
  assert.match(textOf(answer), /Answer 200 ok Sent through the channel/);
  assert.equal(await available(service), 3);
});

test("The console says for which hotel its examples end as expected", async () => {
  await using service = await startApp();
  assert.match(textOf(await service.inject("/dev/channel")), /What is expected holds for categories with 50 rooms for up to 4 guests/);
});

test("The console shows the fields of SOAP and AlpineBits where the chosen example needs them", async () => {
  await using service = await startApp();
  const isOpen = async (example: string) =>
    /<details open>\s*<summary>Fields of SOAP/.test((await service.inject(`/dev/channel?example=${example}`)).body);
  assert.deepEqual([await isOpen("ping"), await isOpen("counts-in-soap"), await isOpen("handshake")], [false, true, true]);
});

test("The log tells a message of the console from one whose sender is not named", async () => {
  await using service = await startApp();
  await service.inject({ method: "POST", url: "/channel", headers: { "content-type": "application/xml" }, payload: "<broken" });
  const visitor = service.visitor();
  assert.match(textOf(await visitor.post("/dev/channel", { action: "send", xml: "<OTA_PingRQ/>" })), /Dry run: nothing was stored/);
  const { body } = await visitor.get("/dev/logs");
  const [console, unnamed] = body.split("</tr>").slice(1);
  assert.match(console!, /<span class="badge">console<\/span>\s*<\/td>\s*$/);
  assert.match(unnamed!, /<td class="none">–<\/td>\s*$/);
});

test("The console folds the examples of each message, but for those that the chosen one is of", async () => {
  await using service = await startApp();
  const visitor = service.visitor();
  const unfolded = (body: string) => [...body.matchAll(/<details open>\s*<summary>(OTA_\w+)/g)].map(([, root]) => root);
  assert.deepEqual(unfolded((await visitor.get("/dev/channel")).body), []);
  const { body } = await visitor.get("/dev/channel?example=ping");
  assert.deepEqual(unfolded(body), ["OTA_PingRQ"]);
  const [, action = ""] = /<form method="post" action="([^"]+)"/.exec(body) ?? [];
  const sent = (await visitor.post(action, { action: "send", run: "dry", xml: "<OTA_PingRQ/>" })).body;
  assert.deepEqual(unfolded(sent), ["OTA_PingRQ"], "also after it was sent");
  assert.match(sent, /<b>ping<\/b>[^<]*Expected: success/);
});

test("A message of the log is opened in the console", async () => {
  await using service = await startApp();
  await makeHotel(service);
  await postXml(service, COUNTS);
  assert.equal(messageOf((await service.inject("/dev/channel?message=1")).body), COUNTS);
});

test("Older messages are found page by page", async () => {
  await using service = await startApp();
  for (let count = 0; count < 53; count++) await postXml(service, '<OTA_PingRQ xmlns="http://www.opentravel.org/OTA/2003/05"/>');
  const rows = (body: string) => [...body.matchAll(/<a href="\/dev\/logs\/(\d+)"/g)].map((row) => Number(row[1]));
  const first = await service.inject("/dev/logs?message=OTA_PingRQ");
  assert.deepEqual([rows(first.body).length, rows(first.body)[0]], [50, 53]);
  const older = /href="([^"]+)" rel="next"/.exec(first.body)![1]!.replaceAll("&amp;", "&");
  assert.deepEqual(rows((await service.inject(older)).body), [3, 2, 1]);
  assert.match(textOf(await service.inject("/dev/logs?before=1")), /No message matches/);
});

test("A message that does not exist is not found, a filter that cannot be read is said", async () => {
  await using service = await startApp();
  await postXml(service, "<OTA_PingRQ/>");
  for (const id of ["2", "x", "0", "01", "99999999999999999999"]) {
    const answer = await service.inject(`/dev/logs/${id}`);
    assert.equal(answer.statusCode, 404);
    assert.match(textOf(answer), new RegExp(`Message '${id}' not found`));
  }
  const wrong = await service.inject("/dev/logs?from=yesterday&outcome=fine");
  assert.equal(wrong.statusCode, 422);
  assert.match(textOf(wrong), /Choose an outcome from the list Enter a date such as/);
  assert.match(wrong.body, /<title>Error: Message log/);
  assert.match(
    wrong.body,
    /<p class="fault" id="e-from">Enter a date[^<]*<\/p>\s*<input[^>]*name="from"[^>]*value="yesterday"[^>]*aria-invalid="true"/,
  );
});

test("What a sender wrote is shown as text, never as markup", async () => {
  await using service = await startApp();
  await makeHotel(service);
  await postXml(service, COUNTS.replace('"ALP"', '"&lt;img src=x onerror=alert(1)>"'), "<b>bold</b>");
  for (const url of ["/dev/logs", "/dev/logs/1", "/dev", "/dev/channel?message=1"]) {
    const { body } = await service.inject(url);
    assert.match(body, /(&lt;|&amp;lt;)img src=x/, url);
    assert.doesNotMatch(body, /<img|<b>bold/, url);
  }
});

test("A code that runs from right to left turns no date of its summary around", async () => {
  await using service = await startApp();
  await makeHotel(service);
  const control = `Start="${TODAY}" End="2026-11-26" InvTypeCode="DBL" RatePlanCode="תוכנית-12"`;
  for (const price of [400, 500])
    await postMessage(service, rateMessage({ control, amounts: [`NumberOfGuests="2" AmountAfterTax="${price}"`] }));
  for (const url of ["/dev/logs", "/dev/logs/1", "/dev/logs/2?compare=previous", "/"]) {
    assert.match((await service.inject(url)).body, /<bdi>DBL\/תוכנית-12<\/bdi> 2026-11-20 to 2026-11-26/, url);
  }
});

test("Each kind of error is really raised and recorded", async () => {
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

test("Every page answers every method, and acts only with the form token", async () => {
  await using service = await startApp();
  await makeHotel(service);
  await postXml(service, COUNTS);
  for (const url of ["/dev", "/dev/channel", "/dev/logs", "/dev/logs/1"]) {
    for (const method of ANY) {
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
  assert.equal((await list(service)).length, 1);
});

test("Amounts that changed are told in the currency of each side, whether it changed or not", async () => {
  await using service = await startApp();
  await makeHotel(service);
  const control = `${WEEK} RatePlanCode="BAR"`;
  await postXml(service, rateMessage({ control, currency: "JPY", amounts: ['NumberOfGuests="2" AmountAfterTax="15000"'] }));
  await postXml(service, rateMessage({ control, currency: "JPY", amounts: ['NumberOfGuests="2" AmountAfterTax="16000"'] }));
  const tonight = control.replace("2026-11-26", "2026-11-20");
  await postXml(service, rateMessage({ control: tonight, currency: "EUR", amounts: ['NumberOfGuests="2" AmountAfterTax="165"'] }));
  const later = control.replace("2026-11-20", "2026-11-21");
  await postXml(service, rateMessage({ control: later, currency: "JPY", amounts: ['NumberOfGuests="2" AmountAfterTax="16500"'] }));
  await postXml(service, rateMessage({ control, currency: "USD", amounts: ['NumberOfGuests="2" AmountAfterTax="175"'] }));
  const changesOf = async (id: number) => textOf(await service.inject(`/dev/logs/${id}`));
  assert.match(await changesOf(1), /DBL BAR 2026-11-20 to 2026-11-26 amount after tax, 2 adults nothing 15,000 JPY/);
  assert.match(await changesOf(2), /amount after tax, 2 adults 15,000 JPY 16,000 JPY/);
  assert.match(await changesOf(3), /2026-11-20 amount after tax, 2 adults 16,000 JPY 165.00 EUR/);
  assert.match(await changesOf(5), /2026-11-20 amount after tax, 2 adults 165.00 EUR 175.00 USD/);
  assert.match(await changesOf(5), /2026-11-21 to 2026-11-26 amount after tax, 2 adults 16,500 JPY 175.00 USD/);
});

async function list(service: TestApp, query = ""): Promise<Entry[]> {
  return (await service.inject(`/dev/logs?format=json&${query}`)).json<{ messages: Entry[] }>().messages;
}

async function ids(service: TestApp, query: string): Promise<number[]> {
  return (await list(service, query)).map(({ id }) => id);
}

/** How many rooms are available today. */
async function available(service: TestApp): Promise<number | undefined> {
  const grid = (await service.inject("/inventories?property=ALP&format=json")).json<{
    categories: { nights: { available?: number }[] }[];
  }>();
  return grid.categories[0]!.nights[0]!.available;
}

/** What is in the console's text field. */
function messageOf(body: string): string {
  const text = /<textarea[^>]*>\n([\s\S]*?)<\/textarea>/.exec(body)![1]!;
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&#39;", "'").replaceAll("&amp;", "&");
}
