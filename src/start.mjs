// Starts main.ts. Plain JavaScript: what was compiled at an earlier start is not compiled again, which is half of the start, and a
// start in which nothing has to be compiled does not load the compiler, which is 15 MB.
import module from "node:module";
import { fileURLToPath } from "node:url";

// An older Node cannot even read the other files, and says so in words of its own.
const OLDEST_NODE = 26;
const isOld = Number.parseInt(process.versions.node, 10) < OLDEST_NODE;
if (isOld) {
  console.error(
    `This is Node ${process.versions.node}; Roomrack runs on Node ${OLDEST_NODE} or later. Use npm start, or node_modules/.bin/node.`,
  );
  process.exitCode = 1;
}

// The one setting that the runtime reads by itself. Empty, as in .env.example, it is absent; but the runtime would then know no zone, not
// even that of the machine.
const zone = process.env.TZ?.trim();
if (zone === "") delete process.env.TZ;
else if (zone !== undefined) process.env.TZ = zone;

// Two settings that keep memory small can be given only before a process starts: how large the young generation may grow, and how many
// arenas the allocator of Linux has (otherwise one a thread, 30 MB under load for nothing). So the process replaces itself, under its
// own number, with one that has them. A process that is watched stays as it is.
const { MALLOC_ARENA_MAX = "2" } = process.env;
const given = [...process.execArgv, ...(process.env.NODE_OPTIONS ?? "").split(" ")];
const bounds = given.some((flag) => /^--max[-_]semi[-_]space[-_]size/.test(flag)) ? [] : ["--max-semi-space-size=4"];
const isBounded = process.env.MALLOC_ARENA_MAX !== undefined && bounds.length === 0;
const serves = (process.argv[2] ?? "serve") === "serve";
if (!isOld && serves && !isBounded && process.platform === "linux" && !process.channel) {
  const words = [process.execPath, ...bounds, ...process.execArgv, ...process.argv.slice(1)];
  process.execve(process.execPath, words, { ...process.env, MALLOC_ARENA_MAX });
}

if (!isOld) {
  module.enableCompileCache(fileURLToPath(new URL("../node_modules/.cache/roomrack/compiled", import.meta.url)));
  await import("./main.ts");
  // What was compiled is kept when the process ends by itself; one that is killed would compile all of it at each start.
  setTimeout(module.flushCompileCache, 1_000).unref();
}
