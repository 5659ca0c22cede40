import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { formatNight, parseNight, todayIn, weekdayBit } from "./night.ts";

const nights = fc.integer({ min: -719_528, max: 2_932_896 });

test("a night written and read back is the same night", () => {
  fc.assert(fc.property(nights, (night) => parseNight(formatNight(night)) === night));
});

test("a night's weekday is the calendar's", () => {
  fc.assert(fc.property(nights, (night) => weekdayBit(night) === 1 << (Temporal.PlainDate.from(formatNight(night)).dayOfWeek - 1)));
});

test("only real dates in the one writing are nights", () => {
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

test("today is the date on the property's calendar, also when asked again across midnight and across clock changes", () => {
  const at = (text: string) => Date.parse(text);
  assert.equal(formatNight(todayIn("Europe/Rome", at("2027-03-27T22:59:59.999Z"))), "2027-03-27");
  assert.equal(formatNight(todayIn("Europe/Rome", at("2027-03-27T23:00:00Z"))), "2027-03-28");
  assert.equal(formatNight(todayIn("Europe/Rome", at("2027-03-28T21:59:59Z"))), "2027-03-28");
  assert.equal(formatNight(todayIn("Europe/Rome", at("2027-03-28T22:00:00Z"))), "2027-03-29");
  assert.equal(formatNight(todayIn("Pacific/Auckland", at("2027-03-28T22:00:00Z"))), "2027-03-29");
  assert.throws(() => todayIn("Nowhere/At all", 0), RangeError);
});
