import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve, sep } from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { buildExampleFiles } from "../scripts/channel-docs/folder.ts";
import { parseNight } from "../src/calendar/night.ts";
import { hasMismatch, describeMismatches } from "../src/cli/conformance/command.ts";
import { moveDates } from "../src/cli/conformance/requests.ts";
import { runFolder } from "../src/cli/conformance/run.ts";
import { fixedClock } from "../src/clock.ts";
import { START } from "./support/app.ts";
import { runHere } from "./support/command.ts";
import type { Ended } from "./support/process.ts";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const EXAMPLES = join(ROOT, "examples/");
/** A folder of third-party messages with the AlpineBits schemas. Skipped if it does not exist. */
const SAMPLES = resolve(ROOT, process.env["SAMPLES"] || "../shared/samples");
const samples = existsSync(join(SAMPLES, "SOURCES.tsv")) ? SAMPLES : undefined;

describe("the examples folder", () => {
  test("the examples folder is up to date; npm run docs updates it", () => {
    const expected = buildExampleFiles();
    const found = globSync("**/*.{xml,json,tsv}", { cwd: EXAMPLES }).map((path) => path.replaceAll(sep, "/"));
    assert.deepEqual(found.toSorted(), [...expected.keys()].toSorted());
    for (const [path, content] of expected) assert.equal(readFileSync(join(EXAMPLES, path), "utf8"), content, path);
  });

  test("the examples folder passes the conformance run", async () => {
    const results = await runFolder(EXAMPLES, { clock: fixedClock(START), schemas: samples });
    assert.equal(results.length, buildExampleFiles().size - 2);
    assert.equal(describeMismatches(results), "");
    assert.ok(results.some(({ facts }) => facts > 0));
    assert.equal(
      results.some(({ validated }) => validated > 0),
      samples !== undefined,
    );
  });
});

if (samples !== undefined) {
  test(`the messages in ${process.env["SAMPLES"] || "../shared/samples"} pass the conformance run`, async () => {
    const results = await runFolder(samples, { clock: fixedClock(START) });
    assert.ok(results.length > 0);
    assert.equal(describeMismatches(results.filter(hasMismatch)), "");
  });
}

describe("a conformance run", () => {
  const message = (dates: string) =>
    `<OTA_HotelInvCountNotifRQ xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.0"><Inventories HotelCode="H9"><Inventory><StatusApplicationControl ${dates} InvTypeCode="TWN"/><InvCounts><InvCount CountType="2" Count="3"/></InvCounts></Inventory></Inventories></OTA_HotelInvCountNotifRQ>`;
  const week = message('Start="2020-02-03" End="2020-02-09"');

  const cases = [
    { name: "moves a message's past dates into the future", expected: "accept: count 3 for 7 nights", mismatches: [] },
    { name: "reports a count that was not stored", expected: "accept: count 4", mismatches: ["available is 3, not 4"] },
    { name: "reports a wrong number of nights", expected: "accept: count 3 for 6 nights", mismatches: ["nights is 7, not 6"] },
    { name: "reports a missing refusal", expected: "reject: it should not be taken", mismatches: ["it was not refused"] },
    {
      name: "reports a missing warning",
      expected: "Success + Warning Type=11: something",
      mismatches: ["it has no warning"],
    },
    {
      name: "reports an expectation that it cannot parse",
      expected: "perhaps",
      mismatches: ["not checked: the expectation mentions neither acceptance nor refusal"],
    },
    { name: "recognizes other wordings of acceptance", expected: "The message is Accepted", mismatches: [] },
    { name: "recognizes other wordings of refusal", expected: "an error, as the date is wrong", mismatches: ["it was not refused"] },
    { name: "doesn't create a hotel that must be unknown", expected: "Refuse: unknown hotel", mismatches: [] },
    { name: "doesn't create a category that must be unknown", expected: "Refuse: unknown room type", mismatches: [] },
    { name: "doesn't create a hotel if error 392 is expected", expected: "Errors: Type=6 Code=392", mismatches: [] },
    { name: "doesn't create a category if error 402 is expected", expected: "Errors: Type=3 Code=402", mismatches: [] },
    { name: "reports a wrong error code", expected: "Errors: Type=3 Code=404", mismatches: ["it was not refused"] },
    {
      name: "reports a wrong HTTP status",
      expected: "HTTP 400, Errors Type=12 Code=450",
      mismatches: ["HTTP 200, not 400", "it was not refused"],
    },
    { name: "doesn't move dates that must be in the past", expected: "Success + Warning Type=11: all nights are past", mismatches: [] },
  ];
  for (const { name, expected, mismatches } of cases) {
    test(name, async () => {
      const [result] = await inFolder(week, expected, (folder) => runFolder(folder, { clock: fixedClock(START) }));
      assert.deepEqual(result!.mismatches, mismatches, result!.answer);
    });
  }

  test("a conformance run continues after a missing file, and matches headings and kinds case-insensitively", async () => {
    const list = "\u{feff}File \tKIND\tExpected\ngone.xml\tRequest\taccept\nmore/2024-10/one.xml\trequest \taccept\n";
    const results = await inFolder(week, "accept", (folder) => {
      mkdirSync(join(folder, "more", "2024-10"), { recursive: true });
      writeFileSync(join(folder, "more", "2024-10", "one.xml"), week);
      writeFileSync(join(folder, "SOURCES.tsv"), list);
      return runFolder(folder, { clock: fixedClock(START) });
    });
    assert.deepEqual(
      results.map(({ file, source }) => [file, source]),
      [
        ["gone.xml", "gone.xml"],
        ["more/2024-10/one.xml", "alpinebits/2024-10"],
      ],
    );
    assert.match(results[0]!.mismatches.join(), /^it could not be sent: ENOENT/);
    assert.deepEqual(results[1]!.mismatches, []);
  });

  test("uses the sender profile from the command line or the list", async () => {
    const product = message('Start="2020-02-03" End="2020-02-09" RatePlanCode="TWN"').replaceAll(' InvTypeCode="TWN"', "");
    const words = ["--profile", "ctrip-2", "--set", "end=excluded"];
    const expected = "accept: count 3 for 6 nights";
    const given = await inFolder(product, expected, (folder) => run(folder, words));
    assert.equal(given.code, 0, given.output + given.errors);
    const standard = await inFolder(product, expected, run);
    assert.equal(standard.code, 1);
    const listed = await inFolder(product, expected, (folder) => {
      writeFileSync(join(folder, "SOURCES.tsv"), `file\tkind\texpected\tprofile\none.xml\trequest\t${expected}\tctrip-2 end=excluded\n`);
      return run(folder);
    });
    assert.equal(listed.code, 0, listed.output + listed.errors);
    const unknown = await inFolder(product, expected, (folder) => run(folder, ["--profile", "ctrip"]));
    assert.match(unknown.errors, /^Unknown profile 'ctrip'\. Allowed: standard, .*\nUsage: npm run conformance -- \[--profile/);
  });

  test("a conformance run reports a folder without requests", async () => {
    const none = await inFolder(week, "accept", (folder) => {
      writeFileSync(join(folder, "SOURCES.tsv"), "file\tkind\texpected\none.xml\tresponse\t\n");
      return run(folder);
    });
    assert.equal(none.code, 1);
    assert.match(none.errors, /^\S+SOURCES\.tsv lists no requests\.\n$/);
  });

  test("exits with 1 on a failure and 0 otherwise, and reports a folder without SOURCES.tsv", async () => {
    const missed = await inFolder(week, "reject", runSeparately);
    assert.equal(missed.status, 1);
    assert.match(missed.stdout, /MISSED: it was not refused[\s\S]*<Success\/>[\s\S]*all +1 /);
    const met = await inFolder(week, "accept", runSeparately);
    assert.equal(met.status, 0, met.stderr);
    const none = await run(join(tmpdir(), "not-there"));
    assert.equal(none.code, 1);
    assert.match(none.errors, /^No SOURCES\.tsv in /);
  });

  test("moves dates by whole weeks without changing timestamps, other text or the encoding", () => {
    const tomorrow = parseNight("2026-11-21")!;
    const text = '<a TimeStamp="2020-02-01T10:00:00" Start="2020-02-03" End="2020-02-09" Version="2018-10">2020-02-03 ü</a>';
    const moved = '<a TimeStamp="2020-02-01T10:00:00" Start="2026-11-23" End="2026-11-29" Version="2018-10">2020-02-03 ü</a>';
    for (const encoding of ["utf8", "latin1"] as const) {
      assert.equal(moveDates(Buffer.from(text, encoding), tomorrow).toString(encoding), moved);
    }
    assert.equal(moveDates(Buffer.from(`\u{feff}${text}`, "utf16le"), tomorrow).toString("utf16le"), `\u{feff}${moved}`);
    const later = Buffer.from(message('Start="2026-11-21" End="2026-11-22"'));
    assert.equal(moveDates(later, tomorrow), later);
  });
});

async function inFolder<T>(xml: string, expected: string, work: (folder: string) => T | Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "roomrack-samples-"));
  try {
    writeFileSync(join(folder, "one.xml"), xml);
    writeFileSync(join(folder, "SOURCES.tsv"), `file\tkind\texpected\none.xml\trequest\t${expected}\nanswer.xml\tresponse\t\n`);
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function run(folder: string, words: readonly string[] = []): Promise<Ended> {
  return runHere(["conformance", ...words, folder], { TMPDIR: tmpdir() });
}

function runSeparately(folder: string) {
  return spawnSync(process.execPath, [join(ROOT, "src/start.mjs"), "conformance", folder], { encoding: "utf8" });
}
