import assert from "node:assert/strict";
import { test } from "node:test";
import { ALL_GROUPS, attributesIn, findDefinition, NAMED_ATTRIBUTES, setterNumber } from "./attributes.ts";

test("gives every attribute and setter a unique stored number", () => {
  const numbers = [...NAMED_ATTRIBUTES.map((name) => findDefinition(name).stored), ...ALL_GROUPS.map(setterNumber)];
  assert.equal(new Set(numbers).size, numbers.length);
});

test("gives every limit a badge of its own or a place in the badge of its range", () => {
  const limits = attributesIn("restrictions").filter((name) => name !== "stopSell");
  const definitions = limits.map((name) => ({ name, ...findDefinition(name) }));
  const uppers = new Set(definitions.map(({ upper }) => upper));
  assert.deepEqual(
    definitions.filter(({ name, badge }) => badge === undefined && !uppers.has(name)),
    [],
  );
});
