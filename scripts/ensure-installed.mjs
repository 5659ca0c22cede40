// `node scripts/ensure-installed.mjs [--development]`: installs packages if they are missing or differ from the lockfile.
// Plain JavaScript without dependencies, because it runs first and on older versions of Node.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join, relative } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const RUNTIME = 26;
const WINDOWS = process.platform === "win32";
/** npm puts this folder at the beginning of a script's PATH. */
const LINK = join(ROOT, "node_modules", ".bin", WINDOWS ? "node.cmd" : "node");

const development = process.argv.includes("--development");
if (!isInstalled()) await install();
if (!hasRuntime()) linkRuntime();
if (!hasRuntime()) await install();
if (!hasRuntime()) linkRuntime();
if (!hasRuntime()) {
  print(
    `Roomrack requires Node ${RUNTIME} or later. This machine has ${process.version}, and npm has no runtime for ${process.platform} ${process.arch}.`,
  );
  process.exit(1);
}

/** Compares the lockfile with the one in node_modules. Optional packages may be missing, but must not differ. */
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

/**
 * Returns whether the linked Node runtime can be used. Removes the link if the runtime doesn't work here, as on Alpine, because it would
 * break later commands.
 */
function isLinked() {
  if (!existsSync(LINK)) return false;
  if (!WINDOWS && realpathSync(LINK) === realpathSync(process.execPath)) return true;
  if (spawnSync(LINK, ["--version"], { shell: WINDOWS }).status === 0) return true;
  rmSync(LINK, { force: true });
  return false;
}

/**
 * Links the runtime's program. npm 10 deletes the link when it removes the runtimes for other platforms, because their links have the same
 * name.
 */
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

/** Skips install scripts, because no package needs them. On Ctrl+C, npm rolls back, so this process waits for npm to exit. */
async function install() {
  const scope = development ? ["--include=dev"] : ["--omit=dev"];
  print(`Installing packages: npm ci ${scope.join(" ")}`);
  const options = ["ci", ...scope, "--include=optional", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  const [program, ...before] = npm();
  process.once("SIGINT", (interrupt) => process.kill(process.pid, interrupt));
  const { status, signal, error } = spawnSync(program, [...before, ...options], {
    cwd: ROOT,
    stdio: ["ignore", 2, 2],
    shell: program === "npm.cmd",
  });
  await nextTurn();
  if (signal) process.kill(process.pid, signal);
  if (error) print(`Could not start npm: ${error.message}`);
  if (status !== 0) process.exit(status ?? 1);
}

/** Returns the command for npm. It uses the current Node, because the installed runtime is about to be replaced. */
function npm() {
  const { npm_execpath: script, npm_node_execpath: node } = process.env;
  if (script && node && basename(script).startsWith("npm")) return [node, script];
  return [WINDOWS ? "npm.cmd" : "npm"];
}

function print(line) {
  process.stderr.write(`${line}\n`);
}
