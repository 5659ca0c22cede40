/** Names in words; `letters` are some that each of them has, and that messages hardly have. */
type Row = { names: readonly string[]; letters?: string };

/**
 * Names of fields, headers, parameters, elements and attributes whose values are secrets. Case and separators don't count: `api key` also
 * stands for `ApiKey`, `api-key` and `X_API_KEY`. The names of a row are searched for together: V8 is fastest at rare letters, then at two
 * words.
 */
const ROWS: readonly Row[] = [
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

/** Secret only in queries and forms: in XML and JSON these are data, such as the code of a rate plan. */
const FIELD_NAMES: ReadonlySet<string> = new Set(["code", "key"]);

/** OpenTravel's reference to a message, and the WS-Security element around a name and a password that has its own. */
const NOT_SECRET: ReadonlySet<string> = new Set(["echotoken", "usernametoken"]);

/** Last words of names that tell about a secret without holding it, such as `TokenType`. */
const DESCRIBING: ReadonlySet<string> = new Set(["policy", "type", "length", "name", "names", "url", "uri", "expires", "expiry"]);

/** A name this long also counts as a part of a longer word, such as `accesstoken`. */
const LONG = 5;
const JUDGED_KEPT = 1_000;
const LONGEST_JUDGED = 200;

/** Names in lower case without separators, patterns of which one matches a part of each, and one that matches a part of any. */
type SecretNames = { long: readonly string[]; short: readonly string[]; patterns: readonly RegExp[]; any: RegExp };

let current = compile([]);
/** Results for recent names: most messages use the same few. */
const judged = new Map<string, boolean>();

/** Sets the names that count in addition to the built-in ones, in the whole process. */
export function useSecretNames(more: readonly string[]): void {
  current = compile(more);
  judged.clear();
}

/** Patterns of which one matches a part of each secret name. Whether a name with a match is secret is for `isSecretName` to say. */
export function secretNamePatterns(): readonly RegExp[] {
  return current.patterns;
}

/** Whether a text may have a secret name in it. For short texts this is faster than a search with each of the patterns. */
export function mayNameSecret(text: string): boolean {
  return current.any.test(text);
}

/** Whether the value of a field, header, element or attribute of this name is a secret. */
export function isSecretName(name: string): boolean {
  const known = judged.get(name);
  if (known !== undefined) return known;
  const secret = judge(name);
  if (judged.size < JUDGED_KEPT && name.length <= LONGEST_JUDGED) judged.set(name, secret);
  return secret;
}

/** Whether the value of a query parameter or form field of this name is a secret. */
export function isSecretField(name: string): boolean {
  return isSecretName(name) || FIELD_NAMES.has(name.toLowerCase());
}

function judge(name: string): boolean {
  const words = wordsOf(name.slice(name.lastIndexOf(":") + 1));
  const joined = words.join("");
  if (NOT_SECRET.has(joined) || DESCRIBING.has(words.at(-1) ?? "")) return false;
  return current.long.some((long) => joined.includes(long)) || current.short.some((short) => hasShort(words, joined, short));
}

/** A short name has to end a word, or be two words or all of the name in whatever case. */
function hasShort(words: readonly string[], joined: string, short: string): boolean {
  return joined === short || words.some((word, index) => word.endsWith(short) || `${word}${words[index + 1] ?? ""}` === short);
}

/** The words of a name in camel case, kebab case or snake case, in lower case and without digits. */
function wordsOf(name: string): string[] {
  const separated = name.replaceAll(/([a-z])(?=[A-Z])|([A-Z])(?=[A-Z][a-z])/g, "$1$2 ");
  return separated.toLowerCase().match(/[a-z]+/g) ?? [];
}

function compile(more: readonly string[]): SecretNames {
  const rows = more.length === 0 ? ROWS : [...ROWS, { names: more.map((name) => wordsOf(name).join(" ")) }];
  const names = rows.flatMap((row) => row.names.map((name) => name.replaceAll(" ", "")));
  const patterns = rows.map(patternOf);
  return {
    long: names.filter(({ length }) => length >= LONG),
    short: names.filter(({ length }) => length < LONG),
    patterns,
    any: new RegExp(patterns.map(({ source }) => source).join("|"), "i"),
  };
}

/** A name that has another one in it would be found twice. */
function patternOf({ names, letters }: Row): RegExp {
  const enough = names.filter((name) => !names.some((other) => other !== name && name.includes(other)));
  const sources = enough.map((name) => (letters === undefined ? withSeparators(name) : aroundLetter(name, letters)));
  const source = [...new Set(sources)].join("|");
  return new RegExp(letters === undefined ? source : `[${letters}](?<=${source})`, "gi");
}

/** The name as far as the last of the letters in it; if that is the first, the rest has to follow. */
function aroundLetter(name: string, letters: string): string {
  const end = Math.max(...Array.from(letters, (letter) => name.lastIndexOf(letter))) + 1;
  return end === 1 ? `${name[0]}(?=${name.slice(1)})` : withSeparators(name.slice(0, end));
}

function withSeparators(name: string): string {
  return name.replaceAll(" ", "[-_.]?");
}
