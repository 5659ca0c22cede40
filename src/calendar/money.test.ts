import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { CURRENCIES, formatAmount, fractionDigits, isCurrency, readableAmount } from "./money.ts";

test("formats an amount with its currency's number of decimal places", () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), fc.constantFrom(...CURRENCIES), (units, currency) => {
      const written = formatAmount(units, currency);
      const [whole = "", fraction = ""] = written.split(".");
      assert.match(whole, /^(?:0|[1-9]\d*)$/);
      assert.equal(fraction.length, fractionDigits(currency));
      assert.equal(Number(whole + fraction), units);
      assert.equal(readableAmount(units, currency).replaceAll(",", ""), written);
    }),
    { numRuns: 1_000 },
  );
});

const WRITTEN: readonly (readonly [units: number, currency: string, text: string, readable: string])[] = [
  [0, "EUR", "0.00", "0.00"],
  [5, "EUR", "0.05", "0.05"],
  [123_456_789, "EUR", "1234567.89", "1,234,567.89"],
  [100_000, "JPY", "100000", "100,000"],
  [1_000, "KWD", "1.000", "1.000"],
  [12_345, "CLF", "1.2345", "1.2345"],
  [Number.MAX_SAFE_INTEGER, "EUR", "90071992547409.91", "90,071,992,547,409.91"],
];

for (const [units, currency, text, readable] of WRITTEN) {
  test(`formats ${units} minor units of ${currency} as ${readable}`, () => {
    assert.deepEqual([formatAmount(units, currency), readableAmount(units, currency)], [text, readable]);
  });
}

test("accepts ISO 4217 codes only in upper case", () => {
  assert.deepEqual(["EUR", "CHF", "XAF", "CLF", "VED"].filter(isCurrency).length, 5);
  assert.deepEqual(["eur", "EU", "EURO", "ZZZ", "", "constructor"].filter(isCurrency), []);
});
