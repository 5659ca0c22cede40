import assert from "node:assert/strict";
import { test } from "node:test";
import { day, eachChannel } from "../../../../../test/support/channel.ts";

const NAMESPACE = 'xmlns="http://www.opentravel.org/OTA/2003/05" Version="3.000"';
const ask = (hotel: string, filter = "") =>
  `<OTA_HotelRatePlanRQ ${NAMESPACE}><RatePlans><RatePlan>${filter}<HotelRef HotelCode="${hotel}"/></RatePlan></RatePlans></OTA_HotelRatePlanRQ>`;
const candidate = (attributes: string) => `<RatePlanCandidates><RatePlanCandidate ${attributes}/></RatePlanCandidates>`;
const store = (hotel: string, plans: string) =>
  `<OTA_HotelRatePlanNotifRQ ${NAMESPACE}><RatePlans HotelCode="${hotel}">${plans}</RatePlans></OTA_HotelRatePlanNotifRQ>`;
const plan = (attributes: string, ...rates: string[]) =>
  `<RatePlan RatePlanNotifType="New" ${attributes}><Rates>${rates.join("")}</Rates></RatePlan>`;
const PER_PERSON =
  '<Rate><BaseByGuestAmts><BaseByGuestAmt Type="7"/></BaseByGuestAmts><MealsIncluded MealPlanIndicator="1" MealPlanCodes="12"/></Rate>';
// oxlint-disable-next-line max-params -- the parameters follow the order of the XML
const rate = (from: number, to: number, amounts: string, more = 'InvTypeCode="DBL"') =>
  `<Rate ${more} Start="${day(from)}" End="${day(to)}"><BaseByGuestAmts>${amounts}</BaseByGuestAmts></Rate>`;
const after = (guests: number, amount: string) => `<BaseByGuestAmt NumberOfGuests="${guests}" AmountAfterTax="${amount}"/>`;
const returned = (guests: number, amount: string) =>
  `<BaseByGuestAmt NumberOfGuests="${guests}" AgeQualifyingCode="10" AmountAfterTax="${amount}"/>`;
// oxlint-disable-next-line max-params -- the parameters follow the order of the XML
const returnedRate = (from: number, to: number, amounts: string, more = "") =>
  `<Rate InvTypeCode="DBL" Start="${day(from)}" End="${day(to)}"${more}><BaseByGuestAmts>${amounts}</BaseByGuestAmts></Rate>`;
const pullIn = (version: "2018-10" | "2024-10") => ({ transport: "alpinebits", action: "OTA_HotelRatePlan:BaseRates", version }) as const;
const plansIn = (text: string) => [...text.matchAll(/RatePlanCode="([^"]*)"/g)].map(([, code]) => code);

eachChannel("A query for base rates", (channel) => {
  test("returns consecutive nights with equal amounts as a single range that follows the static rate", async () => {
    const { code } = await channel.hotel();
    const rates = [PER_PERSON, rate(0, 99, after(1, "90.5") + after(2, "80")), rate(40, 49, after(2, "95"))];
    await channel.send(store(code, plan('RatePlanCode="BAR" CurrencyCode="EUR"', ...rates)));
    const { text } = await channel.send(ask(code), pullIn("2024-10"));
    const common = `<Rate RateTimeUnit="Day" UnitMultiplier="1"><BaseByGuestAmts><BaseByGuestAmt Type="7"/></BaseByGuestAmts><MealsIncluded MealPlanIndicator="true" MealPlanCodes="12"/></Rate>`;
    const both = returned(1, "90.50") + returned(2, "80.00");
    const dated = returnedRate(0, 39, both) + returnedRate(40, 49, returned(2, "95.00")) + returnedRate(50, 99, both);
    const expected = `<RatePlan RatePlanCode="BAR" CurrencyCode="EUR"><Rates>${common}${dated}</Rates></RatePlan>`;
    assert.match(text, /<Success\/><RatePlans HotelCode="[^"]+" HotelName="Hotel">/);
    assert.equal(/<RatePlans[^>]*>(.*)<\/RatePlans>/.exec(text)![1], expected);
  });

  test("accepts the hotel code on RatePlans", async () => {
    const { code } = await channel.hotel();
    await channel.send(store(code, plan('RatePlanCode="BAR"', PER_PERSON, rate(0, 6, after(2, "80")))));
    const asked = ask(code).replace("<RatePlans", `$& HotelCode="${code}"`);
    for (const xml of [asked, asked.replace(/<HotelRef [^>]*>/, "")])
      assert.deepEqual(plansIn((await channel.send(xml)).text), ["BAR"], xml);
    const { text } = await channel.send(asked.replace(`HotelRef HotelCode="${code}"`, 'HotelRef HotelCode="OTHER"'));
    assert.match(text, /Code="320"[^>]*>A message must be for one hotel</);
  });

  test("returns rate plans that can be sent back", async () => {
    const { code, night } = await channel.hotel();
    const week = rate(0, 6, after(2, "500"), 'InvTypeCode="DBL" Duration="P7N"');
    await channel.send(store(code, plan('RatePlanCode="BAR"', PER_PERSON, rate(0, 6, after(2, "80")), week)));
    const stored = await night(day(3), { kind: "rate", lane: "BAR" });
    const { text } = await channel.send(ask(code));
    const plans = /<RatePlans[^>]*>(.*)<\/RatePlans>/.exec(text)![1]!;
    await channel.send(store(code, plans.replace("<RatePlan ", '<RatePlan RatePlanNotifType="New" ')));
    assert.deepEqual(await night(day(3), { kind: "rate", lane: "BAR" }), stored);
    assert.equal(stored["amount:after:2:10:7"], 50_000);
  });

  test("returns only the requested nights, even for an open-ended range", async () => {
    const { code } = await channel.hotel();
    await channel.send(store(code, plan('RatePlanCode="BAR"', PER_PERSON, rate(0, 99, after(2, "80")))));
    const ranges = async (range: string) => {
      const { text } = await channel.send(ask(code, `<DateRange ${range}/>`));
      return [...text.matchAll(/Start="([^"]*)" End="([^"]*)"/g)].map(([, start, end]) => [start, end]);
    };
    assert.deepEqual(await ranges(`Start="${day(10)}" End="${day(12)}"`), [[day(10), day(12)]]);
    assert.deepEqual(await ranges(`Start="${day(90)}"`), [[day(90), day(99)]]);
    assert.deepEqual(await ranges(`Start="${day(10)}" Duration="P3N"`), [[day(10), day(12)]]);
    assert.deepEqual(await ranges(`End="${day(1)}"`), [[day(0), day(1)]]);
    assert.deepEqual(await ranges(`Start="${day(100)}"`), []);
    const several = `Start="${day(20)}" End="${day(21)}"/><DateRange Start="${day(3)}" End="${day(4)}"/><DateRange Start="${day(4)}" End="${day(6)}"`;
    assert.deepEqual(await ranges(several), [
      [day(3), day(6)],
      [day(20), day(21)],
    ]);
    const adjacent = `Start="${day(20)}" End="${day(21)}"/><DateRange Start="${day(22)}" End="${day(24)}"`;
    assert.deepEqual(await ranges(adjacent), [[day(20), day(24)]]);
  });

  test("returns additional-guest amounts in a form that can be sent back", async () => {
    const { code, night } = await channel.hotel();
    const BAR = { kind: "rate", lane: "BAR" } as const;
    const extras =
      '<AdditionalGuestAmounts><AdditionalGuestAmount Amount="76.80" AgeQualifyingCode="10"/><AdditionalGuestAmount Amount="0.00" AgeQualifyingCode="8" MaxAge="3"/><AdditionalGuestAmount Amount="38.40" AgeQualifyingCode="8" MinAge="3" MaxAge="6"/></AdditionalGuestAmounts>';
    const week = rate(0, 6, after(2, "500"), 'InvTypeCode="DBL" Duration="P7N"');
    const nightly = rate(0, 6, after(2, "80")).replace("</Rate>", `${extras}</Rate>`);
    await channel.send(store(code, plan('RatePlanCode="BAR"', PER_PERSON, nightly, week, rate(3, 3, after(2, "80")))));
    const stored = [await night(day(2), BAR), await night(day(3), BAR)];
    const { text } = await channel.send(ask(code), pullIn("2024-10"));
    assert.equal(text.split(extras).length, 3, "once before the night without them and once after it");
    const plans = /<RatePlans[^>]*>(.*)<\/RatePlans>/.exec(text)![1]!;
    await channel.send(store(code, plans.replace("<RatePlan ", '<RatePlan RatePlanNotifType="New" ')));
    assert.deepEqual([await night(day(2), BAR), await night(day(3), BAR)], stored);
  });

  test("omits additional-guest amounts that AlpineBits cannot express and adds a warning", async () => {
    const { code } = await channel.hotel();
    const extras =
      '<AdditionalGuestAmounts><AdditionalGuestAmount AmountBeforeTax="20"/><AdditionalGuestAmount Amount="5" AgeQualifyingCode="8" MinAge="0" MaxAdditionalGuests="1"/></AdditionalGuestAmounts>';
    await channel.send(
      store(code, plan('RatePlanCode="BAR"', PER_PERSON, rate(0, 6, after(2, "80")).replace("</Rate>", `${extras}</Rate>`))),
    );
    const { text } = await channel.send(ask(code), pullIn("2024-10"));
    assert.match(text, /<Warning Type="11">not included, because AlpineBits cannot express it: additional-guest amounts/);
    assert.match(text, /<AdditionalGuestAmounts><AdditionalGuestAmount Amount="5.00" AgeQualifyingCode="8"\/><\/AdditionalGuestAmounts>/);
    assert.match((await channel.send(ask(code))).text, /AmountBeforeTax="20.00" AgeQualifyingCode="10"\/>.*MaxAdditionalGuests="1"\/>/);
  });

  test("returns the currency of the amounts as the plan's currency if the plan has none", async () => {
    const { code } = await channel.hotel();
    const dollars = rate(0, 0, after(2, "90"), 'InvTypeCode="DBL" CurrencyCode="USD"');
    await channel.send(store(code, plan('RatePlanCode="BAR"', PER_PERSON, dollars)));
    assert.match(
      (await channel.send(ask(code))).text,
      /<RatePlan RatePlanCode="BAR" CurrencyCode="USD">.*<BaseByGuestAmt NumberOfGuests="2" AgeQualifyingCode="10" AmountAfterTax="90.00"\/>/,
    );
  });

  test("returns additional-guest amounts that are not in the plan's currency, except in AlpineBits", async () => {
    const { code } = await channel.hotel();
    await channel.send(store(code, plan('RatePlanCode="BAR" CurrencyCode="USD"', PER_PERSON, rate(0, 0, after(2, "90")))));
    const extras = '<AdditionalGuestAmounts><AdditionalGuestAmount Amount="20" CurrencyCode="EUR"/></AdditionalGuestAmounts>';
    const euros = rate(1, 1, after(2, "80"), 'InvTypeCode="DBL" CurrencyCode="EUR"').replace("</Rate>", `${extras}</Rate>`);
    await channel.send(store(code, `<RatePlan RatePlanCode="BAR"><Rates>${euros}</Rates></RatePlan>`));
    const plain = (await channel.send(ask(code))).text;
    assert.match(plain, /<AdditionalGuestAmount Amount="20.00" AgeQualifyingCode="10" CurrencyCode="EUR"\/>/);
    const { text } = await channel.send(ask(code), pullIn("2024-10"));
    assert.match(
      text,
      /not included, because AlpineBits cannot express it: additional-guest amounts that are not in the rate plan's currency</,
    );
    assert.match(text, /AmountAfterTax="80.00" CurrencyCode="EUR"/);
    assert.doesNotMatch(text, /AdditionalGuestAmount/);
  });

  test("returns a meal plan only for the nights that have one", async () => {
    const { code, night } = await channel.hotel();
    const breakfast = rate(0, 0, after(2, "90")).replace("</Rate>", '<MealsIncluded MealPlanIndicator="1" MealPlanCodes="3"/></Rate>');
    await channel.send(store(code, plan('RatePlanCode="BAR"', breakfast, rate(1, 1, after(2, "80")))));
    const { text } = await channel.send(ask(code), pullIn("2024-10"));
    assert.deepEqual(
      text.match(/Start="[^"]+"|MealPlanCodes="\d+"/g),
      [`Start="${day(0)}"`, 'MealPlanCodes="3"', `Start="${day(1)}"`],
      text,
    );
    const plans = /<RatePlans[^>]*>(.*)<\/RatePlans>/.exec(text)![1]!;
    await channel.send(store(code, plans.replace("<RatePlan ", '<RatePlan RatePlanNotifType="New" ')));
    assert.equal((await night(day(1), { kind: "rate", lane: "BAR" }))["mealPlan"], undefined);
  });

  test("finds plans by their code or their join code", async () => {
    const { code } = await channel.hotel();
    const joined = ["HB", "FB"].map((one) => plan(`RatePlanCode="${one}" RatePlanID="DAILY"`, PER_PERSON, rate(0, 1, after(2, "80"))));
    await channel.send(store(code, plan('RatePlanCode="BAR"', PER_PERSON, rate(0, 1, after(2, "70"))) + joined.join("")));
    const asked = async (filter: string) => plansIn((await channel.send(ask(code, filter), pullIn("2024-10"))).text).toSorted();
    assert.deepEqual(await asked(""), ["BAR", "FB", "HB"]);
    assert.deepEqual(await asked(candidate('RatePlanCode="BAR"')), ["BAR"]);
    assert.deepEqual(await asked(candidate('RatePlanID="DAILY"')), ["FB", "HB"]);
    assert.deepEqual(await asked(candidate('RatePlanCode="NONE"')), []);
    const both = candidate('RatePlanCode="NONE"/><RatePlanCandidate RatePlanID="DAILY"');
    assert.deepEqual(await asked(both), ["FB", "HB"], "the candidates are matched separately");
    await channel.send(store(code, '<RatePlan RatePlanNotifType="Remove" RatePlanCode="HB"/>'));
    assert.deepEqual(await asked(""), ["BAR", "FB"], "a removed plan is omitted");
  });

  test("returns an empty plan for a hotel without amounts, as the schema requires", async () => {
    const { code } = await channel.hotel();
    assert.match((await channel.send(ask(code), pullIn("2018-10"))).text, /<Success\/><RatePlans [^>]*><RatePlan\/><\/RatePlans>/);
  });

  test("omits amounts that AlpineBits cannot express and adds a warning to the response or the log", async () => {
    const { code } = await channel.hotel({ currency: "CHF" });
    await channel.send(
      store(code, plan('RatePlanCode="BAR"', PER_PERSON, rate(0, 1, '<BaseByGuestAmt NumberOfGuests="2" AmountBeforeTax="70"/>'))),
    );
    assert.match((await channel.send(ask(code), pullIn("2024-10"))).text, /<Warning Type="11">not included.*before tax.*<RatePlan\/>/);
    const { text, receipt } = await channel.send(ask(code), pullIn("2018-10"));
    assert.doesNotMatch(text, /Warning/);
    assert.match(receipt!.verdict.notes.advisories.join(), /amounts in CHF/);
    assert.match((await channel.send(ask(code))).text, /AmountBeforeTax="70.00"/, "elsewhere");
  });

  test("returns amounts of 0 except in AlpineBits", async () => {
    const { code } = await channel.hotel();
    const rates = [rate(0, 0, after(2, "0")), rate(1, 1, after(1, "0") + after(2, "80"))];
    await channel.send(store(code, plan('RatePlanCode="BAR"', ...rates)));
    const { text } = await channel.send(ask(code), pullIn("2024-10"));
    assert.match(text, /<Warning Type="11">not included.*amounts of 0/);
    assert.deepEqual(text.match(/AmountAfterTax="[^"]*"/g), ['AmountAfterTax="80.00"']);
    assert.deepEqual((await channel.send(ask(code))).text.match(/AmountAfterTax="[^"]*"/g), [
      'AmountAfterTax="0.00"',
      'AmountAfterTax="0.00"',
      'AmountAfterTax="80.00"',
    ]);
  });

  test("warns about an omitted amount before tax only if there is none after tax", async () => {
    const { code } = await channel.hotel();
    const extra = (attributes: string) => `<AdditionalGuestAmounts><AdditionalGuestAmount ${attributes}/></AdditionalGuestAmounts>`;
    const stored = (attributes: string) =>
      store(code, plan('RatePlanCode="BAR"', PER_PERSON, rate(0, 1, after(2, "80")).replace("</Rate>", `${extra(attributes)}</Rate>`)));
    await channel.send(stored('AgeQualifyingCode="8" MaxAge="6" AmountAfterTax="11" AmountBeforeTax="10"'));
    const { text } = await channel.send(ask(code), pullIn("2024-10"));
    assert.match(text, /<Success\/><RatePlans .*<AdditionalGuestAmount Amount="11.00" AgeQualifyingCode="8" MaxAge="6"\/><\/Add/);
    assert.match((await channel.send(ask(code))).text, /Amount="11.00"[^>]*><AdditionalGuestAmount AmountBeforeTax="10.00"/, "elsewhere");
    await channel.send(stored('AgeQualifyingCode="8" MaxAge="6" AmountBeforeTax="10"'));
    const missed = (await channel.send(ask(code), pullIn("2024-10"))).text;
    assert.match(missed, /<Warning Type="11">not included[^<]*additional-guest amounts that are before tax/);
  });

  test("warns in response to a query for changes that it returns all amounts", async () => {
    const { code } = await channel.hotel();
    await channel.send(store(code, plan('RatePlanCode="BAR"', PER_PERSON, rate(0, 9, after(2, "80")))));
    const changes = ask(code, `<DateRange/>${candidate('RatePlanCode="BAR"')}`);
    const words = "DateRange without Start and End requests changes, which are not tracked; all amounts were returned";
    const { text } = await channel.send(changes, pullIn("2024-10"));
    assert.ok(text.includes(`<Success/><Warnings><Warning Type="11">${words}</Warning></Warnings>`), text);
    assert.match(text, /AmountAfterTax="80.00"/);
    const older = await channel.send(changes, pullIn("2018-10"));
    assert.doesNotMatch(older.text, /Warning/);
    assert.ok(older.receipt!.verdict.notes.advisories.includes(words));
    assert.doesNotMatch((await channel.send(ask(code, `<DateRange Start="${day(1)}"/>`), pullIn("2024-10"))).text, /Warning/);
    assert.doesNotMatch((await channel.send(changes)).text, /Warning/, "elsewhere");
  });

  test("returns each plan's join code and says whether it is the master plan", async () => {
    const { code } = await channel.hotel();
    const joined = (own: string, isMaster: boolean) =>
      plan(`RatePlanCode="${own}" RatePlanID="DAILY" RatePlanQualifier="${isMaster}"`, PER_PERSON, rate(0, 1, after(2, "80")));
    await channel.send(store(code, joined("HB", true) + joined("FB", false)));
    const { text } = await channel.send(ask(code), pullIn("2024-10"));
    assert.match(text, /RatePlanCode="HB"[^>]* RatePlanID="DAILY" RatePlanQualifier="true"/);
    assert.match(text, /RatePlanCode="FB"[^>]* RatePlanID="DAILY" RatePlanQualifier="false"/);
  });

  test("returns amounts without a plan unless the query names a plan", async () => {
    const { code } = await channel.hotel();
    const amounts = `<OTA_HotelRateAmountNotifRQ ${NAMESPACE}><RateAmountMessages HotelCode="${code}"><RateAmountMessage><StatusApplicationControl Start="${day(0)}" End="${day(1)}" InvTypeCode="DBL"/><Rates><Rate><BaseByGuestAmts>${after(2, "75")}</BaseByGuestAmts></Rate></Rates></RateAmountMessage></RateAmountMessages></OTA_HotelRateAmountNotifRQ>`;
    assert.match((await channel.send(amounts)).text, /<Success\/>/);
    assert.match((await channel.send(ask(code))).text, /<RatePlan CurrencyCode="EUR"><Rates>.*AmountAfterTax="75.00"/);
    assert.doesNotMatch((await channel.send(ask(code, candidate('RatePlanCode="BAR"')))).text, /AmountAfterTax/);
  });

  test("omits a category whose code is too long for AlpineBits", async () => {
    const { code } = await channel.hotel();
    const long = "DOUBLE-WITH-BALCONY";
    await channel.database.write
      .updateTable("category")
      .set({ code: long })
      .where("property", "=", code)
      .where("code", "=", "DBL")
      .execute();
    const both = rate(0, 1, after(2, "80"), `InvTypeCode="${long}"`) + rate(0, 1, after(1, "60"), 'InvTypeCode="SGL"');
    await channel.send(store(code, plan('RatePlanCode="BAR"', PER_PERSON, both)));
    const { text } = await channel.send(ask(code), pullIn("2024-10"));
    assert.match(text, new RegExp(`<Warning Type="11">not included[^<]*: category ${long}, whose code has more than \\d+ characters<`));
    assert.match(text, /InvTypeCode="SGL"/);
    assert.doesNotMatch(text, new RegExp(`InvTypeCode="${long}"`));
    assert.match((await channel.send(ask(code))).text, new RegExp(`InvTypeCode="${long}"`), "elsewhere");
  });

  test("refuses a query for a plan without a code and logs ignored elements", async () => {
    const { code } = await channel.hotel();
    assert.match((await channel.send(ask(code, candidate("")))).text, /Code="321"[^>]*>Required field missing: RatePlanCode</);
    const { text, receipt } = await channel.send(ask(code, "<Wishes/>"));
    assert.match(text, /<Success\/>/);
    assert.deepEqual(receipt?.verdict.notes.ignored, ["Wishes"]);
  });

  test("refuses reversed and invalid dates", async () => {
    const { code } = await channel.hotel();
    assert.match((await channel.send(ask(code, `<DateRange Start="${day(5)}" End="${day(1)}"/>`))).text, /Code="404"/);
    assert.match((await channel.send(ask(code, '<DateRange Start="soon"/>'))).text, /Code="15"/);
    assert.match((await channel.send(ask("NOWHERE"))).text, /Code="392"/);
  });
});
