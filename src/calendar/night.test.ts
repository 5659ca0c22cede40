import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { formatNight, parseNight, todayIn, weekdayBit, weekFrom } from "./night.ts";

const nights = fc.integer({ min: -719_528, max: 2_932_896 });

test("parses formatted dates back to the same night", () => {
  fc.assert(fc.property(nights, (night) => parseNight(formatNight(night)) === night));
});

test("returns the weekday of every night", () => {
  fc.assert(fc.property(nights, (night) => weekdayBit(night) === 1 << (Temporal.PlainDate.from(formatNight(night)).dayOfWeek - 1)));
});

test("rotates weekdays to start at any night", () => {
  fc.assert(
    fc.property(nights, fc.integer({ min: 0, max: 127 }), (night, days) => {
      const week = weekFrom(night, days);
      for (let k = 0; k < 7; k++) assert.equal((week >> k) & 1, Number((days & weekdayBit(night + k)) !== 0));
    }),
  );
});

test("parses every valid date and rejects invalid ones", () => {
  const padded = (length: number, max: number) => fc.integer({ min: 0, max }).map((part) => String(part).padStart(length, "0"));
  const edges = fc.constantFrom("02-28", "02-29", "02-30", "12-31", "01-01", "03-01");
  const day = fc.oneof(
    edges,
    fc.tuple(padded(2, 13), padded(2, 32)).map(([month, date]) => `${month}-${date}`),
  );
  fc.assert(
    fc.property(padded(4, 9999), day, (year, rest) => assert.equal(parseNight(`${year}-${rest}`), daysTo(`${year}-${rest}`))),
    { numRuns: 5_000 },
  );
});

function daysTo(date: string): number | undefined {
  try {
    return Temporal.PlainDate.from("1970-01-01").until(date, { largestUnit: "day" }).days;
  } catch {
    return undefined;
  }
}

test("returns the earlier date again if a clock change moves local time back past midnight", () => {
  const change = Date.parse("2010-03-04T15:00:00Z");
  const dates = [-1, 0, 3_600_000].map((offset) => formatNight(todayIn("Antarctica/Casey", change + offset)));
  assert.deepEqual(dates, ["2010-03-05", "2010-03-04", "2010-03-05"]);
});

test("accepts only the format YYYY-MM-DD", () => {
  const refused = [
    "2027-02-29",
    "2100-02-29",
    "2027-13-01",
    "2027-00-10",
    "2027-04-31",
    "2027-1-01",
    "2027-01-01T00:00",
    " 2027-01-0",
    "20270101",
    "2027-01-0x",
    "2O27-03-01",
    "\uff12\uff10\uff12\uff17-03-01",
    "",
  ];
  assert.deepEqual(
    refused.filter((text) => parseNight(text) !== undefined),
    [],
  );
  assert.deepEqual(["2028-02-29", "2000-02-29"].map(parseNight), [21_243, 11_016]);
});

test("returns the date in any time zone, regardless of the order of calls", () => {
  const zone = fc.constantFrom("UTC", ...Intl.supportedValuesOf("timeZone"));
  const moment = fc.integer({ min: Date.UTC(1990, 0), max: Date.UTC(2100, 0) });
  fc.assert(
    fc.property(zone, moment, fc.array(fc.integer({ min: -90_000_000, max: 90_000_000 })), (timeZone, at, steps) => {
      for (const now of [at, ...steps.map((step) => at + step)]) {
        const shown = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone).toPlainDate();
        assert.equal(formatNight(todayIn(timeZone, now)), shown.toString());
      }
    }),
    { numRuns: 1_000 },
  );
});

test("changes the date at local midnight, even around clock changes", () => {
  const at = (text: string) => Date.parse(text);
  assert.equal(formatNight(todayIn("Europe/Rome", at("2027-03-27T22:59:59.999Z"))), "2027-03-27");
  assert.equal(formatNight(todayIn("Europe/Rome", at("2027-03-27T23:00:00Z"))), "2027-03-28");
  assert.equal(formatNight(todayIn("Europe/Rome", at("2027-03-28T21:59:59Z"))), "2027-03-28");
  assert.equal(formatNight(todayIn("Europe/Rome", at("2027-03-28T22:00:00Z"))), "2027-03-29");
  assert.equal(formatNight(todayIn("Pacific/Auckland", at("2027-03-28T22:00:00Z"))), "2027-03-29");
  assert.throws(() => todayIn("Nowhere/At all", 0), RangeError);
});
