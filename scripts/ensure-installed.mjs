// `node scripts/ensure-installed.mjs [--development]`: installs the packages when they are missing or not those of the lockfile.
// Runs before everything else, on whatever Node the machine has: plain JavaScript, no packages.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";

const ROOT = join(import.meta.dirname ?? new URL(".", import.meta.url).pathname, "..");
const RUNTIME = 26;

const development = process.argv.includes("--development");
if (!isInstalled() || !hasRuntime()) install();
if (!hasRuntime()) {
  say(
    `Roomrack runs on Node ${RUNTIME} or later. This machine has ${process.version}, and npm has no runtime for ${process.platform} ${process.arch}.`,
  );
  process.exit(1);
}

/** The lockfile that npm leaves in node_modules lists what is there. An optional package may be missing, never different. */
function isInstalled() {
  const locked = readPackages("package-lock.json");
  const installed = readPackages("node_modules/.package-lock.json");
  return Object.entries(locked).every(([path, entry]) => {
    if (path === "" || (entry.dev && !development)) return true;
    const found = installed[path];
    if (found === undefined) return Boolean(entry.optional || entry.devOptional);
    return found.version === entry.version && found.integrity === entry.integrity;
  });
}

function readPackages(file) {
  const path = join(ROOT, file);
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")).packages : {};
}

/** npm puts node_modules/.bin first in the PATH of a script. */
function hasRuntime() {
  const packaged = ["node", "node.cmd"].some((name) => existsSync(join(ROOT, "node_modules", ".bin", name)));
  return packaged || Number.parseInt(process.versions.node, 10) >= RUNTIME;
}

/** Without install scripts: what the one package that has some needs is done where it is used. */
function install() {
  const what = development ? ["--include=dev"] : ["--omit=dev"];
  say(`Installing packages: npm ci ${what.join(" ")}`);
  const options = ["ci", ...what, "--include=optional", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  const [program, ...before] = npm();
  const { status, signal, error } = spawnSync(program, [...before, ...options], {
    cwd: ROOT,
    stdio: ["ignore", 2, 2],
    shell: program === "npm.cmd",
  });
  if (signal) process.kill(process.pid, signal);
  if (error) say(`npm could not be started: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
}

/** The npm that runs this script, on the Node it runs on itself: the packaged one is about to be replaced. */
function npm() {
  const { npm_execpath: script, npm_node_execpath: node } = process.env;
  if (script && node && basename(script).startsWith("npm")) return [node, script];
  return [process.platform === "win32" ? "npm.cmd" : "npm"];
}

function say(line) {
  process.stderr.write(`${line}\n`);
}
