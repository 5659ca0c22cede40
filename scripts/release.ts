/** `node scripts/release.ts [FOLDER]`: writes the committed files as an archive, its SBOM and checksums to FOLDER (default: dist). */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const SBOM = ["sbom", "--sbom-format", "cyclonedx", "--omit", "dev", "--package-lock-only"];
const MAX_SBOM_BYTES = 64 * 1024 * 1024;

const folder = resolve(process.argv[2] ?? join(ROOT, "dist"));
const { name, version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { name: string; version: string };
const release = `${name}-${version}`;
const [archive, sbom] = [`${release}.tar.gz`, `${release}.cdx.json`];

mkdirSync(folder, { recursive: true });
run("git", ["archive", "--format=tar.gz", `--prefix=${release}/`, `--output=${join(folder, archive)}`, "HEAD"]);
writeFileSync(join(folder, sbom), run("npm", SBOM));
const sums = [archive, sbom].map((file) => `${sha256(join(folder, file))}  ${file}\n`);
writeFileSync(join(folder, "SHA256SUMS"), sums.join(""));
console.log(`Wrote ${archive}, ${sbom} and SHA256SUMS to ${folder}.`);

function run(program: string, args: readonly string[]): string {
  return execFileSync(program, args, { cwd: ROOT, encoding: "utf8", maxBuffer: MAX_SBOM_BYTES, shell: process.platform === "win32" });
}

function sha256(file: string): string {
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}
