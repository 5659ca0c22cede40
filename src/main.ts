import type { Command } from "./cli/command.ts";
import { commands } from "./cli/commands.ts";

const LAST_OUTPUT_MS = 500;

/** The only file that ends the process; `start.mjs` runs it. */
const [name = "serve", ...args] = process.argv.slice(2);
const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
if (name === "help" || [name, ...args].some((word) => word === "--help" || word === "-h")) {
  console.log(await describeCommands(load));
  process.exit(0);
}
if (!load) {
  console.error(`There is no command '${name}'. The commands are:\n${await describeCommands()}`);
  process.exit(2);
}
try {
  const command = await load();
  const result = await command.run(args);
  if (typeof result === "number") process.exitCode = result;
  else result.ended.then(endSoon, fail);
} catch (error) {
  fail(error);
}

/** The process of a service ends by itself, unless output waits for a reader. */
function endSoon(): void {
  setTimeout(() => process.exit(), LAST_OUTPUT_MS).unref();
}

function fail(error: unknown): never {
  console.error(describeFault(error));
  process.exit(1);
}

/** One command, or all of them: what each takes, and what it does. */
async function describeCommands(one?: () => Promise<Command>): Promise<string> {
  const described = await Promise.all((one ? [one] : Object.values(commands)).map((get) => get()));
  return described.map(({ usage, about }) => `  ${usage}\n      ${about}`).join("\n");
}

/**
 * A fault that the person at the terminal can mend is one clear line or list; anything else is shown whole. The name tells, as the
 * classes would load the code of every command.
 */
function describeFault(error: unknown): unknown {
  const known =
    error instanceof Error &&
    ["ConfigError", "CopyError", "NewerSchemaError", "UnfitServerError", "UsageError", "StartError"].includes(error.name);
  if (known) return error.message;
  return isOutside(error) ? `The data cannot be opened: ${error.message || error.code}. Check DATA_DIR and DATABASE_URL.` : error;
}

/** A fault of the system, SQLite or PostgreSQL, told by what each adds to its errors. */
function isOutside(error: unknown): error is Error & { code?: string } {
  if (!(error instanceof Error)) return false;
  return error.name === "UnreachableServerError" || ["syscall", "errcode", "severity", "errors"].some((mark) => mark in error);
}
