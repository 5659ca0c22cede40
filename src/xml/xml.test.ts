import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { locateOffset, createLocator, XmlSource } from "./source.ts";
import { tokenizeXml } from "./tokenizer.ts";
import { escapeText, writeAttributes } from "./write.ts";

/** Returns the attribute value and the text that the tokenizer reads from an element. */
function readBack(xml: string): { value: string | undefined; text: string } | undefined {
  let value: string | undefined;
  let text = "";
  const fault = tokenizeXml(XmlSource.ofText(xml), {
    open(_name, _namespace, attributes) {
      value = attributes.get("v");
    },
    close() {},
    text(piece) {
      text += piece;
    },
  });
  return fault ? undefined : { value, text };
}

test("reads back random attribute values and text, with forbidden characters replaced", () => {
  const anyText = fc.string({ unit: "binary", maxLength: 40 });
  fc.assert(
    fc.property(anyText, (content) => {
      const xml = `<a${writeAttributes({ v: content })}>${escapeText(content)}</a>`;
      const keptText = content.replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "\ufffd");
      assert.deepEqual(readBack(xml), { value: keptText, text: keptText });
    }),
  );
});

test("replaces unpaired surrogates but keeps pairs", () => {
  assert.equal(escapeText("a\ud83db"), "a\ufffdb");
  assert.equal(escapeText("a\u{1f600}\u0001"), "a\u{1f600}\ufffd");
});

test("omits undefined attributes", () => {
  assert.equal(writeAttributes({ Type: 3, Code: undefined, ShortText: 'a"b' }), ' Type="3" ShortText="a&quot;b"');
});

test("locates offsets after CR, LF and CRLF", () => {
  for (const end of ["\n", "\r", "\r\n"]) {
    const text = `one${end}two${end}${end}four`;
    assert.deepEqual(locateOffset(XmlSource.ofText(text), text.indexOf("wo")), { line: 2, column: 2 });
    assert.deepEqual(locateOffset(XmlSource.ofText(text), text.indexOf("four")), { line: 4, column: 1 });
  }
  assert.deepEqual(locateOffset(XmlSource.ofText("abc"), 0), { line: 1, column: 1 });
});

test("locates offsets in any order", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "\r", "\n"), maxLength: 30 });
  fc.assert(
    fc.property(text, fc.array(fc.nat(30), { maxLength: 10 }), (written, offsets) => {
      const source = XmlSource.ofText(written);
      const find = createLocator(source.codes);
      for (const offset of offsets) assert.deepEqual(find(offset), locateOffset(source, offset));
    }),
  );
});
