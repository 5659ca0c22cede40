import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

const SCRIPT = join(import.meta.dirname, "../scripts/ensure-installed.mjs");
const folder = mkdtempSync(join(tmpdir(), "roomrack-install-"));
after(() => rmSync(folder, { recursive: true, force: true }));

function makeRoot(name: string, lockfile: object): string {
  const root = join(folder, name);
  for (const part of ["scripts", "node_modules"]) mkdirSync(join(root, part), { recursive: true });
  cpSync(SCRIPT, join(root, "scripts", "ensure-installed.mjs"));
  writeFileSync(join(root, "package-lock.json"), JSON.stringify(lockfile));
  writeFileSync(join(root, "node_modules/.package-lock.json"), '{"packages":{}}');
  return root;
}

/** Creates an installation with only a runtime package. The runtime is a script with the given content. */
function install(name: string, program: string): { status: number | null; link: string } {
  const root = makeRoot(name, { packages: {} });
  const runtime = join(root, "node_modules", "node-of-npm", "bin", "node");
  mkdirSync(join(root, "node_modules", ".bin"), { recursive: true });
  mkdirSync(join(runtime, ".."), { recursive: true });
  writeFileSync(join(root, "package.json"), JSON.stringify({ optionalDependencies: { "node-of-npm": "1" } }));
  writeFileSync(runtime, program, { mode: 0o755 });
  const link = join(root, "node_modules", ".bin", "node");
  symlinkSync(runtime, link);
  return { status: spawnSync(process.execPath, [join(root, "scripts", "ensure-installed.mjs")]).status, link };
}

test("removes a runtime that can't run on this machine", () => {
  const { status, link } = install("broken", "#!/no/such/loader\n");
  assert.equal(status, 0);
  assert.ok(!existsSync(link));
});

test("keeps a working runtime", () => {
  const program = "#!/bin/sh\nexit 0\n";
  const { status, link } = install("sound", program);
  assert.equal(status, 0);
  assert.equal(readFileSync(link, "utf8"), program);
});

const SLOW_NPM = `
  import { writeFileSync } from "node:fs";
  const running = setInterval(() => undefined, 1_000);
  const rollBack = () => {
    clearInterval(running);
    writeFileSync("rolled back", "");
  };
  process.once("SIGINT", () => setTimeout(rollBack, 300));
  console.log("began");`;

test(
  "waits for npm if the installation is interrupted, then exits with the same signal",
  { skip: process.platform === "win32" },
  async () => {
    const root = makeRoot("interrupted", { packages: { "node_modules/missing": { version: "1.0.0" } } });
    const npm = join(root, "npm.mjs");
    writeFileSync(npm, SLOW_NPM);
    const env = { ...process.env, npm_execpath: npm, npm_node_execpath: process.execPath };
    const script = join(root, "scripts", "ensure-installed.mjs");
    const child = spawn(process.execPath, [script], { env, detached: true, stdio: ["ignore", "ignore", "pipe"] });
    child.stderr.on("data", (text: Buffer) => String(text).includes("began") && process.kill(-child.pid!, "SIGINT"));
    const [code, signal] = (await once(child, "exit")) as [number | null, string | null];
    assert.deepEqual([code, signal, existsSync(join(root, "rolled back"))], [null, "SIGINT", true]);
  },
);
