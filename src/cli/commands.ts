import type { Command } from "./command.ts";
import { conformanceCommand } from "./conformance/command.ts";
import { migrateCommand } from "./migrate.ts";
import { seedCommand } from "./seed/command.ts";
import { senderCommand } from "./sender.ts";
import { serveCommand } from "./serve.ts";

/** Every command, one line each. */
export const commands: readonly Command[] = [serveCommand, migrateCommand, senderCommand, seedCommand, conformanceCommand];
