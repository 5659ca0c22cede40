import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { type Answered, day, delayMessages, eachChannel, openChannel } from "../../../test/support/channel.ts";
import { wrapRequest, type SendOptions } from "./example.ts";
import { LARGE_MESSAGE_BYTES } from "./limits.ts";
import type { Message } from "./message.ts";
import { invCountNotif } from "./messages/inv-count-notif/message.ts";
import { ping } from "./messages/ping/message.ts";

const NAMESPACE = "http://www.opentravel.org/OTA/2003/05";
const message = (hotel: string, lines: string) =>
  `<OTA_HotelInvCountNotifRQ xmlns="${NAMESPACE}" Version="1.0" EchoToken="e1"><Inventories HotelCode="${hotel}">${lines}</Inventories></OTA_HotelInvCountNotifRQ>`;
const line = (attributes: string, count = "3") =>
  `<Inventory><StatusApplicationControl ${attributes}/><InvCounts><InvCount CountType="2" Count="${count}"/></InvCounts></Inventory>`;
const good = `Start="${day(1)}" End="${day(2)}" InvTypeCode="DBL"`;

const RAW: SendOptions = { transport: "raw" };
const SOAP11: SendOptions = { transport: "soap11" };
const SOAP12: SendOptions = { transport: "soap12" };
const FORM: SendOptions = { transport: "alpinebits", action: "OTA_HotelInvCountNotif:FreeRooms", version: "2022-10" };

/** Returns the answer's status, and the type, code and text of each error. */
function errorsOf({ status, text }: Answered): unknown[] {
  const errors = [...text.matchAll(/<Error Type="(\d+)"(?: Code="(\d+)")?[^>]*>([^<]*)</g)];
  return [status, ...errors.map(([, type, code, words]) => [Number(type), Number(code), words!.replace(/ \[[\d:]+\]$/, "")])];
}

eachChannel("The channel", (channel) => {
  for (const [what, wrong, type, code, words] of [
    ["an unknown room type", line(good.replace("DBL", "SUITE")), 3, 402, "Room type code not found for this hotel (SUITE)"],
    ["a room type in lower case", line(good.replace("DBL", "dbl")), 3, 402, "Room type code not found for this hotel (dbl)"],
    [
      "a date that does not exist",
      line('Start="2027-02-30" End="2027-03-01" InvTypeCode="DBL"'),
      3,
      15,
      'Invalid date "2027-02-30" in Start',
    ],
    [
      "a date that is not in ISO format",
      line('Start="01/03/2027" End="2027-03-01" InvTypeCode="DBL"'),
      3,
      15,
      'Invalid date "01/03/2027" in Start',
    ],
    [
      "an end before the start",
      line('Start="2027-03-05" End="2027-03-01" InvTypeCode="DBL"'),
      3,
      404,
      "Invalid start/end date combination: 2027-03-05 &gt; 2027-03-01",
    ],
    ["a negative count", line(good, "-1"), 3, 320, 'Invalid value "-1" for Count'],
    ["a decimal count", line(good, "1.5"), 3, 320, 'Invalid value "1.5" for Count'],
    ["a count that is not a number", line(good, "many"), 3, 320, 'Invalid value "many" for Count'],
    ["a count above the limit", line(good, "10000"), 3, 320, 'Invalid value "10000" for Count; allowed: 0 to 9999'],
    ["a missing room type", line(good.replace(/InvTypeCode.*/, "")), 10, 321, "Required field missing: InvTypeCode"],
    ["a missing start", line('InvTypeCode="DBL"'), 10, 321, "Required field missing: Start"],
    ["a missing target", "<Inventory/>", 10, 321, "Required field missing: StatusApplicationControl"],
    [
      "an unknown count type",
      line(good).replace('CountType="2"', 'CountType="77"'),
      3,
      320,
      'Invalid value "77" for CountType; allowed: 1 to 21',
    ],
    [
      "a repeated count type",
      line(good).replace("</InvCounts>", '<InvCount CountType="2" Count="1"/></InvCounts>'),
      3,
      320,
      "CountType 2 appears twice",
    ],
  ] as const) {
    test(`reports ${what} with an error type, code and text in each dialect and stores nothing`, async () => {
      const { code: hotel, night } = await channel.hotel();
      const xml = message(hotel, line(good) + wrong);
      const soapWords = words.replace(/ \(\w+\)$/, "");
      assert.deepEqual(errorsOf(await channel.send(xml, RAW)), [200, [type, code, words]]);
      assert.deepEqual(errorsOf(await channel.send(xml, SOAP11)), [200, [type, code, soapWords]]);
      assert.deepEqual(errorsOf(await channel.send(xml, SOAP12)), [200, [type, code, words]]);
      assert.deepEqual(errorsOf(await channel.send(xml, FORM)), [200, [13, code, words]]);
      assert.deepEqual(await night(day(1), {}), {});
    });
  }

  test("reports different errors for an unknown property, an inactive property and a missing HotelCode", async () => {
    const { code } = await channel.hotel({ status: "inactive" });
    const lines = line(good);
    assert.deepEqual(errorsOf(await channel.send(message("NOWHERE", lines))), [200, [6, 392, "Hotel not found for HotelCode=NOWHERE"]]);
    assert.deepEqual(errorsOf(await channel.send(message("NOWHERE", lines), FORM)), [
      200,
      [13, 392, "Hotel not found for HotelCode=NOWHERE"],
    ]);
    assert.deepEqual(errorsOf(await channel.send(message(code, lines))), [200, [3, 375, `Hotel not active: ${code}`]]);
    const nameless = message("", lines).replace(' HotelCode=""', "");
    assert.deepEqual(errorsOf(await channel.send(nameless)), [200, [10, 321, "Required field missing: HotelCode"]]);
  });

  test("accepts messages for a property in test mode", async () => {
    const { code } = await channel.hotel({ status: "test" });
    assert.match((await channel.send(message(code, line(good)))).text, /<Success\/>/);
  });

  test("refuses an inactive room type", async () => {
    const { code } = await channel.hotel({}, { status: "inactive" });
    assert.deepEqual(errorsOf(await channel.send(message(code, line(good)))), [200, [3, 731, "Room type not active: DBL"]]);
  });

  test("refuses unknown rate plans if the property accepts only known ones", async () => {
    const { code } = await channel.hotel({ known_plans_only: 1 });
    const withPlan = message(code, line(`${good} RatePlanCode="BAR"`));
    assert.deepEqual(errorsOf(await channel.send(withPlan)), [200, [3, 249, "Rate code not found for this hotel"]]);
    await channel.database.write.updateTable("property").set({ known_plans_only: 0 }).where("code", "=", code).execute();
    await channel.send(withPlan);
    await channel.database.write.updateTable("property").set({ known_plans_only: 1 }).where("code", "=", code).execute();
    assert.match((await channel.send(withPlan)).text, /<Success\/>/);
  });

  test("refuses a removed rate plan if the property accepts only known ones", async () => {
    const { code } = await channel.hotel({ known_plans_only: 1 });
    const plans = (type: string) =>
      `<OTA_HotelRatePlanNotifRQ xmlns="${NAMESPACE}"><RatePlans HotelCode="${code}"><RatePlan RatePlanNotifType="${type}" RatePlanCode="BAR"/></RatePlans></OTA_HotelRatePlanNotifRQ>`;
    for (const type of ["New", "Remove"]) assert.match((await channel.send(plans(type))).text, /<Success\/>/);
    const combination = "Combination of room code and rate code not found for this hotel";
    assert.deepEqual(errorsOf(await channel.send(message(code, line(`${good} RatePlanCode="BAR"`)))), [200, [3, 783, combination]]);
    const closed = `<OTA_HotelAvailNotifRQ xmlns="${NAMESPACE}"><AvailStatusMessages HotelCode="${code}"><AvailStatusMessage><StatusApplicationControl Start="${day(1)}" RatePlanCode="BAR"/><RestrictionStatus Status="Close"/></AvailStatusMessage></AvailStatusMessages></OTA_HotelAvailNotifRQ>`;
    assert.deepEqual(errorsOf(await channel.send(closed)), [200, [3, 249, "Rate code not found for this hotel"]]);
  });

  test("reports all errors in one response, in document order and with their positions", async () => {
    const { code } = await channel.hotel();
    const three = [line('Start="never" InvTypeCode="DBL"'), line(`Start="${day(1)}" InvTypeCode="SUITE"`), line(good, "-1")];
    const found = await channel.send(message(code, `\n${three.join("\n")}`));
    assert.deepEqual(
      errorsOf(found)
        .slice(1)
        .map((error) => (error as number[])[1]),
      [15, 402, 320],
    );
    assert.deepEqual(
      [...found.text.matchAll(/RecordID="(\d+):\d+"/g)].map(([, row]) => row),
      ["2", "3", "4"],
    );
  });

  test("reports every invalid code, date and weekday at its element's position", async () => {
    const { code } = await channel.hotel();
    const lined = (attributes: string) => line(attributes).replaceAll("><", ">\n<");
    const crossed = lined(`Start="${day(2)}" End="${day(1)}" InvTypeCode="SUITE" Mon="nein" Tue="ja"`);
    const { text } = await channel.send(message(code, `${lined(good)}\n${crossed}`));
    const reported = [...text.matchAll(/Code="(\d+)"[^>]*RecordID="(\d+):1">/g)].map(([, fault, row]) => [fault, row]);
    assert.deepEqual(
      reported,
      ["320", "320", "404", "402"].map((fault) => [fault, "8"]),
      text,
    );
  });

  for (const [what, xml, words] of [
    ["a truncated document", message("H", line(good)).slice(0, -30), /^XML is not well-formed at line 1, column \d+: /],
    ["mismatched tags", "<a><b></a></b>", /^XML is not well-formed at line 1, column \d+: /],
    ["a control character", message("H\u0001", line(good)), /^XML is not well-formed/],
    ["text that is not XML", "hello", /^XML is not well-formed/],
    ["JSON with an XML content type", '{"hotel": 1}', /^XML is not well-formed/],
    ["an undefined entity", message("&hotel;", line(good)), /^XML is not well-formed/],
    ["a document type", `<?xml version="1.0"?><!-- x --><!DOCTYPE a SYSTEM "http://192.0.2.9/x"><a/>`, /^DTD is not allowed$/],
    ["an entity declaration", `<!DOCTYPE a [<!ENTITY x "y">]>${message("H", line(good))}`, /^DTD is not allowed$/],
    ["elements nested 101 levels deep", `${"<a>".repeat(101)}${"</a>".repeat(101)}`, /^XML is not well-formed.*deeper than 100/],
    [
      "an element with 101 attributes",
      `<a ${Array.from({ length: 101 }, (_, index) => `a${index}=""`).join(" ")}/>`,
      /^XML is not well-formed.*more than 100 attributes/,
    ],
    [
      "101 namespace prefixes in scope",
      `<a ${Array.from({ length: 99 }, (_, index) => `xmlns:a${index}="u"`).join(" ")}><b xmlns="u" xmlns:b="u"/></a>`,
      /^XML is not well-formed.*more than 100 prefixes/,
    ],
  ] as const) {
    test(`refuses ${what} with an error in each dialect's format`, async () => {
      const raw = await channel.send(xml, RAW);
      const [status, [type, code, text]] = errorsOf(raw) as [number, [number, number, string]];
      assert.deepEqual([status, type, code], [400, 12, 450]);
      assert.match(text, words);
      assert.match(raw.text, /^<\?xml[^>]*>\n<OTA_ErrorRS [^>]*ErrorCode="450" ErrorMessage="/);
      const soap = await channel.post({ body: xml, headers: { "content-type": "text/xml", soapaction: '""' } });
      assert.equal(soap.status, 500);
      assert.match(soap.text, /<soap:Fault><faultcode>soap:Client<\/faultcode>/);
      const soap12 = await channel.post({ body: xml, headers: { "content-type": "application/soap+xml" } });
      assert.equal(soap12.status, 400);
      assert.match(soap12.text, /<env:Value>env:Sender<\/env:Value>/);
      const form = await channel.send(xml, FORM);
      assert.equal(form.status, 400);
      assert.match(form.text, /^ERROR:(XML is not well-formed|DTD is not allowed)/);
    });
  }

  test("returns a fault for an envelope without a message", async () => {
    const { status, text } = await channel.send("", SOAP11);
    assert.equal(status, 500);
    assert.match(text, /<soap:Fault>/);
  });

  test("refuses a foreign namespace but accepts a message without a namespace", async () => {
    const { code } = await channel.hotel();
    const xml = message(code, line(good));
    assert.deepEqual(errorsOf(await channel.send(xml.replace(NAMESPACE, "urn:other"))), [400, [12, 450, "Unexpected namespace urn:other"]]);
    assert.match((await channel.send(xml.replace(` xmlns="${NAMESPACE}"`, ""))).text, /<Success\/>/);
  });

  test("accepts a message with a namespace on the root element only, or on every element except the root", async () => {
    const { code, night } = await channel.hotel();
    const bare = message(code, line(good, "7")).replace(` xmlns="${NAMESPACE}"`, "");
    const [root] = /OTA_\w+/.exec(bare)!;
    const onRoot = bare.replace(`<${root}`, `<o:${root} xmlns:o="${NAMESPACE}"`).replace(`</${root}`, `</o:${root}`);
    const { text, receipt } = await channel.send(onRoot);
    assert.match(text, /<Success\/>/);
    assert.deepEqual(receipt?.verdict.notes.advisories, ["parts of the message have a different namespace from the root element"]);
    assert.equal((await night(day(1), {}))["available"], 7);
    const below = message(code, line(good, "8"))
      .replace(` xmlns="${NAMESPACE}"`, "")
      .replace("<Inventories", `<Inventories xmlns="${NAMESPACE}"`);
    assert.match((await channel.send(below)).text, /<Success\/>/);
    assert.equal((await night(day(1), {}))["available"], 8);
  });

  test("recognizes an envelope whether or not its namespace ends with a slash", async () => {
    const { code, night } = await channel.hotel();
    const within = (namespace: string, rooms: string) =>
      `<s:Envelope xmlns:s="${namespace}"><s:Body>${message(code, line(good, rooms))}</s:Body></s:Envelope>`;
    const old = await channel.post({ body: within("http://schemas.xmlsoap.org/soap/envelope", "4") });
    assert.match(old.text, /<soap:Envelope xmlns:soap="http:\/\/schemas.xmlsoap.org\/soap\/envelope\/">.*<Success\/>/);
    assert.deepEqual([old.status, (await night(day(1), {}))["available"]], [200, 4]);
    const later = await channel.post({ body: within("http://www.w3.org/2003/05/soap-envelope/", "5") });
    assert.match(later.text, /<env:Envelope xmlns:env="http:\/\/www.w3.org\/2003\/05\/soap-envelope">.*<Success\/>/);
    assert.equal((await night(day(1), {}))["available"], 5);
  });

  test("ignores attributes from other namespaces, even if they have standard names", async () => {
    const { code, night } = await channel.hotel();
    const foreign = line(good, "6")
      .replace("<InvCount ", '<InvCount xmlns:x="urn:x" x:Count="9" ')
      .replace("Start=", 'xmlns:x="urn:x" x:End="2099-01-01" Start=');
    const { text } = await channel.send(message(code, foreign));
    assert.match(text, /<Success\/><\//);
    assert.equal((await night(day(1), {}))["available"], 6);
  });

  test("uses an unsupported message's own response type but refuses an unknown message with status 400", async () => {
    const other = `<OTA_AirAvailRQ xmlns="${NAMESPACE}" EchoToken="e9" Version="2.1"/>`;
    const found = await channel.send(other);
    assert.deepEqual(errorsOf(found), [200, [2, 459, "Message OTA_AirAvailRQ is not supported"]]);
    assert.match(found.text, /<OTA_AirAvailRS [^>]*EchoToken="e9"[^>]*Version="2.1"/);
    assert.deepEqual(errorsOf(await channel.send(other, SOAP11)), [200, [2, 459, "Message OTA_AirAvailRQ is not supported"]]);
    assert.deepEqual(errorsOf(await channel.send("<hello/>")), [400, [2, 459, "Unknown message &lt;hello&gt;"]]);
  });

  test("refuses reservation messages as not implemented", async () => {
    for (const root of ["OTA_ReadRQ", "OTA_HotelResNotifRQ", "OTA_NotifReportRQ"]) {
      const xml = `<${root} xmlns="${NAMESPACE}" Version="1.0"/>`;
      for (const found of [await channel.send(xml), await channel.send(xml, SOAP11)]) {
        assert.deepEqual(errorsOf(found), [200, [2, 450, `${root} is not implemented: reservations are not stored`]]);
        assert.ok(found.text.includes(`<${root.replace(/RQ$/, "RS")} `));
        assert.equal(found.receipt!.verdict.outcome, "refused");
      }
    }
  });

  test("refuses Google's own message types as not implemented and names them", async () => {
    for (const root of ["Promotions", "RateModifications", "TaxFeeInfo", "ExtraGuestCharges"]) {
      const { status, text, receipt } = await channel.send(`<${root} partner="p" id="1" timestamp="2026-11-20T12:00:00Z"><A/></${root}>`);
      assert.equal(status, 200);
      const reason = `${root} is not implemented: promotions, taxes and price rules are not stored`;
      assert.match(
        text,
        new RegExp(`<${root}Response [^>]*><Issues><Issue code="450" status="error">${reason}</Issue></Issues></${root}Response>$`),
      );
      assert.equal(receipt!.verdict.outcome, "refused");
    }
  });

  test("refuses an empty body and records it in the error log", async () => {
    const marks = ["\ufeff", "\ufeff \n", Uint8Array.of(0xff, 0xfe), Uint8Array.of(0xfe, 0xff, 0, 32)];
    for (const body of ["", " \r\n\t", new Uint8Array(), ...marks]) {
      const known = channel.recorded.length;
      const { status, text } = await channel.post({ body });
      assert.deepEqual(errorsOf({ status, text } as Answered), [400, [10, 321, "Empty request body"]]);
      const error = channel.recorded[known] as Error;
      assert.equal(error.name, "ValueError");
      assert.equal(error.message, "DOMDocument::loadXML(): Argument #1 ($source) must not be empty");
    }
  });

  test("refuses an empty SOAP request with status 400 and a SOAP envelope", async () => {
    for (const headers of [{ soapaction: '""' }, { "content-type": "application/soap+xml" }] as Record<string, string>[]) {
      const { status, text } = await channel.post({ body: "", headers });
      assert.equal(status, 400);
      assert.match(text, /:Body><OTA_ErrorRS .*Type="10" Code="321"[^>]*>Empty request body<.*:Body>/);
    }
  });

  test("responds to JSON with JSON unless its content type is XML", async () => {
    for (const type of ["application/json", "application/hal+json", "text/plain", "application/x-www-form-urlencoded", ""]) {
      for (const body of ['{"a":1}', " [1]"]) {
        const { status, text } = await channel.post({ body, headers: type === "" ? {} : { "content-type": type } });
        assert.equal(status, 422, type);
        assert.equal(JSON.parse(text).status, 422);
      }
    }
  });

  test("refuses a form without an action with AlpineBits' error text", async () => {
    const { status, text, headers } = await channel.post({
      body: "request=x",
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
    assert.deepEqual([status, text], [400, "ERROR:unknown or missing action"]);
    assert.equal(headers["content-type"], "text/plain; charset=utf-8");
  });

  test("reads a form with no known fields as an XML document", async () => {
    const { status, text } = await channel.post({ body: "hello=1", headers: { "content-type": "application/x-www-form-urlencoded" } });
    assert.equal(status, 400);
    assert.match(text, /<OTA_ErrorRS .*Type="12" Code="450"[^>]*>XML is not well-formed at line 1, column 1/);
  });

  test("refuses an envelope with two messages", async () => {
    const { code, night } = await channel.hotel();
    const xml = message(code, line(good));
    const [status, [type, code320, text]] = errorsOf(await channel.send(xml + xml, SOAP11)) as [number, [number, number, string]];
    assert.deepEqual([status, type, code320, text], [200, 3, 320, "More than one message in the Body of the envelope"]);
    assert.deepEqual(await night(day(1), {}), {});
  });

  test("reads XML sent with a JSON content type", async () => {
    const { code } = await channel.hotel();
    const { text } = await channel.post({ body: message(code, line(good)), headers: { "content-type": "application/json" } });
    assert.match(text, /<Success\/>/);
  });

  test("refuses large bodies with 413, compressed or not", async () => {
    assert.deepEqual(errorsOf(await channel.post({ body: "too-large" })), [413, [12, 743, "Message larger than 20 MB"]]);
    const bomb = gzipSync(Buffer.alloc(3 * 1024 * 1024, 32));
    const unpacked = await channel.post({ body: bomb, headers: { "content-encoding": "gzip" } });
    assert.deepEqual(errorsOf(unpacked), [413, [12, 743, "Message larger than 1 MB"]]);
  });

  test("lets a body decompress to one megabyte or 100 times its size, whichever is larger", async () => {
    const { code } = await channel.hotel();
    const dense = randomBytes(20_000).toString("hex");
    const padded = (blanks: number) =>
      channel.post({
        body: gzipSync(`${message(code, line(good))}<!--${dense}${" ".repeat(blanks)}-->`),
        headers: { "content-encoding": "gzip" },
      });
    assert.match((await padded(2_000_000)).text, /<Success\/>/);
    assert.deepEqual(errorsOf(await padded(3_500_000)), [413, [12, 743, "Message larger than 2 MB"]]);
  });

  test("refuses an unsupported content encoding and corrupt gzip data", async () => {
    const { status, headers } = await channel.post({ body: "x", headers: { "content-encoding": "br" } });
    assert.deepEqual([status, headers["accept-encoding"]], [415, "gzip"]);
    assert.equal((await channel.post({ body: "x", headers: { "content-encoding": "gzip" } })).status, 400);
  });

  test("refuses a message with too many lines", async () => {
    const { code } = await channel.hotel();
    const { text } = await channel.send(message(code, "<Inventory/>".repeat(50_001)));
    assert.match(text, /Type="12" Code="743"[^>]*>Message has more than 50000 lines/);
    const unknown = await channel.send(
      message(code, `<Inventory><StatusApplicationControl Start="${day(1)}" InvTypeCode="NO"/></Inventory>`.repeat(50_001)),
    );
    assert.deepEqual(errorsOf(unknown), [200, [12, 743, "Message has more than 50000 lines"]], "no line is checked");
  });

  test("shortens long names and codes in the response and in the log", async () => {
    const { code } = await channel.hotel();
    const long = "x".repeat(100_000);
    const name = "x".repeat(900);
    const kind = `<AvailStatusMessages HotelCode="${code}"><AvailStatusMessage><StatusApplicationControl Start="${day(1)}" InvTypeCode="DBL" ${name}="1"/><LengthsOfStay><LengthOfStay MinMaxMessageType="${long}"/></LengthsOfStay><${name}/></AvailStatusMessage></AvailStatusMessages>`;
    for (const xml of [
      message(long, line(good)),
      message(code, line(`Start="${day(1)}" InvTypeCode="${long}"`)),
      `<OTA_HotelAvailNotifRQ xmlns="${NAMESPACE}">${kind}</OTA_HotelAvailNotifRQ>`,
      `<OTA_${name}RQ xmlns="${NAMESPACE}"/>`,
      message(code, line(good)).replace('Version="1.0"', `Version="${"1".repeat(100_000)}" Target="${long}"`),
    ]) {
      const { text, receipt } = await channel.send(xml);
      assert.match(text, /x{20}/, "the response contains the start of the long value");
      assert.ok(text.length < 5_000, `${text.length} characters`);
      const { notes, summary } = receipt!.verdict;
      assert.ok(JSON.stringify(notes).length + summary.length < 5_000);
    }
  });

  test("accepts a query for more rate plans than an SQL statement can have parameters", async () => {
    const { code } = await channel.hotel();
    const candidates = Array.from({ length: 70_000 }, (_, at) => `<RatePlanCandidate RatePlanCode="P${at}"/>`).join("");
    const plan = `<RatePlan><RatePlanCandidates>${candidates}</RatePlanCandidates><HotelRef HotelCode="${code}"/></RatePlan>`;
    const { status, text } = await channel.send(
      `<OTA_HotelRatePlanRQ xmlns="${NAMESPACE}"><RatePlans>${plan}</RatePlans></OTA_HotelRatePlanRQ>`,
    );
    assert.equal(status, 200);
    assert.match(text, /<Success\/>/);
  });

  test("escapes markup in a code", async () => {
    const { text } = await channel.send(message("&lt;script&gt;alert(1)&lt;/script&gt;", line(good)));
    assert.match(text, />Hotel not found for HotelCode=&lt;script&gt;alert\(1\)&lt;\/script&gt;</);
  });

  test("queues twenty messages per property and refuses the rest with Retry-After", async () => {
    const { code } = await channel.hotel();
    const answers = await Promise.all(Array.from({ length: 150 }, (_, index) => channel.send(message(code, line(good, String(index))))));
    const busy = answers.filter(({ status }) => status === 429);
    assert.ok(busy.length > 0 && busy.length < 130, `${busy.length} of ${answers.length}`);
    assert.ok(answers.every(({ status, text }) => status === 429 || text.includes("<Success/>")));
    assert.ok(busy.every(({ headers, text }) => headers["retry-after"] === "2" && text.includes('Type="12" Code="191"')));
    assert.match(busy[0]!.text, /<OTA_HotelInvCountNotifRS [^>]*EchoToken="e1"/);
    assert.match((await channel.send(message(code, line(good)))).text, /<Success\/>/, "the queue is empty again");
  });

  test("reports an internal error with the id of its log entry but no stack trace", async () => {
    const broken = openChannel({ ...channel.database, read: undefined as never });
    const { status, text, receipt } = await broken.post({ body: message("H", line(good)).replace('HotelCode="H"', 'HotelName="Inn"') });
    assert.equal(status, 500);
    assert.match(text, new RegExp(`Type="13" Code="448"[^>]*>System error, reference ${receipt?.id}<`));
    assert.equal(broken.recorded.length, 1);
    assert.equal(receipt?.verdict.outcome, "failed");
    assert.doesNotMatch(text, /TypeError|\.ts/);
  });

  test("reports an internal error in AlpineBits' format even if the log cannot be written", async () => {
    const broken = openChannel({ ...channel.database, read: undefined as never, commit: undefined as never });
    const bad = (sending: SendOptions) => broken.send(message("H", line(good)).replace('HotelCode="H"', 'HotelName="Inn"'), sending);
    const { status, headers, text, receipt } = await bad({ ...FORM, version: "2022-10" });
    assert.deepEqual([status, headers["content-type"], receipt], [500, "text/plain; charset=utf-8", undefined]);
    assert.equal(text, "ERROR:internal error [rid=unknown]");
    assert.match((await bad(RAW)).text, /Type="13" Code="448"[^>]*>System error, reference unknown</);
    assert.doesNotMatch((await bad(SOAP11)).text, /TypeError|\.ts/);
  });

  test("processes other messages even if reading a large one fails", async () => {
    const faulty: Message = {
      ...ping,
      read() {
        throw new Error("ours");
      },
    };
    const broken = openChannel(channel.database, [faulty, invCountNotif]);
    const { code } = await broken.hotel();
    const large = broken.send(`<OTA_PingRQ xmlns="${NAMESPACE}">${" ".repeat(LARGE_MESSAGE_BYTES)}</OTA_PingRQ>`);
    assert.match((await broken.send(message(code, line(good)))).text, /<Success\/>/);
    assert.equal((await large).status, 500);
  });

  test("refuses a message that waited too long", async (context) => {
    const { code, night } = await channel.hotel();
    delayMessages(context, channel);
    const { status, text, headers, receipt } = await channel.send(message(code, line(good)));
    context.mock.restoreAll();
    assert.equal(status, 503);
    assert.match(text, /Type="12" Code="448"[^>]*>The message was not processed in time; nothing was stored</);
    assert.match(text, /<OTA_HotelInvCountNotifRS [^>]*EchoToken="e1"/);
    assert.equal(headers["retry-after"], "30");
    assert.equal(receipt?.verdict.outcome, "failed");
    assert.deepEqual(await night(day(1), {}), {});
  });

  test("logs a malformed message's size and its sender's address", async () => {
    const { receipt } = await channel.post({ ...wrapRequest("<a><b></a>", RAW), remote: "192.0.2.1" });
    const row = await channel.database.read.selectFrom("message").selectAll().where("id", "=", receipt!.id).executeTakeFirstOrThrow();
    assert.deepEqual([row.outcome, row.status, row.remote], ["malformed", 400, "192.0.2.1"]);
    assert.equal(wrapRequest("<a><b></a>", RAW).body.length, row.request_bytes);
  });
});
