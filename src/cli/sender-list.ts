import { systemClock } from "../clock.ts";
import type { Database } from "../db/database.ts";
import { describeProfile } from "../modules/channel/profiles/words.ts";
import { listSenders, type Sender } from "../modules/channel/senders/store.ts";
import { describeLocation } from "./sender-report.ts";
import { timeText } from "./sender-time.ts";

export async function listAllSenders(database: Database): Promise<string> {
  const senders = await listSenders(database);
  const location = await describeLocation(database);
  if (senders.length === 0) return `No senders in ${location}. Add one: npm run sender -- add NAME`;
  const now = systemClock.now();
  return [...senders.map((sender) => senderLine(sender, now)), `Database: ${location}`].join("\n");
}

function senderLine(sender: Sender, now: number): string {
  const { name, hotels, profile, expiresAt, oldUntil = 0 } = sender;
  const details = [
    ...(expiresAt === undefined || expiresAt <= now ? [] : [`expires ${timeText(expiresAt)}`]),
    ...(oldUntil > now ? [`old secret valid until ${timeText(oldUntil)}`] : []),
  ];
  return [name, senderState(sender, now), hotels?.join(", ") ?? "all properties", describeProfile(profile), ...details].join("  ");
}

function senderState({ disabledAt, expiresAt = Infinity }: Sender, now: number): string {
  if (disabledAt !== undefined) return "disabled";
  return expiresAt <= now ? "expired" : "enabled";
}
