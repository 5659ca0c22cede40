import assert from "node:assert/strict";
import { test } from "node:test";
import { day, eachChannel } from "../../../../test/support/channel.ts";

const NAMESPACE = 'xmlns="http://www.opentravel.org/OTA/2003/05"';
const STANDARD = { preset: "standard", settings: {} };
const CONTROL = `<StatusApplicationControl Start="${day(1)}" End="${day(1)}" InvTypeCode="DBL" RatePlanCode="BAR"/>`;
const COUNTS = '<InvCounts><InvCount CountType="2" Count="3"/></InvCounts>';
const RATES = '<Rates><Rate><BaseByGuestAmts><BaseByGuestAmt AmountAfterTax="9"/></BaseByGuestAmts></Rate></Rates>';
const CLOSE = '<RestrictionStatus Status="Close"/>';
const RULES = `<BookingRules><BookingRule>${CLOSE}</BookingRule></BookingRules>`;
const PLAN_RULES = RULES.replace("<BookingRule>", `<BookingRule Start="${day(1)}" End="${day(1)}">`);
const PLAN = { kind: "rate", lane: "BAR" } as const;

/** Each message type, and a line of it with the given attributes. */
const LINES: readonly (readonly [root: string, list: string, line: (attributes: string) => string])[] = [
  ["OTA_HotelInvCountNotifRQ", "Inventories", (attributes) => `<Inventory ${attributes}>${CONTROL}${COUNTS}</Inventory>`],
  [
    "OTA_HotelAvailNotifRQ",
    "AvailStatusMessages",
    (attributes) => `<AvailStatusMessage ${attributes}>${CONTROL}${CLOSE}</AvailStatusMessage>`,
  ],
  [
    "OTA_HotelRateAmountNotifRQ",
    "RateAmountMessages",
    (attributes) => `<RateAmountMessage ${attributes}>${CONTROL}${RATES}</RateAmountMessage>`,
  ],
  ["OTA_HotelBookingRuleNotifRQ", "RuleMessages", (attributes) => `<RuleMessage ${attributes}>${CONTROL}${RULES}</RuleMessage>`],
  ["OTA_HotelRatePlanNotifRQ", "RatePlans", (attributes) => `<RatePlan RatePlanCode="BAR" ${attributes}>${PLAN_RULES}</RatePlan>`],
];
const messageOf = (root: string, list: string, content: string) => `<${root} ${NAMESPACE}><${list}>${content}</${list}></${root}>`;
const avail = (list: string, line = `<AvailStatusMessage>${CONTROL}${CLOSE}</AvailStatusMessage>`) =>
  `<OTA_HotelAvailNotifRQ ${NAMESPACE}><AvailStatusMessages ${list}>${line}</AvailStatusMessages></OTA_HotelAvailNotifRQ>`;

eachChannel("A line for another property", (channel) => {
  for (const [root, list, line] of LINES) {
    test(`refuses a line for another property in ${root}`, async () => {
      const { code, night } = await channel.hotel();
      const send = await channel.as(STANDARD, [code]);
      for (const name of ["HotelCode", "PropertyID"]) {
        const { text } = await send(messageOf(root, list, line(`${name}="OTHER"`)));
        assert.match(text, new RegExp(`Code="450"[^>]*>${name}="OTHER" limits the line .*; send one message for each property<`));
      }
      assert.deepEqual([await night(day(1), {}), await night(day(1), PLAN)], [{}, {}]);
      assert.match((await send(messageOf(root, list, line(`HotelCode="${code}"`)))).text, /<Success\/><\//);
    });
  }

  test("refuses a line whose control or HotelRef names another property", async () => {
    const { code, night } = await channel.hotel();
    const send = await channel.as(STANDARD);
    const lineWith = (content: string) => avail(`HotelCode="${code}"`, `<AvailStatusMessage>${content}${CLOSE}</AvailStatusMessage>`);
    for (const content of [CONTROL.replace("/>", ' HotelCode="OTHER"/>'), `${CONTROL}<HotelRef HotelCode="OTHER" ChainCode="C"/>`])
      assert.match((await send(lineWith(content))).text, />HotelCode="OTHER" limits the line/);
    assert.deepEqual(await night(day(1), PLAN), {});
    const { text } = await send(lineWith(`${CONTROL}<HotelRef HotelCode="${code}" ChainCode="C" HotelName="N"/>`));
    assert.match(text, /<Success\/><\//);
    assert.deepEqual(await night(day(1), PLAN), { stopSell: 1 });
  });

  test("applies a line that names another property if the credentials identify the property", async () => {
    const { code, night } = await channel.hotel();
    const send = await channel.as({ preset: "standard", settings: { hotelCode: "credential" } }, [code]);
    const line = LINES[1]![2]('HotelCode="991"');
    assert.match((await send(avail('HotelCode="991" PropertyCode="992"', line))).text, /<Success\/><\//);
    assert.deepEqual(await night(day(1), PLAN), { stopSell: 1 });
  });
});

eachChannel("A property code in an attribute other than HotelCode", (channel) => {
  test("refuses a property code in another attribute than HotelCode, even if the sender has access to only one property", async () => {
    const { code, night } = await channel.hotel();
    const send = await channel.as(STANDARD, [code]);
    for (const name of ["PropertyCode", "hotelCode", "HotelID"]) {
      const { text } = await send(avail(`${name}="OTHER"`));
      assert.match(text, new RegExp(`Code="321"[^>]*>Required field missing: HotelCode \\(${name} is not accepted instead\\)<`));
    }
    assert.deepEqual(await night(day(1), PLAN), {});
    const { text } = await send(avail(`HotelCode="${code}" PropertyCode="7"`));
    assert.match(text, /<Success\/><Warnings><Warning [^>]*>AvailStatusMessages\/@PropertyCode is unknown and was ignored</);
  });
});
