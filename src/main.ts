import { commands } from "./cli/commands.ts";

/** The only file that ends the process. */
const [name = "serve", ...args] = process.argv.slice(2);
const command = commands.find((one) => one.name === name);
if (!command) {
  console.error(`There is no command '${name}'. The commands are:\n${commands.map((one) => `  ${one.usage.padEnd(44)} ${one.about}`).join("\n")}`);
  process.exit(2);
}
try {
  process.exitCode = await command.run(args);
} catch (error) {
  console.error(describe(error));
  process.exit(1);
}

/** A fault that the person at the terminal can mend is one clear line or list; anything else is shown whole. */
function describe(error: unknown): unknown {
  const known = error instanceof Error && ["ConfigError", "NewerSchemaError", "UsageError", "StartError"].includes(error.name);
  return known ? error.message : error;
}
