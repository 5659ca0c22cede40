import { firstCharacters } from "../../../text.ts";
import type { Attributes } from "../../../xml/handler.ts";
import { type Dialect, isStrict } from "../dialects.ts";
import { MAX_ECHO_TOKEN } from "../limits.ts";
import type { Head } from "../message.ts";
import { fieldMissing, invalidWord } from "../ota-error.ts";
import type { Reading } from "../report.ts";

const MAX_TARGET = 32;

/** The head before the root is read. */
export function emptyHead(): Head {
  return { echoToken: undefined, timeStamp: undefined, version: undefined, target: undefined, completeSet: false, requestor: undefined };
}

/** The root's attributes that every message has. */
export const HEAD: ReadonlySet<string> = new Set(["EchoToken", "TimeStamp", "Version", "Target"]);

/** Takes the root's attributes. */
export function readHead(head: Head, attributes: Attributes): void {
  head.echoToken = beginningOf(attributes.get("EchoToken"), MAX_ECHO_TOKEN);
  head.timeStamp = attributes.get("TimeStamp");
  head.version = attributes.get("Version");
  head.target = beginningOf(attributes.get("Target"), MAX_TARGET);
}

function beginningOf(text: string | undefined, most: number): string | undefined {
  return text && firstCharacters(text, most);
}

/** Takes `UniqueID`. Any but a complete set counts as a delta; in AlpineBits, which has no other use for it, it is an error. */
export function readUniqueId(head: Head, { attributes, report, at }: Reading, dialect: Dialect): void {
  const instance = attributes.get("Instance");
  const type = attributes.get("Type");
  if (instance?.trim().toLowerCase() === "completeset") head.completeSet = true;
  else if (instance?.trim()) report.ignore(`UniqueID/@Instance="${instance.trim().slice(0, 32)}"`);
  if (!isStrict(dialect)) return;
  if (instance === undefined) report.error(fieldMissing("Instance of UniqueID"), at);
  else if (instance !== "CompleteSet") report.error(invalidWord(instance, "Instance of UniqueID", "CompleteSet"), at);
  if (type === undefined) report.error(fieldMissing("Type of UniqueID"), at);
  else if (!TYPES.has(type)) report.error(invalidWord(type, "Type of UniqueID", "16, 35"), at);
}

/** OpenTravel code list UIT: a reference, or an inventory update. */
const TYPES: ReadonlySet<string> = new Set(["16", "35"]);
