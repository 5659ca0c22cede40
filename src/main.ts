import type { Command } from "./cli/command.ts";
import { commands } from "./cli/commands.ts";

const OUTPUT_LIMIT_MS = 500;

const [name = "serve", ...args] = process.argv.slice(2);
const load = Object.hasOwn(commands, name) ? commands[name] : undefined;
if (name === "help" || [name, ...args].some((word) => word === "--help" || word === "-h")) {
  console.log(await describeCommands(load));
  process.exit(0);
}
if (!load) {
  console.error(`Unknown command '${name}'. Commands:\n${await describeCommands()}`);
  process.exit(2);
}
try {
  const command = await load();
  const result = await command.run(args);
  if (typeof result === "number") process.exitCode = result;
  else result.ended.then(exitSoon, fail);
} catch (error) {
  fail(error);
}

/** Exits once the service has ended, leaving some time for pending output. */
function exitSoon(): void {
  setTimeout(() => process.exit(), OUTPUT_LIMIT_MS).unref();
}

function fail(error: unknown): never {
  console.error(describeError(error));
  process.exit(1);
}

async function describeCommands(loadCommand?: () => Promise<Command>): Promise<string> {
  const described = await Promise.all((loadCommand ? [loadCommand] : Object.values(commands)).map((command) => command()));
  return described.map(({ usage, about }) => `  ${usage}\n      ${about}`).join("\n");
}

/** Returns only the message of errors that the user can fix. Compares names, because importing the classes would load every command. */
function describeError(error: unknown): unknown {
  const known =
    error instanceof Error &&
    ["ConfigError", "CopyError", "NewerSchemaError", "UnfitServerError", "UsageError", "StartError"].includes(error.name);
  if (known) return error.message;
  return isSystemError(error) ? `Cannot open the database: ${error.message || error.code}. Check DATA_DIR and DATABASE_URL.` : error;
}

/** Recognizes errors from the operating system, SQLite and PostgreSQL by their additional properties. */
function isSystemError(error: unknown): error is Error & { code?: string } {
  if (!(error instanceof Error)) return false;
  return error.name === "UnreachableServerError" || ["syscall", "errcode", "severity", "errors"].some((property) => property in error);
}
