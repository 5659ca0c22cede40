import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { renewDocument, shownExamples } from "../scripts/channel-docs/document.ts";
import { readConfig } from "../src/config.ts";
import {
  BEGINNING_BYTES,
  BEGINNING_MS,
  MAX_AMOUNTS,
  MAX_AMOUNTS_TOLD,
  MAX_BODY_BYTES,
  MAX_CATEGORIES,
  MAX_CELLS,
  MAX_CODE_LENGTH,
  MAX_COUNT,
  MAX_DAY_OFFSET,
  MAX_DETAILS,
  MAX_DIGITS,
  MAX_ECHO_TOKEN,
  MAX_EXTRAS,
  MAX_GUESTS,
  MAX_LINES,
  MAX_MILLISECONDS,
  MAX_PATTERN,
  MAX_PLANS,
  MAX_RANGES_TOLD,
  MAX_SILENCE_MS,
  MAX_STAY,
  MAX_UNDER_WAY_BYTES,
  MAX_UNPACKED_BYTES,
  MAX_WAITING,
  MAX_WHOLE_DIGITS,
  MAX_WIDE_LINES,
} from "../src/modules/channel/limits.ts";
import { messages } from "../src/modules/channel/messages/index.ts";
import { FINDINGS_SHOWN } from "../src/modules/channel/report.ts";
import { MAX_ATTRIBUTES, MAX_BINDINGS, MAX_DEPTH, MAX_NAME, MAX_TEXT } from "../src/xml/handler.ts";

const document = readFileSync(new URL("../docs/channel.md", import.meta.url), "utf8");
const MEGABYTE = 1024 * 1024;

test("docs/channel.md shows the examples and answers as they are; npm run docs writes them", async () => {
  assert.equal(await renewDocument(document), document);
});

test("docs/channel.md has every message, and every example once", () => {
  for (const { root } of messages) assert.ok(document.includes(`\n## ${root}\n`), root);
  const names = messages.flatMap(({ examples }) => examples.map(({ name }) => name));
  assert.deepEqual(shownExamples(document).toSorted(), names.toSorted());
});

test("docs/channel.md has lines for the codes that an answer can have, and for no others", () => {
  const told = [...rowsOf("Errors").map((cells) => Number(cells[2])), ...rowsOf("Warnings").map((cells) => Number(cells[1]))];
  const source = readFileSync(new URL("../src/modules/channel/ota-error.ts", import.meta.url), "utf8");
  const codes = [...source.matchAll(/\bfault\([\w.]+, (\d+), |\bcode: (\d+)/g)].map(([, given, set]) => Number(given ?? set));
  assert.ok(codes.length > 20);
  assert.deepEqual(new Set(told.filter((code) => code > 0)), new Set(codes));
});

test("docs/channel.md has the limits of the code, and no others", () => {
  const limits = rowsOf("Limits").map(([what, limit]) => `${what}: ${limit}`);
  const wanted = [
    `request: ${MAX_BODY_BYTES / MEGABYTE} MB; unpacked ${MAX_UNPACKED_BYTES / MEGABYTE} MB, and 100 times its compressed size where that is more than 1 MB`,
    `all requests of known senders that are under way: ${MAX_UNDER_WAY_BYTES / MEGABYTE} MB of their first megabytes, beside the first 64 kB of each, and as much beyond; the next one is told to come back (429)`,
    `messages of one sender under way at once: ${readConfig({}).values.CHANNEL_PLACES_PER_SENDER}, or \`CHANNEL_PLACES_PER_SENDER\`; the next one is answered 429`,
    `credentials in the body, and the property of a sender limited to some: within the first ${BEGINNING_BYTES / 1024} kB, also after unpacking`,
    `pause of a known sender's request, time for the first ${BEGINNING_BYTES / 1024} kB of an unknown sender's: ${MAX_SILENCE_MS / 1000} s, ${BEGINNING_MS / 1000} s; then 408`,
    `lines of a message: ${words(MAX_LINES)}`,
    `nights that a message sets, times the values of each: ${words(MAX_CELLS)}`,
    `lines without a category, and rate plans that are emptied again, times the categories of the hotel: ${words(MAX_WIDE_LINES)}`,
    `amounts of one night in a line: ${words(MAX_AMOUNTS)}`,
    `amounts of additional guests of one night in a line: ${words(MAX_EXTRAS)}`,
    `ranges of nights, amounts in an answer about rate plans: ${words(MAX_RANGES_TOLD)}, ${words(MAX_AMOUNTS_TOLD)}; more has to be asked for by nights, or by the codes of plans`,
    `rate plans, categories of a hotel that messages make: ${words(MAX_PLANS)}, ${words(MAX_CATEGORIES)}`,
    `texts, supplements and offers of one rate plan: ${words(MAX_DETAILS)} characters`,
    `depth of elements, attributes of one, characters of one text or value: ${MAX_DEPTH}, ${MAX_ATTRIBUTES}, ${words(MAX_TEXT)}`,
    `prefixes bound at one place, characters of a name or a namespace: ${MAX_BINDINGS}, ${words(MAX_NAME)}`,
    `codes: ${MAX_CODE_LENGTH} characters`,
    `counts: 0 to ${words(MAX_COUNT)}`,
    `amounts: ${words(10 ** MAX_WHOLE_DIGITS - 1)}, and ${MAX_DIGITS} digits, the minor ones included`,
    `lengths of stay: 0 to ${MAX_STAY}; patterns up to ${MAX_PATTERN} letters`,
    `booking windows: 0 to ${words(MAX_DAY_OFFSET)} days`,
    `guests: 1 to ${MAX_GUESTS}`,
    `\`EchoToken\`: ${MAX_ECHO_TOKEN} characters are repeated`,
    `time: ${MAX_MILLISECONDS / 1000} s, waiting included`,
    `waiting for one hotel: ${MAX_WAITING} messages`,
    `errors, warnings told: ${FINDINGS_SHOWN} each`,
    `kept in the log of a message without right credentials: the first ${BEGINNING_BYTES / 1024} KiB; nothing while its address is to wait`,
  ];
  assert.deepEqual(limits, wanted);
});

/** The cells of the tables under some headings, without their heads. */
function rowsOf(...headings: readonly string[]): string[][] {
  return headings.flatMap((heading) => {
    const start = document.indexOf(`\n## ${heading}\n`);
    const section = document.slice(start, document.indexOf("\n## ", start + 1));
    const [, ...rows] = section.split("\n").filter((line) => line.startsWith("| "));
    return rows.map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  });
}

function words(number: number): string {
  return number.toLocaleString("en");
}
