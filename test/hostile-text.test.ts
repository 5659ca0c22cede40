import assert from "node:assert/strict";
import { test } from "node:test";
import { scrubText } from "../src/errors/describe/redact.ts";
import { findSecrets } from "../src/secrets/find.ts";
import { maskBody } from "../src/secrets/mask.ts";
import { secretNamePatterns } from "../src/secrets/names.ts";
import { type Cost, costliest, isTooSlow } from "./support/regex/cost.ts";
import { hostileTexts, hostileWords } from "./support/regex/hostile.ts";
import { regexLiterals } from "./support/regex/literals.ts";
import { readSources } from "./support/sources.ts";

/** Limit as a multiple of the time to read the text once. Comes to about 50 ms per megabyte. */
const BOUND = 50;

/** Exempt patterns by file or folder. None of them is applied to long untrusted text. */
const EXEMPT: readonly (readonly [path: string, pattern: string | undefined, reason: string])[] = [
  ["src/cli/conformance/", undefined, "the command reads only its own user's files"],
  ["src/calendar/money.ts", String.raw`/\B(?=(?:\d{3})+$)/g`, "stored amounts have at most 12 digits"],
  ["src/web/parts/amount.ts", String.raw`/\B(?=(\d{3})+$)/g`, "numbers have few digits"],
  [
    "src/web/parts/if-allowed.ts",
    String.raw`/<!--action-->.*?<!--\/action-->/gs`,
    "text from outside is escaped in pages, so it has no comments",
  ],
  ["src/web/route-registry.ts", String.raw`/(src\/[^/:]+\/[^:]*:\d+):\d+\)?$/`, "lines of our own call stacks are short"],
];

/** Files that build patterns at runtime, with the number of patterns. */
const RUNTIME_PATTERNS: Readonly<Record<string, readonly [count: number, reason: string]>> = {
  "src/secrets/names.ts": [2, "tested below"],
  "src/xml/write.ts": [4, "each has a single character class"],
  "src/web/html.ts": [1, "a literal with other flags"],
  "src/text.ts": [1, "a literal with other flags"],
  "src/records/search.ts": [1, "a single character class"],
  "src/modules/channel/elements/words.ts": [1, "alternatives without repetition"],
  "src/cli/conformance/run.ts": [1, "the command reads only its own user's files"],
};

const sources = readSources("src/**/*.{ts,mjs}").filter(({ path }) => !path.endsWith(".test.ts"));
const literals = sources.flatMap(({ path, text }) => regexLiterals(text).map((literal) => ({ path, literal })));

test("regular expressions take linear time on hostile text", () => {
  const slow = literals
    .filter(({ path, literal }) => !isExempt(path, literal))
    .map(({ path, literal }) => faultOf(`${path} ${literal}`, parseRegex(literal)));
  assert.deepEqual(slow.filter(Boolean), []);
  assert.ok(literals.length > 200, `${literals.length} found`);
});

test("patterns for secret names take linear time on hostile text", () => {
  assert.deepEqual(
    secretNamePatterns()
      .map((pattern) => faultOf(String(pattern), pattern))
      .filter(Boolean),
    [],
  );
});

test("only the files in a known list build regular expressions at runtime", () => {
  const built = sources.map(({ path, code }) => [path, [...code.matchAll(/\bRegExp\(/g)].length] as const).filter(([, count]) => count > 0);
  assert.deepEqual(Object.fromEntries(built), Object.fromEntries(Object.entries(RUNTIME_PATTERNS).map(([path, [count]]) => [path, count])));
});

test("every exempt regular expression still exists in the code", () => {
  for (const [path, pattern] of EXEMPT)
    assert.ok(
      literals.some((one) => one.path.startsWith(path) && (pattern ?? one.literal) === one.literal),
      `${path} ${pattern ?? ""}`,
    );
});

/** `PART` is quadratic: with this pattern, masking a message of 753 kB took 43 s. */
test("detects slow regular expressions", () => {
  const PART =
    /(Content-Disposition:[^\r\n]{0,200}name="?[^"\r\n]{0,50}Password"?[^\r\n]{0,200}(\r?\n)(?:[^\r\n]{1,200}\2){0,5}\2)[^]*?(?=\2--|$)/gi;
  for (const pattern of [PART, /(a+)+b/, /^(?:\w+\s?)*$/, /\s+$/, /<!--[^]*?-->/g, /x{0,300}x{0,300}y/])
    assert.ok(faultOf("", pattern), String(pattern));
});

const SAMPLE_TEXT =
  'Content-Disposition: name= Password <Password /Password> [CDATA[ pass= "token":" \\ http:// @ &key= %3C %22 bearer eyJa. 4 1'.split(" ");

/** Masking reads a text several times, for each kind of secret and both raw and decoded. */
const SEARCHES: readonly (readonly [name: string, search: (text: string) => void, bound: number])[] = [
  ["finding secrets", findSecrets, BOUND],
  ["masking a body", (text) => maskBody(Buffer.from(text, "latin1")), 4 * BOUND],
  ["redacting an error", scrubText, 6 * BOUND],
];

for (const [name, search, bound] of SEARCHES) {
  test(`${name} takes linear time on hostile text`, () => {
    const words = [...SAMPLE_TEXT, " ", "\n", "=", '"', "'", "<", ">"];
    assert.equal(describeCost(costliest(search, hostileWords(words), bound), bound), undefined);
  });
}

function parseRegex(literal: string): RegExp {
  const end = literal.lastIndexOf("/");
  return new RegExp(literal.slice(1, end), literal.slice(end + 1));
}

function isExempt(path: string, literal: string): boolean {
  return EXEMPT.some(([prefix, pattern]) => path.startsWith(prefix) && (pattern ?? literal) === literal);
}

function faultOf(name: string, pattern: RegExp): string | undefined {
  const fault = describeCost(
    costliest((text) => text.replace(pattern, ""), hostileTexts(pattern), BOUND),
    BOUND,
  );
  return fault && `${name}: ${fault}`;
}

function describeCost(cost: Cost | undefined, bound: number): string | undefined {
  if (cost === undefined || !isTooSlow(cost, bound)) return undefined;
  const { text, length, micros, ratio } = cost;
  return `${length} characters like ${JSON.stringify(text)} take ${Math.round(micros / 1000)} ms, as long as reading them ${Math.round(ratio)} times`;
}
