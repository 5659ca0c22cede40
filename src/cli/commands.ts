import type { Command } from "./command.ts";

export const commands: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import("./serve-command.ts")).serveCommand,
  migrate: async () => (await import("./store.ts")).migrateCommand,
  sender: async () => (await import("./sender.ts")).senderCommand,
  user: async () => (await import("./user.ts")).userCommand,
  backup: async () => (await import("./backup.ts")).backupCommand,
  restore: async () => (await import("./backup.ts")).restoreCommand,
  copy: async () => (await import("./copy.ts")).copyCommand,
  seed: async () => (await import("./seed/command.ts")).seedCommand,
  conformance: async () => (await import("./conformance/command.ts")).conformanceCommand,
};
