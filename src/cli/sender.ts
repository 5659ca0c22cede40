import { systemClock } from "../clock.ts";
import type { Database } from "../db/database.ts";
import { createSender, disableSender, listSenders } from "../modules/channel/senders/store.ts";
import { isCode } from "../records/property/property.ts";
import { findProperty } from "../records/property/store.ts";
import { type Command, UsageError } from "./command.ts";
import { withStore } from "./store.ts";

const USAGE = "sender add NAME [PROPERTY ...] | sender list | sender disable NAME";

export const senderCommand: Command = {
  name: "sender",
  usage: USAGE,
  about: "who may post to /channel; the secret is shown once",
  async run(args) {
    console.log(await withStore(readAction(args)));
    return 0;
  },
};

/** What to do in the store; answers what to say. */
type Action = (database: Database) => Promise<string>;

function readAction([action, name, ...more]: readonly string[]): Action {
  if (action === "list" && name === undefined) return list;
  if (action === "add" && name !== undefined) {
    checkSender(name, more);
    return (database) => add(database, name, [...new Set(more)]);
  }
  if (action === "disable" && name !== undefined && more.length === 0) return (database) => disable(database, name);
  throw new UsageError(`Usage: npm run sender -- ${USAGE.replaceAll("sender ", "")}`);
}

async function add(database: Database, name: string, properties: readonly string[]): Promise<string> {
  const known = (await listSenders(database)).some((sender) => sender.name === name);
  const secret = await createSender(database, { name, hotels: properties.length > 0 ? properties : undefined, now: systemClock.now() });
  return [
    known
      ? `Sender ${name} was there: its former secret is refused from now on, and it may post to /channel with this one.`
      : `Sender ${name} may post to /channel with HTTP Basic.`,
    `  user      ${name}`,
    `  password  ${secret}`,
    `It is kept hashed in ${await placeOf(database)} and cannot be shown again.`,
    ...(await warnOfUnknown(database, properties)),
  ].join("\n");
}

/** A command that was given other settings than the service has works on another database. */
async function placeOf(database: Database): Promise<string> {
  return (await database.describe()).location;
}

async function warnOfUnknown(database: Database, properties: readonly string[]): Promise<string[]> {
  const found = await Promise.all(properties.map((code) => findProperty(database, code)));
  return properties.filter((_, index) => found[index] === undefined).map((code) => `There is no property ${code} yet.`);
}

async function disable(database: Database, name: string): Promise<string> {
  const place = await placeOf(database);
  if (await disableSender(database, name, systemClock.now())) return `Sender ${name} is disabled in ${place}.`;
  throw new UsageError(`There is no enabled sender ${name} in ${place}.`);
}

/** The name of Basic credentials ends at its first colon (RFC 7617). */
const NAME = /^[^\p{Cc}:-][^\p{Cc}:]{0,99}$/u;

function checkSender(name: string, properties: readonly string[]): void {
  if (!NAME.test(name)) throw new UsageError("A sender's name has at most 100 characters, no colon, and no dash in front.");
  const wrong = properties.find((code) => !isCode(code));
  if (wrong !== undefined) throw new UsageError(`'${wrong}' cannot be the code of a property.`);
}

async function list(database: Database): Promise<string> {
  const senders = await listSenders(database);
  const place = await placeOf(database);
  if (senders.length === 0) return `There is no sender yet in ${place}. Make one: npm run sender -- add NAME`;
  const lines = senders.map(
    (one) => `${one.name}  ${one.disabledAt === undefined ? "enabled" : "disabled"}  ${one.hotels?.join(", ") ?? "all properties"}`,
  );
  return [...lines, `These are in ${place}.`].join("\n");
}
