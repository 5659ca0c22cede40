import assert from "node:assert/strict";
import { test } from "node:test";
import { textExcerpt } from "./text.ts";

test("marks omitted text and doesn't split characters", () => {
  assert.equal(textExcerpt("abcdef", 0, 6), "abcdef");
  assert.equal(textExcerpt("abcdef", 0, 3), "abc…");
  assert.equal(textExcerpt("abcdef", 2, 3), "…cde…");
  assert.equal(textExcerpt("abcdef", 4, 3), "…ef");
  assert.equal(textExcerpt("ab🦅def", 0, 3), "ab…");
  assert.equal(textExcerpt("ab🦅def", 3, 3), "…🦅d…");
});
