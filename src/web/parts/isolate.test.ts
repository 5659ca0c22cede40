import assert from "node:assert/strict";
import { test } from "node:test";
import { isolateDirections } from "./isolate.ts";

for (const [sentence, text] of [
  ["DBL/BAR 2026-11-20: available 3 <4>", "DBL/BAR 2026-11-20: available 3 &lt;4&gt;"],
  ["DBL/תוכנית-12 2026-11-20 to 2026-11-22", "<bdi>DBL/תוכנית-12</bdi> 2026-11-20 to 2026-11-22"],
  ["2 nights of غرفة مزدوجة, 3 left", "2 nights of <bdi>غرفة مزدوجة</bdi>, 3 left"],
  ["قصر", "<bdi>قصر</bdi>"],
] as const) {
  test(`isolates right-to-left words in “${sentence}”`, () => assert.equal(isolateDirections(sentence).text, text));
}
