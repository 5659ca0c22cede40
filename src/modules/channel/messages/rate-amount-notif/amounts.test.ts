import assert from "node:assert/strict";
import { test } from "node:test";
import { after, amountsLine as line, amountsMessage as message, base, PLAN, rate } from "../../../../../test/support/amounts.ts";
import { day, eachChannel } from "../../../../../test/support/channel.ts";

eachChannel("OTA_HotelRateAmountNotifRQ", (channel) => {
  test("stores amounts in minor units, before and after tax, by guests and age", async () => {
    const { code, night } = await channel.hotel();
    const amounts =
      base('NumberOfGuests="2" AmountBeforeTax="109.09" AmountAfterTax="120" CurrencyCode="EUR"') +
      base('NumberOfGuests="1" AgeQualifyingCode="8" AmountAfterTax="9.5"');
    const { text } = await channel.send(message(code, line(rate(amounts))));
    assert.match(text, /<Success\/><\//);
    const expected = { currency: "EUR", "amount:before:2:10:1": 10_909, "amount:after:2:10:1": 12_000, "amount:after:1:8:1": 950 };
    assert.deepEqual(await night(day(2), PLAN), expected);
  });

  test("records whether a plan's amounts are before tax, after tax or both", async () => {
    const { code } = await channel.hotel();
    const reported = async (attributes: string, type?: string) => {
      await channel.send(message(code, line(rate(base(attributes))), type));
      const plans = channel.database.read.selectFrom("rate_plan").select("taxes").where("property", "=", code);
      return (await plans.executeTakeFirstOrThrow()).taxes;
    };
    assert.equal(await reported('AmountAfterTax="120"'), "after");
    assert.equal(await reported('AmountAfterTax="120" AmountBeforeTax="109"'), "both");
    assert.equal(await reported('AmountBeforeTax="109"'), "before");
    assert.equal(await reported("", "Remove"), "before");
  });

  test("stores an amount without a number of guests as the room's price, in the hotel's currency", async () => {
    const { code, night } = await channel.hotel({ currency: "JPY" });
    await channel.send(message(code, line(rate(base('AmountAfterTax="12300"')))));
    assert.deepEqual(await night(day(1), PLAN), { currency: "JPY", "amount:after:0:10:1": 12_300 });
  });

  test("replaces all amounts in an overlay but only those sent in a delta, and clears amounts in a removal", async () => {
    const { code, night } = await channel.hotel();
    await channel.send(message(code, line(rate(after(1, "100") + after(2, "120")))));
    await channel.send(message(code, line(rate(after(2, "125"))), "Delta"));
    assert.deepEqual(await night(day(1), PLAN), { currency: "EUR", "amount:after:1:10:1": 10_000, "amount:after:2:10:1": 12_500 });
    await channel.send(message(code, line(rate(after(2, "130")))));
    assert.deepEqual(await night(day(1), PLAN), { currency: "EUR", "amount:after:2:10:1": 13_000 });
    await channel.send(message(code, line("<Rate/>"), "Remove"));
    assert.deepEqual(await night(day(1), PLAN), {});
  });

  test("clears the nights of a removal even if it has no rates, and validates its dates", async () => {
    const { code, night } = await channel.hotel();
    await channel.send(message(code, line(rate(after(2, "120")))));
    await channel.send(message(code, line("", undefined, `Start="${day(2)}" End="${day(2)}"`), "Remove"));
    assert.deepEqual(await night(day(2), PLAN), {});
    assert.deepEqual(await night(day(1), PLAN), { currency: "EUR", "amount:after:2:10:1": 12_000 });
    const { text } = await channel.send(message("NOBODY", line("", undefined, 'Start="2027-02-30"'), "Remove"));
    assert.match(
      text,
      /<Errors><Error Type="6" Code="392".*<Error Type="3" Code="15"[^>]*>Invalid date "2027-02-30" in Start<\/Error><\/Errors>/,
    );
  });

  test("warns that CompleteSet does not apply to amounts", async () => {
    const { code, night } = await channel.hotel();
    await channel.send(message(code, line(rate(after(2, "100")))));
    const set = message(code, line(rate(after(2, "110")), undefined, `Start="${day(2)}" End="${day(2)}"`));
    const { text } = await channel.send(set.replace("<RateAmountMessages", '<UniqueID Type="16" ID="1" Instance="CompleteSet"/>$&'));
    assert.match(text, /<Success\/><Warnings><Warning Type="11"[^>]*>CompleteSet does not apply to amounts; other nights are unchanged</);
    const found = await Promise.all([1, 2].map(async (at) => (await night(day(at), PLAN))["amount:after:2:10:1"]));
    assert.deepEqual(found, [10_000, 11_000]);
  });

  test("matches NotifType case-insensitively and refuses unknown values", async () => {
    const { code, night } = await channel.hotel();
    await channel.send(message(code, line(rate(after(1, "100"))), "overlay"));
    await channel.send(message(code, line(rate(after(2, "120"))), " DELTA "));
    assert.deepEqual(await night(day(1), PLAN), { currency: "EUR", "amount:after:1:10:1": 10_000, "amount:after:2:10:1": 12_000 });
    assert.match(
      (await channel.send(message(code, line(rate(after(1, "1"))), "Replace"))).text,
      /Code="320"[^>]*>Invalid value "Replace" for NotifType; allowed: Overlay, Delta, New, Remove</,
    );
  });

  test("keeps restrictions if amounts are replaced", async () => {
    const { code, night } = await channel.hotel();
    const closed = `<OTA_HotelAvailNotifRQ xmlns="http://www.opentravel.org/OTA/2003/05"><AvailStatusMessages HotelCode="${code}"><AvailStatusMessage><StatusApplicationControl Start="${day(1)}" End="${day(1)}" InvTypeCode="DBL" RatePlanCode="BAR"/><RestrictionStatus Status="Close"/></AvailStatusMessage></AvailStatusMessages></OTA_HotelAvailNotifRQ>`;
    await channel.send(closed);
    await channel.send(message(code, line(rate(after(2, "130")))));
    assert.deepEqual(await night(day(1), PLAN), { stopSell: 1, currency: "EUR", "amount:after:2:10:1": 13_000 });
  });

  test("prefers a Rate's own dates to its line's", async () => {
    const { code, night } = await channel.hotel();
    const dated = rate(after(2, "99"), `Start="${day(5)}" End="${day(5)}"`);
    await channel.send(message(code, line(dated)));
    assert.deepEqual(await night(day(1), PLAN), {});
    assert.equal((await night(day(5), PLAN))["amount:after:2:10:1"], 9_900);
    await channel.send(message(code, line(rate(after(2, "88"), `Start="${day(7)}" End="${day(7)}"`), undefined, "")));
    await channel.send(message(code, line(dated, 'InvTypeCode="DBL"', "")));
    assert.equal((await night(day(7), PLAN))["amount:after:2:10:1"], 8_800);
    assert.equal((await night(day(5), { kind: "rate" }))["amount:after:2:10:1"], 9_900);
  });

  test("reads several spellings of weekday names on a Rate but refuses unknown names", async () => {
    const { code, night } = await channel.hotel();
    await channel.send(message(code, line(rate(after(2, "99"), 'Friday="true" SUN="Y"'))));
    assert.equal((await night(day(1), PLAN))["amount:after:2:10:1"], undefined);
    assert.equal((await night(day(2), PLAN))["amount:after:2:10:1"], 9_900);
    const { text } = await channel.send(message(code, line(rate(after(2, "70"), 'Satday="1"'))));
    assert.match(text, /Code="320"[^>]*>Satday is not a day of the week; allowed: Mon, Tue, Weds, Thur, Fri, Sat, Sun</);
    assert.equal((await night(day(1), PLAN))["amount:after:2:10:1"], undefined);
  });

  test("uses Duration if a Rate has no End", async () => {
    const { code, night } = await channel.hotel();
    const sent = await channel.send(message(code, line(rate(after(2, "70"), `Start="${day(5)}" Duration="P2N"`), undefined, "")));
    assert.match(sent.text, /<Success\/><\//);
    const found = await Promise.all([5, 6, 7].map(async (at) => (await night(day(at), PLAN))["amount:after:2:10:1"]));
    assert.deepEqual(found, [7_000, 7_000, undefined]);
  });

  test("reports a line's invalid dates once, and a Rate's invalid dates at the Rate", async () => {
    const { code } = await channel.hotel();
    const lined = (xml: string) => xml.replaceAll("><", ">\n<");
    const both = lined(line(rate(base('NumberOfGuests="2"')) + rate(after(1, "60")), undefined, 'Start="soon"'));
    const own = lined(line(rate(after(2, "70"), 'Start="later"'), undefined, ""));
    const { text } = await channel.send(message(code, `\n${both}\n${own}`));
    const reported = [...text.matchAll(/RecordID="(\d+):1">Invalid date "(\w+)"/g)].map(([, row, date]) => [row, date]);
    assert.deepEqual(reported, [
      ["3", "soon"],
      ["20", "later"],
    ]);
  });

  test("does not report a currency conflict between rates with invalid dates", async () => {
    const { code } = await channel.hotel();
    const inCurrency = (currency: string, start: string) => rate(after(2, "70"), `CurrencyCode="${currency}" Start="${start}"`);
    const { text } = await channel.send(message(code, line(inCurrency("EUR", "soon") + inCurrency("USD", "later"), undefined, "")));
    const reported = [...text.matchAll(/RecordID="[^"]*">([^<]*)</g)].map(([, words]) => words);
    assert.deepEqual(reported, ['Invalid date "soon" in Start', 'Invalid date "later" in Start']);
  });

  test("accepts every ISO 4217 currency", async () => {
    const { code, night } = await channel.hotel();
    for (const currency of "BOV CHE CHW CLF COU MXV USN UYI UYW VED".split(" ")) {
      await channel.send(message(code, line(rate(after(2, "70"), `CurrencyCode="${currency}"`))));
      assert.equal((await night(day(1), PLAN)).currency, currency);
    }
  });

  test("accepts rates that precede their line's control", async () => {
    const { code, night } = await channel.hotel();
    const reversed = (xml: string) => xml.replace(/(<StatusApplicationControl[^>]*>)(<Rates>.*<\/Rates>)/, "$2$1");
    const own = rate(after(2, "70"), `Start="${day(5)}" End="${day(5)}"`);
    const { text } = await channel.send(message(code, reversed(line(rate(after(2, "90")) + own))));
    assert.match(text, /<Success\/><\//);
    const found = await Promise.all([1, 2, 5].map(async (at) => (await night(day(at), PLAN))["amount:after:2:10:1"]));
    assert.deepEqual(found, [9_000, 9_000, 7_000]);
    const wrong = await channel.send(message(code, reversed(line(rate(after(2, "90")), undefined, ""))));
    assert.match(wrong.text, /Code="321"[^>]*>Required field missing: Start</);
  });

  test("combines the dates and weekdays of a Rate and its line", async () => {
    const { code, night } = await channel.hotel();
    // Day 1 is a Saturday.
    const week = `Start="${day(1)}" End="${day(7)}"`;
    const target = 'InvTypeCode="DBL" RatePlanCode="BAR"';
    const lines =
      line(rate(after(2, "90"), 'Sat="1"') + rate(after(2, "50")), `${target} Mon="1" Tue="1"`, week) +
      line(rate(after(2, "70"), `Start="${day(9)}"`), `${target} Sun="1"`, week);
    await channel.send(message(code, lines));
    const found = await Promise.all([1, 2, 3, 4, 5, 9, 10].map(async (at) => (await night(day(at), PLAN))["amount:after:2:10:1"]));
    assert.deepEqual(found, [9_000, undefined, 5_000, 5_000, undefined, 7_000, undefined]);
  });

  test("stores prices for longer stays in addition to the nightly price", async () => {
    const { code, night } = await channel.hotel();
    const week = rate(after(2, "600"), 'RateTimeUnit="Day" UnitMultiplier="7"');
    await channel.send(message(code, line(rate(after(2, "100")) + week)));
    assert.deepEqual(await night(day(1), PLAN), { currency: "EUR", "amount:after:2:10:1": 10_000, "amount:after:2:10:7": 60_000 });
  });

  test("stores amounts for additional guests as a list", async () => {
    const { code, night } = await channel.hotel();
    const extras =
      '<AdditionalGuestAmounts><AdditionalGuestAmount AgeQualifyingCode="10" Amount="30"/><AdditionalGuestAmount AgeQualifyingCode="8" MinAge="3" MaxAge="12" Amount="10.50"/></AdditionalGuestAmounts><MealsIncluded MealPlanCodes="3"/>';
    await channel.send(
      message(
        code,
        line(`<Rate><BaseByGuestAmts>${base('Type="7" NumberOfGuests="2" AmountAfterTax="50"')}</BaseByGuestAmts>${extras}</Rate>`),
      ),
    );
    const found = await night(day(1), PLAN);
    assert.deepEqual(JSON.parse(String(found["extras"])), [
      { amount: 3_000, age: 10, tax: "after" },
      { amount: 1_050, age: 8, tax: "after", minAge: 3, maxAge: 12 },
    ]);
    assert.deepEqual([found["perPerson"], found["mealPlan"]], [1, "3"]);
  });

  test("logs a summary of the amounts that were set", async () => {
    const { code } = await channel.hotel();
    const summaryOf = async (rates: string, type?: string) =>
      (await channel.send(message(code, line(rates), type))).receipt?.verdict.summary.replace(/^.*: /, "");
    const extra = '<Rate><AdditionalGuestAmounts><AdditionalGuestAmount Amount="30"/></AdditionalGuestAmounts></Rate>';
    assert.equal(await summaryOf(rate(after(1, "40") + after(2, "50"))), "1 guest 40.00, 2 guests 50.00 EUR");
    const before = base('NumberOfGuests="2" AmountAfterTax="50" AmountBeforeTax="45"');
    assert.equal(await summaryOf(rate(before)), "2 guests 45.00 before tax, 2 guests 50.00 EUR");
    const children = base('NumberOfGuests="1" AgeQualifyingCode="8" AmountAfterTax="5"') + base('AgeQualifyingCode="7" AmountAfterTax="2"');
    assert.equal(await summaryOf(rate(children)), "1 child 5.00, infants 2.00 EUR");
    const stay = rate(after(2, "90")).replace("<Rate", '<Rate UnitMultiplier="2"');
    assert.equal(await summaryOf(rate(after(2, "50")) + stay), "2 guests 50.00, 2 guests 90.00 for 2 nights EUR");
    assert.equal(await summaryOf(extra), "additional guests EUR");
    assert.equal(await summaryOf("<Rate/>", "Remove"), "amounts removed");
  });

  test("applies a Rate's decimal places and age code to its amounts", async () => {
    const { code, night } = await channel.hotel();
    const extras = '<AdditionalGuestAmounts><AdditionalGuestAmount Amount="1500"/></AdditionalGuestAmounts>';
    const adult = '<BaseByGuestAmt NumberOfGuests="2" AgeQualifyingCode="10" AmountAfterTax="120000" DecimalPlaces="3"/>';
    const child = '<BaseByGuestAmt NumberOfGuests="1" AmountAfterTax="4050"/>';
    const amounts = `<Rate CurrencyCode="EUR" DecimalPlaces="2" AgeQualifyingCode="8"><BaseByGuestAmts>${child}${adult}</BaseByGuestAmts>${extras}</Rate>`;
    const { receipt } = await channel.send(message(code, line(amounts)));
    assert.deepEqual(receipt?.verdict.notes.ignored, []);
    const { extras: extra, ...stored } = await night(day(1), PLAN);
    assert.deepEqual(stored, { currency: "EUR", "amount:after:1:8:1": 4_050, "amount:after:2:10:1": 12_000 });
    assert.deepEqual(JSON.parse(String(extra)), [{ amount: 1_500, age: 8, tax: "after" }]);
    const broken = await channel.send(message(code, line(rate(after(2, "1200"), 'DecimalPlaces="many"'))));
    assert.match(broken.text, /Code="320"[^>]*>Invalid value "many" for DecimalPlaces;/);
  });

  test("accepts every OpenTravel age code", async () => {
    const { code, night } = await channel.hotel();
    const ages = [1, 13, 18, 19];
    const amounts = ages.map((age) => base(`NumberOfGuests="1" AgeQualifyingCode="${age}" AmountAfterTax="${age}"`)).join("");
    await channel.send(message(code, line(rate(amounts))));
    const { currency, ...stored } = await night(day(1), PLAN);
    assert.equal(currency, "EUR");
    assert.deepEqual(stored, Object.fromEntries(ages.map((age) => [`amount:after:1:${age}:1`, age * 100])));
  });

  for (const attributes of ['RateTimeUnit="Week"', 'UnitMultiplier="0"', 'UnitMultiplier="some"', 'UnitMultiplier="1000"']) {
    test(`refuses a Rate with ${attributes}`, async () => {
      const { code, night } = await channel.hotel();
      const { text } = await channel.send(message(code, line(rate(after(2, "70"), attributes))));
      assert.match(
        text,
        /<Error Type="3" Code="320"[^>]*>Invalid value "[^"]*" for (?:RateTimeUnit; allowed: Day|UnitMultiplier(?:; allowed: 1 to 999)?)</,
      );
      assert.deepEqual(await night(day(1), PLAN), {});
    });
  }

  for (const [type, perPerson] of [
    ["7", 1],
    ["21", 1],
    ["25", 0],
    ["19", 0],
  ] as const) {
    test(`reads the charge type ${type} as ${perPerson === 1 ? "per person" : "per room"}`, async () => {
      const { code, night } = await channel.hotel();
      const { text } = await channel.send(message(code, line(rate(base(`NumberOfGuests="2" AmountAfterTax="70" Type="${type}"`)))));
      assert.match(text, /<Success\/><\//);
      assert.deepEqual(await night(day(1), PLAN), { currency: "EUR", perPerson, "amount:after:2:10:1": 7_000 });
    });
  }

  test("warns about an unknown charge type", async () => {
    const { code, night } = await channel.hotel();
    const { text } = await channel.send(message(code, line(rate(base('NumberOfGuests="2" AmountAfterTax="700" Type="20"')))));
    assert.match(text, /<Success\/><Warnings>[^/]*>charge type 20 of an amount is not stored/);
    assert.deepEqual(await night(day(1), PLAN), { currency: "EUR", "amount:after:2:10:1": 70_000 });
  });

  test("stores a price that is only for certain lengths of stay as the price for all stays and adds a warning", async () => {
    const { code, night } = await channel.hotel();
    const { text } = await channel.send(message(code, line(rate(after(2, "70"), 'MinLOS="7" MaxLOS="14"'))));
    assert.match(text, /<Success\/>.*>MinLOS of a Rate is not stored<.*>MaxLOS of a Rate is not stored</);
    assert.equal((await night(day(1), PLAN))["amount:after:2:10:1"], 7_000);
  });

  test("stores a closed rate and warns that its status is not stored", async () => {
    const { code, night } = await channel.hotel();
    const { text } = await channel.send(message(code, line(rate(after(2, "70"), 'Status="Close"'))));
    assert.match(text, /<Success\/><Warnings>[^/]*>Status of a Rate is not stored</);
    assert.deepEqual(await night(day(1), PLAN), { currency: "EUR", "amount:after:2:10:1": 7_000 });
    assert.doesNotMatch((await channel.send(message(code, line(rate(after(2, "70"), 'Status="Open"'))))).text, /Warning/);
  });

  test("applies a plan's amounts without a category to every category", async () => {
    const { code, night } = await channel.hotel();
    await channel.send(message(code, line(rate(after(2, "70")), 'RatePlanCode="BAR"')));
    assert.equal((await night(day(1), { ...PLAN, category: "SGL" }))["amount:after:2:10:1"], 7_000);
  });

  for (const [what, attributes, expected, currency] of [
    ["a whole amount with DecimalPlaces", 'AmountAfterTax="10000" DecimalPlaces="2"', 10_000, "EUR"],
    ["a decimal amount with DecimalPlaces", 'AmountAfterTax="100.00" DecimalPlaces="2"', 10_000, "EUR"],
    ["an amount that starts with a decimal point", 'AmountAfterTax=".5"', 50, "EUR"],
    ["three decimal places in dinars", 'AmountAfterTax="1.234"', 1_234, "KWD"],
    ["a large whole amount", 'AmountAfterTax="780000"', 78_000_000, "IDR"],
  ] as const) {
    test(`reads ${what} exactly`, async () => {
      const { code, night } = await channel.hotel({ currency });
      await channel.send(message(code, line(rate(base(`NumberOfGuests="2" ${attributes}`)))));
      assert.equal((await night(day(1), PLAN))["amount:after:2:10:1"], expected);
    });
  }

  for (const [what, attributes, code] of [
    ["a negative amount", 'NumberOfGuests="2" AmountAfterTax="-1"', 320],
    ["an exponent", 'NumberOfGuests="2" AmountAfterTax="1e3"', 320],
    ["a lone decimal point", 'NumberOfGuests="2" AmountAfterTax="."', 320],
    ["a decimal comma", 'NumberOfGuests="2" AmountAfterTax="1,50"', 320],
    ["more decimal places than the euro has", 'NumberOfGuests="2" AmountAfterTax="1.005"', 320],
    ["more digits than can be stored", 'NumberOfGuests="2" AmountAfterTax="99999999999.00"', 320],
    ["decimal places that are not a number", 'NumberOfGuests="2" AmountAfterTax="10000" DecimalPlaces="two"', 320],
    ["more decimal places than any currency has", 'NumberOfGuests="2" AmountAfterTax="10000" DecimalPlaces="9"', 320],
    ["no amount", 'NumberOfGuests="2"', 321],
    ["a price for 0 guests", 'NumberOfGuests="0" AmountAfterTax="1"', 397],
    ["a price for 100 guests", 'NumberOfGuests="100" AmountAfterTax="1"', 397],
    ["an unknown currency", 'NumberOfGuests="2" AmountAfterTax="1" CurrencyCode="EURO"', 61],
    ["an unknown age code", 'NumberOfGuests="2" AmountAfterTax="1" AgeQualifyingCode="20"', 320],
    ["age code 0", 'NumberOfGuests="2" AmountAfterTax="1" AgeQualifyingCode="0"', 320],
  ] as const) {
    test(`refuses ${what} with error ${code}`, async () => {
      const hotel = await channel.hotel();
      const { text, status } = await channel.send(message(hotel.code, line(rate(after(1, "50"))) + line(rate(base(attributes)))));
      assert.equal(status, 200);
      assert.match(text, new RegExp(`<Error Type="\\d+" Code="${code}"`));
      assert.deepEqual(await hotel.night(day(1), PLAN), {});
    });
  }

  test("refuses decimals in yen", async () => {
    const { code } = await channel.hotel({ currency: "JPY" });
    assert.match((await channel.send(message(code, line(rate(after(2, "1000.50")))))).text, /Type="3" Code="320"/);
  });

  test("warns about each unusual amount but stores it", async () => {
    const { code, night } = await channel.hotel({}, { max_occupancy: 2 });
    const { text } = await channel.send(
      message(code, line(rate(after(3, "0") + base('NumberOfGuests="2" AmountAfterTax="5" CurrencyCode="USD"')))),
    );
    assert.match(text, /an amount of 0 was stored/);
    assert.match(text, /amounts for 3 guests were stored, but DBL has a maximum occupancy of 2/);
    assert.match(text, /amounts were stored in USD, but the property(&apos;|')s currency is EUR/);
    assert.equal((await night(day(1), PLAN))["currency"], "USD");
  });

  test("removes amounts in other currencies on a delta's nights", async () => {
    const { code, night } = await channel.hotel();
    const extras =
      '<AdditionalGuestAmounts><AdditionalGuestAmount Amount="30"/></AdditionalGuestAmounts><MealsIncluded MealPlanCodes="3"/>';
    const euros = `<Rate><BaseByGuestAmts>${after(1, "100")}${after(2, "120")}</BaseByGuestAmts>${extras}</Rate>`;
    await channel.send(message(code, line(euros)));
    const dollars = line(rate(after(2, "130"), 'CurrencyCode="USD"'), undefined, `Start="${day(2)}" End="${day(3)}"`);
    const { text, receipt } = await channel.send(message(code, dollars, "Delta"));
    assert.match(text, /<Warning Type="11"[^>]*>amounts were stored in USD, but the property's currency is EUR</);
    assert.match(text, /<Warning Type="11"[^>]*>amounts in currencies other than USD were removed from these nights</);
    const old = await night(day(1), PLAN);
    assert.deepEqual([old["currency"], old["amount:after:1:10:1"], old["amount:after:2:10:1"]], ["EUR", 10_000, 12_000]);
    assert.deepEqual(await night(day(2), PLAN), { currency: "USD", mealPlan: "3", "amount:after:2:10:1": 13_000 });
    assert.deepEqual(await night(day(3), PLAN), { currency: "USD", "amount:after:2:10:1": 13_000 });
    assert.equal(receipt?.changedNights, 2);
    await channel.send(message(code, line(rate(after(1, "90"))), "Delta"));
    assert.deepEqual(await night(day(2), PLAN), { currency: "EUR", mealPlan: "3", "amount:after:1:10:1": 9_000 });
  });

  test("a delta removes amounts with a different price basis from its nights", async () => {
    const { code, night } = await channel.hotel();
    const extras = '<AdditionalGuestAmounts><AdditionalGuestAmount Amount="30"/></AdditionalGuestAmounts>';
    const room = `<Rate><BaseByGuestAmts>${after(1, "100")}${after(2, "120")}</BaseByGuestAmts>${extras}</Rate>`;
    const of = (type: string, amount: string) => line(rate(base(`Type="${type}" NumberOfGuests="2" AmountAfterTax="${amount}"`)));
    await channel.send(message(code, line(room)));
    await channel.send(message(code, of("25", "110"), "Delta"));
    assert.deepEqual([(await night(day(1), PLAN))["amount:after:1:10:1"], (await night(day(1), PLAN))["perPerson"]], [10_000, 0]);
    await channel.send(message(code, of("7", "60"), "Delta"));
    const { extras: kept, ...found } = await night(day(1), PLAN);
    assert.deepEqual(found, { currency: "EUR", perPerson: 1, "amount:after:2:10:1": 6_000 });
    assert.match(String(kept), /3000/, "additional-guest amounts are per guest with either price basis");
    await channel.send(message(code, line(rate(after(1, "70"))), "Delta"));
    assert.equal((await night(day(1), PLAN))["amount:after:2:10:1"], 6_000, "the message has no price basis");
  });

  test("refuses rates for the same nights with different price bases", async () => {
    const { code, night } = await channel.hotel();
    const of = (type: string, guests: number) => rate(base(`Type="${type}" NumberOfGuests="${guests}" AmountAfterTax="60"`));
    const { text } = await channel.send(message(code, line(of("7", 1) + of("25", 2))));
    assert.match(text, /Type="3" Code="320"[^>]*>The amounts for a night must all be per person or all per room</);
    assert.deepEqual(await night(day(1), PLAN), {});
  });

  test("stores the later of two amounts for the same guests and warns if they differ", async () => {
    const { code, night } = await channel.hotel();
    const { text } = await channel.send(message(code, line(rate(after(2, "50") + after(2, "60")))));
    assert.match(text, /<Success\/>.*Type="11"[^>]*>two amounts were sent for the same guests; the later one was stored</s);
    assert.equal((await night(day(1), PLAN))["amount:after:2:10:1"], 6_000);
    const child = (ages: string, amount: number) => base(`NumberOfGuests="1" AgeQualifyingCode="8" ${ages} AmountAfterTax="${amount}"`);
    const children = child('MinAge="0" MaxAge="5"', 10) + child('MinAge="6" MaxAge="12"', 20);
    assert.doesNotMatch((await channel.send(message(code, line(rate(children))))).text, /Warning/, "the age ranges differ");
    const same = child('MinAge="6" MaxAge="12"', 10) + child('MinAge="6" MaxAge="12"', 20);
    assert.match((await channel.send(message(code, line(rate(same))))).text, /the later one was stored/);
    assert.doesNotMatch((await channel.send(message(code, line(rate(after(2, "50") + after(2, "50.00")))))).text, /Warning/);
  });

  test("refuses a Rate that mixes amounts per person and per room", async () => {
    const { code, night } = await channel.hotel();
    const mixed = base('Type="7" NumberOfGuests="1" AmountAfterTax="50"') + base('Type="25" NumberOfGuests="2" AmountAfterTax="90"');
    const { text } = await channel.send(message(code, line(rate(mixed))));
    assert.match(text, /Type="3" Code="320"[^>]*>A Rate must not mix amounts per person and per room</);
    assert.deepEqual(await night(day(1), PLAN), {});
  });

  test("logs amounts for four guests and overlapping lines, but no warning about the maximum number of guests", async () => {
    const { code } = await channel.hotel();
    const all = [1, 2, 3, 4].map((guests) => after(guests, `${guests}0`)).join("");
    const child = base('NumberOfGuests="1" AgeQualifyingCode="8" AmountAfterTax="5"');
    const { text, receipt } = await channel.send(message(code, line(rate(all + child))));
    assert.match(text, /<Success\/><\//);
    const words = "1 guest 10.00, 2 guests 20.00, 3 guests 30.00, 4 guests 40.00 EUR";
    assert.equal(receipt?.verdict.summary, `DBL/BAR ${day(1)} to ${day(2)}: ${words}`);
    assert.deepEqual(receipt?.verdict.notes.advisories, []);
    const twice = await channel.send(message(code, line(rate(after(1, "10"))) + line(rate(after(1, "11")))));
    assert.match(twice.receipt!.verdict.notes.advisories.join(), /ranges for DBL\/BAR overlap/);
  });

  test("clears all nights of a removal, or only the nights of its rates if the rates have dates", async () => {
    const { code, night } = await channel.hotel();
    const removal = (rates: string) =>
      message(code, line(rates, 'InvTypeCode="DBL" RatePlanCode="BAR"', `Start="${day(1)}" End="${day(4)}"`), "Remove");
    const amounts = async () => Promise.all([1, 2, 4].map(async (at) => "amount:after:2:10:1" in (await night(day(at), PLAN))));
    const store = () => channel.send(message(code, line(rate(after(2, "70"), `Start="${day(1)}" End="${day(4)}"`))));
    await store();
    await channel.send(removal(`<Rate Start="${day(2)}" End="${day(2)}"/>`));
    assert.deepEqual(await amounts(), [true, false, true]);
    await store();
    const { text } = await channel.send(removal(""));
    assert.match(text, /<Success\/><\//);
    assert.deepEqual(await amounts(), [false, false, false]);
    assert.match((await channel.send(message(code, line("")))).text, /Code="321"[^>]*>Required field missing: Rate</);
  });

  test("ignores amounts for past nights and logs amounts without a plan under their category", async () => {
    const { code, night } = await channel.hotel();
    const past = line(rate(after(2, "70"), `Start="${day(-3)}" End="${day(-2)}"`));
    const { text, receipt } = await channel.send(message(code, past));
    assert.match(text, /<Success\/><Warnings>[^/]*>2 nights before /);
    assert.deepEqual([receipt?.changedNights, await night(day(0), PLAN)], [0, {}]);
    const own = await channel.send(message(code, line(rate(after(2, "70")), 'InvTypeCode="DBL"')));
    assert.equal(own.receipt?.verdict.summary, `DBL ${day(1)} to ${day(2)}: 2 guests 70.00 EUR`);
  });

  test("warns that amounts for group blocks and individual rooms are not stored", async () => {
    const { code, night } = await channel.hotel();
    const block = line(rate(after(2, "70")), 'InvTypeCode="DBL" RatePlanCode="BAR" InvBlockCode="GROUP"');
    assert.match((await channel.send(message(code, block))).text, /<Success\/><Warnings>[^/]*>InvBlockCode is not stored/);
    const single = line(rate(after(2, "70")), 'InvTypeCode="DBL" InvCode="101" RatePlanCode="BAR"');
    assert.match(
      (await channel.send(message(code, single))).text,
      /<Success\/><Warnings>[^/]*>amounts for individual rooms are not stored/,
    );
    assert.deepEqual(await night(day(1), PLAN), {});
  });

  test("refuses a line without a target and a message without lines", async () => {
    const { code } = await channel.hotel();
    const nothing = `<RateAmountMessage><Rates>${rate(after(2, "70"), `Start="${day(1)}"`)}</Rates></RateAmountMessage>`;
    const { text } = await channel.send(message(code, nothing));
    assert.match(text, /<Error Type="10" Code="321"[^>]*>Required field missing: StatusApplicationControl</);
    const untargeted = await channel.send(message(code, line(rate(after(2, "70")), "")));
    assert.match(untargeted.text, /<Error Type="10" Code="321"[^>]*>Required field missing: InvTypeCode</);
    assert.match(
      (await channel.send(message(code, ""))).text,
      /<Error Type="10" Code="321"[^>]*>Required field missing: RateAmountMessage</,
    );
  });

  test("refuses a line without rates", async () => {
    const { code } = await channel.hotel();
    assert.match((await channel.send(message(code, line("")))).text, /Type="10" Code="321"[^>]*>Required field missing: Rate</);
    assert.match(
      (await channel.send(message(code, line("<Rate/>")))).text,
      /Type="10" Code="321"[^>]*>Required field missing: BaseByGuestAmt</,
    );
    const late = line(rate(after(1, "5")), undefined, 'Start="never"');
    assert.match((await channel.send(message(code, late + line("<Rate/>")))).text, /Code="15".*Required field missing: BaseByGuestAmt</);
    const { text } = await channel.send(message(code, line(rate(base('NumberOfGuests="2"')))));
    assert.match(text, /<Errors><Error [^>]*>Required field missing: AmountAfterTax or AmountBeforeTax<\/Error><\/Errors>/);
  });

  test("reports only an invalid NotifType, whether or not amounts are sent", async () => {
    const { code } = await channel.hotel();
    for (const one of [rate(after(1, "5")), "<Rate/>", ""]) {
      const { text } = await channel.send(message(code, line(one), "Sideways"));
      assert.match(text, /<Errors><Error [^>]*Code="320"[^>]*>Invalid value "Sideways" for NotifType; [^<]*<\/Error><\/Errors>/);
    }
  });
});
