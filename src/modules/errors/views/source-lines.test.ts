import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { startApp } from "../../../../test/support/app.ts";

const PACKAGES = fileURLToPath(new URL("../../../../node_modules/", import.meta.url));

test("an error page shows the source code of the project's own frames, innermost first", async () => {
  await using service = await startApp();
  const locationAt = (line: number) => `${import.meta.url}:${line}:1`;
  const stack = [
    "Error: x",
    `at pack (${PACKAGES}zod/index.js:1:1)`,
    `at inner (${locationAt(1)})`,
    `at node:fs:1:1`,
    `at outer (${locationAt(3)})`,
  ];
  const { id } = await service.errors.record(Object.assign(new Error("x"), { stack: stack.join("\n    ") }), undefined);
  const { body } = await service.inject(`/tools/errors/${id}`);
  assert.match(body, /<h2 id="s-5">Source code<\/h2>\s*<p class="hint">[^<]*source-lines\.test\.ts, around line 1 \(current version\)/);
  assert.match(body, /<summary>[^<]*source-lines\.test\.ts, around line 3 \(current version\)<\/summary>/);
  const markdown = (await service.inject(`/tools/errors/${id}?format=markdown`)).body;
  assert.deepEqual(markdown.match(/^> +\d+  .*$/gm), [
    '> 1  import assert from "node:assert/strict";',
    '> 3  import { tmpdir } from "node:os";',
  ]);
});

test("an error page shows no files outside the project", async () => {
  await using service = await startApp();
  const folder = mkdtempSync(join(tmpdir(), "roomrack-outside-"));
  try {
    const file = join(folder, "other.js");
    writeFileSync(file, "const elsewhere = true;\n");
    const frames = [`${file}:1:1`, `${PACKAGES}zod/index.js:1:1`, "/etc/passwd.js:1:1", "node:fs:1:1"];
    const error = Object.assign(new Error("thrown elsewhere"), {
      stack: `Error: thrown elsewhere\n${frames.map((frame) => `    at other (${frame})`).join("\n")}`,
    });
    const { id } = await service.errors.record(error, undefined);
    const { body } = await service.inject(`/tools/errors/${id}`);
    assert.match(body, /other\.js/);
    assert.doesNotMatch(body, /const elsewhere|Source code/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
