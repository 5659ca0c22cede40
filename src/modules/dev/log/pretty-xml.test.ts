import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { assertScans } from "../../../../test/support/cpu.ts";
import { prettyXml } from "./pretty-xml.ts";

test("indents elements and keeps text on its element's line", () => {
  const xml = `<?xml version="1.0"?><a x='>'><!-- note --><b/><c>text</c><d><e></e></d></a>`;
  assert.equal(
    prettyXml(xml),
    `<?xml version="1.0"?>\n<a x='>'>\n  <!-- note -->\n  <b/>\n  <c>text</c>\n  <d>\n    <e></e>\n  </d>\n</a>`,
  );
});

test("returns other text unchanged", () => {
  for (const text of ["", "OK", "ERROR:unknown action", '<a b="', "{}", "a<b"]) assert.equal(prettyXml(text), text);
});

test("changes only whitespace", () => {
  const fragments = fc.array(
    fc.constantFrom("<a>", "</a>", "<b/>", '<c d="1">', "</c>", "x", " ", "<", ">", '"', "<!--", "-->", "<![CDATA[", "]]>"),
  );
  fc.assert(fc.property(fragments, (parts) => withoutWhitespace(prettyXml(parts.join(""))) === withoutWhitespace(parts.join(""))));
});

function withoutWhitespace(text: string): string {
  return text.replaceAll(/\s/g, "");
}

test("handles unclosed constructs in linear time", async () => {
  for (const start of ["<!--", "<?", "<![CDATA[", '<a "']) {
    const text = start.repeat(50_000);
    await assertScans(text.length, 1_000, () => assert.equal(prettyXml(text), text, start));
  }
});
