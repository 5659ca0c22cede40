import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { startApp } from "../../../../test/support/app.ts";
import { eachEngine } from "../../../../test/support/databases.ts";
import { countMessage, makeHotel, makeProperty, postMessage, postXml, textOf, TODAY } from "../../../../test/support/hotel.ts";
import { differenceLines } from "./comparison-page.ts";
import { compareDocuments } from "./comparison.ts";

const CONTROL = `Start="${TODAY}" End="2026-11-26" InvTypeCode="DBL"`;
const counts = (count: number) => countMessage({ control: CONTROL, counts: [[2, count]] });

eachEngine("the comparison with the previous message", (open) => {
  test("shows the differing lines and links to the previous message", async () => {
    await using service = await startApp({ database: await open() });
    await makeHotel(service);
    await makeProperty(service, { code: "SEA", name: "Seaside" });
    await postMessage(service, counts(3));
    await postXml(service, counts(4).replace('"ALP"', '"SEA"'));
    await postXml(service, counts(5), "another");
    await postXml(service, counts(6).replaceAll("InvCountNotif", "AvailNotif"));
    await postMessage(service, counts(7).replaceAll("><", ">\n  <"));
    assert.match((await service.inject("/dev/logs/5")).body, /<a href="\/dev\/logs\/5\?compare=previous">Compare with previous<\/a>/);
    const page = await service.inject("/dev/logs/5?compare=previous");
    assert.match(page.body, /<a href="\/dev\/logs\/1">#1<\/a>/);
    const text = textOf(page);
    assert.match(text, /1 line only in #1 \( - \), 1 line only in #5 \( \+ \)\./);
    assert.match(text, /- <InvCount CountType="2" Count="3"\/> \+ <InvCount CountType="2" Count="7"\/>/);
    const json = (await service.inject("/dev/logs/5?compare=previous&format=json")).json<{ earlier: number; differences: object[] }>();
    assert.equal(json.earlier, 1);
    assert.deepEqual(json.differences, [
      { of: "earlier", lines: ['<InvCount CountType="2" Count="3"/>'] },
      { of: "later", lines: ['<InvCount CountType="2" Count="7"/>'] },
    ]);
  });

  test("explains why two messages cannot be compared", async () => {
    await using service = await startApp({ database: await open() });
    await makeHotel(service);
    const compare = async (id: number) => textOf(await service.inject(`/dev/logs/${id}?compare=previous`));
    await postMessage(service, counts(3));
    assert.match(await compare(1), /No earlier OTA_HotelInvCountNotifRQ for ALP from the same sender\./);
    await postMessage(service, counts(3));
    assert.match(await compare(2), /The requests are identical\./);
    await postMessage(service, counts(3).replaceAll("><", ">\n<"));
    assert.match(await compare(3), /The documents are identical\. Only whitespace/);
    await postXml(service, "hello");
    assert.match(await compare(4), /The type of message #4 was not recognised/);
    assert.doesNotMatch((await service.inject("/dev/logs/4")).body, /compare=previous/);
    await service.database.write.deleteFrom("message_body").where("message", "=", 2).execute();
    assert.match(await compare(3), /#2, received .* The request for #2 is no longer available/);
    assert.match(await compare(2), /The request for #2 is no longer available/);
    const json = (await service.inject("/dev/logs/2?compare=previous&format=json")).json<object>();
    assert.deepEqual(json, {
      message: 2,
      earlier: 1,
      differences: null,
      reason: "The request for #2 is no longer available. It expired or was deleted.",
    });
  });
});

test("escapes markup in a comparison, even of malformed documents", async () => {
  await using service = await startApp();
  await makeHotel(service);
  const broken = counts(3).replace("</Inventory>", "");
  await postXml(service, broken);
  assert.match(textOf(await service.inject("/dev/logs/1?compare=previous")), /No earlier OTA_\w+ without a property from the same sender/);
  await postXml(service, broken.replace("<Inventory>", '<Inventory><b onclick="x">bold</b><![CDATA[<i>]]>').replace("</Inventories>", ""));
  const { body } = await service.inject("/dev/logs/2?compare=previous");
  assert.doesNotMatch(body, /<b onclick|<i>/);
  assert.match(body, /<ins>\+ {7}&lt;b onclick=&quot;x&quot;&gt;bold&lt;\/b&gt;/);
  assert.match(body, /<del>- {5}&lt;\/Inventories&gt;<\/del>/);
});

test("lists all lines of both documents in order", async () => {
  const line = fc.constantFrom("<a>", "</a>", "<b/>", "text", '<c d="1"/>');
  const lines = fc.array(
    fc.oneof({ weight: 3, arbitrary: line }, { weight: 1, arbitrary: fc.string().filter((text) => /^\w+$/.test(text)) }),
    {
      maxLength: 40,
    },
  );
  await fc.assert(
    fc.asyncProperty(lines, lines, async (older, newer) => {
      const { blocks, complete, approximate } = await compareDocuments(older.join("\n"), newer.join("\n"));
      const without = (other: string) => blocks.flatMap(({ of, lines: some }) => (of === other ? [] : some));
      assert.deepEqual([without("later"), without("earlier"), complete, approximate], [older, newer, true, false]);
    }),
  );
});

test("compares a year of changed counts night by night", async () => {
  const year = (more: number) => Array.from({ length: 3_650 }, (_, night) => `<n d="${night}"/><c>${night + more}</c>`).join("");
  const { blocks, approximate } = await compareDocuments(year(0), year(5_000));
  assert.equal(approximate, false);
  assert.equal(blocks.length, 3 * 3_650);
});

test("finds common lines of a short and a long document", async () => {
  const long = Array.from({ length: 20_000 }, () => "<a/>").join("");
  const { blocks, approximate } = await compareDocuments("<x/><b/>", `${long}<b/>`);
  assert.deepEqual(
    [blocks.map(({ of, lines }) => [of, lines.length]), approximate],
    [
      [
        ["earlier", 1],
        ["later", 20_000],
        ["both", 1],
      ],
      false,
    ],
  );
});

test("limits the work of comparing very different or very long documents", async () => {
  const repeated = (text: string) => `<${text}/>\n<${text}/>\n`.repeat(3_000);
  const { blocks, approximate } = await compareDocuments(repeated("a"), repeated("b"));
  assert.deepEqual(
    [blocks.map(({ of, lines }) => [of, lines.length]), approximate],
    [
      [
        ["earlier", 6_000],
        ["later", 6_000],
      ],
      true,
    ],
  );
  const endless = "<a><b/></a>".repeat(1_800_000);
  const compared = await compareDocuments(endless, `${endless}<c/>`);
  assert.deepEqual([compared.complete, compared.blocks.length], [false, 1]);
  await compareDocuments(" ".repeat(5_000_000), `${`a${" ".repeat(50_000)}`.repeat(100)}\n`);
});

test("leaves out unchanged lines except three around each difference", () => {
  const both = (count: number) => ({ of: "both" as const, lines: Array.from({ length: count }, (_, at) => `<n${at}/>`) });
  const shown = differenceLines([both(10), { of: "later", lines: ["<x/>"] }, both(7), { of: "earlier", lines: ["<y/>"] }, both(4)]);
  assert.deepEqual(
    shown.map(({ text }) => text),
    ["… 7 unchanged lines", "<n7/>", "<n8/>", "<n9/>", "<x/>", ...both(7).lines, "<y/>", "<n0/>", "<n1/>", "<n2/>", "<n3/>"],
  );
});
