import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { freePort } from "./support/free-port.ts";
import { makeDataFolder, serve } from "./support/process.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const CONTAINERFILE = readFileSync(join(ROOT, "Containerfile"), "utf8");

test("a release is an archive of the committed files with an SBOM and checksums", () => {
  const folder = makeDataFolder();
  execFileSync(process.execPath, ["scripts/release.ts", folder], { cwd: ROOT });
  const lines = readFileSync(join(folder, "SHA256SUMS"), "utf8").trim().split("\n");
  const files = lines.map((line) => line.split("  ") as [string, string]);
  for (const [sum, file] of files)
    assert.equal(
      createHash("sha256")
        .update(readFileSync(join(folder, file)))
        .digest("hex"),
      sum,
      file,
    );
  const [archive, sbom] = files.map(([, file]) => file) as [string, string];
  const listed = execFileSync("tar", ["-tzf", join(folder, archive)], { encoding: "utf8" });
  for (const file of ["Containerfile", "deploy/compose.yaml", "deploy/roomrack.service", "src/start.mjs"])
    assert.match(listed, new RegExp(`^roomrack-[\\d.]+/${file}$`, "m"));
  const { components } = JSON.parse(readFileSync(join(folder, sbom), "utf8")) as { components: { name: string }[] };
  const names = new Set(components.map(({ name }) => name));
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as Record<string, object>;
  for (const name of Object.keys(dependencies!)) assert.ok(names.has(name), name);
  const { packages } = JSON.parse(readFileSync(join(ROOT, "package-lock.json"), "utf8")) as { packages: Record<string, { dev?: true }> };
  const onlyForDevelopment = Object.keys(devDependencies!).filter((name) => packages[`node_modules/${name}`]?.dev);
  assert.ok(onlyForDevelopment.length > 5);
  for (const name of onlyForDevelopment) assert.ok(!names.has(name), name);
});

test("the container's health check succeeds while the service runs, and fails otherwise", async () => {
  const [, list = "[]"] = /^HEALTHCHECK [^[]*CMD (\[.*\])$/m.exec(CONTAINERFILE) ?? [];
  const [, ...args] = JSON.parse(list) as string[];
  const METRICS_PORT = String(await freePort());
  const check = () => spawnSync(process.execPath, args, { env: { METRICS_PORT } }).status;
  const service = await serve({ DATA_DIR: makeDataFolder(), METRICS_PORT });
  assert.equal(check(), 0);
  await service.stop();
  assert.equal(check(), 1);
});
