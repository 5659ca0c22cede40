import assert from "node:assert/strict";
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { groupTests } from "../scripts/test-groups.ts";

test("runs each test file in exactly one process, and some of them alone", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "roomrack-groups-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const files = globSync("{e2e,test,src}/**/*.test.ts");
  const scripts = groupTests(files, folder);
  const grouped = scripts.flatMap((script) => (files.includes(script) ? [] : namesIn(script)));
  const alone = scripts.filter((script) => files.includes(script));
  assert.deepEqual([...alone, ...grouped].toSorted(), files.toSorted());
  for (const file of ["test/start.test.ts", "src/web/repeated-hour.test.ts", "test/support/cpu.test.ts"])
    assert.ok(alone.includes(join(file)), file);
  assert.ok(scripts.length < files.length / 3, `${scripts.length} processes`);
});

function namesIn(script: string): string[] {
  const suites = readFileSync(script, "utf8").matchAll(/^describe\(("[^"]+")/gm);
  return [...suites].map(([, name]) => JSON.parse(name!) as string);
}
