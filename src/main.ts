import type { Command } from "./cli/command.ts";
import { commands } from "./cli/commands.ts";

/** The only file that ends the process; `start.mjs` runs it. */
const [name = "serve", ...args] = process.argv.slice(2);
const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
if (!load) {
  const all = await Promise.all(Object.values(commands).map((one) => one()));
  console.error(`There is no command '${name}'. The commands are:\n${all.map(describeCommand).join("\n")}`);
  process.exit(2);
}
try {
  const command = await load();
  process.exitCode = await command.run(args);
} catch (error) {
  console.error(describeFault(error));
  process.exit(1);
}

function describeCommand({ usage, about }: Command): string {
  return `  ${usage}\n      ${about}`;
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
