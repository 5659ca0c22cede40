// Starts main.ts. Plain JavaScript: what was compiled at an earlier start is not compiled again, which is half of the start, and a
// start in which nothing has to be compiled does not load the compiler, which is 15 MB.
import { enableCompileCache, flushCompileCache } from "node:module";
import { fileURLToPath } from "node:url";

// Two settings that keep memory small can be given only before a process starts: how large the young generation may grow, and how many
// arenas the allocator of Linux has (otherwise one a thread, 30 MB under load for nothing). So the process replaces itself, under its
// own number, with one that has them. A process that is watched stays as it is.
const { MALLOC_ARENA_MAX = "2" } = process.env;
const given = [...process.execArgv, ...(process.env.NODE_OPTIONS ?? "").split(" ")];
const bounds = given.some((flag) => /^--max[-_]semi[-_]space[-_]size/.test(flag)) ? [] : ["--max-semi-space-size=4"];
const isBounded = process.env.MALLOC_ARENA_MAX !== undefined && bounds.length === 0;
const serves = (process.argv[2] ?? "serve") === "serve";
if (serves && !isBounded && process.platform === "linux" && !process.channel) {
  const words = [process.execPath, ...bounds, ...process.execArgv, ...process.argv.slice(1)];
  process.execve(process.execPath, words, { ...process.env, MALLOC_ARENA_MAX });
}

enableCompileCache(fileURLToPath(new URL("../node_modules/.cache/roomrack/compiled", import.meta.url)));
await import("./main.ts");

// What was compiled is kept when the process ends by itself; one that is killed would compile all of it at each start.
setTimeout(flushCompileCache, 1_000).unref();
