import type { Command } from "./cli/command.ts";
import { commands } from "./cli/commands.ts";
import { describeError } from "./cli/describe-error.ts";

const OUTPUT_TIMEOUT_MS = 500;

const [name = "serve", ...args] = process.argv.slice(2);
const loadNamedCommand = Object.hasOwn(commands, name) ? commands[name] : undefined;
if (name === "help" || [name, ...args].some((word) => word === "--help" || word === "-h")) {
  console.log(await describeCommands(loadNamedCommand));
  process.exit(0);
}
if (!loadNamedCommand) {
  console.error(`Unknown command '${name}'. Commands:\n${await describeCommands()}`);
  process.exit(2);
}
try {
  const command = await loadNamedCommand();
  const result = await command.run(args);
  if (typeof result === "number") process.exitCode = result;
  else result.ended.then(exitSoon, exitWithError);
} catch (error) {
  exitWithError(error);
}

/** Exits once the service has ended, after leaving some time for pending output. */
function exitSoon(): void {
  setTimeout(() => process.exit(), OUTPUT_TIMEOUT_MS).unref();
}

function exitWithError(error: unknown): never {
  console.error(describeError(error));
  process.exit(1);
}

async function describeCommands(loadCommand?: () => Promise<Command>): Promise<string> {
  const loadedCommands = await Promise.all((loadCommand ? [loadCommand] : Object.values(commands)).map((command) => command()));
  return loadedCommands.map(({ usage, about }) => `  ${usage}\n      ${about}`).join("\n");
}
