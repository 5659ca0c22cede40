// Limits that apply to a known sender before its message is processed. Some requests use real connections.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { type TestApp, startApp } from "../../../test/support/app.ts";
import { addHotel, day } from "../../../test/support/channel.ts";
import { RawConnection } from "../../../test/support/raw-request.ts";
import { addSender } from "../../../test/support/senders.ts";
import { type ExampleRequest, wrapRequest, type SendOptions } from "./example.ts";
import { MAX_PREFIX_BYTES, MAX_PREFIX_MS, MAX_BODY_PAUSE_MS } from "./limits.ts";
import { messages, publishedMessages } from "./messages/index.ts";

const MEGABYTE = 1024 * 1024;
const SLOTS = 2;
const BUSY = /System busy - please try later/;
const SLOW = /The message arrived too slowly; nothing was stored/;
const OTHERS = ["raw", "soap11", "soap12"] as const;

type Headers = Readonly<Record<string, string>>;

const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });

/** Each message type about a property, once for each transport that it supports. */
const SENT = messages.flatMap(({ root, examples }) => {
  const codes = { hotel: "THEIRS", category: "DBL", plan: "BAR", currency: "EUR", day };
  const valid = examples.filter((one) => one.expect === undefined && one.xml(codes).includes('HotelCode="THEIRS"'));
  const form = valid.find(({ transport }) => transport === "alpinebits");
  const sendings: SendOptions[] = [
    ...(form ? [{ ...form, transport: "alpinebits" } as const] : []),
    ...OTHERS.map((transport) => ({ transport })),
  ];
  return valid.length === 0 ? [] : sendings.map((sending) => ({ root, sending, xml: (form ?? valid[0]!).xml(codes) }));
});

/** A valid example of each message type that is not from OpenTravel. */
const OWN = publishedMessages.flatMap(({ root, examples }) => {
  const [valid] = root.startsWith("OTA_") ? [] : examples.filter(({ expect }) => expect === undefined);
  const codes = { hotel: "THEIRS", category: "DBL", plan: "BAR", currency: "EUR", day };
  return valid ? [{ root, sending: { transport: valid.transport ?? "raw" } as const, text: valid.xml(codes) }] : [];
});

const PING = wrapRequest('<OTA_PingRQ xmlns="http://www.opentravel.org/OTA/2003/05"><EchoData>x</EchoData></OTA_PingRQ>', {
  transport: "raw",
});

/** The message, padded so that most of it is beyond the bytes that are read first. */
function enlarged(text: string): string {
  return text.replace(/(?:<\/[^<]*>|\})\s*$/, `${" ".repeat(2 * MAX_PREFIX_BYTES)}$&`);
}

function countMessage(hotel: string): string {
  return `<OTA_HotelInvCountNotifRQ xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.0"><Inventories ${hotel}><Inventory><StatusApplicationControl Start="${day(1)}" InvTypeCode="DBL"/><InvCounts><InvCount CountType="2" Count="4"/></InvCounts></Inventory></Inventories></OTA_HotelInvCountNotifRQ>`;
}

describe("A known sender", () => {
  let service: TestApp;
  let origin: string;
  let limited: Headers;
  let other: Headers;
  before(async () => {
    const settings = { ADMIN_PASSWORD: "a long administrator secret", CHANNEL_PLACES_PER_SENDER: String(SLOTS) };
    service = await startApp({ settings });
    origin = await service.listen();
    await addHotel(service.database, { code: "MINE", name: "Adler" }, {});
    await addHotel(service.database, { code: "THEIRS", name: "Bellevue" }, {});
    limited = bearer(await addSender(service.database, { name: "limited", hotels: ["MINE"] }));
    other = bearer(await addSender(service.database, { name: "other" }));
  });
  after(() => service.close());

  const inject = ({ headers, body }: ExampleRequest, credentials: Headers) =>
    service.inject({ method: "POST", url: "/channel", headers: { ...headers, ...credentials }, payload: Buffer.from(body) });

  /** Sends a request except for its last byte. */
  function begin({ headers, body }: ExampleRequest, credentials: Headers): RawConnection {
    const connection = new RawConnection(origin);
    connection.post({ ...headers, ...credentials }, body.length);
    connection.send(body.subarray(0, body.length - 1));
    return connection;
  }

  for (const { root, sending, xml } of SENT) {
    test(`reads only the first bytes of a message for another property and refuses it: ${root} as ${sending.transport}`, async () => {
      using connection = new RawConnection(origin);
      const { headers, body } = wrapRequest(enlarged(xml), sending);
      connection.post({ ...headers, ...limited }, 10 * MEGABYTE);
      connection.send(body.subarray(0, MAX_PREFIX_BYTES + 1));
      const answer = await connection.answer();
      assert.equal(answer.status, 200);
      assert.match(answer.body, /<Errors><Error Type="(?:6|13)" Code="497"[^>]*>You do not have access to hotel THEIRS<\/Error><\/Errors>/);
      const entry = await service.database.read
        .selectFrom("message")
        .innerJoin("message_body", "message_body.message", "message.id")
        .select(["sender", "property", "outcome", "notes"])
        .where("id", "=", Number(answer.headers["x-message-id"]))
        .executeTakeFirstOrThrow();
      assert.deepEqual([entry.sender, entry.property, entry.outcome], ["limited", "", "refused"]);
      assert.match(entry.notes, /sender without access to the property: only the first 65536 bytes were read/);
    });

    test(`returns the same response for another property, whatever the message's length: ${root} as ${sending.transport}`, async () => {
      const answerTo = async (text: string) => {
        const { statusCode, headers, body } = await inject(wrapRequest(text, sending), limited);
        return [statusCode, headers["content-type"], body.replace(/TimeStamp="[^"]*"/, "")];
      };
      assert.deepEqual(await answerTo(enlarged(xml)), await answerTo(xml));
    });
  }

  for (const { root, sending, text } of OWN) {
    test(`reads only the first bytes of ${root} for another property and refuses it in that message's dialect`, async () => {
      using connection = new RawConnection(origin);
      const { headers, body } = wrapRequest(enlarged(text), sending);
      connection.post({ ...headers, ...limited }, 10 * MEGABYTE);
      connection.send(body.subarray(0, MAX_PREFIX_BYTES + 1));
      const answer = await connection.answer();
      assert.match(answer.body, /You do not have access to hotel THEIRS/);
      const whole = await inject(wrapRequest(text, sending), limited);
      const withoutTimestamp = (one: string) => one.replace(/timestamp="[^"]*"/, "");
      assert.deepEqual([answer.status, withoutTimestamp(answer.body)], [whole.statusCode, withoutTimestamp(whole.body)]);
      const own = await inject(wrapRequest(enlarged(text.replaceAll("THEIRS", "MINE")), sending), limited);
      assert.doesNotMatch(own.body, /You do not have access/);
    });
  }

  test("reads only the first bytes of JSON for another property and refuses it, even if they end within a value", async () => {
    using connection = new RawConnection(origin);
    connection.post({ "content-type": "application/json", ...limited }, 10 * MEGABYTE);
    connection.send(`{"values":[{"property_id":"THEIRS","note":"${"x".repeat(MAX_PREFIX_BYTES)}`);
    const { status, body } = await connection.answer();
    assert.deepEqual([status, (JSON.parse(body) as { detail: string }).detail], [422, "You do not have access to hotel THEIRS"]);
  });

  test("reads only the first bytes of a message and refuses it if its HotelName matches none of the sender's properties", async () => {
    using connection = new RawConnection(origin);
    connection.post({ "content-type": "text/xml", ...limited }, 10 * MEGABYTE);
    connection.send(enlarged(countMessage('HotelName="Bellevue"')).slice(0, MAX_PREFIX_BYTES + 1));
    assert.match((await connection.answer()).body, /Code="321"[^>]*>Required field missing: HotelCode \(exactly one active property/);
  });

  for (const [what, hotel] of [
    ["code", 'HotelCode="MINE"'],
    ["name", 'HotelName="Adler"'],
  ] as const) {
    test(`reads the whole of a large message for the sender's own property (by ${what})`, async () => {
      const answer = await inject(wrapRequest(enlarged(countMessage(hotel)), { transport: "raw" }), limited);
      assert.match(answer.body, /<Success\/>/);
    });
  }

  test("lets a known sender reuse the connection after a refused message", async () => {
    using connection = new RawConnection(origin);
    connection.post({ "content-type": "text/xml", ...limited }, 3 * MEGABYTE);
    connection.send(countMessage('HotelCode="THEIRS"').padEnd(MAX_PREFIX_BYTES + 1));
    assert.match((await connection.answer()).body, /You do not have access/);
    connection.send(" ".repeat(3 * MEGABYTE - MAX_PREFIX_BYTES - 1));
    connection.post({ ...PING.headers, ...limited }, PING.body.length);
    connection.send(PING.body);
    assert.match((await connection.answer()).body, /<Success\/>/);
  });

  test("limits a known sender's messages in progress over any transport", async () => {
    const held = await takeAllSlots();
    const refusals: readonly (readonly [ExampleRequest, RegExp])[] = [
      [PING, /^<\?xml[^>]*>\n<OTA_ErrorRS .*Type="12" Code="191"/],
      [wrapRequest("<a/>", { transport: "soap11" }), /<soap:Body><OTA_ErrorRS /],
      [wrapRequest("<a/>", { transport: "alpinebits", action: "x", version: "2024-10" }), /^ERROR:System busy - please try later$/],
    ];
    for (const [request, words] of refusals) {
      const refused = await inject(request, limited);
      assert.equal(refused.statusCode, 429);
      assert.equal(refused.headers["retry-after"], "2");
      assert.match(refused.body, words);
      assert.match(refused.body, BUSY);
    }
    assert.equal((await inject(PING, other)).statusCode, 200, "other senders have their own slots");
    for (const { connection, answered } of held) {
      connection.send(PING.body.subarray(-1));
      assert.equal((await answered).status, 200);
      connection[Symbol.dispose]();
    }
    assert.equal((await inject(PING, limited)).statusCode, 200);
  });

  test("frees a message's slot if its connection is lost", async () => {
    const held = await takeAllSlots();
    for (const { connection, answered } of held) {
      connection[Symbol.dispose]();
      await assert.rejects(answered, /closed without a response/);
    }
    while ((await inject(PING, limited)).statusCode === 429) await nextTurn();
  });

  /** Starts one request more than there are slots and returns all but the refused one. */
  async function takeAllSlots() {
    const begun = Array.from({ length: SLOTS + 1 }, () => {
      const connection = begin(PING, limited);
      return { connection, answered: connection.answer() };
    });
    const refused = await Promise.race(begun.map(async (one) => ({ one, answer: await one.answered })));
    assert.equal(refused.answer.status, 429);
    refused.one.connection[Symbol.dispose]();
    return begun.filter((one) => one !== refused.one);
  }

  for (const [what, sending, words] of [
    ["plain XML", { transport: "raw" }, /^<\?xml[^>]*>\n<OTA_ErrorRS .*Type="12" Code="448"/],
    ["SOAP", { transport: "soap11" }, /<soap:Body><OTA_ErrorRS /],
    ["AlpineBits", { transport: "alpinebits", action: "x", version: "2024-10" }, /^ERROR:/],
  ] as const) {
    for (const [who, credentials, milliseconds] of [
      ["a known sender", () => other, MAX_BODY_PAUSE_MS],
      ["an unknown sender", () => ({}), MAX_PREFIX_MS],
    ] as const) {
      test(`responds with status 408 to a message that stalls: ${what} from ${who}`, async (context) => {
        context.mock.timers.enable({ apis: ["setTimeout"] });
        using connection = begin(wrapRequest("<a/>", sending), credentials());
        const answered = connection.answer();
        for (let isDone = false; !isDone; await nextTurn()) {
          context.mock.timers.tick(milliseconds);
          isDone = await Promise.race([answered.then(() => true), nextTurn(false)]);
        }
        const { status, headers, body } = await answered;
        assert.deepEqual([status, headers["connection"]], [408, "close"]);
        assert.match(body, words);
        assert.match(body, SLOW);
        await connection.closed();
      });
    }
  }
});
