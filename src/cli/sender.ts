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
  about: "manage who may post to /channel; a secret is shown only once",
  async run(args) {
    console.log(await withStore(readAction(args)));
    return 0;
  },
};

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
      ? `Replaced the secret of sender ${name}. The old one no longer works.`
      : `Added sender ${name}. It can post to /channel with HTTP Basic:`,
    `  user      ${name}`,
    `  password  ${secret}`,
    `Only its hash is stored, in ${await locationOf(database)}, so it cannot be shown again.`,
    ...(await warnOfUnknown(database, properties)),
  ].join("\n");
}

/** Shown because a command with other settings than the service works on another database. */
async function locationOf(database: Database): Promise<string> {
  return (await database.describe()).location;
}

async function warnOfUnknown(database: Database, properties: readonly string[]): Promise<string[]> {
  const found = await Promise.all(properties.map((code) => findProperty(database, code)));
  return properties.filter((_, index) => found[index] === undefined).map((code) => `Property ${code} does not exist yet.`);
}

async function disable(database: Database, name: string): Promise<string> {
  const location = await locationOf(database);
  if (await disableSender(database, name, systemClock.now())) return `Disabled sender ${name} in ${location}.`;
  throw new UsageError(`No enabled sender ${name} in ${location}.`);
}

/** The name of Basic credentials ends at its first colon (RFC 7617). */
const NAME = /^[^\p{Cc}:-][^\p{Cc}:]{0,99}$/u;

function checkSender(name: string, properties: readonly string[]): void {
  if (!NAME.test(name))
    throw new UsageError("A sender's name can have up to 100 characters, must not contain a colon and must not start with a dash.");
  const invalid = properties.find((code) => !isCode(code));
  if (invalid !== undefined) throw new UsageError(`'${invalid}' is not a valid property code.`);
}

async function list(database: Database): Promise<string> {
  const senders = await listSenders(database);
  const location = await locationOf(database);
  if (senders.length === 0) return `No senders in ${location}. Add one: npm run sender -- add NAME`;
  const lines = senders.map(
    ({ name, disabledAt, hotels }) =>
      `${name}  ${disabledAt === undefined ? "enabled" : "disabled"}  ${hotels?.join(", ") ?? "all properties"}`,
  );
  return [...lines, `Database: ${location}`].join("\n");
}
