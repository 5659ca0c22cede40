// Starts main.ts. Written in plain JavaScript so that the compile cache also covers the first file. The cache halves the startup time, and
// Node doesn't load its TypeScript compiler (15 MB) if there is nothing to compile.
import module from "node:module";
import { fileURLToPath } from "node:url";

// An older version of Node would fail with a syntax error in the other files.
const MIN_NODE = 26;
const isOld = Number.parseInt(process.versions.node, 10) < MIN_NODE;
if (isOld) {
  console.error(
    `Roomrack requires Node ${MIN_NODE} or later, but this is Node ${process.versions.node}. Use npm start or node_modules/.bin/node.`,
  );
  process.exitCode = 1;
}

// Node reads TZ itself. If it is empty, as in .env.example, Node would ignore the machine's time zone.
const zone = process.env.TZ?.trim();
if (zone === "") delete process.env.TZ;
else if (zone !== undefined) process.env.TZ = zone;

// Two memory limits can be set only when a process starts: the size of the young generation, and the number of malloc arenas on Linux
// (otherwise one per thread, 30 MB under load). So the process replaces itself, keeping its PID. A watched process is not replaced.
const { MALLOC_ARENA_MAX = "2" } = process.env;
const flags = [...process.execArgv, ...(process.env.NODE_OPTIONS ?? "").split(" ")];
const missingFlags = flags.some((flag) => /^--max[-_]semi[-_]space[-_]size/.test(flag)) ? [] : ["--max-semi-space-size=4"];
const isLimited = process.env.MALLOC_ARENA_MAX !== undefined && missingFlags.length === 0;
const serves = (process.argv[2] ?? "serve") === "serve";
if (!isOld && serves && !isLimited && process.platform === "linux" && !process.channel) {
  const command = [process.execPath, ...missingFlags, ...process.execArgv, ...process.argv.slice(1)];
  process.execve(process.execPath, command, { ...process.env, MALLOC_ARENA_MAX });
}

if (!isOld) {
  module.enableCompileCache(fileURLToPath(new URL("../node_modules/.cache/roomrack/compiled", import.meta.url)));
  await import("./main.ts");
  // Node saves the cache when the process exits normally. Save it early, in case the process is killed.
  setTimeout(module.flushCompileCache, 1_000).unref();
}
