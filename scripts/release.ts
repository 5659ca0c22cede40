/** `node scripts/release.ts [FOLDER]`: writes an archive of the committed files, its SBOM and checksums to FOLDER (default: dist). */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const SBOM = ["sbom", "--sbom-format", "cyclonedx", "--package-lock-only"];
const DEVELOPMENT = "cdx:npm:package:development";
const MAX_SBOM_BYTES = 64 * 1024 * 1024;

const folder = resolve(process.argv[2] ?? join(ROOT, "dist"));
const { name, version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { name: string; version: string };
const release = `${name}-${version}`;
const [archive, sbom] = [`${release}.tar.gz`, `${release}.cdx.json`];

mkdirSync(folder, { recursive: true });
run("git", ["archive", "--format=tar.gz", `--prefix=${release}/`, `--output=${join(folder, archive)}`, "HEAD"]);
writeFileSync(join(folder, sbom), JSON.stringify(withoutDevelopment(JSON.parse(run("npm", SBOM)) as Sbom), undefined, 2));
const sums = [archive, sbom].map((file) => `${sha256(join(folder, file))}  ${file}\n`);
writeFileSync(join(folder, "SHA256SUMS"), sums.join(""));
console.log(`Wrote ${archive}, ${sbom} and SHA256SUMS to ${folder}.`);

type Component = { "bom-ref": string; name: string; properties?: { name: string; value: string }[] };
type Sbom = { metadata: { component: Component }; components: Component[]; dependencies: { ref: string; dependsOn: string[] }[] };

/**
 * Removes development packages from an SBOM. npm's own `--omit dev` would also omit packages that both the service and a development
 * package need, and would name the project after its folder.
 */
function withoutDevelopment({ metadata, components, dependencies, ...others }: Sbom): Sbom {
  const kept = components.filter(({ properties = [] }) => !properties.some((one) => one.name === DEVELOPMENT && one.value === "true"));
  const refs = new Set([metadata.component["bom-ref"], ...kept.map((component) => component["bom-ref"])]);
  const edges = dependencies.filter(({ ref }) => refs.has(ref));
  return {
    ...others,
    metadata: { ...metadata, component: { ...metadata.component, name } },
    components: kept,
    dependencies: edges.map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter((to) => refs.has(to)) })),
  };
}

function run(program: string, args: readonly string[]): string {
  return execFileSync(program, args, { cwd: ROOT, encoding: "utf8", maxBuffer: MAX_SBOM_BYTES, shell: process.platform === "win32" });
}

function sha256(file: string): string {
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}
