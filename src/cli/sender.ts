import { parseArgs } from "node:util";
import type { Database } from "../db/database.ts";
import { errorMessage } from "../web/http-error.ts";
import { type Command, UsageError } from "./command.ts";
import { addSender, deleteOne, runDisable, runEnable, runRotate, setOptions } from "./sender-actions.ts";
import { listMappedCodes, map, unmapCode } from "./sender-codes.ts";
import { listAllSenders } from "./sender-list.ts";
import { describeProfiles } from "./sender-profile.ts";
import { checkProperties, limitProperties, allowMoreProperties } from "./sender-scope.ts";
import { withStore } from "./store.ts";

const PROFILE_USAGE = "[--profile PROFILE] [--set SETTING=VALUE ...]";
const SENDER_USAGE = [
  `sender add NAME [PROPERTY ...] ${PROFILE_USAGE} [--expires 90d] [--digest]`,
  "sender rotate NAME [--keep-old 24h] [--expires 90d] [--digest]",
  `sender set NAME ${PROFILE_USAGE} [--expires 90d|never]`,
  "sender properties NAME PROPERTY ...",
  "sender widen NAME PROPERTY ...|--all",
  "sender disable|enable|delete NAME",
  "sender map NAME property|category|plan CODE TARGET",
  "sender unmap NAME property|category|plan CODE",
  "sender codes NAME",
  "sender list",
  "sender profiles",
].join(" | ");

export const senderCommand: Command = {
  name: "sender",
  usage: SENDER_USAGE,
  about: "manage senders and their credentials for /channel",
  async run(args) {
    const words = parseArguments(args);
    const isAboutProfiles = words.action === "profiles" && words.name === undefined;
    console.log(isAboutProfiles ? describeProfiles() : await withStore(readAction(words)));
    return 0;
  },
};

const SENDER_OPTIONS = {
  profile: { type: "string" },
  set: { type: "string", multiple: true },
  expires: { type: "string" },
  "keep-old": { type: "string" },
  digest: { type: "boolean" },
  all: { type: "boolean" },
} as const;

type SenderOptions = Partial<ReturnType<typeof parseOptions>["values"]>;

function parseOptions(args: readonly string[]) {
  return parseArgs({ args: [...args], options: SENDER_OPTIONS, allowPositionals: true });
}

type CommandAction = (database: Database) => Promise<string>;

type CommandArguments = { action: string | undefined; name: string | undefined; more: readonly string[]; options: SenderOptions };

function parseArguments(args: readonly string[]): CommandArguments {
  try {
    const { values, positionals } = parseOptions(args);
    const [action, name, ...more] = positionals;
    return { action, name, more, options: { ...values } };
  } catch (error) {
    throw new UsageError(`${errorMessage(error)}\n${usageText()}`);
  }
}

function usageText(): string {
  return `Usage: npm run sender -- ${SENDER_USAGE.replaceAll("sender ", "")}`;
}

type NamedCommand = Omit<CommandArguments, "name" | "action"> & { name: string };

/** The options an action takes, the number of words after the name, and the function that runs it. */
type CommandForm = {
  options?: readonly (keyof SenderOptions)[];
  words?: readonly [least: number, most: number];
  act: (words: NamedCommand) => CommandAction;
};

const PROFILE_OPTIONS = ["profile", "set"] as const;

const COMMAND_FORMS: Readonly<Record<string, CommandForm>> = {
  add: { options: [...PROFILE_OPTIONS, "expires", "digest"], words: [0, Infinity], act: addSender },
  rotate: { options: ["keep-old", "expires", "digest"], act: runRotate },
  set: { options: [...PROFILE_OPTIONS, "expires"], act: setOptions },
  properties: { words: [1, Infinity], act: limitProperties },
  widen: { options: ["all"], words: [0, Infinity], act: allowMoreProperties },
  disable: { act: runDisable },
  enable: { act: runEnable },
  delete: { act: deleteOne },
  map: { words: [3, 3], act: map },
  unmap: { words: [2, 2], act: unmapCode },
  codes: { act: listMappedCodes },
};

function readAction({ action = "", name, more, options }: CommandArguments): CommandAction {
  if (action === "list" && name === undefined && Object.keys(options).length === 0) return listAllSenders;
  const form = Object.hasOwn(COMMAND_FORMS, action) ? COMMAND_FORMS[action]! : undefined;
  if (!form || name === undefined || !matchesForm(form, more, options)) throw new UsageError(usageText());
  if (["add", "properties", "widen"].includes(action)) checkProperties(more);
  return form.act({ name, more, options });
}

function matchesForm(
  { options: known = [], words: [least, most] = [0, 0] }: CommandForm,
  more: readonly string[],
  options: SenderOptions,
): boolean {
  const isKnown = Object.keys(options).every((option) => known.some((one) => one === option));
  return isKnown && more.length >= least && more.length <= most;
}
