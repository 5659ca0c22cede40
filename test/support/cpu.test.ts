import assert from "node:assert/strict";
import { test } from "node:test";
import { assertScans } from "./cpu.ts";

const TEXT = "a".repeat(20_000);

test("assertScans accepts linear work and reports quadratic work", async () => {
  await assertScans(TEXT.length, 1_000, () => /a+$/.test(TEXT));
  const quadratic = assertScans(TEXT.length, 1_000, () => /a+b/.test(TEXT));
  await assert.rejects(quadratic, /took \d{4,} scans of 20000 characters, the limit is 1000/);
});
