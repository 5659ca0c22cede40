import assert from "node:assert/strict";
import { test } from "node:test";
import { day, eachChannel } from "../../../../../test/support/channel.ts";
import { assertScans } from "../../../../../test/support/cpu.ts";
import {
  ALPINEBITS,
  BAR,
  doubles,
  fixed,
  HALF_BOARD,
  master,
  message,
  nights,
  plan,
  rates,
  rule,
  rules,
  stay,
} from "../../../../../test/support/rate-plans.ts";
import { ALPINEBITS_VERSIONS } from "../../dialects/alpinebits.ts";

const PRICED = rates(fixed("25", HALF_BOARD), doubles(0, 9, "100"));
const whole = (parts: string, attributes = 'RatePlanCode="BAR"') => plan("New", parts + PRICED, attributes);
const priced = (more: string) => rates(fixed("25", HALF_BOARD), doubles(0, 9, "100").replace("<Rate ", `<Rate ${more} `));
const timed = (start: string, end: string) => rates(fixed("25", HALF_BOARD), doubles(0, 9, "100").replace(nights(0, 9), `${start} ${end}`));
const extra = (attributes: string) => plan("New", `${PRICED}<Supplements><Supplement ${attributes}/></Supplements>`);
const described = (attributes: string) => `<Description ${attributes}><Text TextFormat="PlainText" Language="en">Sun</Text></Description>`;
const offered = (parts: string) => plan("New", `${PRICED}<Offers><Offer>${parts}</Offer></Offers>`);
const ruled = (attributes: string) => {
  const lengths = `<LengthsOfStay><LengthOfStay ${attributes}/></LengthsOfStay>`;
  return offered(offerRule().replace("<Occupancy", `${lengths}<Occupancy`));
};
const offerRule = (attributes = "", age = "") =>
  `<OfferRules><OfferRule ${attributes}><Occupancy AgeQualifyingCode="10"${age && ` ${age}="x"`}/></OfferRule></OfferRules>`;
const FREE = '<Discount Percent="100" NightsRequired="7" NightsDiscounted="1" DiscountPattern="0000001"/>';
const FAMILY =
  '<Discount Percent="100"/><Guests><Guest AgeQualifyingCode="8" MaxAge="5" MinCount="0" FirstQualifyingPosition="1" LastQualifyingPosition="2"/></Guests>';
const changed = (xml: string, name: string, value = "") =>
  offered(xml.replace(new RegExp(` ${name}="[^"]*"`), value && ` ${name}="${value}"`));
const free = (name: string, value: string) => changed(FREE, name, value);
const family = (name: string, value?: string) => changed(FAMILY, name, value);
const START = `Start="${day(0)}"`;

/** OpenTravel accepts or ignores each of these. */
const REFUSED: readonly (readonly [what: string, plans: string, words: string])[] = [
  ["a rate has no end", plan("New", timed(START, "")), "Required field missing: End"],
  ["a date has a time of day", plan("New", timed(`Start="${day(0)}T00:00:00"`, `End="${day(9)}"`)), 'T00:00:00" in Start'],
  ["a plan's date has a time of day", whole("", `RatePlanCode="BAR" Start="${day(0)}T12:00"`), 'T12:00" in Start'],
  ["a rate names its category by InvCode", plan("New", PRICED.replace("InvTypeCode", "InvCode")), "missing: InvTypeCode"],
  ["a rate has an empty category", plan("New", PRICED.replace('"DBL"', '""')), "missing: InvTypeCode"],
  [
    "a static rate has an invalid UnitMultiplier",
    plan("New", PRICED.replace('UnitMultiplier="1"', 'UnitMultiplier="x"')),
    '"x" for UnitMultiplier',
  ],
  ["a static rate is not per day", plan("New", PRICED.replace('"Day"', '"Week"')), '"Week" for RateTimeUnit'],
  ["a meal plan code is not one of the five that are allowed", plan("New", PRICED.replace('"12"', '"2"')), '"2" for MealPlanCodes'],
  ["a rule has no end", whole(rules(rule(START, ""))), "Required field missing: End"],
  ["a rule applies only on some weekdays", whole(rules(rule(`${nights(0, 9)} Sat="1"`, ""))), "does not allow weekdays here"],
  [
    "a rule has an unsupported CodeContext",
    whole(rules(rule(`${nights(0, 9)} CodeContext="BOARD" Code="DBL"`, ""))),
    '"BOARD" for CodeContext',
  ],
  [
    "a restriction applies to arrivals",
    whole(rules(rule(nights(0, 9), master("Close").replace("Master", "Arrival")))),
    '"Arrival" for Restriction',
  ],
  ["a status is in lower case", whole(rules(rule(nights(0, 9), master("close")))), '"close" for Status'],
  [
    "a length of stay has an unsupported type",
    whole(rules(rule(nights(0, 9), stay("RemoveMinLOS", 2)))),
    '"RemoveMinLOS" for MinMaxMessageType',
  ],
  [
    "a length of stay has no unit",
    whole(rules(rule(nights(0, 9), stay("SetMinLOS", 2).replace(' TimeUnit="Day"', "")))),
    "missing: TimeUnit",
  ],
  ["a length of stay has no Time", whole(rules(rule(nights(0, 9), stay("SetMinLOS", 2).replace('Time="2" ', "")))), "missing: Time"],
  ["a plan has an unsupported type", whole("", 'RatePlanCode="BAR" RatePlanType="13"'), '"13" for RatePlanType'],
  ["RatePlanQualifier is not boolean", whole("", 'RatePlanCode="BAR" RatePlanID="J" RatePlanQualifier="both"'), "RatePlanQualifier"],
  ["a supplement has reversed dates", extra(`InvType="EXTRA" InvCode="1" ${nights(9, 0)}`), "start/end date"],
  ["a supplement has no code", extra('InvType="EXTRA"'), "missing: InvCode"],
  ["a supplement has an unsupported type", extra('InvType="OTHER" InvCode="1"'), '"OTHER" for InvType'],
  ["a supplement has a negative amount", extra(`InvType="EXTRA" InvCode="1" Amount="-5" ${nights(0, 9)}`), '"-5" for Amount'],
  ["a supplement has an unsupported charge type", extra('InvType="EXTRA" InvCode="1" ChargeTypeCode="2"'), '"2" for ChargeTypeCode'],
  [
    "a description has an unsupported format",
    plan("New", PRICED + described('Name="title"').replace("PlainText", "Markdown")),
    '"Markdown" for TextFormat',
  ],
  [
    "an offer is for infants",
    offered('<OfferRules><OfferRule><Occupancy AgeQualifyingCode="7"/></OfferRule></OfferRules>'),
    '"7" for AgeQ',
  ],
  ["an offer's discount is only 50 percent", offered('<Discount Percent="50"/>'), '"50" for Percent'],
  [
    "an offer has a length of stay without Time",
    offered('<OfferRules><OfferRule><LengthsOfStay><LengthOfStay TimeUnit="Day"/></LengthsOfStay></OfferRule></OfferRules>'),
    "missing: Time",
  ],
  [
    "an offer has a stay-through limit",
    ruled('TimeUnit="Day" Time="3" MinMaxMessageType="SetForwardMinStay"'),
    '"SetForwardMinStay" for MinMaxMessageType; allowed: SetMinLOS, SetMaxLOS, or nothing',
  ],
  [
    "an offer has its advance booking in weeks",
    offered(offerRule('MinAdvancedBookingOffset="P2W"')),
    '"P2W" for MinAdvancedBookingOffset; allowed: such as P3D',
  ],
  ["an offer for adults has an invalid age", offered(offerRule("", "MinAge")), '"x" for MinAge'],
  ["an offer has no discount percentage", offered('<Discount NightsRequired="7"/>'), "missing: Percent"],
  ["a discount requires 0 nights", free("NightsRequired", "0"), '"0" for NightsRequired; allowed: a whole number from 1'],
  ["a discount has a fraction of a free night", free("NightsDiscounted", "1.5"), '"1.5" for NightsDiscounted'],
  [
    "a discount's free night is not the last one",
    free("DiscountPattern", "0010"),
    '"0010" for DiscountPattern; allowed: 0 for each paid night, then 1 for each free night',
  ],
  ["a family offer has no maximum age", family("MaxAge"), "missing: MaxAge"],
  ["a family offer does not start with the first child", family("FirstQualifyingPosition", "2"), '"2" for FirstQualifyingPosition'],
  ["a family offer has an invalid number of children", family("LastQualifyingPosition", "x"), '"x" for LastQualifyingPosition'],
  ["a description has no Name", plan("New", PRICED + described("")), "missing: Name"],
  ["a description has an unknown Name", plan("New", PRICED + described('Name="slogan"')), '"slogan" for Name'],
];

eachChannel("AlpineBits RatePlans", (channel) => {
  for (const [what, plans, words] of REFUSED) {
    test(`refuses a message if ${what}`, async () => {
      const { code, night } = await channel.hotel();
      const { text, status } = await channel.send(message(code, plans), ALPINEBITS);
      assert.equal(status, 200);
      assert.match(text, /<Errors><Error Type="13"/);
      assert.ok(text.includes(words), text);
      assert.deepEqual(await night(day(1), BAR), {});
    });
  }

  test("refuses a malformed number of 100,000 digits in linear time", async () => {
    const { code } = await channel.hotel();
    const xml = message(code, extra(`InvType="EXTRA" InvCode="1" Amount="${"1".repeat(100_000)}x"`));
    await assertScans(xml.length, 1_000, async () => assert.match((await channel.send(xml, ALPINEBITS)).text, /for Amount/));
  });

  test("accepts time zones, weekdays and lengths of stay in every version", async () => {
    for (const version of ALPINEBITS_VERSIONS) {
      const { code, night } = await channel.hotel();
      const sundays = priced('Sun="1" Duration="P7N"').replace(`Start="${day(0)}"`, `Start="${day(0)}Z"`);
      const { text } = await channel.send(message(code, plan("New", sundays)), { ...ALPINEBITS, version });
      assert.match(text, /<Success\/><\//, version);
      assert.equal((await night(day(2), BAR))["amount:after:2:10:7"], 10_000, "today is a Friday");
      assert.deepEqual(await night(day(3), BAR), {});
    }
  });

  test("accepts free-night and family offers, even with an empty MinMaxMessageType", async () => {
    const { code } = await channel.hotel();
    for (const offer of [offered(FREE), offered(FAMILY), ruled('TimeUnit="Day" Time="3.0" MinMaxMessageType=""')]) {
      assert.match((await channel.send(message(code, offer), ALPINEBITS)).text, /<Success\/><\//);
    }
  });

  test("ignores white space around an attribute value", async () => {
    const { code } = await channel.hotel();
    const supplement = extra('InvType=" EXTRA" InvCode="1" MandatoryIndicator=" true "');
    assert.match((await channel.send(message(code, supplement), ALPINEBITS)).text, /<Success\/><\//);
  });

  test("reports each error once", async () => {
    const { code } = await channel.hotel();
    const lower = await channel.send(message(code, plan("overlay", PRICED)), ALPINEBITS);
    assert.equal(lower.text.split("RatePlanNotifType").length, 2, lower.text);
    const { text } = await channel.send(message(code, plan("New", PRICED.replace('"12"', '"99"'))), ALPINEBITS);
    assert.equal(text.split("MealPlanCodes").length, 2, text);
  });
});
