import { writeSync } from "node:fs";

/** What `npm test` gives a file of tests, which takes seconds on most machines and ends by itself when its tests have. */
const FILE_LIMIT_MS = 600_000;

/** Preloaded into the process of each file; one that is still alive then holds something that nobody has closed. */
const timer = setTimeout(() => {
  writeSync(2, `${process.argv[1]} did not end; it holds ${process.getActiveResourcesInfo().join(", ")}\n`);
  process.exit(1);
}, FILE_LIMIT_MS);
timer.unref();
