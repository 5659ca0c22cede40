import { parseArgs } from "node:util";
import { stopwatch, systemClock } from "../../clock.ts";
import { errorMessage } from "../../web/http-error.ts";
import { type Command, progressBar, UsageError } from "../command.ts";
import { withStore } from "../store.ts";
import { fillDemo } from "./demo/demo.ts";
import { type SeedCounts, fillDatabase } from "./fill.ts";

const DEFAULT_COUNTS: SeedCounts = { properties: 10, categories: 5, plans: 2, nights: 365, errors: 0, messages: 0 };
const MAX_COUNT = 10_000_000;

export const seedCommand: Command = {
  name: "seed",
  usage: "seed [--properties N] [--categories M] [--plans P] [--nights D] [--errors E] [--messages L]",
  about: "fill an empty database with 40 hotels and a week of messages, or add the specified number of sample records",
  async run(args) {
    const totals = args.length === 0 ? undefined : readCounts(args);
    const options = { now: systemClock.now(), progress: progressBar() };
    const elapsed = stopwatch();
    await withStore(async (database) => (totals === undefined ? fillDemo(database, options) : fillDatabase(database, totals, options)));
    console.log(`Done in ${(elapsed() / 1000).toFixed(1)} s.`);
    return 0;
  },
};

function readCounts(args: readonly string[]): SeedCounts {
  const totals = Object.entries(readOptions(args)).map(([name, text]) => [name, readCount(name, String(text))] as const);
  return { ...DEFAULT_COUNTS, ...Object.fromEntries(totals) };
}

function readOptions(args: readonly string[]) {
  const options = Object.fromEntries(Object.keys(DEFAULT_COUNTS).map((name) => [name, { type: "string" as const }]));
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw new UsageError(`${errorMessage(error)}\nUsage: npm run seed -- ${seedCommand.usage.slice(5)}`);
  }
}

function readCount(name: string, text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 0 || count > MAX_COUNT)
    throw new UsageError(`--${name} must be a whole number from 0 to ${MAX_COUNT}, not '${text}'.`);
  return count;
}
