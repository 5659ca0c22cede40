import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { groupTests, writeGroup } from "../scripts/test-groups.ts";

test("runs each test file in exactly one process, and isolated files alone", (t) => {
  const folder = makeFolder(t);
  const files = globSync("{e2e,test,src}/**/*.test.ts");
  const scripts = groupTests(files, folder);
  const grouped = scripts.flatMap((script) => (files.includes(script) ? [] : namesIn(script)));
  const alone = scripts.filter((script) => files.includes(script));
  assert.deepEqual([...alone, ...grouped].toSorted(), files.toSorted());
  for (const file of ["test/start.test.ts", "src/web/repeated-hour.test.ts", "test/support/cpu.test.ts"])
    assert.ok(alone.includes(join(file)), file);
  assert.ok(scripts.length < files.length / 3, `${scripts.length} processes`);
});

test("registers each test in its file's suite, and fails if a file can't be loaded", (t) => {
  const folder = makeFolder(t);
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  write("slow.mjs", "await new Promise((resolve) => setTimeout(resolve, 50));");
  for (const name of ["one", "two"]) write(`${name}.mjs`, `import "./slow.mjs"; import { test } from "node:test"; test("in ${name}");`);
  const group = join(folder, "group.mjs");
  writeGroup(
    group,
    ["one.mjs", "two.mjs", "missing.mjs"].map((name) => join(folder, name)),
    [],
  );
  const env = { ...process.env, NODE_TEST_CONTEXT: undefined };
  const { status, stdout } = spawnSync(process.execPath, ["--test-reporter=tap", group], { env, encoding: "utf8" });
  assert.equal(status, 1);
  assert.match(stdout, /one\.mjs\n +# Subtest: in one\n[^]*two\.mjs\n +# Subtest: in two\n[^]*^not ok 3 - .*missing\.mjs/m);
});

function makeFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "roomrack-groups-"));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

function namesIn(script: string): string[] {
  const suites = readFileSync(script, "utf8").matchAll(/^await load\(("[^"]+")/gm);
  return [...suites].map(([, name]) => JSON.parse(name!) as string);
}
