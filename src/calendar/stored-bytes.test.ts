import assert from "node:assert/strict";
import { test } from "node:test";
import { ALL_GROUPS, type Attribute, NAMED_ATTRIBUTES, setterName } from "./attributes.ts";
import { decodePage, encodePage } from "./codec.ts";
import { emptyPage, NO_VALUE } from "./page.ts";
import { type Runs, runsFrom, SPAN_DAYS, uniformRuns } from "./runs.ts";

// Existing databases contain these bytes. To change them, add a new version and continue to read version 1.

/** Version 1, 384 nights. */
const HEAD = "018003";
const HALF = SPAN_DAYS / 2;

const FORMS: readonly { form: string; column: Attribute; runs: Runs; bytes: string }[] = [
  { form: "one value", column: "available", runs: uniformRuns(5), bytes: "01 01 07" },
  { form: "runs", column: "available", runs: runsFrom((night) => (night < 3 ? 5 : NO_VALUE)), bytes: "01 11 02 0307 fd0201" },
  { form: "one value per night", column: "physical", runs: runsFrom((night) => night % 2), bytes: `02 21 ${"0203".repeat(HALF)}` },
  {
    form: "a dictionary of two-byte values",
    column: "outOfOrder",
    runs: runsFrom((night) => 1_000 + 1_000 * (night % 2)),
    bytes: `03 32 02 ea03 d207 ${"0001".repeat(HALF)}`,
  },
  { form: "a four-byte value", column: "threshold", runs: uniformRuns(70_000), bytes: "05 04 72110100" },
  { form: "a floating-point value", column: "setter:counts", runs: uniformRuns(2 ** 40), bytes: "17 08 0000000000007042" },
  {
    form: "its name instead of a number",
    column: "amount:after:2:10:14",
    runs: uniformRuns(9),
    bytes: "00 14616d6f756e743a61667465723a323a31303a3134 01 0b",
  },
  {
    form: "a name that contains ages",
    column: "amount:after:1:8:1:2-5",
    runs: uniformRuns(9),
    bytes: `00 16${Buffer.from("amount:after:1:8:1:2-5").toString("hex")} 01 0b`,
  },
];

for (const { form, column, runs, bytes } of FORMS) {
  test(`keeps the stored byte format of a column with ${form}`, () => {
    const page = { ...emptyPage(7), columns: new Map([[column, runs]]) };
    const stored = bytesOf(`${HEAD} 00 01 ${bytes}`);
    assert.deepEqual(Buffer.from(encodePage(page)!), stored);
    assert.deepEqual(decodePage(7, stored), page);
  });
}

test("keeps the stored byte format of text values", () => {
  const page = { ...emptyPage(7), columns: new Map<Attribute, Runs>([["mealPlan", uniformRuns(0)]]), texts: ["HB"] };
  const stored = bytesOf(`${HEAD} 01 024842 01 140102`);
  assert.deepEqual(Buffer.from(encodePage(page)!), stored);
  assert.deepEqual(decodePage(7, stored), page);
});

const NAMES = [
  ...["available", "physical", "outOfOrder", "offMarket", "threshold", "derived", "closed", "allotment"],
  ...["stopSell", "closedToArrival", "closedToDeparture", "minStayArrival", "maxStayArrival", "minStayThrough", "maxStayThrough"],
  ...["minAdvance", "maxAdvance", "pattern", "currency", "mealPlan", "extras", "perPerson"],
  ...["setter:counts", "setter:closed", "setter:allotment", "setter:restrictions", "setter:amounts"],
  ...["amount:after:0:10:1", "amount:after:1:10:1", "amount:after:2:10:1", "amount:after:3:10:1", "amount:after:4:10:1"],
  ...["amount:after:5:10:1", "amount:after:6:10:1", "amount:after:7:10:1", "amount:after:8:10:1", "amount:after:9:10:1"],
  ...["amount:after:10:10:1", "amount:before:0:10:1", "amount:before:1:10:1", "amount:before:2:10:1", "amount:before:3:10:1"],
  ...["amount:before:4:10:1", "amount:before:5:10:1", "amount:before:6:10:1", "amount:before:7:10:1", "amount:before:8:10:1"],
  ...["amount:before:9:10:1", "amount:before:10:10:1"],
];

test("keeps the stored number of every column", () => {
  const read = NAMES.map((_, index) => decodePage(7, Buffer.from([...bytesOf(`${HEAD} 00 01`), index + 1, 0x01, 0x07])));
  assert.deepEqual(
    read.map(({ columns }) => [...columns.keys()]),
    NAMES.map((name) => [name]),
  );
});

test("gives every attribute and setter a stored number of its own", () => {
  for (const name of [...NAMED_ATTRIBUTES, ...ALL_GROUPS.map(setterName)]) {
    const page = { ...emptyPage(7), columns: new Map([[name, uniformRuns(5)]]) };
    assert.deepEqual([...decodePage(7, encodePage(page)!).columns.keys()], [name]);
  }
});

function bytesOf(hexadecimal: string): Buffer {
  return Buffer.from(hexadecimal.replaceAll(" ", ""), "hex");
}
