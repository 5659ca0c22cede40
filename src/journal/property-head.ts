import type { Database } from "../db/database.ts";
import { prepareStatement } from "../db/prepared.ts";
import { OUTCOME_BADGES } from "./work.ts";

/**
 * Reads the data for the header of a property's pages. `lastMessage` is the newest message from a sender or the console that was not a dry
 * run.
 */
export async function findPropertyHead({ read }: Database, code: string) {
  const [[property], [message]] = await Promise.all([propertyQuery(read, { code }), messageQuery(read, { code })]);
  if (!property) return undefined;
  const lastMessage = message && {
    at: message.received_at,
    sender: message.sender ?? undefined,
    refused: OUTCOME_BADGES[message.outcome] === "bad",
  };
  return { ...property, city: property.city ?? undefined, lastMessage };
}

const propertyQuery = prepareStatement((db, { code }: { code: string }) =>
  db.selectFrom("property").select(["code", "name", "city", "status"]).where("code", "=", code),
);

const messageQuery = prepareStatement((db, { code }: { code: string }) =>
  db
    .selectFrom("message")
    .select(["received_at", "sender", "outcome"])
    .where("property", "=", code)
    .where("dry_run", "=", 0)
    .where("via", "<>", "record")
    .orderBy("id", "desc")
    .limit(1),
);
