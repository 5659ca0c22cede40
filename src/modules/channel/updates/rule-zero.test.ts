import assert from "node:assert/strict";
import { test } from "node:test";
import { type Channel, day, eachChannel } from "../../../../test/support/channel.ts";
import type { ProfileSettings } from "../profiles/knobs.ts";
import { STANDARD_PROFILE } from "../profiles/presets.ts";

const NAMESPACE = 'xmlns="http://www.opentravel.org/OTA/2003/05"';
const avail = (hotel: string, lines: string) =>
  `<OTA_HotelAvailNotifRQ ${NAMESPACE}><AvailStatusMessages HotelCode="${hotel}">${lines}</AvailStatusMessages></OTA_HotelAvailNotifRQ>`;
const counts = (hotel: string, lines: string) =>
  `<OTA_HotelInvCountNotifRQ ${NAMESPACE}><Inventories HotelCode="${hotel}">${lines}</Inventories></OTA_HotelInvCountNotifRQ>`;
const rates = (hotel: string, lines: string) =>
  `<OTA_HotelRateAmountNotifRQ ${NAMESPACE}><RateAmountMessages HotelCode="${hotel}">${lines}</RateAmountMessages></OTA_HotelRateAmountNotifRQ>`;
const plans = (hotel: string, parts: string, head = "") =>
  `<OTA_HotelRatePlanNotifRQ ${NAMESPACE}>${head}<RatePlans HotelCode="${hotel}">${parts}</RatePlans></OTA_HotelRatePlanNotifRQ>`;

const control = (attributes: string, content = "") =>
  `<StatusApplicationControl Start="${day(1)}" End="${day(2)}" ${attributes}>${content}</StatusApplicationControl>`;
const close = (attributes: string, content = "") =>
  `<AvailStatusMessage>${control(attributes, content)}<RestrictionStatus Status="Close"/></AvailStatusMessage>`;
const price = (amount: number, attributes = "", content = "") =>
  `<RateAmountMessage>${control(BAR, content)}<Rates><Rate ${attributes}><BaseByGuestAmts><BaseByGuestAmt NumberOfGuests="2" AmountAfterTax="${amount}"/></BaseByGuestAmts></Rate></Rates></RateAmountMessage>`;
const channels = (...codes: readonly string[]) =>
  `<DestinationSystemCodes>${codes.map((code) => `<DestinationSystemCode>${code}</DestinationSystemCode>`).join("")}</DestinationSystemCodes>`;

const DBL = 'InvTypeCode="DBL"';
const BAR = `${DBL} RatePlanCode="BAR"`;
const PLAN = { kind: "rate", lane: "BAR" } as const;
const AMOUNT = "amount:after:2:10:1";

const warningsIn = (text: string) => [...text.matchAll(/<Warning [^>]*>([^<]*)</g)].map(([, warning]) => warning!);
const errorsIn = (text: string) =>
  [...text.matchAll(/<Error Type="(\d+)" Code="(\d+)"[^>]*>([^<]*)</g)].map(([, type, code, error]) => `${type} ${code} ${error}`);

const amountOf = async ({ night }: Awaited<ReturnType<Channel["hotel"]>>) => (await night(day(1), PLAN))[AMOUNT];

eachChannel("A limit that cannot be stored", (channel) => {
  const nightsOf = async (hotel: Awaited<ReturnType<typeof channel.hotel>>) =>
    Promise.all(
      ["DBL", "SGL"].flatMap((category) =>
        [1, 2].flatMap((at) => [
          hotel.night(day(at), { category }),
          hotel.night(day(at), { category, kind: "rate" }),
          hotel.night(day(at), { ...PLAN, category }),
        ]),
      ),
    );
  const UNTOUCHED = Array.from({ length: 12 }, () => ({}));
  const post = async (xml: string, settings: Partial<ProfileSettings> = {}) => (await channel.as({ preset: "standard", settings }))(xml);

  for (const [attributes, named] of [
    ['RatePlanCategory="PROMO"', 'RatePlanCategory="PROMO"'],
    ['RatePlanType="11"', 'RatePlanType="11"'],
    [`${DBL} RateTier="A"`, 'RateTier="A"'],
    ['InvType="DBL"', 'InvType="DBL"'],
    ['InvType="DBL" RatePlanCode="BAR"', 'InvType="DBL"'],
    ['IsRoom="false"', 'IsRoom="false"'],
    [`${DBL} RatePlanGroup="CORP"`, 'RatePlanGroup="CORP"'],
    [`${DBL} RatePlanCode="CORP" RatePlanCodeType="RatePlanGroupingCode"`, 'RatePlanCodeType="RatePlanGroupingCode"'],
    [`${BAR} RatePlanCodeType="DoesNotApply"`, 'RatePlanCodeType="DoesNotApply"'],
    [`${BAR} InvCodeApplication="InvGroupingCode"`, 'InvCodeApplication="InvGroupingCode"'],
    [`${BAR} PromotionCode="SUMMER"`, 'PromotionCode="SUMMER"'],
    [`${BAR} WingIdentifier="N"`, 'WingIdentifier="N"'],
    [`${BAR} RoomView="SEA"`, 'RoomView="SEA"'],
    [`${BAR} RoomID="101"`, 'RoomID="101"'],
    [`${BAR} MarketSegment="LEI"`, 'MarketSegment="LEI"'],
    [`${BAR} SourceOfBusiness="WEB"`, 'SourceOfBusiness="WEB"'],
    [`${BAR} MealPlanCode="3"`, 'MealPlanCode="3"'],
    [`${BAR} ProductType="PKG"`, 'ProductType="PKG"'],
    [`${BAR} GuestCountry="AT"`, 'GuestCountry="AT"'],
    [`${BAR} WeekDays="1100000"`, 'WeekDays="1100000"'],
    ...["NumberOfGuests", "Occupancy", "Adults", "NonSmoking", "NonRefundable", "PointOfSale", "POS", "OTA", "SiteCode", "AccountCode"].map(
      (name) => [`${BAR} ${name}="2"`, `${name}="2"`] as const,
    ),
  ] as const) {
    test(`refuses a line with ${named} and suggests a remedy`, async () => {
      const hotel = await channel.hotel();
      const { text } = await post(avail(hotel.code, close(attributes)));
      const [first = ""] = errorsIn(text);
      assert.ok(first.startsWith(`2 450 ${named} limits the line to something that is not stored; `), text);
      assert.match(first, /send |"ignored"|"plan"/);
      assert.deepEqual(await nightsOf(hotel), UNTOUCHED);
    });
  }

  for (const attributes of [
    `${BAR} RatePlanCategory="PROMO" RatePlanType="11" RateTier="A" RatePlanQualifier="1"`,
    `${BAR} InvType="Room" IsRoom="0" InvCodeApplication="DoesNotApply" RoomID="DBL"`,
    `${BAR} RatePlanCodeType="RatePlanCode" InvBlockCode="" Override="1" InvBlockCodeApply="DoesNotApply"`,
  ]) {
    test(`ignores attributes that only describe their line: ${attributes.slice(BAR.length + 1)}`, async () => {
      const hotel = await channel.hotel();
      const { text } = await post(avail(hotel.code, close(attributes)));
      assert.match(text, /<Success\/><\//);
      assert.deepEqual(await hotel.night(day(1), PLAN), { stopSell: 1 });
      assert.deepEqual(await hotel.night(day(1), { ...PLAN, category: "SGL" }), {});
    });
  }

  test("ignores a limit that cannot be stored if the sender's profile says so", async () => {
    const hotel = await channel.hotel();
    const { text } = await post(avail(hotel.code, close(`${BAR} RoomView="SEA"`)), { ignored: ["RoomView"] });
    assert.match(text, /<Success\/><\//);
    assert.deepEqual(await hotel.night(day(1), PLAN), { stopSell: 1 });
  });

  test("skips a line with a block code unless the profile ignores blocks", async () => {
    const hotel = await channel.hotel();
    const block = avail(hotel.code, close(`${BAR} InvBlockCode="G1" RoomView="SEA"`));
    assert.deepEqual(warningsIn((await post(block)).text), ["InvBlockCode is not stored: lines for group blocks are skipped"]);
    assert.deepEqual(await nightsOf(hotel), UNTOUCHED);
    const { text } = await post(avail(hotel.code, close(`${BAR} InvBlockCode="G1"`)), { blocks: "ignore" });
    assert.match(text, /<Success\/><\//);
    assert.deepEqual(await hotel.night(day(1), PLAN), { stopSell: 1 });
  });

  test("keeps stored values if every line of a complete set is skipped", async () => {
    const hotel = await channel.hotel();
    const set = '<UniqueID Type="16" ID="1" Instance="CompleteSet"/>';
    const count = (attributes: string, rooms: number) =>
      `<Inventory>${control(attributes)}<InvCounts><InvCount CountType="2" Count="${rooms}"/></InvCounts></Inventory>`;
    const complete = (lines: string) => counts(hotel.code, lines).replace("<Inventories", `${set}<Inventories`);
    await post(counts(hotel.code, count(DBL, 4)));
    await post(complete(count(`${DBL} InvBlockCode="G1"`, 1)));
    assert.deepEqual(await hotel.night(day(1), {}), { available: 4 });
    await post(complete(count(`${DBL} InvBlockCode="G1"`, 1) + count('InvTypeCode="SGL"', 2)));
    assert.deepEqual([await hotel.night(day(1), {}), await hotel.night(day(1), { category: "SGL" })], [{}, { available: 2 }]);
  });

  test("refuses a limit on all of a message's lines unless the sender's profile ignores it", async () => {
    const hotel = await channel.hotel();
    const all = (attributes: string, content = "") =>
      avail(hotel.code, content + close(BAR)).replace("<AvailStatusMessages", `$& ${attributes}`);
    for (const [xml, named] of [
      [all('SalesChannel="AAA"'), 'SalesChannel="AAA"'],
      [all('ChainCode="C" MarketCode="X"'), 'MarketCode="X"'],
      [all("", channels("AAA")), 'DestinationSystemCode="AAA"'],
    ] as const) {
      const { text } = await post(xml);
      assert.ok(errorsIn(text)[0]?.startsWith(`2 450 ${named} limits the line to something that is not stored; `), text);
    }
    assert.deepEqual(await nightsOf(hotel), UNTOUCHED);
    assert.match((await post(all('MarketCode="X"'), { ignored: ["MarketCode"] })).text, /<Success\/><\//);
    assert.deepEqual(await hotel.night(day(1), PLAN), { stopSell: 1 });
  });

  test("refuses rates, rate plans and booking rules with limits that cannot be stored", async () => {
    const hotel = await channel.hotel();
    const amount = '<BaseByGuestAmts><BaseByGuestAmt AmountAfterTax="9"/></BaseByGuestAmts>';
    const rate = (attributes: string) => `<Rates><Rate Start="${day(1)}" End="${day(1)}" ${DBL} ${attributes}>${amount}</Rate></Rates>`;
    const rule = (attributes: string, content = "") =>
      `<BookingRules><BookingRule Start="${day(1)}" End="${day(1)}" ${attributes}>${content}<RestrictionStatus Status="Close"/></BookingRule></BookingRules>`;
    const plan = (content: string, attributes = "") =>
      plans(hotel.code, `<RatePlan RatePlanCode="BAR" ${attributes}>${content}</RatePlan>`);
    for (const [xml, named] of [
      [rates(hotel.code, price(9, 'RatePlanCode="PROMO"')), "RatePlanCode"],
      [rates(hotel.code, price(9, 'MarketCode="X"')), "MarketCode"],
      [rates(hotel.code, price(9, 'MaxGuestApplicable="2"').replace('NumberOfGuests="2"', "")), "MaxGuestApplicable"],
      [rates(hotel.code, price(9).replace("NumberOfGuests", "NumberOfAdults")), "NumberOfAdults"],
      [rates(hotel.code, price(9).replace('NumberOfGuests="2"', 'Occupancy="2"')), "Occupancy"],
      [plan(rate(""), 'RatePlanCodeType="RatePlanGroupingCode"'), "RatePlanCodeType"],
      [plan(rate(""), 'InvTypeCode="SGL"'), "InvTypeCode"],
      [plan(rate('RoomView="SEA"')), "RoomView"],
      [plan(rule('MarketGroup="X"')), "MarketGroup"],
      [plan(rule("", "<Viewerships><Viewership><ViewershipCode>X</ViewershipCode></Viewership></Viewerships>")), "ViewershipCode"],
      [plan('<MarketCodes><MarketCode Value="X"/></MarketCodes>'), "Value"],
    ] as const) {
      const { text } = await post(xml);
      assert.match(text, new RegExp(`<Error Type="2" Code="450"[^>]*>${named}[="]|<Error Type="2" Code="450"[^>]*>${named} `), named);
    }
    assert.deepEqual(await nightsOf(hotel), UNTOUCHED);
    const { text } = await post(rates(hotel.code, price(9, 'MinGuestApplicable="1" MaxGuestApplicable="2"')));
    assert.match(text, /<Success\/><\//, "the amounts name the number of guests");
  });
});

eachChannel("Lines for a distribution channel", (channel) => {
  const post = async (xml: string, distribution?: string) => (await channel.as({ preset: "standard", settings: { distribution } }))(xml);

  test("applies lines with the profile's distribution channel and skips others with a warning", async () => {
    const hotel = await channel.hotel();
    const both = rates(hotel.code, price(100, "", channels("AAA")) + price(140, "", channels("BBB")));
    assert.deepEqual(warningsIn((await post(both, "AAA")).text), [
      "lines for DestinationSystemCode BBB were skipped: this channel's code is AAA",
    ]);
    assert.equal(await amountOf(hotel), 10_000);
    await post(both, "BBB");
    assert.equal(await amountOf(hotel), 14_000);
    assert.deepEqual(warningsIn((await post(rates(hotel.code, price(90, "", channels("CCC", "AAA"))), "AAA")).text), []);
    assert.equal(await amountOf(hotel), 9_000);
    await post(rates(hotel.code, price(80)), "AAA");
    assert.equal(await amountOf(hotel), 8_000, "a line without a code is for every channel");
    await post(avail(hotel.code, close(`${BAR} DestinationSystemCode="BBB"`)), "AAA");
    assert.equal((await hotel.night(day(1), PLAN))["stopSell"], undefined);
  });

  test("refuses a message with several distribution channels if the profile sets none", async () => {
    const hotel = await channel.hotel();
    const xml = avail(hotel.code, close(BAR, channels("AAA")) + close(BAR, channels("BBB")));
    assert.deepEqual(errorsIn((await post(xml)).text), [
      `2 450 DestinationSystemCode specifies several distribution channels (AAA, BBB); set the sender's "distribution" setting to this channel's code`,
    ]);
    assert.deepEqual(await hotel.night(day(1), PLAN), {});
  });

  test("applies a rate plan only if it is for the profile's distribution channel", async () => {
    const hotel = await channel.hotel();
    const plan = (code: string, amount: number) =>
      `<RatePlan RatePlanCode="BAR"><DestinationSystemsCode><DestinationSystemCode>${code}</DestinationSystemCode></DestinationSystemsCode><Rates><Rate Start="${day(1)}" End="${day(1)}" ${DBL}><BaseByGuestAmts><BaseByGuestAmt NumberOfGuests="2" AmountAfterTax="${amount}"/></BaseByGuestAmts></Rate></Rates></RatePlan>`;
    await post(plans(hotel.code, plan("AAA", 100) + plan("BBB", 140)), "AAA");
    assert.equal(await amountOf(hotel), 10_000);
    const set = '<UniqueID Type="16" ID="1" Instance="CompleteSet"/>';
    await post(plans(hotel.code, plan("BBB", 140).replace("BAR", "OTHER"), set), "AAA");
    assert.equal(await amountOf(hotel), 10_000, "a complete set for another channel removes nothing");
  });

  test("does not let lines for another distribution channel extend the range that a full load replaces", async () => {
    const hotel = await channel.hotel();
    const send = await channel.as({ preset: "standard", settings: { rates: "range", distribution: "AAA" } });
    await send(rates(hotel.code, price(90)));
    const firstNight = price(100, "", channels("AAA")).replace(`End="${day(2)}"`, `End="${day(1)}"`);
    await send(rates(hotel.code, firstNight + price(140, "", channels("BBB"))));
    assert.deepEqual([await amountOf(hotel), (await hotel.night(day(2), PLAN))[AMOUNT]], [10_000, 9_000]);
  });

  test("applies only the rates for the profile's distribution channel if several rates cover the same nights", async () => {
    const rate = (code: string, amount: number) =>
      `<Rate Start="${day(1)}" End="${day(1)}" ${DBL} SalesChannel="${code}"><BaseByGuestAmts><BaseByGuestAmt NumberOfGuests="2" AmountAfterTax="${amount}"/></BaseByGuestAmts></Rate>`;
    const both = `<Rates>${rate("AAA", 100)}${rate("BBB", 140)}</Rates>`;
    for (const xml of [
      (code: string) => rates(code, `<RateAmountMessage>${control(BAR)}${both}</RateAmountMessage>`),
      (code: string) => plans(code, `<RatePlan RatePlanCode="BAR">${both}</RatePlan>`),
    ]) {
      const hotel = await channel.hotel();
      assert.deepEqual(warningsIn((await post(xml(hotel.code), "AAA")).text), [
        "lines for SalesChannel BBB were skipped: this channel's code is AAA",
      ]);
      assert.equal(await amountOf(hotel), 10_000);
    }
  });

  test("leaves a full plan unchanged if all its rates are for other distribution channels", async () => {
    const hotel = await channel.hotel();
    const rate = (code: string, amount: number) =>
      `<Rate Start="${day(1)}" End="${day(1)}" ${DBL} SalesChannel="${code}"><BaseByGuestAmts><BaseByGuestAmt NumberOfGuests="2" AmountAfterTax="${amount}"/></BaseByGuestAmts></Rate>`;
    const whole = (code: string, amount: number) =>
      plans(hotel.code, `<RatePlan RatePlanCode="BAR" RatePlanNotifType="Full"><Rates>${rate(code, amount)}</Rates></RatePlan>`);
    await post(whole("AAA", 100), "AAA");
    await post(whole("BBB", 140), "AAA");
    assert.equal(await amountOf(hotel), 10_000);
  });

  test("refuses distribution channels other than the first one that the sender used for any property", async () => {
    const [one, other] = [await channel.hotel(), await channel.hotel()];
    const sendAs = await channel.as(STANDARD_PROFILE);
    const send = async (hotel: typeof one, code: string) => (await sendAs(rates(hotel.code, price(100, "", channels(code))))).text;
    assert.match(await send(one, "AAA"), /<Success\/>.*was stored as this channel's code/s);
    assert.match(
      errorsIn(await send(other, "BBB"))[0] ?? "",
      /^2 450 DestinationSystemCode="BBB" is not the distribution channel of earlier messages \(AAA\)/,
    );
    assert.equal(await amountOf(other), undefined);
    assert.match(await send(other, "AAA"), /<Success\/><\//);
  });
});

eachChannel("Lines for a distribution channel with open access", (channel) => {
  test("refuses distribution channels other than the first one used for the property with open access", async () => {
    const hotel = await channel.hotel();
    const send = async (code: string, amount: number) =>
      (await channel.send(rates(hotel.code, price(amount, "", `<SalesChannel>${code}</SalesChannel>`)))).text;
    assert.match(
      warningsIn(await send("AAA", 100))[0] ?? "",
      /^SalesChannel AAA was stored as this channel's code, because it was the first one the sender used; if it is wrong, set/,
    );
    assert.deepEqual(warningsIn(await send("AAA", 110)), [], "the warning is given only once");
    assert.match(
      errorsIn(await send("BBB", 140))[0] ?? "",
      /^2 450 SalesChannel="BBB" is not the distribution channel of earlier messages \(AAA\); set/,
    );
    assert.equal(await amountOf(hotel), 11_000);
    const other = await channel.hotel();
    assert.match((await channel.send(rates(other.code, price(50, "", channels("BBB"))))).text, /<Success\/>/);
  });
});
