/** Each of the `names` contains at least one of the rare `letters`. */
type Row = { names: readonly string[]; letters?: string };

/**
 * Names of fields that hold secrets. They match regardless of case and separators: `api key` also matches `ApiKey`, `api-key` and
 * `X_API_KEY`. Each row is compiled to one pattern. V8 is fastest at finding rare letters, and next fastest at patterns of two alternatives.
 */
const NAME_ROWS: readonly Row[] = [
  {
    names: [
      "password",
      "passwd",
      "pwd",
      "pw",
      "token",
      "jwt",
      "cookie",
      "authorization",
      "api key",
      "access key",
      "auth key",
      "private key",
      "shared key",
      "signing key",
      "encryption key",
      "ssl key",
      "x key",
    ],
    letters: "jkwz",
  },
  { names: ["pass", "passphrase", "passcode", "sid", "sessid", "auth", "authorisation", "pin", "otp"], letters: "dhp" },
  { names: ["secret", "signature"] },
  { names: ["credential", "session"] },
  { names: ["nonce", "csrf", "xsrf"] },
];

/** Names that are secret only in queries and forms. In XML and JSON, they are ordinary data, such as rate plan codes. */
const FIELD_NAMES: ReadonlySet<string> = new Set(["code", "key"]);

const HARMLESS_NAMES: ReadonlySet<string> = new Set(["echotoken", "usernametoken"]);

/** Last words of names for something that only describes a secret, such as `TokenType`. */
const DESCRIBING_WORDS: ReadonlySet<string> = new Set(["policy", "type", "length", "name", "names", "url", "uri", "expires", "expiry"]);

/** Names at least this long also match within words, such as `accesstoken`. */
const MIN_LONG_NAME_LENGTH = 5;
const MAX_CACHED_NAMES = 1_000;
const MAX_CACHED_LENGTH = 200;

type SecretNames = { long: readonly string[]; short: readonly string[]; patterns: readonly RegExp[]; any: RegExp };

let current = compilePatterns([]);
const cachedResults = new Map<string, boolean>();

export function useSecretNames(more: readonly string[]): void {
  current = compilePatterns(more);
  cachedResults.clear();
}

/** Patterns that match part of each secret name. `isSecretName` decides whether the whole name is secret. */
export function secretNamePatterns(): readonly RegExp[] {
  return current.patterns;
}

export function mayContainSecretName(text: string): boolean {
  return current.any.test(text);
}

export function isSecretName(name: string): boolean {
  const cachedResult = cachedResults.get(name);
  if (cachedResult !== undefined) return cachedResult;
  const secret = matchesName(name);
  if (cachedResults.size < MAX_CACHED_NAMES && name.length <= MAX_CACHED_LENGTH) cachedResults.set(name, secret);
  return secret;
}

export function isSecretField(name: string): boolean {
  return isSecretName(name) || FIELD_NAMES.has(name.toLowerCase());
}

function matchesName(name: string): boolean {
  const words = splitWords(name.slice(name.lastIndexOf(":") + 1));
  const joinedWords = words.join("");
  if (HARMLESS_NAMES.has(joinedWords) || DESCRIBING_WORDS.has(words.at(-1) ?? "")) return false;
  return (
    current.long.some((long) => joinedWords.includes(long)) || current.short.some((short) => matchesShortName(words, joinedWords, short))
  );
}

function matchesShortName(words: readonly string[], joined: string, short: string): boolean {
  return joined === short || words.some((word, index) => word.endsWith(short) || `${word}${words[index + 1] ?? ""}` === short);
}

/** Splits camel case, kebab case and snake case into lower-case words without digits. */
function splitWords(name: string): string[] {
  const separatedWords = name.replaceAll(/([a-z])(?=[A-Z])|([A-Z])(?=[A-Z][a-z])/g, "$1$2 ");
  return separatedWords.toLowerCase().match(/[a-z]+/g) ?? [];
}

function compilePatterns(more: readonly string[]): SecretNames {
  const rows = more.length === 0 ? NAME_ROWS : [...NAME_ROWS, { names: more.map((name) => splitWords(name).join(" ")) }];
  const names = rows.flatMap((row) => row.names.map((name) => name.replaceAll(" ", "")));
  const patterns = rows.map(rowPattern);
  return {
    long: names.filter(({ length }) => length >= MIN_LONG_NAME_LENGTH),
    short: names.filter(({ length }) => length < MIN_LONG_NAME_LENGTH),
    patterns,
    any: new RegExp(patterns.map(({ source }) => source).join("|"), "i"),
  };
}

function rowPattern({ names, letters }: Row): RegExp {
  const minimalNames = names.filter((name) => !names.some((other) => other !== name && name.includes(other)));
  const sources = minimalNames.map((name) => (letters === undefined ? withSeparators(name) : aroundLetter(name, letters)));
  const source = [...new Set(sources)].join("|");
  return new RegExp(letters === undefined ? source : `[${letters}](?<=${source})`, "gi");
}

function aroundLetter(name: string, letters: string): string {
  const end = Math.max(...Array.from(letters, (letter) => name.lastIndexOf(letter))) + 1;
  return end === 1 ? `${name[0]}(?=${name.slice(1)})` : withSeparators(name.slice(0, end));
}

function withSeparators(name: string): string {
  return name.replaceAll(" ", "[-_.]?");
}
