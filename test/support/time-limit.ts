import { writeSync } from "node:fs";

/** A little less than the limit of `npm test` for a file, to say why before the process is ended. */
const FILE_LIMIT_MS = 1_740_000;

/** Preloaded into the process of each file. If it is still alive then, something was not closed. */
const timer = setTimeout(() => {
  writeSync(2, `${process.argv[1]} did not end; it holds ${process.getActiveResourcesInfo().join(", ")}\n`);
  process.exit(1);
}, FILE_LIMIT_MS);
timer.unref();
