import assert from "node:assert/strict";
import { test } from "node:test";
import { START, startApp, type TestApp } from "../../../../test/support/app.ts";
import { eachEngine } from "../../../../test/support/databases.ts";
import { countMessage, makeHotel, makeProperty, postMessage, postXml, rateMessage, textOf, TODAY } from "../../../../test/support/hotel.ts";
import { formatNight, parseNight } from "../../../calendar/night.ts";
import { localMoment } from "../../../web/parts/moment.ts";

const WEEK = `Start="${TODAY}" End="2026-11-26" InvTypeCode="DBL"`;
const COUNTS = countMessage({ control: WEEK, counts: [[2, 3]] });

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

eachEngine("the message log", (open) => {
  test("lists messages newest first and filters them", async () => {
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

  test("the message log filters by status and duration", async () => {
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
    assert.match(textOf(refused), /Enter an HTTP status such as 500 Enter a duration in whole milliseconds, such as 500/);
  });

  test("the message log filters by size, number of lines and source", async () => {
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
      /Enter a size in whole bytes, such as 1000000 Enter a whole number of lines, such as 1000 Choose a source from the list/,
    );
  });

  test("does not let any kind of line ending in a message break out of its curl command", async () => {
    await using service = await startApp({ database: await open() });
    for (const [index, end] of ["\n", "\r\n", "\r"].entries()) {
      await postXml(service, ["<a>", "XML", "touch pwned", "XML_", "touch pwned", "</a>"].join(end));
      const { body } = await service.inject(`/dev/logs/${index + 1}`);
      const [, delimiter] = /&lt;&lt;&#39;(\w+)&#39;/.exec(body) ?? [];
      assert.equal(delimiter, "XML__", JSON.stringify(end));
    }
  });

  test("shows a message's size in bytes", async () => {
    await using service = await startApp({ database: await open() });
    await postXml(service, COUNTS + " ".repeat(1_234_567 - COUNTS.length));
    const page = await service.inject("/dev/logs");
    assert.match(page.body, /<th scope="col" class="number">Bytes<\/th>/);
    assert.match(page.body, /<td class="number" data-label="Bytes">1,234,567<\/td>/);
    assert.match(textOf(await service.inject("/dev/logs/1")), /1,234,567 bytes in, [\d,]+ bytes out/);
  });

  test("shows the request, the response, old and new values, and the reason for a refusal", async () => {
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
    assert.match(third, /Errors Invalid value "-1" for Count \( type 3, code 320, at 1:\d+\)/);
    assert.match(third, /No nights changed\./);
    await postXml(service, COUNTS.replace('"ALP"', '"NONE"'));
    assert.match((await service.inject("/dev/logs/3")).body, /href="\/property\/ALP"/);
    assert.doesNotMatch((await service.inject("/dev/logs/4")).body, /href="\/property\/NONE"/, "no link to a missing property");
    const data = (await service.inject("/dev/logs/2?format=json")).json<{ changes: { from: number; to: number }[]; request: string }>();
    assert.deepEqual(
      data.changes.map(({ from, to }) => [from, to]),
      [[3, 5]],
    );
    assert.match(data.request, /Count="5"/);
    assert.match((await service.inject("/dev/logs/2")).body, /<main id="main" class="wide"/, "wide enough for its tables");
  });

  test("sorts changes by category and rate plan", async () => {
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
});

test("shows the start of a large message and links to the raw body", async () => {
  await using service = await startApp();
  await makeHotel(service);
  const xml = COUNTS.replace("<Inventories", `${"<!-- filler -->".repeat(100_000)}<Inventories`);
  await postMessage(service, xml);
  const { body } = await service.inject("/dev/logs/1");
  assert.ok(body.length < 250_000, `${body.length}`);
  assert.match(body, /<p class="hint">First 100,000 characters<\/p>/);
  const [, raw] = /<a href="([^"]+)">Raw request<\/a>/.exec(body) ?? [];
  const text = await service.inject(raw!);
  assert.deepEqual([text.statusCode, text.headers["content-type"], text.body], [200, "text/plain; charset=utf-8", xml]);
  assert.equal((await service.inject("/dev/logs/1?format=json")).json<{ request: string }>().request, xml);
  assert.match((await service.inject("/dev/logs/1?body=answer")).body, /^<\?xml .*<Success\/>/s);
});

test("shows the raw body if it contains no document", async () => {
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

test("shows only the first 200 changes", async () => {
  await using service = await startApp();
  await makeHotel(service);
  const runs = (count: number) =>
    Array.from({ length: count }, (_, at) => {
      const night = formatNight(parseNight(TODAY)! + at);
      return `<Inventory><StatusApplicationControl Start="${night}" End="${night}" InvTypeCode="DBL"/><InvCounts><InvCount CountType="2" Count="${1 + (at % 9)}"/></InvCounts></Inventory>`;
    }).join("");
  const one = countMessage({ control: `Start="2026-11-20" End="2026-11-20" InvTypeCode="DBL"` });
  await postMessage(service, one.replace(/<Inventory>.*<\/Inventory>/s, runs(300)));
  const { body } = await service.inject("/dev/logs/1");
  assert.match(body, /First 200 of 300 changes/);
  assert.equal(body.match(/data-label="New"/g)?.length, 200);
  assert.doesNotMatch((await service.inject("/dev/logs/1?format=json")).body, /First 200/);
});

test("distinguishes console messages from messages without a sender", async () => {
  await using service = await startApp();
  await service.inject({ method: "POST", url: "/channel", headers: { "content-type": "application/xml" }, payload: "<broken" });
  const visitor = service.visitor();
  assert.match(
    textOf(await visitor.post("/dev/channel", { action: "send", xml: "<OTA_PingRQ/>" })),
    /Dry run\. Only the log entry was stored\./,
  );
  const { body } = await visitor.get("/dev/logs");
  const [console, unnamed] = body.split("</tr>").slice(1);
  assert.match(console!, /<span class="badge">console<\/span>\s*<\/td>\s*$/);
  assert.match(unnamed!, /<td class="none">–<\/td>\s*$/);
});

test("lists older messages on the next page", async () => {
  await using service = await startApp();
  for (let count = 0; count < 43; count++) await postXml(service, '<OTA_PingRQ xmlns="http://www.opentravel.org/OTA/2003/05"/>');
  const rows = (body: string) => [...body.matchAll(/<a href="\/dev\/logs\/(\d+)"/g)].map((row) => Number(row[1]));
  const first = await service.inject("/dev/logs?message=OTA_PingRQ");
  assert.deepEqual([rows(first.body).length, rows(first.body)[0]], [40, 43]);
  const older = /href="([^"]+)" rel="next"/.exec(first.body)![1]!.replaceAll("&amp;", "&");
  assert.deepEqual(rows((await service.inject(older)).body), [3, 2, 1]);
  assert.match(textOf(await service.inject("/dev/logs?before=1")), /No messages match these filters/);
});

test("returns 404 for an unknown message and 422 for an invalid filter", async () => {
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

test("escapes markup in messages", async () => {
  await using service = await startApp();
  await makeHotel(service);
  await postXml(service, COUNTS.replace('"ALP"', '"&lt;img src=x onerror=alert(1)>"'), "<b>bold</b>");
  for (const url of ["/dev/logs", "/dev/logs/1", "/dev", "/dev/channel?message=1"]) {
    const { body } = await service.inject(url);
    assert.match(body, /(&lt;|&amp;lt;)img src=x/, url);
    assert.doesNotMatch(body, /<img|<b>bold/, url);
  }
});

test("isolates a right-to-left code from the dates in the summary", async () => {
  await using service = await startApp();
  await makeHotel(service);
  const control = `Start="${TODAY}" End="2026-11-26" InvTypeCode="DBL" RatePlanCode="תוכנית-12"`;
  for (const price of [400, 500])
    await postMessage(service, rateMessage({ control, amounts: [`NumberOfGuests="2" AmountAfterTax="${price}"`] }));
  for (const url of ["/dev/logs", "/dev/logs/1", "/dev/logs/2?compare=previous", "/"]) {
    assert.match((await service.inject(url)).body, /<bdi>DBL\/תוכנית-12<\/bdi> 2026-11-20 to 2026-11-26/, url);
  }
});

test("shows old and new amounts in their own currencies", async () => {
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
