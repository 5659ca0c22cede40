import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { startApp } from "../../../test/support/app.ts";

test("the page of an error shows no file from outside of the project", async () => {
  await using service = await startApp();
  const folder = mkdtempSync(join(tmpdir(), "roomrack-outside-"));
  try {
    const file = join(folder, "other.js");
    writeFileSync(file, "const elsewhere = true;\n");
    const error = Object.assign(new Error("thrown elsewhere"), { stack: `Error: thrown elsewhere\n    at other (${file}:1:1)` });
    const { id } = await service.errors.record(error, undefined);
    const { body } = await service.inject(`/tools/errors/${id}`);
    assert.match(body, /other\.js/);
    assert.doesNotMatch(body, /const elsewhere/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
