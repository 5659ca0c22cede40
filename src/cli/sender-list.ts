import { systemClock } from "../clock.ts";
import type { Database } from "../db/database.ts";
import { describeProfile } from "../modules/channel/profiles/words.ts";
import { listSenders, type Sender } from "../modules/channel/senders/store.ts";
import { locationOf } from "./sender-report.ts";
import { timeText } from "./sender-time.ts";

export async function listAll(database: Database): Promise<string> {
  const senders = await listSenders(database);
  const location = await locationOf(database);
  if (senders.length === 0) return `No senders in ${location}. Add one: npm run sender -- add NAME`;
  const now = systemClock.now();
  return [...senders.map((sender) => lineOf(sender, now)), `Database: ${location}`].join("\n");
}

function lineOf(sender: Sender, now: number): string {
  const { name, hotels, profile, expiresAt, oldUntil = 0 } = sender;
  const details = [
    ...(expiresAt === undefined || expiresAt <= now ? [] : [`expires ${timeText(expiresAt)}`]),
    ...(oldUntil > now ? [`old secret until ${timeText(oldUntil)}`] : []),
  ];
  return [name, stateOf(sender, now), hotels?.join(", ") ?? "all properties", describeProfile(profile), ...details].join("  ");
}

function stateOf({ disabledAt, expiresAt = Infinity }: Sender, now: number): string {
  if (disabledAt !== undefined) return "disabled";
  return expiresAt <= now ? "expired" : "enabled";
}
