import assert from "node:assert/strict";
import { test } from "node:test";
import { day, eachChannel } from "../../../../../test/support/channel.ts";
import {
  after,
  ALPINEBITS,
  BAR,
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

eachChannel("OTA_HotelRatePlanNotifRQ", (channel) => {
  test("stores booking rules as restrictions and closes arrivals and departures on unlisted weekdays", async () => {
    const { code, night } = await channel.hotel();
    const days = '<DOW_Restrictions><ArrivalDaysOfWeek Sat="1"/><DepartureDaysOfWeek Sat="1" Sun="1"/></DOW_Restrictions>';
    const content = stay("SetForwardMaxStay", 14) + days + master("Open");
    await channel.send(message(code, plan("Overlay", rules(rule(nights(0, 6), content)))));
    // Today is a Friday.
    assert.deepEqual(await night(day(0), BAR), { maxStayThrough: 14, stopSell: 0, closedToArrival: 1, closedToDeparture: 1 });
    assert.deepEqual(await night(day(1), BAR), { maxStayThrough: 14, stopSell: 0, closedToArrival: 0, closedToDeparture: 0 });
    const sunday = await night(day(2), { ...BAR, category: "SGL" });
    assert.deepEqual([sunday.closedToArrival, sunday.closedToDeparture], [1, 0]);
  });

  test("warns that a status on the rule itself is not stored", async () => {
    const { code, night } = await channel.hotel();
    const { text } = await channel.send(
      message(code, plan("Overlay", rules(rule(`${nights(0, 1)} Status="Close"`, stay("SetMinLOS", 3))))),
    );
    assert.match(text, /<Success\/>.*Type="11"[^>]*>BookingRule\/@Status is not stored</s);
    assert.deepEqual(await night(day(0), BAR), { minStayArrival: 3 });
  });

  test("stores arrival-based and stay-through limits separately, in any order", async () => {
    const { code, night } = await channel.hotel();
    const marked = (flag: string, least: number) => stay("SetMinLOS", least).replace("<LengthsOfStay", `$& ArrivalDateBased="${flag}"`);
    const set = (...parts: string[]) => plan("Overlay", rules(...parts.map((part) => rule(nights(0, 1), part))));
    const { text } = await channel.send(message(code, set(marked("0", 3))));
    assert.match(text, /<Success\/><\//);
    assert.deepEqual(await night(day(0), BAR), { minStayThrough: 3 });
    for (const parts of [
      [marked("1", 5), stay("SetMinLOS", 2)],
      [stay("SetMinLOS", 2), marked("1", 5)],
    ]) {
      await channel.send(message(code, set(...parts)));
      assert.deepEqual(await night(day(0), BAR), { minStayArrival: 5, minStayThrough: 2 });
    }
  });

  test("warns if a delta removes an arrival-based limit but keeps a stay-through one", async () => {
    const { code, night } = await channel.hotel();
    const through = stay("SetMinLOS", 3).replace("<LengthsOfStay", '$& ArrivalDateBased="0"');
    const own = (part: string) => rules(rule(`CodeContext="ROOMTYPE" Code="DBL" ${nights(0, 1)}`, part));
    await channel.send(message(code, plan("Overlay", own(through))));
    const removal = '<LengthsOfStay><LengthOfStay MinMaxMessageType="RemoveMinLOS"/></LengthsOfStay>';
    const { text } = await channel.send(message(code, plan("Delta", own(removal))));
    assert.match(text, /removed the minimum stay \(arrival\) of DBL\/BAR, which still has a minimum stay \(through\)/);
    assert.deepEqual(await night(day(0), BAR), { minStayThrough: 3 });
    assert.match((await channel.send(message(code, plan("Overlay", own(removal))))).text, /<Success\/><\//);
    assert.deepEqual(await night(day(0), BAR), {});
  });

  test("warns about a contradictory rule but stores it", async () => {
    const { code, night } = await channel.hotel();
    const never = stay("SetMinLOS", 3) + stay("SetMaxLOS", 2);
    const { text } = await channel.send(message(code, plan("Overlay", rules(rule(nights(0, 1), never)))));
    assert.match(text, /<Success\/>.*the minimum stay of 3 nights exceeds the maximum of 2, so no stay is possible/s);
    assert.deepEqual(await night(day(0), BAR), { minStayArrival: 3, maxStayArrival: 2 });
  });

  test("applies the stricter limit if general and category rules differ, but always the category's own pattern", async () => {
    const { code, night } = await channel.hotel();
    const pattern = (letters: string) =>
      `<LengthsOfStay><LengthOfStay MinMaxMessageType="FullPatternLOS"><LOS_Pattern FullPatternLOS="${letters}"/></LengthOfStay></LengthsOfStay>`;
    const all = rule(nights(1, 2), stay("SetMaxLOS", 5) + stay("SetForwardMinStay", 2));
    const own = rule(`CodeContext="ROOMTYPE" Code="DBL" ${nights(1, 2)}`, stay("SetMaxLOS", 7) + pattern("YN"));
    await channel.send(message(code, plan("New", rules(all, rule(nights(1, 2), pattern("NNY")), own))));
    const found = await night(day(1), BAR);
    assert.deepEqual([found["maxStayArrival"], found["minStayThrough"], found["pattern"]], [5, 2, "YN"]);
    assert.equal((await night(day(1), { ...BAR, category: "SGL" }))["pattern"], "NNY");
  });

  test("applies the stricter of two booking windows", async () => {
    const { code, night } = await channel.hotel();
    const window = (who: string, least: number, most: number) =>
      `<BookingRule ${who} ${nights(1, 2)} MinAdvancedBookingOffset="${least}" MaxAdvancedBookingOffset="${most}"/>`;
    const both = window("", 2, 30) + window('CodeContext="ROOMTYPE" Code="DBL"', 1, 60);
    await channel.send(message(code, plan("New", rules(both))));
    assert.deepEqual(await night(day(1), BAR), { minAdvance: 2, maxAdvance: 30 });
  });

  test("applies the stricter rule if a general rule and a category's own rule cover the same night", async () => {
    const { code, night } = await channel.hotel();
    const own = (content: string) => rule(`CodeContext="ROOMTYPE" Code="DBL" ${nights(2, 9)}`, content);
    const general = rule(nights(0, 4), stay("SetMinLOS", 5) + master("Close"));
    await channel.send(message(code, plan("Overlay", rules(own(stay("SetMinLOS", 3) + master("Open")), general))));
    const restricted = async (at: number, category = "DBL") => {
      const { minStayArrival, stopSell } = await night(day(at), { ...BAR, category });
      return [minStayArrival, stopSell];
    };
    assert.deepEqual(await restricted(3), [5, 1], "both");
    assert.deepEqual(await restricted(6), [3, 0], "its own");
    assert.deepEqual(await restricted(3, "SGL"), [5, 1], "the rule for all categories");
    assert.deepEqual(await restricted(6, "SGL"), [undefined, undefined]);
  });

  test("uses Duration if a rule or plan has no End, including for a plan's undated rates and rules", async () => {
    const { code, night } = await channel.hotel();
    const lasting = `Start="${day(1)}" Duration="P2N"`;
    await channel.send(message(code, plan("Overlay", rules(rule(lasting, master("Close"))))));
    const found = (column: string) => Promise.all([0, 1, 2, 3].map(async (at) => (await night(day(at), BAR))[column]));
    assert.deepEqual(await found("stopSell"), [undefined, 1, 1, undefined]);
    const parts = rates(rate('InvTypeCode="DBL"', after(2, "90"))) + rules(rule("", stay("SetMinLOS", 2)));
    await channel.send(message(code, plan("New", parts, `RatePlanCode="BAR" ${lasting}`)));
    assert.deepEqual(await found("minStayArrival"), [undefined, 2, 2, undefined]);
    assert.deepEqual(await found("amount:after:2:10:1"), [undefined, 9_000, 9_000, undefined]);
    const { text } = await channel.send(message(code, plan("Overlay", rules(rule(lasting.replace("P2N", "two"), master("Close"))))));
    assert.match(text, /Code="320"[^>]*>Invalid value "two" for Duration; allowed: such as P3N, P1W or P1M</);
  });

  test("logs that a duration without a start is ignored", async () => {
    const { code } = await channel.hotel();
    const advisoriesOf = async (plans: string) => (await channel.send(message(code, plans))).receipt?.verdict.notes.advisories;
    const unused = ["Duration without Start is ignored"];
    assert.deepEqual(await advisoriesOf(plan("Overlay", rules(rule('Duration="P2N"', master("Close"))))), unused);
    assert.deepEqual(await advisoriesOf(plan("Overlay", rules(rule("", master("Close"))), 'RatePlanCode="BAR" Duration="P2N"')), unused);
    assert.deepEqual(await advisoriesOf(plan("Overlay", rules(rule("", master("Close"))))), []);
  });

  test("applies and validates a rule's weekdays even if the rule has no dates", async () => {
    const { code, night } = await channel.hotel();
    // Today is a Friday.
    const send = (flags: string, of = 'RatePlanCode="BAR"') =>
      channel.send(message(code, plan("Overlay", rules(rule(flags, master("Close"))), of)));
    const closed = () => Promise.all([0, 1, 2, 7, 8, 701].map(async (at) => (await night(day(at), BAR))["stopSell"]));
    await send('Sat="1"', `RatePlanCode="BAR" ${nights(0, 6)}`);
    assert.deepEqual(await closed(), [undefined, 1, undefined, undefined, undefined, undefined]);
    await send('Sat="1"');
    assert.deepEqual(await closed(), [undefined, 1, undefined, undefined, 1, 1]);
    assert.match((await send('Sat="maybe"')).text, /Code="320"[^>]*>Invalid value "maybe" for Sat/);
    const none = "Mon Tue Weds Thur Fri Sat Sun".replaceAll(/\w+/g, '$&="0"');
    assert.match((await send(none)).text, /Code="320"[^>]*>Invalid value "false" for every day of the week/);
  });

  test("applies a rule without dates to its plan's dates, which may be open-ended", async () => {
    const { code, night } = await channel.hotel();
    const closed = async (dates: string) => {
      const undated = rules(rule("", master("Close")));
      const { text } = await channel.send(message(code, plan("New", undated, `RatePlanCode="BAR" ${dates}`)));
      assert.match(text, /<Success\/>/);
      return Promise.all([0, 2, 3, 740].map(async (at) => (await night(day(at), BAR))["stopSell"]));
    };
    assert.deepEqual(await closed(`Start="${day(3)}"`), [undefined, undefined, 1, 1]);
    assert.deepEqual(await closed(`End="${day(2)}"`), [1, 1, undefined, undefined]);
    assert.deepEqual(await closed(`Start="${day(2_000)}"`), [undefined, undefined, undefined, undefined]);
    assert.deepEqual(await closed(`End="${day(-5)}"`), [undefined, undefined, undefined, undefined]);
  });

  test("applies a rule without dates to every night in AlpineBits", async () => {
    const { code, night } = await channel.hotel();
    const undated = rules(rule("", stay("SetMinLOS", 4)));
    const dated = plan("Overlay", undated, `RatePlanCode="BAR" CurrencyCode="EUR" ${nights(2, 3)}`);
    await channel.send(message(code, dated));
    const limits = () => Promise.all([0, 2, 3, 4, 700].map(async (at) => (await night(day(at), BAR))["minStayArrival"]));
    assert.deepEqual(await limits(), [undefined, 4, 4, undefined, undefined]);
    assert.match((await channel.send(message(code, dated), ALPINEBITS)).text, /<Success\/>/);
    assert.deepEqual(await limits(), [4, 4, 4, 4, 4]);
  });

  test("ignores a rule with an unsupported CodeContext and adds a warning", async () => {
    const { code, night } = await channel.hotel();
    const content = `${stay("SetMinLOS", 4)}${master("Close")}<DOW_Restrictions><ArrivalDaysOfWeek Sat="1"/></DOW_Restrictions>`;
    const other = rules(rule(`CodeContext="GUEST" Code="DBL" ${nights(0, 1)}`, content), rule(nights(1, 1), stay("SetMaxLOS", 9)));
    const { text } = await channel.send(message(code, plan("Overlay", other)));
    assert.match(text, /<Success\/><Warnings>[^/]*>booking rules for CodeContext GUEST are not stored/);
    assert.deepEqual([await night(day(0), BAR), await night(day(1), BAR)], [{}, { maxStayArrival: 9 }]);
    const codeless = rules(rule(`CodeContext="ROOMTYPE" ${nights(0, 1)}`, master("Close")));
    assert.match((await channel.send(message(code, plan("Overlay", codeless)))).text, /Code="321"[^>]*>Required field missing: Code</);
  });

  test("reads excluded arrival weekdays, even if all are excluded", async () => {
    const { code, night } = await channel.hotel();
    const none = ["Mon", "Tue", "Weds", "Thur", "Fri", "Sat", "Sun"].map((name) => `${name}="0"`).join(" ");
    const days = (arrival: string) => rules(rule(nights(0, 6), `<DOW_Restrictions><ArrivalDaysOfWeek ${arrival}/></DOW_Restrictions>`));
    const closed = () => Promise.all([0, 1, 2].map(async (at) => (await night(day(at), BAR))["closedToArrival"]));
    await channel.send(message(code, plan("Overlay", days(none))));
    assert.deepEqual(await closed(), [1, 1, 1]);
    // Day 1 is a Saturday.
    await channel.send(message(code, plan("Overlay", days('Sat="false"'))));
    assert.deepEqual(await closed(), [0, 1, 0]);
    const { text } = await channel.send(message(code, plan("Overlay", days('Sat="perhaps" Sun="maybe"'))));
    assert.match(
      text,
      /Code="320"[^>]*>Invalid value "perhaps" for Sat; allowed: 1, 0, true, false, Y, N<.*>Invalid value "maybe" for Sun;/,
    );
  });

  test("reads several spellings of arrival weekdays but refuses unknown names", async () => {
    const { code, night } = await channel.hotel();
    const closed = '<RestrictionStatus Status="Close" Restriction="Arrival"/>';
    const days = (attributes: string) => `<DOW_Restrictions><ArrivalDaysOfWeek ${attributes}/></DOW_Restrictions>`;
    const delta = (parts: string) => message(code, plan("Delta", parts));
    await channel.send(delta(rules(rule(nights(0, 6), closed))));
    await channel.send(delta(rules(rule(`${nights(0, 6)} MON="Y"`, stay("SetMinLOS", 3) + days('Monday="yes" tu="N"')))));
    assert.deepEqual(await night(day(3), BAR), { closedToArrival: 0, minStayArrival: 3 });
    assert.deepEqual(await night(day(4), BAR), { closedToArrival: 1 });
    const { text } = await channel.send(delta(rules(rule(`${nights(0, 6)} Fridy="1"`, days('Mondy="1"')))));
    for (const name of ["Fridy", "Mondy"])
      assert.match(text, new RegExp(`Code="320"[^>]*>${name} is not a day of the week; allowed: Mon,`));
    await channel.send(delta(rules(rule(nights(0, 6), days("")))));
    assert.deepEqual(
      await night(day(3), BAR),
      { closedToArrival: 0, minStayArrival: 3 },
      "no day is named, so arrivals are open every day",
    );
  });

  test("warns that other kinds of weekday rules are not stored", async () => {
    const { code, night } = await channel.hotel();
    const days = (name: string, attributes: string) => `<DOW_Restrictions><${name} ${attributes}/></DOW_Restrictions>`;
    const delta = (parts: string) => message(code, plan("Delta", rules(rule(nights(0, 6), stay("SetMinLOS", 3) + parts))));
    for (const name of ["AvailableDaysOfWeek", "RequiredDaysOfWeek", "MinimumDaysOfWeek"])
      assert.match((await channel.send(delta(days(name, 'Sat="0" Sun="0"')))).text, new RegExp(`<Success/>.*>${name} is not stored<`, "s"));
    assert.deepEqual(await night(day(1), BAR), { minStayArrival: 3 });
  });

  test("applies a weekday rule up to its last night", async () => {
    const { code, night } = await channel.hotel();
    // Today is a Friday, and so are days 7 and 14.
    const arrival = '<DOW_Restrictions><ArrivalDaysOfWeek Sat="1"/></DOW_Restrictions>';
    await channel.send(message(code, plan("Overlay", rules(rule(`${nights(0, 7)} Fri="1"`, stay("SetMinLOS", 3) + arrival)))));
    const ruled = { minStayArrival: 3, closedToArrival: 1 };
    const found = await Promise.all([0, 1, 6, 7, 14].map((at) => night(day(at), BAR)));
    assert.deepEqual(found, [ruled, {}, {}, ruled, {}]);
  });

  test("applies the shorter of two maximum stays, and prefers a set limit to a removed one", async () => {
    const { code, night } = await channel.hotel();
    const own = (content: string, dates = nights(2, 3)) => rule(`CodeContext="ROOMTYPE" Code="DBL" ${dates}`, content);
    const longest = rule(nights(0, 9), stay("SetMaxLOS", 7));
    await channel.send(message(code, plan("Overlay", rules(longest, own(stay("SetMaxLOS", 5)), own(stay("SetMaxLOS", 9), nights(4, 4))))));
    const most = await Promise.all([0, 2, 4].map(async (at) => (await night(day(at), BAR))["maxStayArrival"]));
    assert.deepEqual(most, [7, 5, 7]);
    const removal = '<LengthsOfStay><LengthOfStay MinMaxMessageType="RemoveMaxLOS"/></LengthsOfStay>';
    await channel.send(message(code, plan("Delta", rules(rule(nights(0, 4), removal), own(stay("SetMaxLOS", 6))))));
    const left = await Promise.all([0, 2, 4, 5].map(async (at) => (await night(day(at), BAR))["maxStayArrival"]));
    assert.deepEqual(left, [undefined, 6, undefined, 7]);
  });

  test("keeps shorter stays open if a rule closes only a longer stay", async () => {
    const { code, night } = await channel.hotel();
    const closed = '<LengthsOfStay><LengthOfStay Time="3" OpenStatusIndicator="false"/></LengthsOfStay>';
    await channel.send(message(code, plan("Overlay", rules(rule(nights(0, 1), closed)))));
    assert.deepEqual(await night(day(1), BAR), { pattern: "YYN" });
  });

  test("removes earlier booking rules on an overlay's nights", async () => {
    const { code, night } = await channel.hotel();
    await channel.send(message(code, plan("Overlay", rules(rule(nights(0, 9), stay("SetMinLOS", 5))))));
    await channel.send(message(code, plan("Overlay", rules(rule(nights(3, 4), master("Open"))))));
    assert.deepEqual(await night(day(3), BAR), { stopSell: 0 });
    assert.deepEqual(await night(day(5), BAR), { minStayArrival: 5 });
  });

  test("reads a rule's booking window and applies the rule to a single night if it has no End", async () => {
    const { code, night } = await channel.hotel();
    const single = rule(`Start="${day(1)}" MinAdvancedBookingOffset="P3D" MaxAdvancedBookingOffset="90"`, "");
    await channel.send(message(code, plan("Overlay", rules(single))));
    assert.deepEqual([await night(day(1), BAR), await night(day(2), BAR)], [{ minAdvance: 3, maxAdvance: 90 }, {}]);
    const endless = plan("Overlay", rules(rule(`End="${day(1)}"`, master("Close"))));
    assert.match((await channel.send(message(code, endless))).text, /Code="321"[^>]*>Required field missing: Start</);
  });
});

eachChannel("Booking rules from a sender with a stay-through profile", (channel) => {
  test("stores a booking rule's stay limit as stay-through if the sender's profile says so", async () => {
    const { code, night } = await channel.hotel();
    const send = await channel.as({ preset: "standard", settings: { stayLimits: "through" } });
    await send(message(code, plan("Overlay", rules(rule(nights(0, 1), stay("SetMaxLOS", 7))))));
    assert.deepEqual(await night(day(0), BAR), { maxStayThrough: 7 });
  });
});
