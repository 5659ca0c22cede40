import { mock } from "node:test";
import { commands } from "../../src/cli/commands.ts";
import { describeError } from "../../src/cli/describe-error.ts";
import type { Ended, Settings } from "./process.ts";

/** Runs a command in this process, which takes a tenth of the CPU time of a separate one. Commands must not run concurrently. */
export async function runHere([name = "", ...args]: readonly string[], settings: Settings): Promise<Ended> {
  const { env } = process;
  const printed: string[] = [];
  const log = mock.method(console, "log", (line: string) => void printed.push(`${line}\n`));
  process.env = { ...settings };
  try {
    const command = await commands[name]!();
    return { code: (await command.run(args)) as number, output: printed.join(""), errors: "" };
  } catch (error) {
    return { code: 1, output: printed.join(""), errors: `${String(describeError(error))}\n` };
  } finally {
    process.env = env;
    log.mock.restore();
  }
}
