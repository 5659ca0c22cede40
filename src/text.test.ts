import assert from "node:assert/strict";
import { test } from "node:test";
import { excerpt } from "./text.ts";

test("marks omitted text and doesn't split characters", () => {
  assert.equal(excerpt("abcdef", 0, 6), "abcdef");
  assert.equal(excerpt("abcdef", 0, 3), "abc…");
  assert.equal(excerpt("abcdef", 2, 3), "…cde…");
  assert.equal(excerpt("abcdef", 4, 3), "…ef");
  assert.equal(excerpt("ab🦅def", 0, 3), "ab…");
  assert.equal(excerpt("ab🦅def", 3, 3), "…🦅d…");
});
