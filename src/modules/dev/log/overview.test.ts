import assert from "node:assert/strict";
import { test } from "node:test";
import { startApp } from "../../../../test/support/app.ts";
import { eachEngine } from "../../../../test/support/databases.ts";
import { countMessage, makeHotel, makeProperty, postMessage, postXml, textOf } from "../../../../test/support/hotel.ts";

const ROOMS = 'Start="2026-11-21" End="2026-11-22" InvTypeCode="DBL"';
const HOUR_MS = 3_600_000;

type Cause = { text: string; count: number; message: number; connections: string[]; properties: string[] };

eachEngine("the chart of the message log", (open) => {
  test("counts messages by time and outcome, and links each bar to its time range", async () => {
    await using service = await startApp({ database: await open() });
    await makeHotel(service);
    await postMessage(service, countMessage({ control: ROOMS, counts: [[2, 5]] }));
    service.clock.set(service.clock.now() + 2 * HOUR_MS);
    await postXml(service, countMessage({ control: ROOMS.replace("DBL", "SUI"), counts: [[2, 5]] }));
    await postXml(service, countMessage({ control: ROOMS, counts: [[2, 6]] }));
    const { body } = await service.inject("/dev/logs?property=ALP");
    assert.match(textOf({ body } as never), /: 2 accepted, 0 with warnings, 1 refused\. Select a bar/);
    const bars = [...body.matchAll(/<a href="([^"]+)">\s*<title>[^<]*: (\d) accepted(?:, (\d) refused)?<\/title>/g)];
    assert.deepEqual(
      bars.map(([, , accepted, refused]) => [accepted, refused]),
      [
        ["1", undefined],
        ["1", "1"],
      ],
    );
    const refused = textOf(await service.inject("/dev/logs?property=ALP&outcome=refused&q=SUI"));
    assert.match(refused, /: 0 accepted, 0 with warnings, 1 refused\. Select a bar/);
    const narrowed = textOf(await service.inject(bars[0]![1]!.replaceAll("&amp;", "&")));
    assert.match(narrowed, /DBL 2026-11-21 to 2026-11-22: available 5/);
    assert.doesNotMatch(narrowed, /SUI|available 6/);
  });

  test("counts messages in an earlier period even if there are many later messages", async () => {
    await using service = await startApp({ database: await open() });
    await makeHotel(service);
    await postMessage(service, countMessage({ control: ROOMS, counts: [[2, 5]] }));
    service.clock.set(service.clock.now() + 72 * HOUR_MS);
    await postMessage(service, countMessage({ control: ROOMS, counts: [[2, 6]] }));
    await service.database.write.updateTable("message").set({ id: 200_000 }).where("id", "=", 2).execute();
    const earlier = textOf(await service.inject("/dev/logs?from=2026-11-20&to=2026-11-20"));
    assert.match(earlier, /: 1 accepted, 0 with warnings, 0 refused\. Select a bar/);
  });

  test("groups refused messages by cause and applies the log's filters", async () => {
    await using service = await startApp({ database: await open() });
    await makeHotel(service);
    await makeProperty(service, { code: "SEA", name: "Seaside" });
    const counts = (type: string) => countMessage({ control: ROOMS.replace("DBL", type), counts: [[2, 5]] });
    await postMessage(service, counts("DBL"));
    await postXml(service, counts("SUI"), "pms");
    await postXml(service, counts("TWN"), "zenith");
    await postXml(service, counts("TWN").replace("ALP", "SEA"), "zenith");
    await postXml(service, "<broken");
    const read = async (query: string) =>
      (await service.inject(`/dev/logs?view=causes&format=json&${query}`)).json<{ causes: readonly Cause[] }>().causes;
    const [unknown, malformed] = await read("");
    assert.deepEqual(
      [unknown!.text, unknown!.count, unknown!.message, unknown!.connections, unknown!.properties],
      ["Room type code not found for this hotel (…)", 3, 4, ["zenith", "pms"], ["SEA", "ALP"]],
    );
    assert.match(malformed!.text, /^XML is not well-formed/);
    assert.deepEqual(
      (await read("property=ALP&sender=pms")).map(({ count, message }) => [count, message]),
      [[1, 2]],
    );
    assert.deepEqual(await read("outcome=ok"), []);
    const page = (await service.inject("/dev/logs?view=causes&property=ALP")).body;
    const [, link = ""] = /<a href="([^"]+)">Show messages<\/a>/.exec(page) ?? [];
    const listed = textOf(await service.inject(link.replaceAll("&amp;", "&")));
    assert.match(listed, /\(TWN\)[^]*\(SUI\)/);
    assert.doesNotMatch(listed, /SEA|available 5/);
  });
});

test("offers common filters and keeps the property filter", async () => {
  await using service = await startApp();
  await makeHotel(service);
  await postXml(service, countMessage({ control: ROOMS.replace("DBL", "SUI"), counts: [[2, 5]] }));
  const { body } = await service.inject("/dev/logs?property=ALP");
  const [, unknown = ""] = /<a href="([^"]+)">Unknown codes<\/a>/.exec(body) ?? [];
  const found = (await service.inject(unknown.replaceAll("&amp;", "&"))).body;
  assert.match(found, /<span aria-current="true">Unknown codes<\/span>/);
  assert.match(found, /Room type code not found for this hotel \(SUI\)/);
  assert.match(unknown, /property=ALP/);
});

test("marks the faulty line of a request, with the error below it", async () => {
  await using service = await startApp();
  await makeHotel(service);
  const lines = [ROOMS, ROOMS.replace("DBL", "SUI")].map((control) => ({ control, counts: [[2, 5]] as const }));
  await postXml(service, countMessage(...lines));
  const { body } = await service.inject("/dev/logs/1");
  assert.match(
    body,
    /<mark class="error">\s*&lt;StatusApplicationControl [^<]*InvTypeCode=&quot;SUI&quot;\/&gt;<\/mark>\n<b class="line-note error">error: Room type code not found[^<]*<\/b>\n/,
  );
  assert.equal(body.match(/<mark /g)?.length, 1);
  assert.match(textOf({ body } as never), /Refused; nothing was stored\./);
});

for (const [what, body, type, line] of [
  ["XML", "<OTA_PingRQ>\n  <EchoData>a</EchoDat>\n</OTA_PingRQ>", "text/xml", "  &lt;EchoData&gt;a&lt;/EchoDat&gt;"],
  ["JSON", '{\n  "property": "ALP",\n  "rates": [,]\n}', "application/json", "  &quot;rates&quot;: [,]"],
] as const) {
  test(`marks the line where ${what} is malformed`, async () => {
    await using service = await startApp();
    await makeHotel(service);
    await service.inject({ method: "POST", url: "/channel", headers: { "content-type": type }, body });
    const marks = [...(await service.inject("/dev/logs/1")).body.matchAll(/<mark class="error">([^]*?)<\/mark>\n<b[^>]*>error: ([^<]*)/g)];
    assert.deepEqual(
      marks.map(([, marked]) => marked),
      [line],
    );
    assert.match(marks[0]![2]!, new RegExp(`^${what} is not well-formed at line [23], column`));
  });
}

test("links to the previous and next message for the same property", async () => {
  await using service = await startApp();
  await makeHotel(service);
  for (const count of [1, 2, 3]) await postMessage(service, countMessage({ control: ROOMS, counts: [[2, count]] }));
  const { body } = await service.inject("/dev/logs/2");
  assert.match(body, /<a href="\/dev\/logs\/1" rel="prev">Previous for ALP<\/a>[^]*<a href="\/dev\/logs\/3" rel="next">Next for ALP<\/a>/);
});
