import assert from "node:assert/strict";
import { test } from "node:test";
import { attributesIn, findDefinition } from "./attributes.ts";

test("gives every limit a badge of its own or a place in the badge of its range", () => {
  const limits = attributesIn("restrictions").filter((name) => name !== "stopSell");
  const definitions = limits.map((name) => ({ name, ...findDefinition(name) }));
  const uppers = new Set(definitions.map(({ upper }) => upper));
  assert.deepEqual(
    definitions.filter(({ name, badge }) => badge === undefined && !uppers.has(name)),
    [],
  );
});
