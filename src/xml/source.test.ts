import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Source } from "./source.ts";

const LONG = Array.from({ length: 20_000 }, (_, i) => `line ${i}\n`).join("");

test("what is cut out of an ASCII document is what stands there, wherever one goes on from", () => {
  const offset = fc.nat(LONG.length + 10);
  const stretch = fc.tuple(offset, fc.oneof(fc.nat(30), fc.nat(100_000)));
  fc.assert(
    fc.property(fc.array(stretch, { maxLength: 20 }), (stretches) => {
      const source = Source.ofAscii(Buffer.from(LONG))!;
      for (const [from, length] of stretches) assert.equal(source.slice(from, from + length), LONG.slice(from, from + length));
    }),
  );
});

test("a document is told by its units and found by its words, as bytes and as text", () => {
  for (const source of [Source.ofAscii(Buffer.from(LONG))!, Source.ofText(LONG)]) {
    assert.equal(String(source), LONG);
    assert.equal(source.length, LONG.length);
    assert.equal(source.codes[LONG.length - 1], 10);
    assert.equal(source.indexOf("line 19999", 5), LONG.indexOf("line 19999"));
    assert.equal(source.indexOf("line 1\n", 100), -1);
    assert.deepEqual([source.startsWith("line 1", 7), source.startsWith("line 1", LONG.length - 2)], [true, false]);
  }
});

test("bytes beyond ASCII are no ASCII document", () => {
  assert.equal(Source.ofAscii(Buffer.from("für")), undefined);
  assert.equal(String(Source.ofText("für")), "für");
});
