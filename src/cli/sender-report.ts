import { systemClock } from "../clock.ts";
import type { Database } from "../db/database.ts";
import type { ChangeOutcome } from "../modules/channel/senders/edit-store.ts";
import type { By } from "../records/audit.ts";
import { UsageError } from "./command.ts";

export function byCommand(): By {
  return { actor: "command line", kind: "command", at: systemClock.now() };
}

/** Returns the location of the database, because a command's settings may differ from the service's. */
export async function describeLocation(database: Database): Promise<string> {
  return (await database.describe()).location;
}

export async function unknownSender(database: Database, name: string): Promise<UsageError> {
  return new UsageError(`No sender ${name} in ${await describeLocation(database)}.`);
}

export const EFFECT_DELAY_TEXT = "The change takes effect within 5 seconds.";

/** Returns the `done` message if a change was made, otherwise the `unchanged` message. Throws for an unknown sender. */
export async function reportChange(
  database: Database,
  { name, result }: { name: string; result: ChangeOutcome },
  { done, unchanged }: { done: string; unchanged: string },
): Promise<string> {
  if (result === "unknown") throw await unknownSender(database, name);
  return `${result === "done" ? done : unchanged} Database: ${await describeLocation(database)}`;
}
