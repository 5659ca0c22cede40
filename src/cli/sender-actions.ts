import { systemClock } from "../clock.ts";
import type { Database } from "../db/database.ts";
import type { ProfileWords } from "../modules/channel/profiles/words.ts";
import { describeProfile } from "../modules/channel/profiles/words.ts";
import {
  createSender,
  deleteSender,
  disableSender,
  enableSender,
  rotateSecret,
  setExpiry,
  setProfile,
} from "../modules/channel/senders/edit-store.ts";
import { isSenderName, SENDER_NAME_FORMAT } from "../modules/channel/senders/names.ts";
import { findSender } from "../modules/channel/senders/store.ts";
import { UsageError } from "./command.ts";
import { parseProfile } from "./sender-profile.ts";
import { byCommand, describeLocation, reportChange, unknownSender, EFFECT_DELAY_TEXT } from "./sender-report.ts";
import { warnOfUnknownProperties } from "./sender-scope.ts";
import { parseDuration, parseExpiry, timeText } from "./sender-time.ts";

type SenderOptions = ProfileWords & { expires?: string; "keep-old"?: string; digest?: boolean };
type CommandArguments = { name: string; more: readonly string[]; options: SenderOptions };
type CommandAction = (database: Database) => Promise<string>;

export function addSender({ name, more, options }: CommandArguments): CommandAction {
  if (!isSenderName(name)) throw new UsageError(`A sender's name can have ${SENDER_NAME_FORMAT}.`);
  const profile = parseProfile(options);
  const expiresAt = readExpiry(options);
  const hotels = more.length > 0 ? [...new Set(more)] : undefined;
  return async (database) => {
    const secret = await createSender(database, { name, hotels, profile, expiresAt, digest: options.digest }, byCommand());
    if (secret === undefined)
      throw new UsageError(
        `Sender ${name} already exists in ${await describeLocation(database)}. For a new secret: npm run sender -- rotate ${name}`,
      );
    return [
      `Added sender ${name} with access to ${hotels?.join(", ") ?? "all properties"}. It can post to /channel with HTTP Basic:`,
      ...(await secretLines(database, { name, secret, expiresAt })),
      ...(await warnOfUnknownProperties(database, more)),
    ].join("\n");
  };
}

type NewSecret = { name: string; secret: string; expiresAt: number | undefined };

async function secretLines(database: Database, { name, secret, expiresAt }: NewSecret): Promise<string[]> {
  const sender = (await findSender(database, name))!;
  return [
    `  user      ${name}`,
    `  password  ${secret}`,
    `  profile   ${describeProfile(sender.profile)}`,
    ...(expiresAt === undefined ? [] : [`  expires   ${timeText(expiresAt)}`]),
    sender.digest
      ? `The password itself is stored in ${await describeLocation(database)}, for WS-Security PasswordDigest. It won't be shown again.`
      : `Only its hash is stored, in ${await describeLocation(database)}, so it cannot be shown again.`,
  ];
}

export function runRotate({ name, options }: CommandArguments): CommandAction {
  const keepOld = options["keep-old"];
  const oldUntil = keepOld === undefined ? undefined : systemClock.now() + parseDuration(keepOld, "keep-old");
  const expiresAt = readExpiry(options);
  return async (database) => {
    const secret = await rotateSecret(database, { name, oldUntil, expiresAt, digest: options.digest }, byCommand());
    if (secret === undefined) throw await unknownSender(database, name);
    const { oldUntil: until } = (await findSender(database, name))!;
    const old = oldUntil === undefined ? "The old one no longer works." : `The old one works until ${timeText(until!)}.`;
    return [`Replaced the secret for sender ${name}. ${old}`, ...(await secretLines(database, { name, secret, expiresAt }))].join("\n");
  };
}

/** Changes a sender's options, but not its secret or properties. */
export function setOptions({ name, options }: CommandArguments): CommandAction {
  const hasProfile = parseProfile(options) !== undefined;
  if (!hasProfile && options.expires === undefined) throw new UsageError("Nothing to change: add --profile, --set or --expires.");
  const expiresAt = readExpiry(options);
  return async (database) => {
    const existingSender = await findSender(database, name);
    if (!existingSender) throw await unknownSender(database, name);
    const lines: string[] = [];
    if (hasProfile) {
      const profile = parseProfile(options, existingSender.profile)!;
      await setProfile(database, { name, profile }, byCommand());
      lines.push(
        `Set the profile of sender ${name} in ${await describeLocation(database)} to ${describeProfile(profile)}. ${EFFECT_DELAY_TEXT}`,
      );
    }
    if (options.expires !== undefined) {
      await setExpiry(database, { name, expiresAt }, byCommand());
      lines.push(`The secret for sender ${name} ${expiresAt === undefined ? "does not expire" : `expires ${timeText(expiresAt)}`}.`);
    }
    return lines.join("\n");
  };
}

export function runDisable({ name }: CommandArguments): CommandAction {
  return async (database) => {
    const location = await describeLocation(database);
    if ((await disableSender(database, name, byCommand())) === "done") return `Disabled sender ${name} in ${location}.`;
    throw new UsageError(`No enabled sender ${name} in ${location}.`);
  };
}

export function runEnable({ name }: CommandArguments): CommandAction {
  return async (database) => {
    const result = await enableSender(database, name, byCommand());
    return reportChange(database, { name, result }, { done: `Enabled sender ${name}.`, unchanged: `Sender ${name} was already enabled.` });
  };
}

export function deleteOne({ name }: CommandArguments): CommandAction {
  return async (database) => {
    if (!(await deleteSender(database, name, byCommand()))) throw await unknownSender(database, name);
    return `Deleted sender ${name} and its codes in ${await describeLocation(database)}. Its messages stay in the log.`;
  };
}

function readExpiry({ expires }: SenderOptions): number | undefined {
  return expires === undefined ? undefined : parseExpiry(expires, systemClock.now());
}
