import assert from "node:assert/strict";
import { test } from "node:test";
import { day, eachChannel } from "../../../../../test/support/channel.ts";
import {
  after,
  ALPINEBITS,
  BAR,
  COMPLETE_SET,
  doubles,
  fixed,
  HALF_BOARD,
  master,
  message,
  nights,
  plan,
  rate,
  rates,
  rule,
  rules,
  stay,
} from "../../../../../test/support/rate-plans.ts";
import { parsePlanDetails } from "../../../../journal/plan-details.ts";

const WEEKLY = '<Rate RateTimeUnit="Day" UnitMultiplier="7"><BaseByGuestAmts><BaseByGuestAmt Type="25"/></BaseByGuestAmts></Rate>';

eachChannel("OTA_HotelRatePlanNotifRQ", (channel) => {
  const planOf = (property: string, code = "BAR") =>
    channel.database.read.selectFrom("rate_plan").selectAll().where("property", "=", property).where("code", "=", code).executeTakeFirst();

  test("applies the static rate's price basis and meal plan to dated rates", async () => {
    const { code, night } = await channel.hotel();
    const own = rate(`InvTypeCode="SGL" ${nights(0, 1)}`, after(1, "80"), '<MealsIncluded Breakfast="true" Lunch="false" Dinner="false"/>');
    const full = plan("Full", rates(fixed("7", HALF_BOARD), doubles(0, 1, "96.5"), own), 'RatePlanCode="BAR" CurrencyCode="CHF"');
    const { text } = await channel.send(message(code, full), ALPINEBITS);
    assert.match(text, /<Success\/>/);
    const expected = { currency: "CHF", "amount:after:2:10:1": 9_650, perPerson: 1, mealPlan: "12" };
    assert.deepEqual(await night(day(1), BAR), expected);
    assert.deepEqual(await night(day(1), { ...BAR, category: "SGL" }), {
      currency: "CHF",
      "amount:after:1:10:1": 8_000,
      perPerson: 1,
      mealPlan: "3",
    });
    const stored = await planOf(code);
    assert.deepEqual([stored?.currency, stored?.price_basis, stored?.meal_plan, stored?.status], ["CHF", "person", "12", "active"]);
    assert.equal(stored?.taxes, "after");
  });

  test("replaces all of a plan's values from today onward if a full plan is sent", async () => {
    const { code, night } = await channel.hotel();
    const closed = rules(rule(nights(0, 9), master("Close")));
    await channel.send(message(code, plan("New", closed + rates(fixed("25"), doubles(0, 9, "100")))));
    await channel.send(message(code, plan("Full", rates(fixed("25"), doubles(4, 9, "110")))));
    assert.deepEqual(await night(day(3), BAR), {});
    assert.deepEqual(await night(day(4), BAR), { currency: "EUR", "amount:after:2:10:1": 11_000, perPerson: 0 });
  });

  test("replaces the amounts on an overlay's nights and keeps the plan's price basis", async () => {
    const { code, night } = await channel.hotel();
    await channel.send(message(code, plan("Full", rates(fixed("7", HALF_BOARD), rate(nights(0, 9), after(1, "90") + after(2, "80"))))));
    await channel.send(message(code, plan("Overlay", rates(doubles(3, 4, "85")))), ALPINEBITS);
    assert.deepEqual(await night(day(3), BAR), { currency: "EUR", "amount:after:2:10:1": 8_500, perPerson: 1, mealPlan: "12" });
    assert.equal((await night(day(5), BAR))["amount:after:1:10:1"], 9_000);
    assert.equal((await night(day(3), { ...BAR, category: "SGL" }))["amount:after:1:10:1"], 9_000, "another category");
  });

  test("keeps amounts and currency if a rate contains only meals", async () => {
    const { code, night } = await channel.hotel();
    const dollars = `<OTA_HotelRateAmountNotifRQ xmlns="http://www.opentravel.org/OTA/2003/05"><RateAmountMessages HotelCode="${code}"><RateAmountMessage><StatusApplicationControl ${nights(1, 1)} InvTypeCode="DBL" RatePlanCode="BAR"/><Rates><Rate CurrencyCode="USD"><BaseByGuestAmts>${after(2, "70")}</BaseByGuestAmts></Rate></Rates></RateAmountMessage></RateAmountMessages></OTA_HotelRateAmountNotifRQ>`;
    await channel.send(dollars);
    await channel.send(message(code, plan("Overlay", rates(`<Rate InvTypeCode="DBL" ${nights(1, 1)}>${HALF_BOARD}</Rate>`))));
    assert.deepEqual(await night(day(1), BAR), { currency: "USD", "amount:after:2:10:1": 7_000, mealPlan: "12" });
  });

  test("changes only the values in a delta", async () => {
    const { code, night } = await channel.hotel();
    const both = rate(`InvTypeCode="DBL" ${nights(0, 9)}`, after(1, "90") + after(2, "80"));
    await channel.send(message(code, plan("Full", rules(rule(nights(0, 9), stay("SetMinLOS", 3))) + rates(fixed("25"), both))));
    await channel.send(message(code, plan("Delta", rules(rule(nights(0, 9), master("Close"))) + rates(doubles(0, 9, "75")))));
    const { minStayArrival, stopSell, ...amounts } = await night(day(1), BAR);
    assert.deepEqual([minStayArrival, stopSell], [3, 1]);
    assert.deepEqual([amounts["amount:after:1:10:1"], amounts["amount:after:2:10:1"]], [9_000, 7_500]);
  });

  test("removes a plan and its nights from today onward and warns if the removal is repeated", async () => {
    const { code, night } = await channel.hotel();
    await channel.send(message(code, plan("Full", rates(fixed("25"), doubles(0, 9, "100")))));
    await channel.send(message(code, plan("Remove")), ALPINEBITS);
    assert.deepEqual(await night(day(1), BAR), {});
    assert.equal((await planOf(code))?.status, "removed");
    const { text } = await channel.send(message(code, plan("Remove")));
    assert.match(text, /<Success\/><Warnings>.*rate plan BAR is unknown/);
  });

  test("removes a deactivated OpenTravel plan, whatever its RatePlanNotifType", async () => {
    const { code, night } = await channel.hotel();
    await channel.send(message(code, plan("New", rates(fixed("25"), doubles(0, 9, "100")))));
    const deactivated = plan("Overlay", rates(doubles(0, 9, "90")), 'RatePlanCode="BAR" RatePlanStatusType="Deactivated"');
    const { text, receipt } = await channel.send(message(code, deactivated));
    assert.match(text, /<Success\/><\//);
    assert.match(receipt!.verdict.summary, /BAR \(remove\)/);
    assert.deepEqual([await night(day(1), BAR), (await planOf(code))?.status], [{}, "removed"]);
    await channel.send(message(code, deactivated.replace("Deactivated", "Active")));
    assert.equal((await planOf(code))?.status, "active");
    const closed = await channel.send(message(code, deactivated.replace("Deactivated", "Closed")));
    assert.match(closed.text, /<Success\/><Warnings>[^/]*>RatePlanStatusType Closed is not stored</);
  });

  test("does not add an unknown plan when removing it", async () => {
    const { code } = await channel.hotel();
    assert.match((await channel.send(message(code, plan("Remove")))).text, /rate plan BAR is unknown: nothing was removed/);
    assert.equal(await planOf(code), undefined);
  });

  test("keeps plan details that an overlay omits", async () => {
    const { code } = await channel.hotel();
    const title = '<Description Name="title"><Text TextFormat="PlainText" Language="en">Best</Text></Description>';
    await channel.send(message(code, plan("New", rates(fixed("25")) + title, 'RatePlanCode="BAR" RatePlanCategory="C"')));
    await channel.send(message(code, plan("Overlay", rates(doubles(0, 1, "70")))));
    const stored = await planOf(code);
    const { category, descriptions } = parsePlanDetails(stored!.details);
    assert.deepEqual([stored?.name, category, descriptions.length], ["Best", "C", 1]);
  });

  test("logs a summary of rate plans", async () => {
    const { code } = await channel.hotel();
    const summaryOf = async (plans: string, head = "") => (await channel.send(message(code, plans, head))).receipt?.verdict.summary;
    const nights01 = `${day(0)} to ${day(1)}`;
    assert.equal(
      await summaryOf(plan("New", rates(fixed("25"), doubles(0, 1, "70")))),
      `Rate plans BAR (full): DBL/BAR ${nights01}: 2 guests 70.00 EUR`,
    );
    const ruled = plan("Overlay", rules(rule(`CodeContext="ROOMTYPE" Code="DBL" ${nights(0, 1)}`, master("Close"))));
    assert.equal(await summaryOf(ruled), `Rate plans BAR (overlay): DBL/BAR ${nights01}: booking rule`);
    const named = (name: string) => plan("Remove", "", `RatePlanCode="${name}"`);
    assert.equal(await summaryOf(plan("Remove") + named("B") + named("C")), "Rate plans BAR (remove), B (remove), C (remove)");
    assert.equal(
      await summaryOf(plan("Remove") + named("B") + named("C") + named("D")),
      "Rate plans BAR (remove), B (remove), C (remove) and more",
    );
    assert.equal(await summaryOf("<RatePlan/>", COMPLETE_SET), "Reset: every rate plan was removed");
    assert.equal(await summaryOf("", COMPLETE_SET), "Reset: every rate plan was removed");
  });

  test("reports too many guests, overlaps and a delta in another currency", async () => {
    const { code } = await channel.hotel({}, { max_occupancy: 2 });
    const guests = (most: number) => plan("Overlay", rates(rate(`InvTypeCode="DBL" ${nights(0, 1)}`, after(most, "70"))));
    assert.match((await channel.send(message(code, guests(3)))).text, /amounts for 3 guests were stored, but .* maximum occupancy of 2</);
    assert.match((await channel.send(message(code, guests(2)))).text, /<Success\/><\//);
    const group = rates([2, 4].map((most) => rate(`InvTypeCode="DBL" ${nights(0, 1)}`, after(most, "70"))).join("\n"));
    const { text } = await channel.send(message(code, plan("Overlay", group)));
    assert.match(text, /RecordID="2:\d+">amounts for 4 guests were stored, but DBL has a maximum occupancy of 2</);
    const twice = await channel.send(message(code, plan("Overlay", rates(doubles(0, 3, "70"), doubles(2, 4, "80")))));
    assert.match(twice.receipt!.verdict.notes.advisories.join(), /ranges for DBL\/BAR overlap/);
    const inDollars = (type: string) => message(code, plan(type, rates(doubles(0, 1, "70")), 'RatePlanCode="BAR" CurrencyCode="USD"'));
    assert.match((await channel.send(inDollars("Delta"))).text, />amounts for these nights in currencies other than USD were removed</);
    assert.doesNotMatch((await channel.send(inDollars("Overlay"))).text, /were removed/);
  });

  test("reactivates a removed plan if it receives amounts, but not if amounts are removed", async () => {
    const { code } = await channel.hotel();
    const amounts = (type: string, target: string) =>
      `<OTA_HotelRateAmountNotifRQ xmlns="http://www.opentravel.org/OTA/2003/05" NotifType="${type}"><RateAmountMessages HotelCode="${code}"><RateAmountMessage><StatusApplicationControl ${nights(1, 1)} InvTypeCode="DBL" RatePlanCode="${target}"/><Rates><Rate><BaseByGuestAmts>${after(2, "70")}</BaseByGuestAmts></Rate></Rates></RateAmountMessage></RateAmountMessages></OTA_HotelRateAmountNotifRQ>`;
    await channel.send(message(code, plan("Full", rates(fixed("25"), doubles(0, 9, "100")))));
    await channel.send(message(code, plan("Remove")));
    await channel.send(amounts("Remove", "BAR"));
    assert.equal((await planOf(code))?.status, "removed");
    await channel.send(amounts("Remove", "NEVER"));
    assert.equal(await planOf(code, "NEVER"), undefined);
    await channel.send(amounts("Overlay", "BAR"));
    assert.equal((await planOf(code))?.status, "active");
  });

  test("removes plans that a complete set omits", async () => {
    const { code, night } = await channel.hotel();
    const other = 'RatePlanCode="OLD"';
    await channel.send(message(code, plan("Full", rates(fixed("25"), doubles(0, 9, "100")), other)));
    await channel.send(message(code, plan("New", rates(fixed("25"), doubles(0, 9, "90"))), COMPLETE_SET), {
      ...ALPINEBITS,
      version: "2022-10",
    });
    assert.deepEqual(await night(day(1), { kind: "rate", lane: "OLD" }), {});
    assert.equal((await planOf(code, "OLD"))?.status, "removed");
    assert.equal((await night(day(1), BAR))["amount:after:2:10:1"], 9_000);
    await channel.send(message(code, "<RatePlan/>", COMPLETE_SET), ALPINEBITS);
    assert.deepEqual(await night(day(1), BAR), {}, "an empty complete set");
  });

  test("applies a rate without a category to every category", async () => {
    const { code, night } = await channel.hotel();
    await channel.send(message(code, plan("Overlay", rates(rate(nights(0, 1), after(2, "70"))))));
    for (const category of ["DBL", "SGL"]) assert.equal((await night(day(0), { ...BAR, category }))["amount:after:2:10:1"], 7_000);
  });

  test("applies rates and rules without a category to the plan's products", async () => {
    const { code, night } = await channel.hotel();
    const products = (...codes: string[]) => `<SellableProducts>${codes.join("")}</SellableProducts>`;
    const double = '<SellableProduct InvCode="DBL" InvType="ROOM"><GuestRoom><Room RoomTypeCode="DBL"/></GuestRoom></SellableProduct>';
    const parts = rules(rule(nights(1, 2), master("Close"))) + rates(rate(nights(1, 2), after(2, "99"))) + products(double);
    await channel.send(message(code, plan("Overlay", parts)));
    assert.deepEqual(await night(day(1), BAR), { stopSell: 1, currency: "EUR", "amount:after:2:10:1": 9_900 });
    assert.deepEqual(await night(day(1), { ...BAR, category: "SGL" }), {});
    const single = rule(`CodeContext="ROOMTYPE" Code="SGL" ${nights(1, 2)}`, stay("SetMinLOS", 3));
    await channel.send(message(code, plan("Delta", rules(single, rule(nights(1, 2), stay("SetMinLOS", 2))) + products(double))));
    assert.deepEqual((await night(day(1), BAR))["minStayArrival"], 2);
    assert.deepEqual(await night(day(1), { ...BAR, category: "SGL" }), { minStayArrival: 3 });
    assert.deepEqual(await night(day(1), { ...BAR, category: "" }), {});
    const named = rates(rate(nights(1, 2), after(2, "97")), rate(`InvTypeCode="SGL" ${nights(1, 2)}`, after(1, "60"))) + products(double);
    await channel.send(message(code, plan("Overlay", named)));
    assert.equal((await night(day(1), BAR))["amount:after:1:10:1"], undefined);
    assert.equal((await night(day(1), { ...BAR, category: "SGL" }))["amount:after:1:10:1"], 6_000, "a rate says its own category");
    const unknown = rates(rate(nights(1, 2), after(2, "98"))) + products('<SellableProduct InvTypeCode="XXX"/>');
    assert.match((await channel.send(message(code, plan("Overlay", unknown)))).text, /Code="402"/);
  });

  test("refuses OpenTravel amounts without nights", async () => {
    const { code } = await channel.hotel();
    const { text } = await channel.send(message(code, plan("Overlay", rates(rate("", after(2, "99"))))));
    assert.match(text, /<Error Type="10" Code="321"[^>]*>Required field missing: Start/);
    const net = '<BaseByGuestAmt NumberOfGuests="2" AmountBeforeTax="90"/>';
    assert.match((await channel.send(message(code, plan("New", rates(rate("", net)))))).text, /Required field missing: Start/);
    const beside = plan("New", rates(rate("", after(2, "99")), doubles(1, 2, "98")));
    assert.match((await channel.send(message(code, plan("Remove", rates(rate("", after(2, "99"))))))).text, /<Success\/>/);
    assert.match((await channel.send(message(code, beside))).text, /<Success\/>/);
  });

  test("stores prices for several lengths of stay", async () => {
    const { code, night } = await channel.hotel();
    const dates = `InvTypeCode="DBL" ${nights(0, 1)}`;
    const week = rate(`${dates} Duration="P7N"`, after(2, "600"));
    await channel.send(message(code, plan("Full", rates(fixed("25"), rate(dates, after(2, "100")), week))));
    const { "amount:after:2:10:1": one, "amount:after:2:10:7": seven } = await night(day(1), BAR);
    assert.deepEqual([one, seven], [10_000, 60_000]);
  });

  test("applies the static rate's length of stay to dated rates without their own", async () => {
    const { code, night } = await channel.hotel();
    const own = rate(`InvTypeCode="DBL" ${nights(0, 1)} UnitMultiplier="2"`, after(2, "190"));
    await channel.send(message(code, plan("Full", rates(WEEKLY, doubles(0, 1, "600"), own))));
    const { "amount:after:2:10:7": seven, "amount:after:2:10:2": two, "amount:after:2:10:1": one } = await night(day(1), BAR);
    assert.deepEqual([seven, two, one], [60_000, 19_000, undefined]);
    const months = rate(`InvTypeCode="DBL" ${nights(0, 1)} Duration="P1M"`, after(2, "190"));
    assert.match(
      (await channel.send(message(code, plan("Overlay", rates(months))))).text,
      /Code="320"[^>]*>Invalid value "P1M" for Duration; allowed: P1N to P999N</,
    );
  });

  test("applies the stored plan's length of stay to an overlay's rates", async () => {
    const { code, night } = await channel.hotel();
    const pricesOf = async () => Object.entries(await night(day(0), BAR)).filter(([column]) => column.startsWith("amount:"));
    await channel.send(message(code, plan("Full", rates(WEEKLY, doubles(0, 1, "600")))), ALPINEBITS);
    const overlay = message(code, plan("Overlay", rates(doubles(0, 0, "650"))));
    await channel.send(overlay, ALPINEBITS);
    assert.deepEqual(await pricesOf(), [["amount:after:2:10:7", 65_000]]);
    await channel.send(message(code, plan("Full", rates(fixed("25")))), ALPINEBITS);
    await channel.send(overlay, ALPINEBITS);
    assert.deepEqual(await pricesOf(), [["amount:after:2:10:1", 65_000]], "a whole plan drops what it does not repeat");
  });

  test("accepts nightly charge types in an OpenTravel static rate", async () => {
    const { code, night } = await channel.hotel();
    const perPerson = plan("Full", rates(fixed("21"), doubles(0, 1, "60")));
    await channel.send(message(code, perPerson));
    assert.equal((await night(day(1), BAR))["perPerson"], 1);
    await channel.send(message(code, plan("Full", rates(fixed("19"), doubles(0, 1, "60")))));
    assert.equal((await night(day(1), BAR))["perPerson"], 0);
    assert.match((await channel.send(message(code, perPerson), ALPINEBITS)).text, /Code="320">Invalid value "21" for Type/);
    assert.match((await channel.send(message(code, plan("Full", rates(fixed("20")))))).text, /Code="320"[^>]*>Invalid value "20" for Type/);
  });

  test("stores additional guests with their ages", async () => {
    const { code, night } = await channel.hotel();
    const extras =
      '<AdditionalGuestAmounts><AdditionalGuestAmount AgeQualifyingCode="8" MinAge="3" MaxAge="6" Amount="38.4"/></AdditionalGuestAmounts>';
    await channel.send(message(code, plan("Overlay", rates(rate(`InvTypeCode="DBL" ${nights(0, 0)}`, after(2, "70"), extras)))));
    const { extras: kept } = await night(day(0), BAR);
    assert.deepEqual(JSON.parse(String(kept)), [{ amount: 3_840, age: 8, tax: "after", minAge: 3, maxAge: 6 }]);
  });

  test("ignores past nights and nights beyond the horizon with a warning", async () => {
    const { code, night } = await channel.hotel({ horizon_days: 5 });
    const over = rules(
      rule(nights(-2, 1), stay("SetMinLOS", 2)),
      rule(nights(5, 9), stay("SetMinLOS", 3)),
      rule(nights(-9, -7), master("Close")),
    );
    const { text } = await channel.send(message(code, plan("Overlay", over + rates(doubles(-1, 0, "70"), doubles(-5, -4, "60")))));
    assert.match(text, /<Success\/>.*>dates are too far in the future/);
    assert.match(text, />7 nights before /);
    const found = await Promise.all([0, 1, 2, 5].map((at) => night(day(at), BAR)));
    const rated = { currency: "EUR", "amount:after:2:10:1": 7_000 };
    assert.deepEqual(found, [{ minStayArrival: 2, ...rated }, { minStayArrival: 2 }, {}, { minStayArrival: 3 }]);
  });

  test("stores supplements, offers and descriptions as sent", async () => {
    const { code } = await channel.hotel({ languages: "de, en" });
    const text = (language: string, words: string) => `<Text TextFormat="PlainText" Language="${language}">${words}</Text>`;
    const supplement = `<Supplement InvType="EXTRA" InvCode="CLEAN"><Description Name="title">${text("en", "Cleaning &amp; linen")}</Description></Supplement>`;
    const offer = '<Offer><Discount Percent="100" NightsRequired="7" NightsDiscounted="1"/></Offer>';
    const title = `<Description Name="title">${text("en", "Half board")}${text("de", "Halbpension")}</Description>`;
    const parts = `<Supplements>${supplement}</Supplements><Offers>${offer}</Offers>${title}`;
    const join = 'RatePlanCode="BAR" RatePlanID="ALL" RatePlanQualifier="true" RatePlanType="12"';
    await channel.send(message(code, plan("New", rates(fixed("25")) + parts, join)));
    const stored = await planOf(code);
    assert.equal(stored?.name, "Halbpension");
    const details = parsePlanDetails(stored.details);
    const texts = [{ name: "title", language: "en", text: "Cleaning & linen" }];
    assert.deepEqual(details.supplements, [{ xml: supplement, texts, key: "EXTRA CLEAN" }]);
    assert.deepEqual(details.offers, [{ xml: offer, texts: [] }]);
    assert.equal(details.descriptions.length, 2);
    assert.deepEqual([details.joinCode, details.joinMaster, details.type], ["ALL", true, "12"]);
    await channel.send(message(code, plan("Overlay", rates(doubles(0, 0, "80")))));
    assert.deepEqual(parsePlanDetails((await planOf(code))!.details), details, "an overlay without texts");
  });

  test("replaces only the supplements and descriptions in an overlay", async () => {
    const { code } = await channel.hotel();
    const extra = (attributes: string, content = "") => `<Supplement InvType="EXTRA" InvCode="CLEAN" ${attributes}>${content}</Supplement>`;
    const priced = (amount: number, days: string, content?: string) => extra(`Amount="${amount}" ${days}`, content);
    const forDoubles = '<PrerequisiteInventory InvType="ROOMTYPE" InvCode="DBL"/>';
    const text = (name: string, words: string) =>
      `<Description Name="${name}"><Text TextFormat="PlainText" Language="en">${words}</Text></Description>`;
    const parts = (supplements: string[], ...descriptions: string[]) =>
      `<Supplements>${supplements.join("")}</Supplements>${descriptions.join("")}`;
    const named = extra('MandatoryIndicator="true"', text("title", "Cleaning"));
    const before = [
      named,
      priced(20, nights(0, 1)),
      priced(20, nights(2, 3)),
      priced(25, nights(2, 3), forDoubles),
      priced(10, nights(-4, -2)),
    ];
    await channel.send(
      message(code, plan("New", rates(fixed("25")) + parts(before, text("title", "Half board"), text("intro", "Stay")))),
      ALPINEBITS,
    );
    const overlay = message(
      code,
      plan("Overlay", parts([priced(30, nights(2, 3)), priced(35, nights(4, 4))], text("title", "With dinner"))),
    );
    await channel.send(overlay, ALPINEBITS);
    assert.match((await channel.send(overlay, ALPINEBITS)).text, /<Success\/>/, "again");
    const { supplements, descriptions } = parsePlanDetails((await planOf(code))!.details);
    assert.deepEqual(
      supplements.map(({ xml }) => xml),
      [named, priced(20, nights(0, 1)), priced(25, nights(2, 3), forDoubles), priced(30, nights(2, 3)), priced(35, nights(4, 4))],
    );
    assert.deepEqual(
      descriptions.map(({ name, text: words }) => [name, words]),
      [
        ["intro", "Stay"],
        ["title", "With dinner"],
      ],
    );
  });

  test("reports every violation of AlpineBits' rules and stores nothing", async () => {
    const { code, night } = await channel.hotel();
    const mixed = '<Rate><BaseByGuestAmts><BaseByGuestAmt Type="7"/><BaseByGuestAmt Type="25"/></BaseByGuestAmts></Rate>';
    const plans =
      plan("Full", rates(mixed, doubles(0, 1, "0"))) + plan("Full", rates(doubles(5, 2, "100"))) + plan("Delta") + plan("Overlay", "", "");
    const { text, status } = await channel.send(message(code, plans), ALPINEBITS);
    assert.equal(status, 200);
    for (const words of ["mix amounts", '"0" for AmountAfterTax', "static Rate", "start/end", '"Delta"', "RatePlanCode"])
      assert.ok(text.includes(words), words);
    assert.doesNotMatch(text, /Error Type="(?!13")/);
    assert.deepEqual(await night(day(0), BAR), {});
    assert.equal(await planOf(code), undefined);
  });

  test("refuses an AlpineBits plan without a type, and a message without plans unless it is an OpenTravel complete set", async () => {
    const { code } = await channel.hotel();
    const none = /<Error Type="\d+" Code="321"[^>]*>Required field missing: RatePlan[ <]/;
    assert.match((await channel.send(message(code, ""))).text, none);
    assert.match((await channel.send(message(code, ""), ALPINEBITS)).text, none);
    assert.match((await channel.send(message(code, "", COMPLETE_SET), ALPINEBITS)).text, none);
    assert.match((await channel.send(message(code, "", COMPLETE_SET))).text, /<Success\/>/);
    const typeless = message(code, `<RatePlan RatePlanCode="BAR">${rates(doubles(0, 1, "70"))}</RatePlan>`);
    assert.match((await channel.send(typeless, ALPINEBITS)).text, /<Error Type="13" Code="321">Required field missing: RatePlanNotifType/);
    assert.match((await channel.send(typeless)).text, /<Success\/>/);
  });

  test("refuses a plan with reversed or invalid dates", async () => {
    const { code, night } = await channel.hotel();
    const dated = (dates: string) => message(code, plan("Overlay", rates(doubles(0, 1, "90")), `RatePlanCode="BAR" ${dates}`));
    const crossed = await channel.send(dated(nights(9, 2)), ALPINEBITS);
    assert.match(crossed.text, /<Error Type="13" Code="404">Invalid start\/end date combination/);
    assert.match((await channel.send(dated('End="2027-02-30"'))).text, /Type="3" Code="15"/);
    assert.deepEqual(await night(day(0), BAR), {});
    assert.match((await channel.send(dated(`End="${day(9)}"`), ALPINEBITS)).text, /<Success\/>/);
  });

  test("refuses a join code that is too long, but shortens a long title", async () => {
    const { code } = await channel.hotel();
    const joined = (id: string) => message(code, plan("Overlay", rates(doubles(0, 1, "90")), `RatePlanCode="BAR" RatePlanID="${id}"`));
    assert.match(
      (await channel.send(joined("x".repeat(65)))).text,
      /Code="320"[^>]*>Invalid value "x+" for RatePlanID; allowed: up to 64 characters</,
    );
    assert.match((await channel.send(joined("x".repeat(64)))).text, /<Success\/>/);
    const title = `<Description Name="title"><Text TextFormat="PlainText" Language="en">${"t".repeat(300)}</Text></Description>`;
    await channel.send(message(code, plan("Overlay", title)));
    assert.equal((await planOf(code))?.name?.length, 255);
  });

  test("warns that amounts of the static rate are not stored", async () => {
    const { code, night } = await channel.hotel();
    const static25 = rate('RateTimeUnit="Day" UnitMultiplier="1"', '<BaseByGuestAmt Type="25" NumberOfGuests="2" AmountAfterTax="90"/>');
    for (const sending of [ALPINEBITS, undefined]) {
      const { text } = await channel.send(message(code, plan("New", rates(static25, doubles(1, 1, "95")))), sending);
      assert.match(text, /<Success\/><Warnings><Warning Type="11"[^>]*>amounts in the static rate are not stored because it has no dates</);
      assert.deepEqual([await night(day(0), BAR), (await night(day(1), BAR))["amount:after:2:10:1"]], [{}, 9_500]);
    }
  });

  test("refuses a rate without any amount", async () => {
    const { code } = await channel.hotel();
    const nothing = `<Rate InvTypeCode="DBL" ${nights(0, 1)}/>`;
    const { text } = await channel.send(message(code, plan("New", rates(fixed("7", HALF_BOARD), nothing))));
    assert.match(text, /Code="321"[^>]*>Required field missing: BaseByGuestAmt/);
    assert.match((await channel.send(message(code, plan("Remove", rates(nothing))))).text, /<Success\/>/, "of a plan that goes");
    const afterAnother = await channel.send(message(code, plan("New", rates(doubles(2, 1, "90"), nothing))));
    assert.match(afterAnother.text, /Code="404".*Code="321"[^>]*>Required field missing: BaseByGuestAmt/);
  });

  test("accepts an OpenTravel plan without a type or static rate and with undated rates", async () => {
    const { code, night } = await channel.hotel();
    const tolerated = `<RatePlan RatePlanID="WEB" ${nights(0, 2)}>${rates(rate('InvTypeCode="DBL"', after(2, "99")))}</RatePlan>`;
    const { text } = await channel.send(message(code, tolerated));
    assert.match(text, /<Success\/>/);
    assert.equal((await night(day(2), { kind: "rate", lane: "WEB" }))["amount:after:2:10:1"], 9_900);
  });

  test("requires amounts after tax in AlpineBits and ignores the plan's dates and products", async () => {
    const { code, night } = await channel.hotel();
    const net = '<BaseByGuestAmt NumberOfGuests="2" AmountBeforeTax="70"/>';
    const untaxed = message(code, plan("Overlay", rates(rate(`InvTypeCode="DBL" ${nights(0, 1)}`, net))));
    assert.match((await channel.send(untaxed, ALPINEBITS)).text, /Code="321">Required field missing: AmountAfterTax</);
    const empty = untaxed.replace(' AmountBeforeTax="70"', "");
    assert.match((await channel.send(empty, ALPINEBITS)).text, /Code="321">Required field missing: AmountAfterTax</);
    assert.match((await channel.send(untaxed)).text, /<Success\/>/);
    const products = '<SellableProducts><SellableProduct InvTypeCode="SGL"/></SellableProducts>';
    const shown = `RatePlanCode="BAR" CurrencyCode="EUR" ${nights(0, 30)}`;
    const full = plan("Full", rates(fixed("7"), rate(nights(0, 1), after(2, "80"))) + products, shown);
    assert.match((await channel.send(message(code, full), ALPINEBITS)).text, /<Success\/>/);
    assert.deepEqual(await night(day(1), BAR), { currency: "EUR", perPerson: 1, "amount:after:2:10:1": 8_000 });
    assert.deepEqual(await night(day(2), BAR), {});
  });

  test("identifies a plan by the sender's record ID in the response", async () => {
    const { code } = await channel.hotel();
    const numbered = plan("Overlay", `<UniqueID Type="16" ID="77"/>${rates(doubles(3, 1, "70"))}`);
    assert.match((await channel.send(message(code, numbered))).text, /<Error [^>]*Code="404"[^>]*RecordID="77"/);
  });

  test("matches RatePlanNotifType case-insensitively, except in AlpineBits", async () => {
    const { code, night } = await channel.hotel();
    const lower = message(code, plan("overlay", rates(doubles(0, 1, "70"))));
    assert.match((await channel.send(lower, ALPINEBITS)).text, /Code="320">Invalid value "overlay" for RatePlanNotifType/);
    assert.match((await channel.send(lower)).text, /<Success\/>/);
    assert.match((await channel.send(message(code, plan("REMOVE")))).text, /<Success\/><\//);
    assert.deepEqual(await night(day(1), BAR), {});
  });

  test("refuses rates and rules for unknown categories", async () => {
    const { code } = await channel.hotel();
    const unknown = rules(rule(`CodeContext="ROOMTYPE" Code="LOFT" ${nights(0, 1)}`, master("Close")));
    const { text } = await channel.send(
      message(code, plan("Overlay", unknown + rates(rate(`InvTypeCode="ATTIC" ${nights(0, 1)}`, after(2, "50"))))),
    );
    assert.match(text, /Code="402"[^>]*>[^<]*ATTIC/);
    assert.match(text, /Code="402"[^>]*>[^<]*LOFT/);
  });

  test("treats names of JavaScript's built-in properties as unknown values", async () => {
    const { code } = await channel.hotel();
    for (const word of ["__proto__", "constructor", "toString"]) {
      const odd = rules(rule(nights(0, 1), stay(word, 3)));
      assert.match(
        (await channel.send(message(code, plan("Overlay", odd)))).text,
        new RegExp(`<Success/><Warnings>.*${word} is not stored`),
      );
      assert.match((await channel.send(message(code, plan(word)))).text, /Code="320"[^>]*>Invalid value .* for RatePlanNotifType/);
      const status = rules(rule(nights(0, 1), `<RestrictionStatus Restriction="${word}" Status="Close"/>`));
      assert.match((await channel.send(message(code, plan("Overlay", status)))).text, /Code="320"[^>]*>Invalid value .* for Restriction/);
    }
  });

  test("adds new full plans but refuses other unknown plans if the property accepts only known plans", async () => {
    const { code } = await channel.hotel({ known_plans_only: 1 });
    const overlay = message(code, plan("Overlay", rates(doubles(0, 1, "100"))));
    assert.match((await channel.send(overlay)).text, /Code="249"/);
    assert.match((await channel.send(message(code, plan("New", rates(fixed("25")))))).text, /<Success\/>/);
    assert.match((await channel.send(overlay)).text, /<Success\/>/);
    const wrong = rates(rate(`InvTypeCode="X" ${nights(0, 1)}`, after(2, "-1")));
    const { text } = await channel.send(message(code, plan("Overlay", wrong, 'RatePlanCode="UNKNOWN"')));
    assert.deepEqual(text.match(/(?<=Code=")\d+/g), ["249", "402", "320"], "other errors are reported too");
  });
});
