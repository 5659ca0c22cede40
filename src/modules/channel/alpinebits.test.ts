import assert from "node:assert/strict";
import { test } from "node:test";
import { day, eachChannel, NOON } from "../../../test/support/channel.ts";
import { ALPINEBITS_VERSIONS, type AlpineBitsVersion, isWithinRange } from "./dialects/alpinebits.ts";
import { wrapRequest } from "./example.ts";
import { messages } from "./messages/index.ts";

const NAMESPACE = "http://www.opentravel.org/OTA/2003/05";
const FREE_ROOMS = "OTA_HotelInvCountNotif:FreeRooms";
const COMPLETE = '<UniqueID Type="16" ID="1" Instance="CompleteSet"/>';

const freeRooms = (hotel: string, lines: string, head = COMPLETE) =>
  `<OTA_HotelInvCountNotifRQ xmlns="${NAMESPACE}" Version="4" EchoToken="e">${head}<Inventories ${hotel}>${lines}</Inventories></OTA_HotelInvCountNotifRQ>`;
// oxlint-disable-next-line max-params -- in the line's order
const line = (from: number, to: number, target: string, counts = "") =>
  `<Inventory><StatusApplicationControl Start="${day(from)}" End="${day(to)}" ${target}/>${counts}</Inventory>`;
const closing = (from: number, to: number) => line(from, to, 'AllInvCode="true"');
const TWO = '<InvCounts><InvCount CountType="2" Count="2"/></InvCounts>';
const ONE = TWO.replace('Count="2"/>', 'Count="1"/>');
const DBL = 'InvTypeCode="DBL"';

const oldFreeRooms = (hotel: string, limit: string, target = DBL) =>
  `<OTA_HotelAvailNotifRQ xmlns="${NAMESPACE}" Version="1.002"><AvailStatusMessages HotelCode="${hotel}"><AvailStatusMessage ${limit}><StatusApplicationControl Start="${day(1)}" End="${day(2)}" ${target}/></AvailStatusMessage></AvailStatusMessages></OTA_HotelAvailNotifRQ>`;

const ping = (echo: string) => `<OTA_PingRQ xmlns="${NAMESPACE}" Version="8.000"><EchoData>${echo}</EchoData></OTA_PingRQ>`;
const inVersion = (version: AlpineBitsVersion | undefined, action = FREE_ROOMS) => ({ transport: "alpinebits", action, version }) as const;

eachChannel("AlpineBits", (channel) => {
  test("writes only Version and TimeStamp on the root element of a response", async () => {
    const { code } = await channel.hotel();
    const { text, headers, status } = await channel.send(freeRooms(`HotelCode="${code}"`, line(1, 2, DBL, TWO)), inVersion("2024-10"));
    assert.equal(status, 200);
    assert.match(
      text,
      /<OTA_HotelInvCountNotifRS xmlns="[^"]+" Version="4" TimeStamp="2026-11-20T12:00:00Z"><Success\/><\/OTA_HotelInvCountNotifRS>$/,
    );
    assert.equal(headers["content-type"], "application/xml; charset=utf-8");
    assert.equal(headers["x-alpinebits-server-accept-encoding"], "gzip");
  });

  test("omits the Code attribute from warnings", async () => {
    const { code } = await channel.hotel();
    const { text } = await channel.send(freeRooms(`HotelCode="${code}"`, line(-1, 2, DBL, TWO)), inVersion("2022-10"));
    assert.match(text, /<Warnings><Warning Type="11">1 night before 2026-11-20 ignored<\/Warning><\/Warnings>/);
  });

  for (const version of ["2020-10", "2022-10", "2024-10"] as const) {
    for (const [rule, lines] of [
      ["closing seasons overlap", closing(1, 9) + closing(5, 20)],
      ["closing seasons share a night", closing(1, 9) + closing(9, 20)],
      ["a closing season overlaps a bookable period", closing(10, 20) + line(15, 16, DBL, TWO)],
      ["a closing season shares its last night with a bookable period", closing(1, 9) + closing(20, 30) + line(9, 12, DBL, TWO)],
      ["a closing season shares its first night with a bookable period", closing(1, 9) + closing(20, 30) + line(12, 20, DBL, TWO)],
      ["a closing season has counts", line(1, 9, 'AllInvCode="true"', TWO)],
      ["a count type is not 2, 6 or 9", line(1, 2, DBL, TWO.replace('CountType="2"', 'CountType="1"'))],
      ["a closing season is not first", line(1, 2, DBL, TWO) + closing(10, 20)],
      ["categories and rooms are mixed", line(1, 2, DBL, TWO) + line(1, 2, `${DBL} InvCode="101"`)],
      ["a closing season names a category", line(1, 2, `${DBL} AllInvCode="true"`)],
      ["a count is for a rate plan", line(1, 2, `${DBL} RatePlanCode="BAR"`, TWO)],
      ["a line applies only on some weekdays", line(1, 2, `${DBL} Sat="1" Sun="1"`, TWO)],
      ["a line has a duration", line(1, 2, `${DBL} Duration="P2N"`, TWO)],
    ] as const) {
      test(`refuses a ${version} message if ${rule}`, async () => {
        const { code, night } = await channel.hotel();
        const { text, status } = await channel.send(freeRooms(`HotelCode="${code}"`, lines), inVersion(version));
        assert.equal(status, 200);
        assert.match(text, /<Errors><Error Type="13" Code="320">/);
        assert.deepEqual(await night(day(1), {}), {});
      });
    }
  }

  for (const [rule, lines, error] of [
    ["End is missing", line(1, 2, DBL, TWO).replace(/End="[^"]*"/, ""), "321"],
    ["a date has a time of day", line(1, 2, DBL, TWO).replace(/End="([^"]*)"/, 'End="$1T00:00:00"'), "15"],
    ["InvCode is used instead of InvTypeCode", line(1, 2, 'InvCode="DBL"', TWO), "321"],
    ["a count has no type", line(1, 2, DBL, TWO.replace('CountType="2" ', "")), "321"],
    ["the list of counts is empty", line(1, 2, DBL, "<InvCounts/>"), "321"],
  ] as const) {
    test(`refuses FreeRooms if ${rule}`, async () => {
      const { code, night } = await channel.hotel();
      const { text } = await channel.send(freeRooms(`HotelCode="${code}"`, lines), inVersion("2024-10"));
      assert.match(text, new RegExp(`<Errors><Error Type="13" Code="${error}">`));
      assert.deepEqual(await night(day(1), {}), {});
      assert.match((await channel.send(freeRooms(`HotelCode="${code}"`, lines))).text, /<Success\/>/, "plain OpenTravel accepts it");
    });
  }

  for (const [what, head, words] of [
    ["no instance", '<UniqueID Type="16" ID="1"/>', "missing: Instance of UniqueID"],
    ["an incorrect instance", '<UniqueID Type="16" ID="1" Instance="Delta"/>', '"Delta" for Instance'],
    ["an instance in lower case", '<UniqueID Type="16" ID="1" Instance="completeset"/>', '"completeset" for Instance'],
    ["no type", '<UniqueID ID="1" Instance="CompleteSet"/>', "missing: Type of UniqueID"],
    ["an incorrect type", '<UniqueID Type="14" ID="1" Instance="CompleteSet"/>', '"14" for Type'],
  ] as const) {
    test(`refuses a UniqueID with ${what}, because it may mean a complete set`, async () => {
      const { code, night } = await channel.hotel();
      const { text } = await channel.send(freeRooms(`HotelCode="${code}"`, line(1, 2, DBL, TWO), head), inVersion("2024-10"));
      assert.match(text, /<Errors><Error Type="13" Code="32[01]">/);
      assert.ok(text.includes(words), text);
      assert.deepEqual(await night(day(1), {}), {});
    });
  }

  test("reports a limit's missing attributes at the limit's position", async () => {
    const { code } = await channel.hotel();
    const lined = oldFreeRooms(code, 'BookingLimit="2"').replaceAll("><", ">\n<");
    const { text } = await channel.send(lined, inVersion("2018-10", "OTA_HotelAvailNotif:FreeRooms"));
    const row = 1 + lined.split("\n").findIndex((one) => one.startsWith("<AvailStatusMessage "));
    assert.ok(text.includes(`missing: BookingLimitMessageType</Error><!-- ${row}:1 -->`), text);
  });

  test("accepts UniqueID type 35 and dates with a time zone", async () => {
    const { code, night } = await channel.hotel();
    const zoned = line(1, 2, DBL, TWO).replace(/End="([^"]*)"/, 'End="$1+01:00"');
    const { text } = await channel.send(freeRooms(`HotelCode="${code}"`, zoned, COMPLETE.replace("16", "35")), inVersion("2024-10"));
    assert.match(text, /<Success\/><\//);
    assert.equal((await night(day(2), {}))["available"], 2);
  });

  test("accepts a closing season during a sold-out period", async () => {
    const { code, night } = await channel.hotel();
    const { text } = await channel.send(freeRooms(`HotelCode="${code}"`, closing(10, 20) + line(1, 30, DBL)), inVersion("2022-10"));
    assert.match(text, /<Success\/>/);
    const { available, closed } = await night(day(15), {});
    assert.deepEqual([available, closed], [0, 1], "the property stays closed");
    assert.equal((await night(day(21), {}))["closed"], undefined);
  });

  for (const [version, send] of [
    [
      "2018-10",
      (code: string, head: string) =>
        oldFreeRooms(code, 'BookingLimit="2" BookingLimitMessageType="SetLimit"').replace("<Avail", `${head}<Avail`),
    ],
    ["2024-10", (code: string, head: string) => freeRooms(`HotelCode="${code}"`, line(1, 2, DBL, TWO), head)],
  ] as const) {
    test(`requests a complete set in response to a ${version} delta if the last complete set is over two days old`, async () => {
      const { code } = await channel.hotel();
      const { clock } = channel;
      const action = version === "2018-10" ? "OTA_HotelAvailNotif:FreeRooms" : FREE_ROOMS;
      const isAsked = async (hours: number, head = "") => {
        clock.set(NOON + hours * 3_600_000);
        const { text } = await channel.send(send(code, head), inVersion(version, action));
        clock.set(NOON);
        assert.match(text, /<Success\/>/);
        return text.includes(
          '<Warning Type="11" Status="ALPINEBITS_SEND_FREEROOMS">last full data set received more than 48 hours ago</Warning>',
        );
      };
      assert.equal(await isAsked(0), false, "there was no complete set");
      assert.equal(await isAsked(0, COMPLETE), false);
      assert.equal(await isAsked(48), false);
      assert.equal(await isAsked(49), true);
      assert.equal(await isAsked(49, COMPLETE), false);
      assert.equal(await isAsked(50), false);
    });
  }

  test("tracks complete sets separately for each kind of data", async () => {
    const { code } = await channel.hotel();
    const plans = (head: string, type = "New") =>
      `<OTA_HotelRatePlanNotifRQ xmlns="${NAMESPACE}" Version="3.000">${head}<RatePlans HotelCode="${code}"><RatePlan RatePlanNotifType="${type}" RatePlanCode="BAR"><Rates><Rate RateTimeUnit="Day" UnitMultiplier="1"><BaseByGuestAmts><BaseByGuestAmt Type="7"/></BaseByGuestAmts></Rate></Rates></RatePlan></RatePlans></OTA_HotelRatePlanNotifRQ>`;
    const isAsked = async (hours: number, xml: string, action = FREE_ROOMS) => {
      channel.clock.set(NOON + hours * 3_600_000);
      const { text } = await channel.send(xml, inVersion("2024-10", action));
      channel.clock.set(NOON);
      assert.match(text, /<Success\/>/);
      return /<Warning Type="11" Status="(\w+)">last full data set/.exec(text)?.[1];
    };
    const rooms = (head: string) => freeRooms(`HotelCode="${code}"`, line(1, 2, DBL, TWO), head);
    const RATE_PLANS = "OTA_HotelRatePlanNotif:RatePlans";
    await isAsked(0, plans(COMPLETE), RATE_PLANS);
    assert.equal(await isAsked(49, rooms("")), undefined, "there was no complete set of counts");
    assert.equal(await isAsked(49, plans("", "Overlay"), RATE_PLANS), "ALPINEBITS_SEND_RATEPLANS");
    await isAsked(50, rooms(COMPLETE));
    assert.equal(await isAsked(50, plans("", "Overlay"), RATE_PLANS), "ALPINEBITS_SEND_RATEPLANS");
    await isAsked(90, plans(COMPLETE), RATE_PLANS);
    const closed = `<AvailStatusMessage><StatusApplicationControl Start="${day(1)}" End="${day(2)}"/><RestrictionStatus Status="Close"/></AvailStatusMessage>`;
    await channel.send(
      `<OTA_HotelAvailNotifRQ xmlns="${NAMESPACE}">${COMPLETE}<AvailStatusMessages HotelCode="${code}">${closed}</AvailStatusMessages></OTA_HotelAvailNotifRQ>`,
    );
    assert.equal(await isAsked(99, plans("", "Overlay"), RATE_PLANS), undefined);
    assert.equal(await isAsked(99, rooms("")), "ALPINEBITS_SEND_FREEROOMS");
  });

  test("lets a later count reopen closed nights in plain OpenTravel", async () => {
    const { code, night } = await channel.hotel();
    const { text } = await channel.send(freeRooms(`HotelCode="${code}"`, closing(10, 20) + line(15, 16, DBL, TWO)));
    assert.match(text, /<Success\/>/);
    assert.deepEqual(await night(day(15), {}), { available: 2 });
  });

  test("accepts the property's name instead of its code in versions before 2024-10", async () => {
    const { code } = await channel.hotel({ name: `Inn ${Math.random()}` });
    const { name } = await channel.database.read.selectFrom("property").select("name").where("code", "=", code).executeTakeFirstOrThrow();
    const named = freeRooms(`HotelName="${name}"`, line(1, 2, DBL, TWO));
    assert.match((await channel.send(named, inVersion("2022-10"))).text, /<Success\/>/);
    assert.match((await channel.send(named, inVersion("2024-10"))).text, /<Error Type="13" Code="321">/);
    assert.match((await channel.send(freeRooms("", line(1, 2, DBL)), inVersion("2020-10"))).text, /<Error Type="13" Code="321">/);
  });

  for (const [rule, limit, target] of [
    ["BookingLimit is missing", "", DBL],
    ["BookingLimitMessageType is missing", 'BookingLimit="1"', DBL],
    ["an individual room has a limit above 1", 'BookingLimit="2" BookingLimitMessageType="SetLimit"', `${DBL} InvCode="101"`],
    ["the threshold is above the limit", 'BookingLimit="1" BookingLimitMessageType="SetLimit" BookingThreshold="2"', DBL],
    ["InvTypeCode is missing", 'BookingLimit="1" BookingLimitMessageType="SetLimit"', ""],
    ["RatePlanCode is used instead of InvTypeCode", 'BookingLimit="1" BookingLimitMessageType="SetLimit"', 'RatePlanCode="BAR"'],
    ["there is neither a limit nor InvTypeCode", "", ""],
    ["a limit is removed", 'BookingLimitMessageType="RemoveLimit"', DBL],
    ["InvCode is used instead of InvTypeCode", 'BookingLimit="1" BookingLimitMessageType="SetLimit"', 'InvCode="DBL"'],
    ["a line applies only on some weekdays", 'BookingLimit="1" BookingLimitMessageType="SetLimit"', `${DBL} Sat="1"`],
    ["a limit is for a rate plan", 'BookingLimit="1" BookingLimitMessageType="SetLimit"', `${DBL} RatePlanCode="BAR"`],
    ["a line has restrictions", 'BookingLimit="1" BookingLimitMessageType="SetLimit"', `${DBL}/><RestrictionStatus Status="Close"`],
  ] as const) {
    test(`refuses a 2018-10 message if ${rule}`, async () => {
      const { code, night } = await channel.hotel();
      const { text } = await channel.send(oldFreeRooms(code, limit, target), inVersion("2018-10", "OTA_HotelAvailNotif:FreeRooms"));
      assert.match(text, /<Errors><Error Type="13" Code="32[01]">/);
      assert.deepEqual(await night(day(1), {}), {});
    });
  }

  test("accepts a message without a version even if 2018-10 forbids it", async () => {
    const { code, night } = await channel.hotel();
    const { text } = await channel.send(oldFreeRooms(code, 'BookingLimit="3"'), inVersion(undefined, "OTA_HotelAvailNotif:FreeRooms"));
    assert.match(text, /<Success\/>/);
    assert.deepEqual(await night(day(1), {}), { available: 3 });
  });

  test("clears counts but not restrictions if a 2018-10 complete set is empty, and refuses an empty message without UniqueID", async () => {
    const { code, night } = await channel.hotel();
    const limit = 'BookingLimit="2" BookingLimitMessageType="SetLimit"';
    await channel.send(oldFreeRooms(code, limit).replace("/></Avail", '/><RestrictionStatus Status="Close"/></Avail'));
    const reset = (head: string) =>
      `<OTA_HotelAvailNotifRQ xmlns="${NAMESPACE}" Version="1.002">${head}<AvailStatusMessages HotelCode="${code}"><AvailStatusMessage/></AvailStatusMessages></OTA_HotelAvailNotifRQ>`;
    const old = inVersion("2018-10", "OTA_HotelAvailNotif:FreeRooms");
    assert.match((await channel.send(reset(""), old)).text, /<Error Type="13" Code="321">[^<]*CompleteSet/);
    assert.deepEqual(await night(day(1), {}), { available: 2 });
    assert.match((await channel.send(reset(COMPLETE), old)).text, /<Success\/>/);
    assert.deepEqual([await night(day(1), {}), await night(day(1), { kind: "rate" })], [{}, { stopSell: 1 }]);
  });

  test("reads InvCode as a room even if it equals the category code", async () => {
    const { code, night } = await channel.hotel();
    const apartments = line(1, 1, `${DBL} InvCode="DBL"`, ONE) + line(1, 1, 'InvTypeCode="SGL" InvCode="S1"', ONE);
    assert.match((await channel.send(freeRooms(`HotelCode="${code}"`, apartments), inVersion("2024-10"))).text, /<Success\/>/);
    assert.deepEqual(await night(day(1), { lane: "DBL" }), { available: 1, outOfOrder: 0, offMarket: 0 });
    assert.deepEqual(await night(day(1), {}), {});
  });

  test("warns about a count above 1 for an individual room in 2020-10 but stores it", async () => {
    const { code, night } = await channel.hotel();
    const { text } = await channel.send(freeRooms(`HotelCode="${code}"`, line(1, 1, `${DBL} InvCode="101"`, TWO)), inVersion("2020-10"));
    assert.match(text, /<Success\/><Warnings><Warning Type="3">DBL room 101 has 1 room, but more were sent</);
    assert.equal((await night(day(1), { lane: "101" }))["available"], 2);
  });

  test("refuses a SOAP envelope in a form", async () => {
    const { code } = await channel.hotel();
    const { body } = wrapRequest(freeRooms(`HotelCode="${code}"`, line(1, 2, DBL, TWO)), { transport: "soap11" });
    const { status, text } = await channel.send(String(body), inVersion("2022-10"));
    assert.deepEqual([status, text], [400, "ERROR:action OTA_HotelInvCountNotif:FreeRooms does not match message Envelope"]);
  });

  test("expects a different FreeRooms message in 2018-10 than in later versions", async () => {
    const { code, night } = await channel.hotel();
    const old = oldFreeRooms(code, 'BookingLimit="1" BookingLimitMessageType="SetLimit" BookingThreshold="1"');
    const later = await channel.send(old, inVersion("2020-10", "OTA_HotelAvailNotif:FreeRooms"));
    assert.deepEqual([later.status, later.text], [400, "ERROR:unknown or missing action"]);
    assert.match((await channel.send(old, inVersion("2018-10", "OTA_HotelAvailNotif:FreeRooms"))).text, /<Success\/>/);
    assert.deepEqual(await night(day(1), {}), { available: 1, threshold: 1 });
    const early = await channel.send(freeRooms(`HotelCode="${code}"`, line(1, 2, DBL)), inVersion("2018-10"));
    assert.equal(early.text, "ERROR:unknown or missing action");
  });

  for (const action of [undefined, "", "OTA_Unknown:GuestRequests", "getVersion"]) {
    test(`refuses the action ${JSON.stringify(action)} as unknown or missing`, async () => {
      const { status, text, headers } = await channel.send(ping(""), { transport: "alpinebits", action, version: "2024-10" });
      assert.deepEqual([status, text, headers["content-type"]], [400, "ERROR:unknown or missing action", "text/plain; charset=utf-8"]);
    });
  }

  for (const action of [
    "OTA_Read:GuestRequests",
    "OTA_NotifReport:GuestRequests",
    "OTA_HotelResNotif:GuestRequests",
    "OTA_HotelResNotif:GuestRequests_StatusUpdate",
  ]) {
    test(`refuses the action ${action} as not implemented and names it`, async () => {
      const { status, text } = await channel.send(ping(""), { transport: "alpinebits", action, version: "2022-10" });
      assert.deepEqual([status, text], [400, `ERROR:unknown or missing action; ${action} is not implemented: reservations are not stored`]);
    });
  }

  test("refuses an action that does not match its message", async () => {
    const { status, text } = await channel.send(ping("{}"), inVersion("2024-10"));
    assert.deepEqual([status, text], [400, `ERROR:action ${FREE_ROOMS} does not match message OTA_PingRQ`]);
  });

  test("lists the supported versions if the version is unknown", async () => {
    const { status, text } = await channel.send(ping("{}"), {
      transport: "alpinebits",
      action: "OTA_Ping:Handshaking",
      version: "2013-04",
    });
    assert.equal(status, 400);
    assert.equal(
      text,
      `ERROR:your current alpinebits version does not match one of the servers supported versions ${ALPINEBITS_VERSIONS.join(", ")}`,
    );
  });

  test("refuses the content type if the body is neither a form nor XML", async () => {
    const headers = { "x-alpinebits-clientprotocolversion": "2022-10", "content-type": "text/plain" };
    const { status, text } = await channel.post({ body: "--b\r\nhello\r\n--b--\r\n", headers });
    assert.deepEqual([status, text], [415, "ERROR:the content type is not supported; send multipart/form-data"]);
  });

  test("reads a message without a protocol version leniently", async () => {
    const { code } = await channel.hotel();
    const { text, receipt } = await channel.send(
      freeRooms(`HotelCode="${code}"`, line(1, 2, DBL, TWO) + closing(10, 20)),
      inVersion(undefined),
    );
    assert.match(text, /<OTA_HotelInvCountNotifRS xmlns="[^"]+" Version="4" TimeStamp="[^"]+"><Success\/>/);
    assert.match(receipt!.verdict.notes.advisories.join(), /no protocol version/);
  });

  test("refuses a form without parts but logs an error only if its body is empty", async () => {
    for (const body of ["", "--b--\r\n"]) {
      const known = channel.recorded.length;
      const { status, text } = await channel.post({ body, headers: { "content-type": "multipart/form-data; boundary=b" } });
      assert.deepEqual([status, text], [400, "ERROR:unknown or missing action"]);
      assert.equal(channel.recorded.length - known, body === "" ? 1 : 0);
    }
  });

  test("refuses a form whose request field is empty", async () => {
    const { status, text } = await channel.send("", inVersion("2024-10"));
    assert.deepEqual([status, text], [400, "ERROR:Empty request body"]);
  });

  test("refuses a form without a usable boundary", async () => {
    const { status, text } = await channel.post({ body: "x", headers: { "content-type": "multipart/form-data" } });
    assert.equal(status, 400);
    assert.match(text, /^ERROR:/);
  });

  test("responds to a handshake with the EchoData it received and the capabilities that both sides support", async () => {
    const echo = JSON.stringify({
      versions: [
        { version: "2017-10", actions: [{ action: "action_OTA_Ping" }] },
        {
          version: "2022-10",
          actions: [
            { action: "action_OTA_Ping" },
            { action: "action_OTA_Read" },
            {
              action: "action_OTA_HotelInvCountNotif",
              supports: ["OTA_HotelInvCountNotif_accept_deltas", "OTA_HotelInvCountNotif_accept_magic"],
            },
          ],
        },
      ],
    });
    const { text } = await channel.send(ping(echo), inVersion("2022-10", "OTA_Ping:Handshaking"));
    const agreed =
      /<Success\/><Warnings><Warning Type="11" Status="ALPINEBITS_HANDSHAKE">([^<]*)<\/Warning><\/Warnings><EchoData>([^<]*)<\/EchoData>/.exec(
        text,
      )!;
    assert.equal(agreed[2], echo);
    assert.deepEqual(JSON.parse(agreed[1]!), {
      versions: [
        {
          version: "2022-10",
          actions: [
            { action: "action_OTA_Ping" },
            { action: "action_OTA_HotelInvCountNotif", supports: ["OTA_HotelInvCountNotif_accept_deltas"] },
          ],
        },
      ],
    });
  });

  test("accepts null instead of a list in a handshake", async () => {
    const actions = [{ action: "action_OTA_HotelInvCountNotif", supports: null }];
    const echo = JSON.stringify({
      versions: [
        { version: "2022-10", actions: null },
        { version: "2024-10", actions },
      ],
    });
    const { text } = await channel.send(ping(echo), inVersion("2024-10", "OTA_Ping:Handshaking"));
    const agreed =
      '{"versions":[{"version":"2022-10","actions":[]},{"version":"2024-10","actions":[{"action":"action_OTA_HotelInvCountNotif"}]}]}';
    assert.ok(text.includes(`>${agreed}</Warning>`), text);
  });

  test("refuses a handshake that is not JSON, but accepts any EchoData in a plain ping", async () => {
    assert.match((await channel.send(ping("hello"), inVersion("2022-10", "OTA_Ping:Handshaking"))).text, /<Error Type="13" Code="320">/);
    const oldest = await channel.send(ping("hello"), inVersion("2018-10", "OTA_Ping:Handshaking"));
    assert.match(
      oldest.text,
      /<Success\/><Warnings>.*\{"versions":\[\]\}<.*<EchoData>hello<\/EchoData>/,
      "the response has no element for errors in 2018-10",
    );
    assert.deepEqual(oldest.receipt?.verdict.notes.advisories, ["EchoData is not a JSON handshake"]);
    const without = (version: AlpineBitsVersion) =>
      channel.send(`<OTA_PingRQ xmlns="${NAMESPACE}" Version="8"/>`, inVersion(version, "OTA_Ping:Handshaking"));
    assert.match((await without("2022-10")).text, /<Error Type="13" Code="321">Required field missing: EchoData</);
    assert.match((await without("2018-10")).text, /<\/Warnings><EchoData><\/EchoData>/, "the 2018-10 schema requires EchoData");
    assert.match((await channel.send(ping("hello"))).text, /<Success\/><EchoData>hello<\/EchoData>/);
    assert.match((await channel.send(`<OTA_PingRQ xmlns="${NAMESPACE}"/>`)).text, /<Success\/><\/OTA_PingRS>/);
  });
});

test("advertises only the capabilities that exist in each version", () => {
  const announced = (version: AlpineBitsVersion) =>
    messages.flatMap(({ actions }) => actions.filter((action) => isWithinRange(version, action)).map(({ handshake }) => handshake));
  for (const version of ALPINEBITS_VERSIONS) assert.ok(announced(version).includes("action_OTA_Ping"), version);
  assert.ok(announced("2018-10").includes("action_OTA_HotelAvailNotif"));
  assert.ok(!announced("2018-10").includes("action_OTA_HotelInvCountNotif"));
  assert.ok(!announced("2020-10").includes("action_OTA_HotelAvailNotif"));
});
