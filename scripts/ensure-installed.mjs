// `node scripts/ensure-installed.mjs [--development]`: installs the packages when they are missing or not those of the lockfile.
// Runs before everything else, on whatever Node the machine has: plain JavaScript, no packages.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const RUNTIME = 26;
const WINDOWS = process.platform === "win32";
/** npm puts this folder first in the PATH of a script. */
const LINK = join(ROOT, "node_modules", ".bin", WINDOWS ? "node.cmd" : "node");

const development = process.argv.includes("--development");
if (!isInstalled()) await install();
if (!hasRuntime()) linkRuntime();
if (!hasRuntime()) await install();
if (!hasRuntime()) linkRuntime();
if (!hasRuntime()) {
  say(
    `Roomrack runs on Node ${RUNTIME} or later. This machine has ${process.version}, and npm has no runtime that works on this ${process.platform} ${process.arch}.`,
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

function hasRuntime() {
  return isLinked() || Number.parseInt(process.versions.node, 10) >= RUNTIME;
}

/** A link that does not run, as on Alpine, whose C library is another, is taken away: no later command would get past it. */
function isLinked() {
  if (!existsSync(LINK)) return false;
  if (!WINDOWS && realpathSync(LINK) === realpathSync(process.execPath)) return true;
  if (spawnSync(LINK, ["--version"], { shell: WINDOWS }).status === 0) return true;
  rmSync(LINK, { force: true });
  return false;
}

/** npm 10 takes the link away with the runtimes of the other platforms, which have one of the same name. */
function linkRuntime() {
  const { optionalDependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const programs = Object.keys(optionalDependencies).map((name) => join(ROOT, "node_modules", name, "bin", WINDOWS ? "node.exe" : "node"));
  const program = programs.find((path) => existsSync(path));
  if (program === undefined) return;
  const path = relative(dirname(LINK), program);
  mkdirSync(dirname(LINK), { recursive: true });
  rmSync(LINK, { force: true });
  if (WINDOWS) writeFileSync(LINK, `@"%~dp0${path}" %*\r\n`);
  else symlinkSync(path, LINK);
}

/**
 * Without install scripts: what the one package that has some needs is done where it is used. Ctrl+C reaches npm, too, which then takes
 * back what it did: this process ends after it, so that a next start is not in its way.
 */
async function install() {
  const what = development ? ["--include=dev"] : ["--omit=dev"];
  say(`Installing packages: npm ci ${what.join(" ")}`);
  const options = ["ci", ...what, "--include=optional", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  const [program, ...before] = npm();
  process.once("SIGINT", (interrupt) => process.kill(process.pid, interrupt));
  const { status, signal, error } = spawnSync(program, [...before, ...options], {
    cwd: ROOT,
    stdio: ["ignore", 2, 2],
    shell: program === "npm.cmd",
  });
  await turn();
  if (signal) process.kill(process.pid, signal);
  if (error) say(`npm could not be started: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
}

/** The npm that runs this script, on the Node it runs on itself: the packaged one is about to be replaced. */
function npm() {
  const { npm_execpath: script, npm_node_execpath: node } = process.env;
  if (script && node && basename(script).startsWith("npm")) return [node, script];
  return [WINDOWS ? "npm.cmd" : "npm"];
}

function say(line) {
  process.stderr.write(`${line}\n`);
}
