import assert from "node:assert/strict";
import { test } from "node:test";
import { day, eachChannel } from "../../../test/support/channel.ts";

const NAMESPACE = "http://www.opentravel.org/OTA/2003/05";
const DATES = `Start="${day(1)}" End="${day(2)}"`;
const DBL = `${DATES} InvTypeCode="DBL"`;

// oxlint-disable-next-line max-params -- in the message's order
const message = (name: string, list: string, hotel: string, lines: string) =>
  `<OTA_Hotel${name}NotifRQ xmlns="${NAMESPACE}"><${list} ${hotel}>${lines}</${list}></OTA_Hotel${name}NotifRQ>`;
const counts = (hotel: string, control: string, count = '<InvCount CountType="2" Count="1"/>') =>
  message("InvCount", "Inventories", hotel, `<Inventory><StatusApplicationControl ${control}/><InvCounts>${count}</InvCounts></Inventory>`);
const avail = (hotel: string, content: string, attributes = "") =>
  message(
    "Avail",
    "AvailStatusMessages",
    hotel,
    `<AvailStatusMessage ${attributes}><StatusApplicationControl ${DBL}/>${content}</AvailStatusMessage>`,
  );
const guestRoom = (attributes: string, type = 'RoomClassificationCode="42"', more = "") =>
  `<GuestRoom Code="LOFT" MinOccupancy="1" MaxOccupancy="2" ${attributes}><TypeRoom StandardOccupancy="2" ${type}/>${more}<MultimediaDescriptions><MultimediaDescription InfoCode="25"><TextItems><TextItem><Description TextFormat="PlainText" Language="en">Loft</Description></TextItem></TextItems></MultimediaDescription></MultimediaDescriptions></GuestRoom>`;
const LOFT = guestRoom("");
const stay = (attributes: string, content = "") => `<LengthsOfStay><LengthOfStay ${attributes}>${content}</LengthOfStay></LengthsOfStay>`;
const amount = (hotel: string, attributes: string, rate = "") =>
  message(
    "RateAmount",
    "RateAmountMessages",
    hotel,
    `<RateAmountMessage><StatusApplicationControl ${DBL}/><Rates><Rate ${rate}><BaseByGuestAmts><BaseByGuestAmt ${attributes}/></BaseByGuestAmts></Rate></Rates></RateAmountMessage>`,
  );

eachChannel("The channel", (channel) => {
  for (const [what, write, words] of [
    ["a date in another format", (h) => counts(h, DBL.replace(/Start="[^"]*"/, 'Start="01.03.2027"')), '"01.03.2027" in Start'],
    ["a date without leading zeros", (h) => counts(h, DBL.replace(/Start="[^"]*"/, 'Start="2027-3-1"')), '"2027-3-1" in Start'],
    ["a limit that is too high", (h) => avail(h, "", 'BookingLimit="10000"'), '"10000" for BookingLimit; allowed: 0 to 9999'],
    ["a stay that is too long", (h) => avail(h, stay('MinMaxMessageType="SetMinLOS" Time="1000"')), '"1000" for Time; allowed: 0 to 999'],
    ["a length of stay below 0", (h) => avail(h, stay('OpenStatusIndicator="1" Time="-1"')), '"-1" for Time'],
    ["a length of stay above the maximum", (h) => avail(h, stay('OpenStatusIndicator="1" Time="91"')), '"91" for Time; allowed: 1 to 90'],
    [
      "a pattern that is too long",
      (h) => avail(h, stay('MinMaxMessageType="FullPatternLOS"', `<LOS_Pattern FullPatternLOS="${"Y".repeat(91)}"/>`)),
      `"${"Y".repeat(91)}" for FullPatternLOS; allowed: 1 to 90 letters Y or N, or digits 1 or 0`,
    ],
    [
      "a pattern with letters other than Y and N",
      (h) => avail(h, stay('MinMaxMessageType="FullPatternLOS"', '<LOS_Pattern FullPatternLOS="YX"/>')),
      '"YX" for FullPatternLOS; allowed: 1 to 90 letters Y or N, or digits 1 or 0',
    ],
    [
      "a booking window with a fraction of a day",
      (h) => avail(h, '<RestrictionStatus MinAdvancedBookingOffset="PT36H"/>'),
      '"PT36H" for MinAdvancedBookingOffset; allowed: whole days up to 9999, such as 3 or P3D',
    ],
    [
      "too many decimals",
      (h) => amount(h, 'AmountAfterTax="1.005"'),
      '"1.005" for AmountAfterTax; allowed: up to 2 decimals in EUR, 12 digits in total',
    ],
    ["a decimal comma", (h) => amount(h, 'AmountAfterTax="1,50"'), '"1,50" for AmountAfterTax'],
    [
      "decimals in a currency that has none",
      (h) => amount(h, 'AmountAfterTax="100.50" CurrencyCode="JPY"'),
      '"100.50" for AmountAfterTax; allowed: no decimals in JPY, 10 digits in total',
    ],
    ["a negative amount", (h) => amount(h, 'AmountAfterTax="-1"'), '"-1" for AmountAfterTax'],
    ["a price for 0 guests", (h) => amount(h, 'AmountAfterTax="1" NumberOfGuests="0"'), '"0" for NumberOfGuests; allowed: 1 to 99'],
    ["a price for a negative number of nights", (h) => amount(h, 'AmountAfterTax="1"', 'UnitMultiplier="-2"'), '"-2" for UnitMultiplier'],
    ["a price for 0 nights", (h) => amount(h, 'AmountAfterTax="1"', 'UnitMultiplier="0"'), '"0" for UnitMultiplier; allowed: 1 to 999'],
    [
      "a number of decimal places that is a word",
      (h) => amount(h, 'AmountAfterTax="1" DecimalPlaces="two"'),
      '"two" for DecimalPlaces; allowed: 0 to 6',
    ],
    [
      "a meal flag that is a word",
      (h) => amount(h, 'AmountAfterTax="1"').replace("</Rate>", '<MealsIncluded Breakfast="yes"/></Rate>'),
      '"yes" for Breakfast; allowed: 1, 0, true, false',
    ],
    [
      "an ArrivalDateBased flag that is not boolean",
      (h) => avail(h, stay('MinMaxMessageType="SetMinLOS" Time="2"').replace(">", ' ArrivalDateBased="Y">')),
      '"Y" for ArrivalDateBased; allowed: 1, 0, true, false',
    ],
    [
      "a RatePlanQualifier flag that is not boolean",
      (h) => message("RatePlan", "RatePlans", h, '<RatePlan RatePlanCode="BAR" RatePlanQualifier="both"/>'),
      '"both" for RatePlanQualifier; allowed: 1, 0, true, false',
    ],
    [
      "a rate plan code that is too long",
      (h) => counts(h, `${DBL} RatePlanCode="${"x".repeat(65)}"`),
      `"${"x".repeat(65)}" for RatePlanCode; allowed: up to 64 characters`,
    ],
    [
      "a duration that is a word",
      (h) => counts(h, `Start="${day(1)}" Duration="three" InvTypeCode="DBL"`),
      '"three" for Duration; allowed: such as P3N, P1W or P1M',
    ],
  ] as const satisfies readonly (readonly [string, (hotel: string) => string, string])[]) {
    test(`refuses ${what} and lists the allowed values unless they are obvious`, async () => {
      const { code } = await channel.hotel();
      const { text } = await channel.send(write(`HotelCode="${code}"`));
      assert.deepEqual(
        [...text.matchAll(/<Error [^>]*>Invalid (?:value|date) ([^<]*)</g)].map(([, reported]) => reported),
        [words],
      );
      assert.doesNotMatch(text, /ShortText="[^"]*allowed/);
    });
  }

  for (const [what, room, words] of [
    [
      "code",
      LOFT.replace('"LOFT"', '"DZ/1"'),
      '"DZ/1" for Code; allowed: up to 64 visible characters, except / and \\ (which many web servers reject in URLs), and not just . or ..',
    ],
    ["number of guests", LOFT.replace('MaxOccupancy="2"', 'MaxOccupancy="100"'), '"100" for MaxOccupancy; allowed: 1 to 99'],
    ["number of children", guestRoom('MaxChildOccupancy="0"'), '"0" for MaxChildOccupancy; allowed: 1 to 99, or none'],
    ["classification", guestRoom("", 'RoomClassificationCode="92"'), '"92" for RoomClassificationCode; allowed: 1 to 91'],
    ["room type", guestRoom("", 'RoomClassificationCode="42" RoomType="10"'), '"10" for RoomType; allowed: 1 to 9'],
    [
      "amenity",
      guestRoom("", undefined, '<Amenities><Amenity RoomAmenityCode="WLAN"/></Amenities>'),
      '"WLAN" for RoomAmenityCode; allowed: 1 to 378, or a code such as 101.ABR',
    ],
    ["language", LOFT.replace('"en"', '"EN"'), '"EN" for Language; allowed: ISO 639-1, such as de'],
  ] as const) {
    test(`refuses an AlpineBits category with an invalid ${what} and says what is allowed`, async () => {
      const { code } = await channel.hotel();
      const push = `<OTA_HotelDescriptiveContentNotifRQ xmlns="${NAMESPACE}" Version="8"><HotelDescriptiveContents><HotelDescriptiveContent HotelCode="${code}"><FacilityInfo><GuestRooms>${room}</GuestRooms></FacilityInfo></HotelDescriptiveContent></HotelDescriptiveContents></OTA_HotelDescriptiveContentNotifRQ>`;
      const form = { transport: "alpinebits", action: "OTA_HotelDescriptiveContentNotif:Inventory", version: "2024-10" } as const;
      const { text } = await channel.send(push, form);
      assert.ok(text.includes(`>Invalid value ${words}<`), text);
    });
  }

  test("reports an invalid currency code and a missing amount", async () => {
    const { code } = await channel.hotel();
    const reported = async (attributes: string) =>
      /<Error [^>]*>([^<]*)</.exec((await channel.send(amount(`HotelCode="${code}"`, attributes))).text)![1];
    assert.equal(
      await reported('AmountAfterTax="1" CurrencyCode="eur"'),
      'Invalid currency code "eur"; allowed: ISO 4217 in capitals, such as EUR',
    );
    assert.equal(await reported('NumberOfGuests="2"'), "Required field missing: AmountAfterTax or AmountBeforeTax");
  });

  for (const [what, control, words] of [
    ["category", `${DATES} RatePlanCode="BAR" RoomTypeCode="DBL"`, "InvTypeCode (RoomTypeCode is not accepted instead)"],
    ["category (wrong case)", `${DATES} RatePlanCode="BAR" invTypeCode="DBL"`, "InvTypeCode (invTypeCode is not accepted instead)"],
    ["rate plan", `${DBL} RatePlancode="BAR"`, "RatePlanCode (RatePlancode is not accepted instead)"],
    ["last night", `${DBL} EndDate="${day(9)}"`.replace(/ End="[^"]*"/, ""), "End (EndDate is not accepted instead)"],
  ] as const) {
    test(`refuses a line with a misnamed ${what} instead of ignoring that attribute`, async () => {
      const { code, night } = await channel.hotel();
      const close = (by: string) => avail(`HotelCode="${code}"`, '<RestrictionStatus Status="Close"/>').replace(DBL, by);
      const { text } = await channel.send(close(control));
      assert.deepEqual(
        [...text.matchAll(/>Required field missing: ([^<]*)</g)].map(([, reported]) => reported),
        [words],
      );
      assert.deepEqual([await night(day(1), { kind: "rate", lane: "BAR" }), await night(day(1), { kind: "rate" })], [{}, {}]);
      assert.match((await channel.send(close(`${DBL} RatePlanCode="BAR" RoomTypeCode="Double" RateCode="1"`))).text, /<Success\/><\//);
    });
  }

  test("refuses a misnamed category instead of applying the rate to every category", async () => {
    const { code } = await channel.hotel();
    const rate = `<Rate ${DATES} RoomTypeCode="DBL"><BaseByGuestAmts><BaseByGuestAmt AmountAfterTax="90"/></BaseByGuestAmts></Rate>`;
    const plans = (content: string) =>
      message("RatePlan", "RatePlans", `HotelCode="${code}"`, `<RatePlan RatePlanCode="BAR"><Rates>${content}</Rates></RatePlan>`);
    assert.match((await channel.send(plans(rate))).text, />Required field missing: InvTypeCode \(RoomTypeCode is not accepted instead\)</);
    assert.match((await channel.send(plans(rate.replace("RoomType", 'InvTypeCode="DBL" RoomType')))).text, /<Success\/><\//);
    assert.match((await channel.send(plans(rate.replace('RoomTypeCode="DBL"', 'InvTypeCode=""')))).text, /<Success\/><\//);
  });

  const amounts = '<BaseByGuestAmts><BaseByGuestAmt AmountAfterTax="90"/></BaseByGuestAmts>';
  const closed = '<RestrictionStatus Status="Close"/>';
  for (const [what, part, words] of [
    [
      "room type on a rate",
      `<Rates><Rate ${DATES} RoomTypeCode="DBL">${amounts}</Rate></Rates>`,
      "InvTypeCode (RoomTypeCode is not accepted instead)",
    ],
    [
      "end date on a rate",
      `<Rates><Rate Start="${day(1)}" EndDate="${day(9)}" InvTypeCode="DBL">${amounts}</Rate></Rates>`,
      "End (EndDate is not accepted instead)",
    ],
    [
      "room type on a rule",
      `<BookingRules><BookingRule ${DATES} RoomTypeCode="DBL">${closed}</BookingRule></BookingRules>`,
      "InvTypeCode (RoomTypeCode is not accepted instead)",
    ],
    [
      "end date on a rule",
      `<BookingRules><BookingRule Start="${day(1)}" EndDate="${day(9)}">${closed}</BookingRule></BookingRules>`,
      "End (EndDate is not accepted instead)",
    ],
    [
      "category on a product",
      `<Rates><Rate ${DATES}>${amounts}</Rate></Rates><SellableProducts><SellableProduct InvType="ROOM"/></SellableProducts>`,
      "InvTypeCode",
    ],
  ] as const) {
    test(`refuses a rate plan with a misnamed or missing ${what}`, async () => {
      const { code, night } = await channel.hotel();
      const plan = `<RatePlan RatePlanCode="BAR">${part}</RatePlan>`;
      const { text } = await channel.send(message("RatePlan", "RatePlans", `HotelCode="${code}"`, plan));
      assert.deepEqual(
        [...text.matchAll(/>Required field missing: ([^<]*)</g)].map(([, reported]) => reported),
        [words],
      );
      assert.deepEqual(await night(day(1), { kind: "rate", lane: "BAR", category: "SGL" }), {});
    });
  }

  test("applies a rule, like a rate, to the category in its InvTypeCode", async () => {
    const { code, night } = await channel.hotel();
    const rule = `<BookingRules><BookingRule ${DATES} InvTypeCode="DBL">${closed}</BookingRule></BookingRules>`;
    await channel.send(message("RatePlan", "RatePlans", `HotelCode="${code}"`, `<RatePlan RatePlanCode="BAR">${rule}</RatePlan>`));
    assert.deepEqual(
      [await night(day(1), { kind: "rate", lane: "BAR" }), await night(day(1), { kind: "rate", lane: "BAR", category: "SGL" })],
      [{ stopSell: 1 }, {}],
    );
  });

  for (const [what, rate, words] of [
    ["category", `${DATES} RoomTypeCode="DBL"`, "InvTypeCode (RoomTypeCode is not accepted instead)"],
    ["last night", `InvTypeCode="DBL" Start="${day(1)}" EndDate="${day(9)}"`, "End (EndDate is not accepted instead)"],
  ] as const) {
    test(`refuses a misnamed ${what} on a Rate unless the line names it correctly`, async () => {
      const { code, night } = await channel.hotel();
      const priced = (control: string) => {
        const line = `<StatusApplicationControl ${control}/><Rates><Rate ${rate}>${amounts}</Rate></Rates>`;
        return message("RateAmount", "RateAmountMessages", `HotelCode="${code}"`, `<RateAmountMessage>${line}</RateAmountMessage>`);
      };
      const { text } = await channel.send(priced('RatePlanCode="BAR"'));
      assert.deepEqual(
        [...text.matchAll(/>Required field missing: ([^<]*)</g)].map(([, reported]) => reported),
        [words],
      );
      assert.deepEqual(await night(day(1), { kind: "rate", lane: "BAR" }), {});
      if (what === "category") assert.match((await channel.send(priced('InvTypeCode="DBL" RatePlanCode="BAR"'))).text, /<Success\/><\//);
    });
  }

  test("refuses relative values and says what to send instead", async () => {
    const { code } = await channel.hotel();
    const reported = async (xml: string) => /<Error [^>]*>([^<]*)</.exec((await channel.send(xml)).text)![1];
    const hotel = `HotelCode="${code}"`;
    assert.equal(
      await reported(counts(hotel, DBL, '<InvCount CountType="2" Count="1" ActionType="Adjustment"/>')),
      'ActionType="Adjustment" is not supported; allowed: Allocation, Remaining',
    );
    assert.equal(
      await reported(avail(hotel, "", 'BookingLimit="1" BookingLimitMessageType="AdjustLimit"')),
      'BookingLimitMessageType="AdjustLimit" is not supported; allowed: SetLimit, RemoveLimit',
    );
  });

  test("reports a HotelName that matches no property", async () => {
    const { text } = await channel.send(counts('HotelName="Nowhere &amp; Co"', DBL));
    assert.match(
      text,
      /Code="321"[^>]*>Required field missing: HotelCode \(exactly one active property must have HotelName "Nowhere &amp; Co"\)</,
    );
    assert.match((await channel.send(counts("", DBL))).text, /Code="321"[^>]*>Required field missing: HotelCode</);
  });
});
