import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { XmlSource } from "./source.ts";

const LONG = Array.from({ length: 20_000 }, (_, i) => `line ${i}\n`).join("");

test("slices an ASCII document at random offsets", () => {
  const offset = fc.nat(LONG.length + 10);
  const slice = fc.tuple(offset, fc.oneof(fc.nat(30), fc.nat(100_000)));
  fc.assert(
    fc.property(fc.array(slice, { maxLength: 20 }), (slices) => {
      const source = XmlSource.ofAscii(Buffer.from(LONG))!;
      for (const [from, length] of slices) assert.equal(source.slice(from, from + length), LONG.slice(from, from + length));
    }),
  );
});

test("returns the same code units and search results for bytes and text", () => {
  for (const source of [XmlSource.ofAscii(Buffer.from(LONG))!, XmlSource.ofText(LONG)]) {
    assert.equal(String(source), LONG);
    assert.equal(source.length, LONG.length);
    assert.equal(source.codes[LONG.length - 1], 10);
    assert.equal(source.indexOf("line 19999", 5), LONG.indexOf("line 19999"));
    assert.equal(source.indexOf("line 1\n", 100), -1);
    assert.deepEqual([source.startsWith("line 1", 7), source.startsWith("line 1", LONG.length - 2)], [true, false]);
  }
});

test("refuses to read non-ASCII bytes as an ASCII document", () => {
  assert.equal(XmlSource.ofAscii(Buffer.from("für")), undefined);
  assert.equal(String(XmlSource.ofText("für")), "für");
});
