import { writeSync } from "node:fs";

/** Slightly below the limit of `npm test`, to print the reason before the process is killed. */
const FILE_LIMIT_MS = 1_740_000;

/** Preloaded into each test process. Prints the open resources of a process that doesn't exit. */
const timer = setTimeout(() => {
  writeSync(2, `${process.argv[1]} did not exit; open resources: ${process.getActiveResourcesInfo().join(", ")}\n`);
  process.exit(1);
}, FILE_LIMIT_MS);
timer.unref();
