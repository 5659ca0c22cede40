// Starts main.ts. Plain JavaScript: what was compiled at an earlier start is not compiled again, which is half of the start, and a
// start in which nothing has to be compiled does not load the compiler, which is 15 MB.
import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";

// The memory allocator of Linux gives each thread an arena of its own, of which a service under load has 30 MB that it does not need.
// It reads this before anything else, so the process begins anew with it, under its own number. A process that is watched stays.
const { MALLOC_ARENA_MAX } = process.env;
const serves = (process.argv[2] ?? "serve") === "serve";
if (serves && process.platform === "linux" && MALLOC_ARENA_MAX === undefined && !process.channel) {
  const words = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  process.execve(process.execPath, words, { ...process.env, MALLOC_ARENA_MAX: "2" });
}

enableCompileCache(fileURLToPath(new URL("../node_modules/.cache/roomrack/compiled", import.meta.url)));
await import("./main.ts");
