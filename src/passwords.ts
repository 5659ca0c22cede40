import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

const MIN_PASSWORD_LENGTH = 12;
const MIN_DISTINCT_CHARACTERS = 5;

const KEYBOARD_SEQUENCES = ["abcdefghijklmnopqrstuvwxyz", "012345678901234567890123456789", "qwertyuiopasdfghjklzxcvbnm"];

const PRODUCT_NAME = "roomrack";

/** Returns whether a password is too short or common, even if repeated or surrounded by digits and symbols. */
export function isGuessable(password: string): boolean {
  const characters = [...new Intl.Segmenter().segment(password)].map(({ segment }) => segment.toLowerCase());
  if (characters.length < MIN_PASSWORD_LENGTH || new Set(characters).size < MIN_DISTINCT_CHARACTERS) return true;
  const lowerCase = characters.join("");
  const backwards = characters.toReversed().join("");
  return (
    KEYBOARD_SEQUENCES.some((sequence) => sequence.includes(lowerCase) || sequence.includes(backwards)) ||
    lookupCandidates(lowerCase).some(isCommonPassword)
  );
}

/** Returns the strings to look up: the password, the password without non-letters at either end, and one half if both are equal. */
function lookupCandidates(password: string): string[] {
  const firstHalf = password.slice(0, password.length / 2);
  const trimmed = password.replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, "");
  return [password, trimmed, ...(firstHalf + firstHalf === password ? [firstHalf] : [])];
}

/** Loads the list only when needed, because loading takes several milliseconds. */
function isCommonPassword(password: string): boolean {
  const list = require("@zxcvbn-ts/language-common/src/passwords.json") as string[];
  return password === PRODUCT_NAME || list.includes(password);
}

const MAX_FILE_LENGTH = 1_000;

/**
 * Reads a password or secret file, such as a container secret. Removes one trailing line end. The error never quotes the file's content.
 */
export function readSecretFile(path: string): { secret: string } | { fault: string } {
  const text = readText(path);
  if (typeof text !== "string") return { fault: `cannot be read: ${text.message}` };
  const secret = text.replace(/\r?\n$/, "");
  if (secret === "") return { fault: `must contain one line of text, but ${path} is empty` };
  if (/[\r\n\uFFFD]/.test(secret)) return { fault: `must contain one line of UTF-8 text, but ${path} has several lines or is not UTF-8` };
  if (secret.length > MAX_FILE_LENGTH) return { fault: `must contain at most ${MAX_FILE_LENGTH} characters, but ${path} has more` };
  return { secret };
}

function readText(path: string): string | Error {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    return error as Error;
  }
}
