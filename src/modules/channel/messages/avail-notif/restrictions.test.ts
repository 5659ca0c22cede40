import assert from "node:assert/strict";
import { test } from "node:test";
import { day, eachChannel } from "../../../../../test/support/channel.ts";

const message = (hotel: string, lines: string) =>
  `<OTA_HotelAvailNotifRQ xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.0"><AvailStatusMessages HotelCode="${hotel}">${lines}</AvailStatusMessages></OTA_HotelAvailNotifRQ>`;
const line = (target: string, content: string, limit = "") =>
  `<AvailStatusMessage ${limit}><StatusApplicationControl Start="${day(1)}" End="${day(2)}" ${target}/>${content}</AvailStatusMessage>`;
const status = (attributes: string) => `<RestrictionStatus ${attributes}/>`;
const stays = (...lengths: readonly string[]) =>
  `<LengthsOfStay>${lengths.map((one) => `<LengthOfStay ${one}/>`).join("")}</LengthsOfStay>`;
const bar = 'InvTypeCode="DBL" RatePlanCode="BAR"';
const PLAN = { kind: "rate", lane: "BAR" } as const;

eachChannel("OTA_HotelAvailNotifRQ", (channel) => {
  test("changes only the stop sell if a Status has no Restriction", async () => {
    const { code, night } = await channel.hotel();
    await channel.send(message(code, line(bar, status('Status="Close" Restriction="Arrival"'))));
    await channel.send(message(code, line(bar, status('Status="Open"'))));
    assert.deepEqual(await night(day(1), PLAN), { closedToArrival: 1, stopSell: 0 });
    await channel.send(message(code, line(bar, status('Status="close" Restriction="Departure"'))));
    assert.deepEqual(await night(day(2), PLAN), { closedToArrival: 1, closedToDeparture: 1, stopSell: 0 });
  });

  for (const [word, expected] of [
    ["ClosedOnArrival", { closedToArrival: 1 }],
    ["RemoveCloseOnly", { stopSell: 0 }],
    ["OnRequest", { stopSell: 1 }],
  ] as const) {
    test(`accepts the status ${word}`, async () => {
      const { code, night } = await channel.hotel();
      const { text } = await channel.send(message(code, line(bar, status(`Status="${word}"`))));
      assert.deepEqual(await night(day(1), PLAN), expected);
      assert.equal(text.includes("<Warning "), word === "OnRequest");
    });
  }

  test("changes only the stay limits that are sent and removes those with a Remove type or without Time", async () => {
    const { code, night } = await channel.hotel();
    const all = stays(
      'MinMaxMessageType="SetMinLOS" Time="2" TimeUnit="Day"',
      'MinMaxMessageType="SetMaxLOS" Time="9.0"',
      'MinMaxMessageType="SetForwardMinStay" Time="3"',
      'MinMaxMessageType="SetForwardMaxStay" Time="14"',
    );
    await channel.send(message(code, line(bar, all)));
    assert.deepEqual(await night(day(1), PLAN), { minStayArrival: 2, maxStayArrival: 9, minStayThrough: 3, maxStayThrough: 14 });
    await channel.send(message(code, line(bar, stays('MinMaxMessageType="RemoveMaxLOS"', 'MinMaxMessageType="SetForwardMinStay"'))));
    assert.deepEqual(await night(day(1), PLAN), { minStayArrival: 2, maxStayThrough: 14 });
    await channel.send(
      message(code, line(bar, stays('MinMaxMessageType="SetMinLOS" Time="1"', 'MinMaxMessageType="SetForwardMaxStay" Time="0"'))),
    );
    assert.deepEqual(await night(day(1), PLAN), {});
  });

  test("treats MinLOS and MaxLOS like SetMinLOS and SetMaxLOS, ignoring case", async () => {
    const { code, night } = await channel.hotel();
    const { text } = await channel.send(
      message(code, line(bar, stays('MinMaxMessageType="MinLOS" Time="2"', 'MinMaxMessageType="MaxLOS" Time="8" TimeUnit="Day"'))),
    );
    assert.match(text, /<Success\/><\//);
    assert.deepEqual(await night(day(1), PLAN), { minStayArrival: 2, maxStayArrival: 8 });
    await channel.send(message(code, line(bar, stays('MinMaxMessageType="setMinLos" Time="3"', 'MinMaxMessageType=" RemoveMaxLOS "'))));
    assert.deepEqual(await night(day(1), PLAN), { minStayArrival: 3 });
    const pattern =
      '<LengthsOfStay><LengthOfStay MinMaxMessageType="fullPatternLos"><LOS_Pattern FullPatternLOS="NY"/></LengthOfStay></LengthsOfStay>';
    await channel.send(message(code, line(bar, pattern)));
    assert.deepEqual(await night(day(1), PLAN), { minStayArrival: 3, pattern: "NY" });
  });

  test("ignores lines with a block or sub-block", async () => {
    const { code, night } = await channel.hotel();
    const board = 'InvType="Block" SubBlockCode="FB"';
    const { text } = await channel.send(
      message(code, line(`InvCode="DBL" ${board}`, status('Status="Close"')) + line(board, status('Status="Close"'))),
    );
    assert.match(text, /<Success\/><Warnings><Warning Type="11"[^>]*>SubBlockCode is not stored/);
    assert.deepEqual(await night(day(1), { kind: "rate" }), {});
    assert.deepEqual(await night(day(1), { kind: "rate", category: "SGL" }), {});
  });

  test("warns about contradictory limits but stores them", async () => {
    const { code, night } = await channel.hotel();
    const between = (least: number, most: number) =>
      stays(`MinMaxMessageType="SetMinLOS" Time="${least}"`, `MinMaxMessageType="SetMaxLOS" Time="${most}"`);
    const { text } = await channel.send(message(code, line(bar, between(7, 5))));
    assert.match(text, /<Success\/>.*Type="11"[^>]*>the minimum stay of 7 nights exceeds the maximum of 5, so no stay is possible</s);
    assert.deepEqual(await night(day(1), PLAN), { minStayArrival: 7, maxStayArrival: 5 });
    for (const possible of [between(5, 5), between(7, 0), stays('MinMaxMessageType="SetMinLOS" Time="7"')])
      assert.doesNotMatch((await channel.send(message(code, line(bar, possible)))).text, /Warning/);
    const through = stays('MinMaxMessageType="SetForwardMinStay" Time="3"', 'MinMaxMessageType="SetForwardMaxStay" Time="2"');
    assert.match(
      (await channel.send(message(code, line(bar, through)))).text,
      /the minimum stay of 3 nights exceeds the maximum of 2, so no stay is possible/,
    );
    const window = status('Status="Open" MinAdvancedBookingOffset="P9D" MaxAdvancedBookingOffset="P3D"');
    assert.match(
      (await channel.send(message(code, line(bar, window)))).text,
      /the minimum of 9 days before arrival exceeds the maximum of 3, so no booking is possible/,
    );
  });

  test("stores a length-of-stay pattern, whether sent whole or one length at a time", async () => {
    const { code, night } = await channel.hotel();
    const pattern =
      '<LengthsOfStay><LengthOfStay MinMaxMessageType="FullPatternLOS" Time="4"><LOS_Pattern FullPatternLOS="NYYN"/></LengthOfStay></LengthsOfStay>';
    await channel.send(message(code, line(bar, pattern)));
    assert.deepEqual(await night(day(1), PLAN), { pattern: "NYYN" });
    await channel.send(message(code, line(bar, pattern.replace("NYYN", " 11011 "))));
    assert.deepEqual(await night(day(1), PLAN), { pattern: "YYNYY" }, "the standard allows 1 and 0 as well as Y and N");
    const each = [1, 0, 1].map(
      (allowed, index) => `MinMaxMessageType="FullPatternLOS" Time="${index + 1}" OpenStatusIndicator="${allowed}"`,
    );
    await channel.send(message(code, line(bar, stays(...each))));
    assert.deepEqual(await night(day(1), PLAN), { pattern: "YNY" });
    await channel.send(message(code, line(bar, stays('Time="2" OpenStatusIndicator="true"', 'Time="4" OpenStatusIndicator="0"'))));
    assert.deepEqual(await night(day(1), PLAN), { pattern: "NYNN" }, "MinMaxMessageType is optional");
    await channel.send(message(code, line(bar, stays('Time="4" OpenStatusIndicator="0"', 'Time="2" OpenStatusIndicator="0"'))));
    assert.deepEqual(await night(day(1), PLAN), { pattern: "YNYN" }, "unlisted lengths stay open if the listed ones are all closed");
  });

  test("opens only the listed lengths of stay in a fixed-length pattern", async () => {
    const { code, night } = await channel.hotel();
    const listed = (...nights: number[]) =>
      `<LengthsOfStay FixedPatternLength="8">${nights.map((time) => `<LengthOfStay Time="${time}" TimeUnit="Day" MinMaxMessageType="FullPatternLOS"/>`).join("")}</LengthsOfStay>`;
    await channel.send(message(code, line(bar, listed(3, 4, 7))));
    assert.deepEqual(await night(day(1), PLAN), { pattern: "NNYYNNYN" });
    await channel.send(message(code, line(bar, listed())));
    assert.deepEqual(await night(day(1), PLAN), { pattern: "NNNNNNNN" });
    const pattern = '<LengthOfStay MinMaxMessageType="FullPatternLOS" Time="4"><LOS_Pattern FullPatternLOS="NYYN"/></LengthOfStay>';
    await channel.send(message(code, line(bar, `<LengthsOfStay FixedPatternLength="4">${pattern}</LengthsOfStay>`)));
    assert.deepEqual(await night(day(1), PLAN), { pattern: "NYYN" });
    const timeless = pattern.replace(' Time="4"', "").replace("NYYN", "YYNY");
    await channel.send(message(code, line(bar, `<LengthsOfStay FixedPatternLength="4">${timeless}</LengthsOfStay>`)));
    assert.deepEqual(await night(day(1), PLAN), { pattern: "YYNY" });
    const least = '<LengthOfStay MinMaxMessageType="SetMinLOS" Time="3"/>';
    await channel.send(message(code, line(bar, `<LengthsOfStay FixedPatternLength="4">${least}</LengthsOfStay>`)));
    assert.deepEqual(await night(day(1), PLAN), { minStayArrival: 3, pattern: "YYNY" }, "a stay limit does not change the pattern");
    for (const mixed of [listed(3).replace("><", `>${least}<`), listed(3).replace("</LengthsOfStay>", `${least}$&`)]) {
      await channel.send(message(code, line(bar, mixed)));
      assert.deepEqual(await night(day(1), PLAN), { minStayArrival: 3, pattern: "NNYNNNNN" }, mixed);
    }
  });

  test("reads a booking window as a number of days or as a duration", async () => {
    const { code, night } = await channel.hotel();
    await channel.send(message(code, line(bar, status('Status="Open" MinAdvancedBookingOffset="1" MaxAdvancedBookingOffset="P365D"'))));
    assert.deepEqual(await night(day(1), PLAN), { stopSell: 0, minAdvance: 1, maxAdvance: 365 });
  });

  test("applies a restriction without a category to every category, with or without a plan", async () => {
    const { code, night } = await channel.hotel();
    await channel.send(message(code, line('RatePlanCode="BAR"', status('Status="Close"'))));
    await channel.send(message(code, line("", status('Status="Close" Restriction="Arrival"'))));
    assert.deepEqual(await night(day(1), PLAN), { stopSell: 1 });
    assert.deepEqual(await night(day(1), { ...PLAN, category: "SGL" }), { stopSell: 1 });
    assert.deepEqual(await night(day(1), { kind: "rate", category: "SGL" }), { closedToArrival: 1 });
  });

  test("reopens a closed hotel's category and keeps its other counts if it receives a booking limit", async () => {
    const { code, night } = await channel.hotel();
    const counts = (lines: string) =>
      `<OTA_HotelInvCountNotifRQ xmlns="http://www.opentravel.org/OTA/2003/05"><Inventories HotelCode="${code}">${lines}</Inventories></OTA_HotelInvCountNotifRQ>`;
    const dates = `<StatusApplicationControl Start="${day(1)}" End="${day(2)}"`;
    const rooms = '<InvCounts><InvCount CountType="2" Count="4"/><InvCount CountType="6" Count="1"/></InvCounts>';
    await channel.send(
      counts(`<Inventory>${dates} InvTypeCode="DBL"/>${rooms}</Inventory><Inventory>${dates} AllInvCode="1"/></Inventory>`),
    );
    assert.deepEqual(await night(day(1), {}), { available: 4, outOfOrder: 1, closed: 1 });
    await channel.send(message(code, line('InvTypeCode="DBL"', "", 'BookingLimit="3"')));
    assert.deepEqual(await night(day(1), {}), { available: 3, outOfOrder: 1 });
    assert.deepEqual(await night(day(1), { category: "SGL" }), { closed: 1 });
    await channel.send(message(code, line('InvTypeCode="DBL" InvCode="101"', "", 'BookingLimit="1"')));
    assert.deepEqual(
      [await night(day(1), {}), await night(day(1), { lane: "101" })],
      [{}, { available: 1 }],
      "counts for individual rooms replace the category's count",
    );
  });

  test("refuses booking limits for both individual rooms and categories in one message but accepts category restrictions", async () => {
    const { code } = await channel.hotel();
    const single = line('InvTypeCode="DBL" InvCode="101"', "", 'BookingLimit="1"');
    const mixed = single + line('InvTypeCode="DBL"', "", 'BookingLimit="1"');
    assert.match((await channel.send(message(code, mixed))).text, /Code="320"[^>]*>[^<]*must not be mixed/);
    assert.match((await channel.send(message(code, single + line(bar, status('Status="Open"'))))).text, /<Success\/><\//);
    const { text } = await channel.send(message(code, line('InvTypeCode="DBL" InvCode="101"', status('Status="Close"'))));
    assert.match(text, /<Success\/><Warnings>[^/]*>restrictions for individual rooms are not stored/);
  });

  test("reports empty lines, past lines and a message without lines", async () => {
    const { code, night } = await channel.hotel();
    const { text } = await channel.send(message(code, line(bar, "")));
    assert.match(text, /<Success\/><Warnings>[^/]*>a line without BookingLimit or restrictions changes nothing/);
    const past = line(bar, status('Status="Close"'), 'BookingLimit="1"').replaceAll(day(1), day(-2)).replaceAll(day(2), day(-1));
    const { text: reported, receipt } = await channel.send(message(code, past));
    assert.match(reported, /<Success\/><Warnings>[^/]*>2 nights before /);
    assert.deepEqual([receipt?.changedNights, await night(day(0), PLAN)], [0, {}]);
    assert.match((await channel.send(message(code, ""))).text, /Code="321"[^>]*>Required field missing: AvailStatusMessage</);
  });

  test("logs a summary of the values that were set", async () => {
    const { code } = await channel.hotel();
    const summaryOf = async (lines: string) => (await channel.send(message(code, lines))).receipt?.verdict.summary;
    const dates = `${day(1)} to ${day(2)}`;
    const all = status('Status="Close"') + stays('MinMaxMessageType="SetMinLOS" Time="2"', 'MinMaxMessageType="RemoveMaxLOS"');
    assert.equal(
      await summaryOf(line(bar, all)),
      `DBL/BAR ${dates}: stop sell, minimum stay (arrival) 2 nights, maximum stay (arrival) removed`,
    );
    const arrival = status('Status="Open" Restriction="Arrival" MinAdvancedBookingOffset="3"');
    assert.equal(await summaryOf(line('InvTypeCode="DBL"', arrival)), `DBL ${dates}: book at least 3 days ahead, open to arrival`);
    assert.equal(await summaryOf(line('InvTypeCode="DBL"', "", 'BookingLimit="3"')), `DBL ${dates}: available 3`);
    assert.equal(await summaryOf(line('InvTypeCode="DBL"', "", 'BookingLimitMessageType="RemoveLimit"')), `DBL ${dates}: limit removed`);
  });

  test("warns about a limit above the category's number of rooms but stores it", async () => {
    const { code, night } = await channel.hotel({}, { rooms: 2 });
    const limited = async (rooms: number, target = 'InvTypeCode="DBL"') =>
      (await channel.send(message(code, line(target, "", `BookingLimit="${rooms}"`)))).text;
    assert.match(await limited(2), /<Success\/><\//);
    assert.match(await limited(3), /<Warning Type="3"[^>]*>DBL has 2 rooms, but more were sent/);
    assert.deepEqual(await night(day(1), {}), { available: 3 });
    assert.match(await limited(2, 'InvTypeCode="DBL" InvCode="101"'), /DBL room 101 has 1 room, but more were sent/);
    const roomless = await channel.hotel({}, { rooms: 0 });
    const { text } = await channel.send(message(roomless.code, line('InvTypeCode="DBL"', "", 'BookingLimit="9"')));
    assert.match(text, /<Success\/><\//, "the number of rooms is unknown");
  });

  test("uses RatePlanID as the plan if RatePlanCode is missing", async () => {
    const { code, night } = await channel.hotel();
    await channel.send(message(code, line('InvCode="DBL" RatePlanID="456"', status('Status="Close"'))));
    assert.deepEqual(await night(day(1), { kind: "rate" }), {});
    assert.deepEqual(await night(day(1), { kind: "rate", lane: "456" }), { stopSell: 1 });
    await channel.send(message(code, line('RatePlanID="456" InvCode="DBL" RatePlanCode="BAR"', status('Status="Close"'))));
    assert.deepEqual(await night(day(1), PLAN), { stopSell: 1 });
  });

  test("stores a booking limit for the category even if the line names a plan", async () => {
    const { code, night } = await channel.hotel();
    await channel.send(
      message(code, line(bar, status('Status="Close"'), 'BookingLimit="10" BookingLimitMessageType="SetLimit" BookingThreshold="2"')),
    );
    assert.deepEqual(await night(day(1), {}), { available: 10, threshold: 2 });
    assert.deepEqual(await night(day(1), PLAN), { stopSell: 1 });
    await channel.send(message(code, line(bar, "", 'BookingLimitMessageType="RemoveLimit"')));
    assert.deepEqual(await night(day(1), {}), {});
  });

  test("applies a booking limit to every category, with a warning, if it has a plan but no category", async () => {
    const { code, night } = await channel.hotel();
    const limited = (target: string) => channel.send(message(code, line(target, "", 'BookingLimit="5"')));
    assert.match(
      (await limited('RatePlanCode="BAR"')).text,
      /<Warning Type="11"[^>]*>BookingLimit without InvTypeCode: applied to every category</,
    );
    assert.deepEqual([await night(day(1), {}), await night(day(1), { category: "SGL" })], [{ available: 5 }, { available: 5 }]);
    assert.match((await limited(bar)).text, /<Success\/><\//);
  });

  test("warns about SetLimit without BookingLimit in a line with restrictions", async () => {
    const { code, night } = await channel.hotel();
    const closed = line(bar, status('Status="Close" Restriction="Master"'), 'BookingLimitMessageType="SetLimit"');
    assert.match(
      (await channel.send(message(code, closed))).text,
      /<Success\/><Warnings>[^/]*>SetLimit without BookingLimit: no limit was set</,
    );
    assert.deepEqual([await night(day(1), PLAN), await night(day(1), {})], [{ stopSell: 1 }, {}]);
  });

  for (const [what, content, limit, code] of [
    ["a relative limit", "", 'BookingLimit="1" BookingLimitMessageType="AdjustLimit"', 'Type="2" Code="450"'],
    ["an unknown limit type", "", 'BookingLimit="1" BookingLimitMessageType="Perhaps"', 'Type="3" Code="320"'],
    ["SetLimit without a BookingLimit", "", 'BookingLimitMessageType=" setlimit "', 'Type="10" Code="321"'],
    ["a negative limit", "", 'BookingLimit="-1"', 'Type="3" Code="320"'],
    ["an unknown status", status('Status="Perhaps"'), "", 'Type="3" Code="320"'],
    ["an unknown restriction", status('Status="Open" Restriction="Cats"'), "", 'Type="3" Code="320"'],
    ["a stay limit in weeks", stays('MinMaxMessageType="SetMinLOS" Time="1" TimeUnit="Week"'), "", 'Type="3" Code="320"'],
    ["a stay limit without a type", stays('Time="2"'), "", 'Type="10" Code="321"'],
    ["a stay limit of 2.5 nights", stays('MinMaxMessageType="SetMinLOS" Time="2.5"'), "", 'Type="3" Code="320"'],
    ["a stay limit that is not a number", stays('MinMaxMessageType="SetMinLOS" Time="two"'), "", 'Type="3" Code="320"'],
    [
      "a missing pattern",
      stays('MinMaxMessageType="SetMinLOS" Time="2"', 'MinMaxMessageType="FullPatternLOS"'),
      "",
      'Type="10" Code="321"',
    ],
    [
      "an invalid pattern",
      '<LengthsOfStay><LengthOfStay MinMaxMessageType="FullPatternLOS"><LOS_Pattern FullPatternLOS="YES"/></LengthOfStay></LengthsOfStay>',
      "",
      'Type="3" Code="320"',
    ],
    [
      "an empty pattern",
      '<LengthsOfStay><LengthOfStay MinMaxMessageType="FullPatternLOS"><LOS_Pattern/></LengthOfStay></LengthsOfStay>',
      "",
      'Type="10" Code="321"[^>]*>Required field missing: FullPatternLOS',
    ],
    [
      "a length in a pattern without its number of nights",
      stays('MinMaxMessageType="FullPatternLOS" OpenStatusIndicator="1"'),
      "",
      'Type="3" Code="320"',
    ],
    [
      "a pattern with letters and digits",
      '<LengthsOfStay><LengthOfStay MinMaxMessageType="FullPatternLOS"><LOS_Pattern FullPatternLOS="Y1N"/></LengthOfStay></LengthsOfStay>',
      "",
      'Type="3" Code="320"',
    ],
    [
      "a length in a pattern with an invalid status",
      stays('MinMaxMessageType="FullPatternLOS" Time="1" OpenStatusIndicator="perhaps"'),
      "",
      'Type="3" Code="320"',
    ],
    ["a booking window of half a day", status('MinAdvancedBookingOffset="PT12H"'), "", 'Type="3" Code="320"'],
    ["an empty booking window", status('MinAdvancedBookingOffset="PT"'), "", 'Type="3" Code="320"'],
  ] as const) {
    test(`refuses ${what} and changes nothing`, async () => {
      const hotel = await channel.hotel();
      const { text } = await channel.send(message(hotel.code, line(bar, status('Status="Close"')) + line(bar, content, limit)));
      assert.match(text, new RegExp(`<Error ${code}`));
      assert.deepEqual(await hotel.night(day(1), PLAN), {});
    });
  }

  for (const [offset, days] of [
    ["3", 3],
    ["P3D", 3],
    ["PT72H", 3],
    ["P1DT48H0M0S", 3],
    ["P2W", 14],
    ["PT0S", 0],
    ["P1Y", 365],
    ["P1M", 30],
    ["P1Y2M3D", 428],
  ] as const) {
    test(`reads a booking window of ${offset} as ${days} days`, async () => {
      const { code, night } = await channel.hotel();
      const { text } = await channel.send(message(code, line(bar, status(`MinAdvancedBookingOffset="${offset}"`))));
      assert.deepEqual(await night(day(1), PLAN), { minAdvance: days });
      const isRounded = text.includes(`>MinAdvancedBookingOffset ${offset} was stored as ${days} days<`);
      assert.equal(isRounded, /[MY]/.test(offset.split("T")[0]!), "months and years have no fixed number of days");
    });
  }

  test("warns about values that are not stored", async () => {
    const { code } = await channel.hotel();
    const { text } = await channel.send(
      message(code, line(bar, stays('MinMaxMessageType="FreeNight" Time="1"') + status('Status="Open" Restriction="TravelAgent"'))),
    );
    assert.match(text, /length of stay FreeNight is not stored/);
    assert.match(text, /restriction TravelAgent is not stored/);
  });

  test("refuses a line without a target or without dates", async () => {
    const { code } = await channel.hotel();
    const limit = '<AvailStatusMessage BookingLimit="1"/>';
    const { text } = await channel.send(message(code, line(bar, status('Status="Close"')) + limit));
    assert.match(text, /<Error Type="10" Code="321"[^>]*>Required field missing: StatusApplicationControl</);
    const dateless = line(bar, status('Status="Close"'), 'BookingLimit="1"').replaceAll(/ (?:Start|End)="[^"]*"/g, "");
    assert.match((await channel.send(message(code, dateless))).text, /<Error Type="10" Code="321"[^>]*>Required field missing: Start</);
  });

  test("warns about and ignores a hotel-wide limit above 0, but stores a hotel-wide limit of 0 for every category", async () => {
    const { code, night } = await channel.hotel();
    const all = 'AllInvCode="true"';
    const { text } = await channel.send(message(code, line(all, status('Status="Close"'), 'BookingLimit="40"')));
    assert.match(text, /<Success\/>.*a count for the whole property is not stored/);
    assert.deepEqual([await night(day(1), {}), await night(day(1), { kind: "rate" })], [{}, { stopSell: 1 }]);
    await channel.send(message(code, line(all, "", 'BookingLimit="0"')));
    assert.deepEqual(await night(day(1), {}), { available: 0 });
  });

  test("refuses a booking limit without a category or a plan", async () => {
    const { code } = await channel.hotel();
    assert.match(
      (await channel.send(message(code, line("", "", 'BookingLimit="3"')))).text,
      /Type="10" Code="321"[^>]*>Required field missing: InvTypeCode/,
    );
  });

  test("returns a line's UniqueID as the RecordID of its errors, wherever the UniqueID is in the line", async () => {
    const { code } = await channel.hotel();
    const numbered = line(bar, `<UniqueID Type="16" ID="4711"/>${status('Status="Perhaps"')}`);
    assert.match((await channel.send(message(code, numbered))).text, /RecordID="4711"/);
    const later = line(bar, `${status('Status="Perhaps"')}<UniqueID Type="16" ID="4712"/>`) + line(bar, status('Status="Nor this"'));
    const ids = (await channel.send(message(code, numbered + later))).text.matchAll(/RecordID="([^"]*)"/g);
    assert.deepEqual([...ids].map(([, id]) => id).slice(0, 2), ["4711", "4712"]);
    assert.match((await channel.send(message(code, numbered + later))).text, /RecordID="1:\d+">[^<]*Nor this/);
    const limited = line(bar, '<UniqueID Type="16" ID="4713"/>', 'BookingLimit="-1"');
    assert.match((await channel.send(message(code, limited))).text, /RecordID="4713">[^<]*for BookingLimit</);
  });

  test("lists the allowed values in the text of an error but not in its ShortText", async () => {
    const { code } = await channel.hotel();
    const reported = async (lines: string) =>
      /ShortText="([^"]*)"[^>]*>([^<]*)</
        .exec((await channel.send(message(code, lines))).text)!
        .slice(1)
        .map((text) => text.replaceAll("&quot;", '"'));
    assert.deepEqual(await reported(line(bar, status('Status="Close" Restriction="All"'))), [
      'Invalid value "All" for Restriction',
      'Invalid value "All" for Restriction; allowed: Master, Arrival, Departure',
    ]);
    assert.equal((await reported(line(`${bar} Mon="nein"`, "")))[1], 'Invalid value "nein" for Mon; allowed: 1, 0, true, false, Y, N');
  });

  test("reports an invalid status or restriction, but ignores an invalid status on a restriction that is not stored", async () => {
    const { code } = await channel.hotel();
    const reported = async (restriction: string) => {
      const { text } = await channel.send(message(code, line(bar, status(`Status="Closed" Restriction="${restriction}"`))));
      return [...text.matchAll(/<Error [^>]*>Invalid value "([^"]*)"/g)].map(([, word]) => word);
    };
    assert.deepEqual(await reported("All"), ["All", "Closed"]);
    assert.deepEqual(await reported("NonGuarantee"), [], "an invalid status is ignored if its restriction is not stored");
  });

  test("warns about a restriction without a status", async () => {
    const { code, night } = await channel.hotel();
    const isWarned = async (attributes: string) => {
      const { text } = await channel.send(message(code, line(bar, stays('MinMaxMessageType="SetMinLOS" Time="2"') + status(attributes))));
      assert.match(text, /<Success\/>/);
      return text.includes(">RestrictionStatus without Status changes nothing<");
    };
    assert.equal(await isWarned('Restriction="Arrival"'), true);
    assert.equal(await isWarned('MinAdvancedBookingOffset="P3D"'), false);
    assert.equal(await isWarned('Restriction="Arrival" Status="Close"'), false);
    const { minStayArrival, closedToArrival } = await night(day(1), PLAN);
    assert.deepEqual([minStayArrival, closedToArrival], [2, 1]);
  });

  test("reports an invalid limit at its position", async () => {
    const { code } = await channel.hotel();
    const lined = line(bar, "", 'BookingLimit="-1"').replaceAll("><", ">\n<");
    assert.match((await channel.send(message(code, `\n${lined}`))).text, /RecordID="2:1">Invalid value "-1" for BookingLimit</);
  });
});
