import { fixedClock, systemClock } from "../../clock.ts";
import { type Command, UsageError } from "../command.ts";
import { runFolder } from "./run.ts";
import { isMissed, missesOf, tableOf } from "./table.ts";

export const conformanceCommand: Command = {
  name: "conformance",
  usage: "conformance FOLDER",
  about: "send a folder of messages to a fresh service and compare with what its SOURCES.tsv expects",
  async run([folder, ...more]) {
    if (folder === undefined || more.length > 0) throw new UsageError("Usage: npm run conformance -- FOLDER");
    const results = await runFolder(folder, { clock: fixedClock(systemClock.now()) });
    console.log(missesOf(results) + tableOf(results));
    return results.some(isMissed) ? 1 : 0;
  },
};
