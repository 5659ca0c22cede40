import assert from "node:assert/strict";
import { test } from "node:test";
import { day, eachChannel } from "../../../../../test/support/channel.ts";

const NAMESPACE = 'xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.0"';
const BAR = { kind: "rate", lane: "BAR" } as const;
const message = (hotel: string, ...lines: string[]) =>
  `<OTA_HotelBookingRuleNotifRQ ${NAMESPACE}><RuleMessages HotelCode="${hotel}">${lines.join("")}</RuleMessages></OTA_HotelBookingRuleNotifRQ>`;
const line = (control: string, ...rules: string[]) =>
  `<RuleMessage><StatusApplicationControl ${control}/><BookingRules>${rules.join("")}</BookingRules></RuleMessage>`;
const rule = (attributes: string, ...parts: string[]) => `<BookingRule ${attributes}>${parts.join("")}</BookingRule>`;
const nights = (from: number, to: number) => `Start="${day(from)}" End="${day(to)}"`;
const RATE = 'InvTypeCode="DBL" RatePlanCode="BAR"';
const CLOSE = '<RestrictionStatus Restriction="Master" Status="Close"/>';
const OPEN = '<RestrictionStatus Restriction="Master" Status="Open"/>';
const restrictions = (night: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(night).filter(([name]) => !name.startsWith("setter:")));

const VIEWERSHIP = "<ViewershipCodes><ViewershipCode>CORP</ViewershipCode></ViewershipCodes>";

type Refused = { attributes?: string; part?: string; control?: string; error: string };
const REFUSED: readonly (readonly [name: string, refused: Refused])[] = [
  [
    "for only some guests",
    {
      part: `<Viewerships><Viewership>${VIEWERSHIP}</Viewership></Viewerships>`,
      error: 'ViewershipCode="CORP" limits the line to something',
    },
  ],
  [
    "whose code is not a category",
    { attributes: 'CodeContext="PACKAGE" Code="P1"', error: 'CodeContext="PACKAGE" is not supported; allowed: ROOMTYPE<' },
  ],
  ["for a plan other than its line's", { attributes: 'RatePlanCode="NRF"', error: 'RatePlanCode="NRF" limits the line to something' }],
  [
    "for only some rate plans",
    { control: 'InvTypeCode="DBL" RatePlanCategory="PROMO"', error: 'RatePlanCategory="PROMO" limits the line to something' },
  ],
  ["for only some categories", { attributes: 'InvType="SUITE"', control: "", error: 'InvType="SUITE" limits the line to something' }],
];

const minStay = (days: number, flag = "") =>
  `<LengthsOfStay${flag}><LengthOfStay MinMaxMessageType="SetMinLOS" Time="${days}"/></LengthsOfStay>`;
const ARRIVALS = '<DOW_Restrictions><ArrivalDaysOfWeek Sat="1"/></DOW_Restrictions>';

eachChannel("OTA_HotelBookingRuleNotifRQ", (channel) => {
  test("sets the same values as OTA_HotelAvailNotifRQ", async () => {
    const [ruled, status] = [await channel.hotel(), await channel.hotel()];
    const stays = `<LengthsOfStay ArrivalDateBased="true"><LengthOfStay MinMaxMessageType="SetMinLOS" Time="2" TimeUnit="Day"/><LengthOfStay MinMaxMessageType="SetForwardMaxStay" Time="9" TimeUnit="Day"/></LengthsOfStay>`;
    const window = 'MinAdvancedBookingOffset="P1D" MaxAdvancedBookingOffset="P90D"';
    const sent = await channel.send(message(ruled.code, line(`${RATE} ${nights(0, 4)}`, rule(window, stays, CLOSE))));
    assert.match(sent.text, /<OTA_HotelBookingRuleNotifRS [^>]*><Success\/><\//);
    const control = `<StatusApplicationControl ${RATE} ${nights(0, 4)}/>`;
    const same = `<AvailStatusMessage>${control}${stays}${CLOSE}<RestrictionStatus ${window}/></AvailStatusMessage>`;
    await channel.send(
      `<OTA_HotelAvailNotifRQ ${NAMESPACE}><AvailStatusMessages HotelCode="${status.code}">${same}</AvailStatusMessages></OTA_HotelAvailNotifRQ>`,
    );
    for (const date of [day(0), day(4)])
      assert.deepEqual(restrictions(await ruled.night(date, BAR)), restrictions(await status.night(date, BAR)));
    const { stopSell, minStayArrival, maxStayThrough, minAdvance, maxAdvance } = await ruled.night(day(4), BAR);
    assert.deepEqual([stopSell, minStayArrival, maxStayThrough, minAdvance, maxAdvance], [1, 2, 9, 1, 90]);
    assert.deepEqual(await ruled.night(day(5), BAR), {});
    assert.deepEqual(await ruled.night(day(0), { ...BAR, category: "SGL" }), {});
    assert.deepEqual(await ruled.night(day(0), { kind: "rate" }), {});
  });

  test("applies a rule on its own dates if its line has none", async () => {
    const { code, night } = await channel.hotel();
    const { text } = await channel.send(message(code, line(RATE, rule(nights(0, 1), CLOSE), rule(nights(1, 2), OPEN))));
    assert.match(text, /<Success\/><\//);
    const closed = await Promise.all([0, 1, 2, 3].map(async (date) => (await night(day(date), BAR))["stopSell"]));
    assert.deepEqual(closed, [1, 0, 0, undefined]);
  });

  test("changes only nights that are within the dates of both the line and its rule", async () => {
    const { code, night } = await channel.hotel();
    const { text } = await channel.send(message(code, line(`${RATE} ${nights(2, 9)}`, rule(nights(0, 4), CLOSE))));
    assert.match(
      text,
      /<Success\/><Warnings><Warning [^>]*>a BookingRule has nights outside its line's dates; those nights are unchanged</,
    );
    const closed = await Promise.all([1, 2, 4, 5].map(async (date) => (await night(day(date), BAR))["stopSell"]));
    assert.deepEqual(closed, [undefined, 1, 1, undefined]);
    const apart = await channel.send(message(code, line(`${RATE} ${nights(8, 9)}`, rule(nights(10, 14), CLOSE))));
    assert.match(apart.text, /a BookingRule has no night in common with its line and changes nothing</);
    assert.equal(apart.receipt!.changedNights, 0);
  });

  test("applies a rule only on weekdays that both the rule and its line include", async () => {
    const { code, night } = await channel.hotel();
    // 2026-11-20 is a Friday.
    await channel.send(message(code, line(`${RATE} ${nights(0, 6)} Fri="true" Sat="true"`, rule('Sat="1" Sun="1"', CLOSE))));
    const closed = await Promise.all([0, 1, 2].map(async (date) => (await night(day(date), BAR))["stopSell"]));
    assert.deepEqual(closed, [undefined, 1, undefined]);
  });

  test("opens and closes arrivals and departures by weekday", async () => {
    const { code, night } = await channel.hotel();
    const days = '<DOW_Restrictions><ArrivalDaysOfWeek Sat="1"/><DepartureDaysOfWeek Sun="0"/></DOW_Restrictions>';
    assert.match((await channel.send(message(code, line(`${RATE} ${nights(0, 2)}`, rule("", days))))).text, /<Success\/><\//);
    const found = await Promise.all([0, 1, 2, 3].map((date) => night(day(date), BAR)));
    assert.deepEqual(
      found.map(({ closedToArrival, closedToDeparture }) => [closedToArrival, closedToDeparture]),
      [
        [1, 0],
        [0, 0],
        [1, 1],
        [undefined, undefined],
      ],
    );
  });

  test("accepts a rule's category only if its line names the same category or none", async () => {
    const { code, night } = await channel.hotel();
    const own = rule('CodeContext="ROOMTYPE" Code="SGL"', CLOSE);
    assert.match((await channel.send(message(code, line(`RatePlanCode="BAR" ${nights(0, 0)}`, own)))).text, /<Success\/><\//);
    assert.equal((await night(day(0), { ...BAR, category: "SGL" }))["stopSell"], 1);
    assert.deepEqual(await night(day(0), BAR), {});
    const { text } = await channel.send(message(code, line(`${RATE} ${nights(0, 0)}`, own)));
    assert.match(text, /Code="320"[^>]*>A BookingRule must not have a category other than its line's</);
    assert.deepEqual(await night(day(0), BAR), {});
  });

  for (const [name, { attributes = "", part = "", control = RATE, error }] of REFUSED) {
    test(`refuses a rule ${name}`, async () => {
      const { code, night } = await channel.hotel();
      const other = line(`InvTypeCode="SGL" RatePlanCode="BAR" ${nights(0, 3)}`, rule("", CLOSE));
      const { text } = await channel.send(message(code, other, line(`${control} ${nights(0, 3)}`, rule(attributes, part, CLOSE))));
      const found = /<Errors><Error Type="2" Code="450"[^>]*>([^/]+)/.exec(text)?.[1]?.replaceAll("&quot;", '"') ?? text;
      assert.ok(found.startsWith(error), found);
      for (const category of ["DBL", "SGL"]) assert.deepEqual(await night(day(0), { ...BAR, category }), {});
    });
  }

  test("applies only the rules for this distribution channel", async () => {
    const { code, night } = await channel.hotel();
    const channels = (name: string) =>
      `<DestinationSystemCodes><DestinationSystemCode>${name}</DestinationSystemCode></DestinationSystemCodes>`;
    const lineFor = (name: string, from: number) =>
      `<RuleMessage><StatusApplicationControl ${RATE} ${nights(from, from)}>${channels(name)}</StatusApplicationControl><BookingRules>${rule("", CLOSE)}</BookingRules></RuleMessage>`;
    assert.match(
      (await channel.send(message(code, lineFor("AAA", 0)))).text,
      /<Success\/><Warnings><Warning [^>]*>[^<]*AAA was stored as this channel's code/,
    );
    const { text } = await channel.send(message(code, lineFor("AAA", 1), lineFor("BBB", 2)));
    assert.match(text, /Code="450"[^>]*>DestinationSystemCode specifies several distribution channels \(AAA, BBB\)/);
    const closed = await Promise.all([0, 1, 2].map(async (date) => (await night(day(date), BAR))["stopSell"]));
    assert.deepEqual(closed, [1, undefined, undefined]);
  });

  test("warns about limits that are not stored", async () => {
    const { code, night } = await channel.hotel();
    const parts = [
      "<CancelPenalties><CancelPenalty><Deadline/></CancelPenalty></CancelPenalties>",
      "<RequiredPaymts/>",
      "<AcceptableGuarantees/>",
    ];
    const attributes = 'MaxTotalOccupancy="2" GenerallyBookable="false"';
    const { text } = await channel.send(message(code, line(`${RATE} ${nights(0, 3)}`, rule(attributes, ...parts, CLOSE))));
    for (const named of ["CancelPenalties", "RequiredPaymts", "AcceptableGuarantees", "MaxTotalOccupancy", "GenerallyBookable"])
      assert.match(text, new RegExp(`<Warning [^>]*>[^<]*${named} is not stored<`));
    assert.equal((await night(day(0), BAR))["stopSell"], 1);
  });

  test("replaces all restrictions, but no other values, if a complete set is sent", async () => {
    const { code, night } = await channel.hotel();
    await channel.send(message(code, line(`${RATE} ${nights(0, 9)}`, rule("", CLOSE))));
    const allotment = `<OTA_HotelInvCountNotifRQ ${NAMESPACE}><Inventories HotelCode="${code}"><Inventory><StatusApplicationControl ${RATE} ${nights(0, 9)}/><InvCounts><InvCount Count="4"/></InvCounts></Inventory></Inventories></OTA_HotelInvCountNotifRQ>`;
    await channel.send(allotment);
    const set = message(code, line(`${RATE} ${nights(0, 0)}`, rule("", OPEN)));
    await channel.send(set.replace("<RuleMessages", '<UniqueID Type="16" ID="1" Instance="CompleteSet"/>$&'));
    const [first, second] = [await night(day(0), BAR), await night(day(1), BAR)];
    assert.deepEqual([first["stopSell"], second["stopSell"]], [0, undefined]);
    assert.deepEqual([first["allotment"], second["allotment"]], [4, 4]);
  });

  test("reports a line without a control, a rule or dates", async () => {
    const { code } = await channel.hotel();
    const missing = async (xml: string) => / Code="321"[^>]*>Required field missing: ([^<]+)</.exec((await channel.send(xml)).text)?.[1];
    assert.equal(await missing(message(code)), "RuleMessage");
    assert.equal(await missing(message(code, "<RuleMessage><BookingRules/></RuleMessage>")), "StatusApplicationControl");
    assert.equal(await missing(message(code, line(`${RATE} ${nights(0, 0)}`))), "BookingRule");
    assert.equal(await missing(message(code, line(RATE, rule("", CLOSE)))), "Start");
  });

  test("stores a stay limit without ArrivalDateBased as stay-through if the message has an arrival-based one", async () => {
    const { code, night } = await channel.hotel();
    const both = rule("", minStay(5, ' ArrivalDateBased="true"')) + rule("", minStay(2) + ARRIVALS);
    assert.match((await channel.send(message(code, line(`${RATE} ${nights(0, 1)}`, both)))).text, /<Success\/><\//);
    assert.deepEqual(restrictions(await night(day(1), BAR)), { minStayArrival: 5, minStayThrough: 2, closedToArrival: 0 });
  });
});

eachChannel("OTA_HotelBookingRuleNotifRQ with a profile", (channel) => {
  test("stores stay limits as arrival-based or stay-through, as the profile says", async () => {
    for (const [stayLimits, column] of [
      ["arrival", "minStayArrival"],
      ["through", "minStayThrough"],
    ] as const) {
      const { code, night } = await channel.hotel();
      const send = await channel.as({ preset: "standard", settings: { stayLimits } });
      await send(message(code, line(`${RATE} ${nights(0, 1)}`, rule("", minStay(3) + ARRIVALS))));
      assert.deepEqual(restrictions(await night(day(1), BAR)), { [column]: 3, closedToArrival: 0 });
    }
  });

  test("treats End as exclusive in lines and rules if the profile says so", async () => {
    const { code, night } = await channel.hotel();
    const send = await channel.as({ preset: "standard", settings: { end: "excluded" } });
    const lines = line(`${RATE} ${nights(0, 2)}`, rule("", CLOSE)) + line(RATE, rule(nights(4, 6), CLOSE));
    assert.match((await send(message(code, lines))).text, /<Success\/><\//);
    const closed = await Promise.all([1, 2, 5, 6].map(async (date) => (await night(day(date), BAR))["stopSell"]));
    assert.deepEqual(closed, [1, undefined, 1, undefined]);
  });
});
