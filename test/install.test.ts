import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

const SCRIPT = join(import.meta.dirname, "../scripts/ensure-installed.mjs");
const folder = mkdtempSync(join(tmpdir(), "roomrack-install-"));
after(() => rmSync(folder, { recursive: true, force: true }));

/** An installation without packages but the runtime of npm, which is `program`. */
function install(name: string, program: string): { status: number | null; link: string } {
  const root = join(folder, name);
  const runtime = join(root, "node_modules", "node-of-npm", "bin", "node");
  mkdirSync(join(root, "node_modules", ".bin"), { recursive: true });
  mkdirSync(join(root, "scripts"));
  mkdirSync(join(runtime, ".."), { recursive: true });
  cpSync(SCRIPT, join(root, "scripts", "ensure-installed.mjs"));
  writeFileSync(join(root, "package.json"), JSON.stringify({ optionalDependencies: { "node-of-npm": "1" } }));
  for (const lock of ["package-lock.json", "node_modules/.package-lock.json"]) writeFileSync(join(root, lock), '{"packages":{}}');
  writeFileSync(runtime, program, { mode: 0o755 });
  const link = join(root, "node_modules", ".bin", "node");
  symlinkSync(runtime, link);
  return { status: spawnSync(process.execPath, [join(root, "scripts", "ensure-installed.mjs")]).status, link };
}

test("a runtime that does not run on this machine is not left in the way of the one that does", () => {
  const { status, link } = install("broken", "#!/no/such/loader\n");
  assert.equal(status, 0);
  assert.ok(!existsSync(link));
});

test("a runtime that runs is kept", () => {
  const program = "#!/bin/sh\nexit 0\n";
  const { status, link } = install("sound", program);
  assert.equal(status, 0);
  assert.equal(readFileSync(link, "utf8"), program);
});
