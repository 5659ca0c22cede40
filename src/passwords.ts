import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

const LEAST_LENGTH = 12;
const LEAST_DISTINCT = 5;

/** Runs along the alphabet, the digits and the keyboard; each counts backwards too. */
const RUNS = ["abcdefghijklmnopqrstuvwxyz", "012345678901234567890123456789", "qwertyuiopasdfghjklzxcvbnm"];

const PRODUCT = "roomrack";

/** Returns whether a password is too short, or common, even if it is repeated or has digits and signs around it. */
export function isGuessable(password: string): boolean {
  const characters = [...new Intl.Segmenter().segment(password)].map(({ segment }) => segment.toLowerCase());
  if (characters.length < LEAST_LENGTH || new Set(characters).size < LEAST_DISTINCT) return true;
  const lower = characters.join("");
  const backwards = characters.toReversed().join("");
  return RUNS.some((run) => run.includes(lower) || run.includes(backwards)) || coresOf(lower).some(isCommon);
}

/** Returns the parts of a password that may be common: all of it, its letters, and its half if it is repeated. */
function coresOf(password: string): string[] {
  const half = password.slice(0, password.length / 2);
  const letters = password.replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, "");
  return [password, letters, ...(half + half === password ? [half] : [])];
}

/** The list takes some milliseconds to read, so only a start with a password reads it. */
function isCommon(password: string): boolean {
  const list = require("@zxcvbn-ts/language-common/src/passwords.json") as string[];
  return password === PRODUCT || list.includes(password);
}
