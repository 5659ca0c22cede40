import { parseArgs } from "node:util";
import { systemClock } from "../clock.ts";
import type { Database } from "../db/database.ts";
import { describeProfile, type ProfileWords } from "../modules/channel/profiles/words.ts";
import { createSender, disableSender, listSenders, setProfile } from "../modules/channel/senders/store.ts";
import { isCode } from "../records/property/property.ts";
import { findProperty } from "../records/property/store.ts";
import { messageOf } from "../web/http-error.ts";
import { type Command, UsageError } from "./command.ts";
import { describeProfiles, profileOf } from "./sender-profile.ts";
import { withStore } from "./store.ts";

const PROFILE = "[--profile PROFILE] [--set SETTING=VALUE ...]";
const USAGE = `sender add NAME [PROPERTY ...] ${PROFILE} | sender set NAME ${PROFILE} | sender list | sender disable NAME | sender profiles`;

export const senderCommand: Command = {
  name: "sender",
  usage: USAGE,
  about: "manage senders and their credentials for /channel",
  async run(args) {
    const words = readArguments(args);
    const listsProfiles = words.action === "profiles" && words.name === undefined;
    console.log(listsProfiles ? describeProfiles() : await withStore(readAction(words)));
    return 0;
  },
};

type Action = (database: Database) => Promise<string>;

type Arguments = { action: string | undefined; name: string | undefined; more: readonly string[]; profile: ProfileWords };

function readArguments(args: readonly string[]): Arguments {
  const options = { profile: { type: "string" }, set: { type: "string", multiple: true } } as const;
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    const [action, name, ...more] = positionals;
    return { action, name, more, profile: { ...values } };
  } catch (error) {
    throw new UsageError(`${messageOf(error)}\n${usage()}`);
  }
}

function usage(): string {
  return `Usage: npm run sender -- ${USAGE.replaceAll("sender ", "")}`;
}

function readAction({ action, name, more, profile }: Arguments): Action {
  const hasProfile = profileOf(profile) !== undefined;
  if (action === "list" && name === undefined && !hasProfile) return list;
  if (action === "add" && name !== undefined) {
    checkSender(name, more);
    return (database) => add(database, { name, properties: [...new Set(more)], profile });
  }
  if (action === "set" && name !== undefined && more.length === 0 && hasProfile)
    return (database) => changeProfile(database, name, profile);
  if (action === "disable" && name !== undefined && more.length === 0 && !hasProfile) return (database) => disable(database, name);
  throw new UsageError(usage());
}

type Added = { name: string; properties: readonly string[]; profile: ProfileWords };

async function add(database: Database, { name, properties, profile: words }: Added): Promise<string> {
  const existing = await findByName(database, name);
  const profile = profileOf(words, existing?.profile);
  const hotels = properties.length > 0 ? properties : undefined;
  const secret = await createSender(database, { name, hotels, profile, now: systemClock.now() });
  const stored = profile ?? existing?.profile;
  return [
    existing
      ? `Replaced the secret of sender ${name}. The old one no longer works.`
      : `Added sender ${name}. It can post to /channel with HTTP Basic:`,
    `  user      ${name}`,
    `  password  ${secret}`,
    ...(stored ? [`  profile   ${describeProfile(stored)}`] : []),
    `Only its hash is stored, in ${await locationOf(database)}, so it cannot be shown again.`,
    ...(await warnAboutUnknown(database, properties)),
  ].join("\n");
}

/** Doesn't change the secret and the properties. */
async function changeProfile(database: Database, name: string, words: ProfileWords): Promise<string> {
  const existing = await findByName(database, name);
  const profile = profileOf(words, existing?.profile)!;
  const location = await locationOf(database);
  if (!(await setProfile(database, name, profile))) throw new UsageError(`No sender ${name} in ${location}.`);
  return `Set the profile of sender ${name} in ${location} to ${describeProfile(profile)}. It applies within 5 seconds.`;
}

async function findByName(database: Database, name: string) {
  return (await listSenders(database)).find((sender) => sender.name === name);
}

/** The output shows the database, because a command with other settings than the service would use another one. */
async function locationOf(database: Database): Promise<string> {
  return (await database.describe()).location;
}

async function warnAboutUnknown(database: Database, properties: readonly string[]): Promise<string[]> {
  const found = await Promise.all(properties.map((code) => findProperty(database, code)));
  return properties.filter((_, index) => found[index] === undefined).map((code) => `Property ${code} does not exist yet.`);
}

async function disable(database: Database, name: string): Promise<string> {
  const location = await locationOf(database);
  if (await disableSender(database, name, systemClock.now())) return `Disabled sender ${name} in ${location}.`;
  throw new UsageError(`No enabled sender ${name} in ${location}.`);
}

/** In HTTP Basic, the user name ends at the first colon (RFC 7617). */
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
  const lines = senders.map(({ name, disabledAt, hotels, profile }) =>
    [name, disabledAt === undefined ? "enabled" : "disabled", hotels?.join(", ") ?? "all properties", describeProfile(profile)].join("  "),
  );
  return [...lines, `Database: ${location}`].join("\n");
}
