import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { CODES } from "../scripts/channel-docs/codes.ts";
import { listShownExamples, updateDocument } from "../scripts/channel-docs/document.ts";
import { errors } from "../scripts/channel-docs/errors.ts";
import type { ElementReference } from "../src/modules/channel/elements/element.ts";
import { elements } from "../src/modules/channel/elements/index.ts";
import { messages } from "../src/modules/channel/messages/index.ts";

const document = readFileSync(new URL("../docs/channel.md", import.meta.url), "utf8");

test("docs/channel.md is up to date; npm run docs updates it", async () => {
  assert.equal(await updateDocument(document), document);
});

test("docs/channel.md has a section, a table of elements and a complete example for each message", () => {
  const shown = listShownExamples(document);
  for (const { root, examples } of messages) {
    assert.ok(document.includes(`\n### ${root}\n`), root);
    assert.ok(document.includes(`\n<!-- elements ${root} -->\n`), root);
    assert.ok(document.includes(`\n<!-- examples ${root} -->\n`), root);
    assert.ok(
      examples.some(({ name }) => shown.includes(name)),
      root,
    );
  }
  for (const kind of ["announced", "errors", "warnings", "limits"]) assert.ok(document.includes(`\n<!-- ${kind} -->\n`), kind);
});

test("docs/channel.md lists every error code and no others", () => {
  const source = readFileSync(new URL("../src/modules/channel/ota-error.ts", import.meta.url), "utf8");
  const codes = [...source.matchAll(/\bcreateFault\([\w.]+, (\d+), |\bcode: (\d+)/g)].map(([, argument, property]) =>
    Number(argument ?? property),
  );
  assert.ok(codes.length > 20);
  const [, warningTable = ""] = /<!-- warnings -->([\s\S]*?)<!-- end -->/.exec(document) ?? [];
  const warnings = [...warningTable.matchAll(/^\| \d+ \| (\d+) \| `/gm)].map(([, code]) => Number(code));
  assert.deepEqual(new Set([...errors.map(({ fault }) => fault.code), ...warnings]), new Set(codes));
});

/** Parts of a rate plan that are stored as sent; their contents are not documented. */
const FRAGMENTS = /<(Supplements|Offers|Description)\b(?:[^>]*)>[\s\S]*?<\/\1>/g;
const PLANS = "OTA_HotelRatePlanNotifRQ";
const COMMON = ["", "/@xmlns", "/@Version", "/@EchoToken", "/@TimeStamp", "/@Target"];

test("docs/channel.md documents every element and attribute of the examples", () => {
  for (const { root, examples } of messages) {
    const documented = new Set(
      elements[root]!.flatMap((one) => [one.element, ...attributesOf(one).map((name) => `${one.element}/@${name}`)]),
    );
    for (const name of COMMON) documented.add(`${root}${name}`);
    const used = new Set(
      examples.flatMap((example) => namesIn(root === PLANS ? example.xml(CODES).replaceAll(FRAGMENTS, "") : example.xml(CODES))),
    );
    assert.deepEqual(used.difference(documented), new Set(), root);
  }
});

/** Elements, and attributes as `Element/@name`. */
function namesIn(xml: string): string[] {
  return [...xml.matchAll(/<(\w+)([^>]*)>/g)].flatMap(([, element, attributes]) => [
    element!,
    ...[...attributes!.matchAll(/([\w:]+)="/g)].map(([, name]) => `${element}/@${name}`),
  ]);
}

function attributesOf({ attributes = [], narrowing = [], notStored = "", harmless = "" }: ElementReference): string[] {
  return [...[...attributes, ...narrowing].map(([names]) => names), notStored, harmless].flatMap((names) => names.split(" "));
}
