import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Attribute } from "./attributes.ts";
import { TruncatedError } from "./bytes.ts";
import { decodePage, encodePage, encodeUndo, PageFormatError } from "./codec.ts";
import { emptyPage, UNCHANGED_CELL, NO_VALUE, type Page } from "./page.ts";
import { expandRuns, runsFrom, SPAN_DAYS, uniformRuns } from "./runs.ts";

const number = fc.oneof(
  fc.constantFrom(NO_VALUE, NO_VALUE, 0, 1, 253, 254, 65_533, 65_534, 2 ** 32 - 3, 2 ** 32 - 2, Number.MAX_SAFE_INTEGER),
  fc.nat(500),
  fc.nat(1_000_000),
);
const randomCells = fc.array(number, { minLength: SPAN_DAYS, maxLength: SPAN_DAYS });
const repetitiveCells = fc.tuple(
  fc.array(number, { minLength: 1, maxLength: 5 }),
  fc.array(fc.nat(), { minLength: SPAN_DAYS, maxLength: SPAN_DAYS }),
);
const cells = fc.oneof(
  randomCells,
  repetitiveCells.map(([values, picks]) => picks.map((pick) => values[pick % values.length]!)),
  fc.tuple(number, number, fc.nat(SPAN_DAYS)).map(([a, b, at]) => Array.from({ length: SPAN_DAYS }, (_, i) => (i < at ? a : b))),
);
const names = fc.constantFrom(
  "available",
  "setter:counts",
  "setter:allotment",
  "amount:after:2:10:1",
  "amount:after:2:10:14",
  "amount:before:1:8:1",
  "perPerson",
);
const pages = fc.dictionary(names, cells).map((columns) => pageOf(columns));

function pageOf(columns: Record<string, number[]>): Page {
  return {
    ...emptyPage(7),
    columns: new Map(Object.entries(columns).map(([name, values]) => [name as Attribute, runsFrom((night) => values[night]!)])),
  };
}

function received(page: Page): Record<string, number[]> {
  const columns = [...page.columns].map(([name, runs]) => [name, expandRuns(runs)] as const);
  return Object.fromEntries(columns.filter(([, column]) => column.some((cell) => cell !== NO_VALUE)).toSorted());
}

test("reads back random pages unchanged", () => {
  fc.assert(
    fc.property(pages, (page) => {
      const bytes = encodePage(page);
      if (bytes === undefined) return assert.deepEqual(received(page), {});
      assert.deepEqual(received(decodePage(7, bytes)), received(page));
    }),
    { numRuns: 500 },
  );
});

test("reads only the requested groups but validates all of them", () => {
  const isRequested = (name: string) => name.startsWith("amount:") || name === "perPerson" || name === "setter:allotment";
  fc.assert(
    fc.property(pages, (page) => {
      const bytes = encodePage(page);
      if (bytes === undefined) return;
      const read = received(decodePage(7, bytes, ["amounts", "allotment"]));
      assert.deepEqual(read, Object.fromEntries(Object.entries(received(page)).filter(([name]) => isRequested(name))));
      assert.throws(() => decodePage(7, bytes.subarray(0, -1), ["closed"]), TruncatedError);
    }),
    { numRuns: 500 },
  );
  const bytes = encodePage(pageOf({ available: Array(SPAN_DAYS).fill(3) }))!;
  assert.throws(() => decodePage(7, Object.assign(Buffer.from(bytes), { 5: 0x99 }), ["closed"]), PageFormatError);
});

test("encodes equal pages as identical bytes, regardless of the order of columns and stored strings", () => {
  const threes = Array<number>(SPAN_DAYS).fill(3);
  const stayAmounts = { "amount:after:2:10:7": threes, "amount:after:2:10:14": threes };
  const a = pageOf({ available: threes, currency: [0, 1, ...Array(SPAN_DAYS - 2).fill(0)], ...stayAmounts });
  const b = pageOf({
    ...Object.fromEntries(Object.entries(stayAmounts).toReversed()),
    currency: [2, 1, ...Array(SPAN_DAYS - 2).fill(2)],
    physical: Array(SPAN_DAYS).fill(NO_VALUE),
    available: threes,
  });
  a.texts = ["EUR", "CHF"];
  b.texts = ["gone", "CHF", "EUR"];
  assert.deepEqual(encodePage(a), encodePage(b));
  assert.deepEqual(decodePage(7, encodePage(b)!).texts, ["EUR", "CHF"]);
});

test("writes no bytes for an empty page, but does write an undo record that empties a page", () => {
  const page = pageOf({ available: Array(SPAN_DAYS).fill(NO_VALUE) });
  assert.equal(encodePage(page), undefined);
  assert.deepEqual(decodePage(7, encodeUndo(page)!).columns.get("available"), uniformRuns(NO_VALUE));
  assert.equal(encodeUndo(pageOf({ available: Array(SPAN_DAYS).fill(UNCHANGED_CELL) })), undefined);
});

test("stores a full year of counts in less than three bytes per night", () => {
  const counts = Array.from({ length: SPAN_DAYS }, (_, i) => (i * 7) % 23);
  const bytes = encodePage(
    pageOf({ available: counts, outOfOrder: Array(SPAN_DAYS).fill(0), "setter:counts": Array(SPAN_DAYS).fill(1_234_567) }),
  )!;
  assert.ok(bytes.length < 3 * SPAN_DAYS, `${bytes.length} bytes`);
});

test("stores the setters from a few messages in less than 1.6 bytes per night", () => {
  const setters = Array.from({ length: SPAN_DAYS }, (_, i) => 5_000_000_000 + ((i * 31) % 5));
  assert.ok(encodePage(pageOf({ "setter:counts": setters }))!.length < 1.6 * SPAN_DAYS);
});

test("rejects an unknown version, an unexpected number of nights and truncated bytes", () => {
  const bytes = encodePage(pageOf({ available: Array(SPAN_DAYS).fill(3) }))!;
  const changed = (at: number, value: number) => Object.assign(Buffer.from(bytes), { [at]: value });
  assert.throws(
    () => decodePage(7, changed(0, 2)),
    new PageFormatError("A page of nights has format version 2; this version of Roomrack supports only 1"),
  );
  assert.throws(() => decodePage(7, changed(1, 31)), PageFormatError);
  assert.throws(() => decodePage(7, changed(4, 250)), PageFormatError);
  assert.throws(() => decodePage(7, changed(5, 0x99)), PageFormatError);
  for (let end = 0; end < bytes.length; end++) assert.throws(() => decodePage(7, bytes.subarray(0, end)), TruncatedError);
});
