import assert from "node:assert/strict";
import { test } from "node:test";
import { affectedFiles } from "../scripts/changed-tests.ts";

const SOURCES = new Map([
  ["src/night.ts", "export const night = 1;"],
  ["src/grid/grid.ts", 'import { night } from "../night.ts"; const shown = ["src/", "docs/"];'],
  ["src/grid/grid.test.ts", 'import "./grid.ts";'],
  ["src/migrate.ts", 'const folder = new URL("../migrations/", import.meta.url);'],
  ["src/start.mjs", 'await import("./migrate.ts");'],
  ["test/support/process.ts", 'spawn(node, ["src/start.mjs"], { cwd: new URL("../../", import.meta.url) });'],
  ["test/start.test.ts", 'import { serve } from "./support/process.ts"; fetch("/src/night.ts");'],
  ["test/architecture.test.ts", 'readSources("src/");'],
  ["test/docs.test.ts", 'new URL("../docs/channel.md", import.meta.url);'],
]);

const testsFor = (...changed: string[]) => [...affectedFiles(changed, SOURCES)].filter((path) => path.endsWith(".test.ts")).toSorted();

test("selects the tests that import a changed file directly or indirectly", () => {
  assert.deepEqual(testsFor("src/night.ts"), ["src/grid/grid.test.ts", "test/architecture.test.ts"]);
  assert.deepEqual(testsFor("src/grid/grid.test.ts"), ["src/grid/grid.test.ts", "test/architecture.test.ts"]);
});

test("selects the tests that run or read a changed file", () => {
  assert.deepEqual(testsFor("src/start.mjs"), ["test/architecture.test.ts", "test/start.test.ts"]);
  assert.deepEqual(testsFor("docs/channel.md"), ["test/docs.test.ts"]);
  assert.deepEqual(testsFor("README.md"), []);
});

test("selects the tests that read the folder of a new or deleted file", () => {
  assert.deepEqual(testsFor("migrations/0002.ts"), ["test/architecture.test.ts", "test/start.test.ts"]);
});
