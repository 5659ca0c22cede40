// How much of a message is read before its sender and property are known. Requests use real connections.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import { type TestApp, startApp } from "../../../test/support/app.ts";
import { addHotel, day } from "../../../test/support/channel.ts";
import { RawConnection } from "../../../test/support/raw-request.ts";
import { addSender } from "../../../test/support/senders.ts";
import { wrapRequest } from "./example.ts";

const MEGABYTE = 1024 * 1024;
const PREFIX = 64 * 1024;
const BAD = /Invalid Username and\/or Password/;

type Request = { headers: Record<string, string>; body: Buffer };

const basic = (name: string, secret: string) => ({ authorization: `Basic ${Buffer.from(`${name}:${secret}`).toString("base64")}` });
const XML = { "content-type": "application/xml" };

const OTA = "http://www.opentravel.org/OTA/2003/05";

const RANDOM = randomBytes(100_000).toString("hex");

/** The start of a message: its root, and credentials if given. */
function messageStart(secret: string | undefined, declaration = ""): string {
  const credentials = secret === undefined ? "" : `<POS><Source><RequestorID ID="pms" MessagePassword="${secret}"/></Source></POS>`;
  return `${declaration}<OTA_HotelInvCountNotifRQ xmlns="${OTA}" EchoToken="tökén" Version="1.0">${credentials}`;
}

/** About 540 kB, more than 100 kB compressed. */
function largeMessage(secret: string | undefined, declaration?: string): string {
  const line = `<Inventory><StatusApplicationControl Start="${day(1)}" End="${day(1)}" InvTypeCode="DBL"/><InvCounts><InvCount CountType="2" Count="4"/></InvCounts></Inventory>`;
  return `${messageStart(secret, declaration)}<Inventories HotelCode="ALP">${line.repeat(2_000)}</Inventories><!--${RANDOM}--></OTA_HotelInvCountNotifRQ>`;
}

function soap(secret: string | undefined, envelope: "soap11" | "soap12"): Request {
  const { headers, body } = wrapRequest(largeMessage(undefined), { transport: envelope });
  const token =
    secret === undefined
      ? ""
      : `<w:Security xmlns:w="urn:w"><w:UsernameToken><w:Username>pms</w:Username><w:Password>${secret}</w:Password></w:UsernameToken></w:Security>`;
  const text = Buffer.from(body).toString();
  return { headers: { ...headers }, body: Buffer.from(text.replace(/<(\w+):Header\/>/, `<$1:Header>${token}</$1:Header>`)) };
}

const ACTION = "OTA_HotelInvCountNotif:FreeRooms";

function multipart(secret: string | undefined): Request {
  const { headers, body } = wrapRequest(largeMessage(secret), { transport: "alpinebits", action: ACTION });
  return { headers: { ...headers }, body: Buffer.from(body) };
}

/** Puts the action last, far beyond the part that is read first. */
function urlEncoded(secret: string | undefined): Request {
  const fields = [`request=${encodeURIComponent(largeMessage(secret))}`, `action=${encodeURIComponent(ACTION)}`];
  return { headers: { "content-type": "application/x-www-form-urlencoded" }, body: Buffer.from(fields.join("&")) };
}

function encoded(secret: string | undefined, declaration: string, encode: (xml: string) => Buffer): Request {
  return { headers: XML, body: encode(largeMessage(secret, declaration)) };
}

function zipped({ headers, body }: Request): Request {
  return { headers: { ...headers, "content-encoding": "gzip" }, body: gzipSync(body) };
}

const bare = (secret: string | undefined) => encoded(secret, "", (xml) => Buffer.from(xml));

/** Ways to send credentials in a body. */
const TRANSPORTS: readonly (readonly [string, (secret: string | undefined) => Request])[] = [
  ["a plain document", bare],
  ["a plain document, compressed", (secret) => zipped(bare(secret))],
  ["UTF-16", (secret) => encoded(secret, '<?xml version="1.0" encoding="UTF-16"?>', (xml) => Buffer.from(`\ufeff${xml}`, "utf16le"))],
  ["big-endian UTF-16", (secret) => encoded(secret, "", (xml) => Buffer.from(`\ufeff${xml}`, "utf16le").swap16())],
  ["Latin-1", (secret) => encoded(secret, '<?xml version="1.0" encoding="ISO-8859-1"?>', (xml) => Buffer.from(xml, "latin1"))],
  ["SOAP 1.1", (secret) => soap(secret, "soap11")],
  ["SOAP 1.2, compressed", (secret) => zipped(soap(secret, "soap12"))],
  ["a multipart form", multipart],
  ["a multipart form, compressed", (secret) => zipped(multipart(secret))],
  ["a URL-encoded form", urlEncoded],
];

describe("A request", () => {
  let service: TestApp;
  let origin: string;
  let secret: string;
  before(async () => {
    service = await startApp({ settings: { ADMIN_PASSWORD: "a long administrator secret", TRUST_PROXY: "127.0.0.1" } });
    origin = await service.listen();
    await addHotel(service.database, { code: "ALP" }, {});
    secret = await addSender(service.database, { name: "pms" });
  });
  after(() => service.close());

  /** Sends wrong credentials until the address is locked out. */
  async function lockOut(address: string): Promise<void> {
    const headers = { ...XML, ...basic("pms", "a guess"), "x-forwarded-for": address };
    for (let status = 0; status !== 429;) {
      ({ statusCode: status } = await service.inject({ method: "POST", url: "/channel", headers, payload: "<a/>" }));
    }
  }

  test("refuses a request after the first bytes of its body if its headers contain wrong credentials", async () => {
    using connection = new RawConnection(origin);
    connection.post({ ...XML, ...basic("pms", "a guess") }, 10 * MEGABYTE);
    connection.send(`${messageStart(undefined)}${" ".repeat(PREFIX)}`);
    const { status, body } = await connection.answer();
    assert.equal(status, 401);
    assert.match(body, /^<\?xml[^>]*>\n<OTA_HotelInvCountNotifRS .*Type="4" Code="497"/);
    await connection.closed();
  });

  test("reads the whole body of a request with valid credentials in its headers", async () => {
    using connection = new RawConnection(origin);
    const { body } = bare(undefined);
    connection.post({ ...XML, ...basic("pms", secret) }, body.length);
    connection.send(body.subarray(0, 2 * PREFIX));
    connection.send(body.subarray(2 * PREFIX));
    assert.match((await connection.answer()).body, /<Success\/>/);
  });

  for (const [what, packed] of TRANSPORTS) {
    test(`reads the whole body of a request that contains valid credentials: ${what}`, async () => {
      using connection = new RawConnection(origin);
      const { headers, body } = packed(secret);
      connection.post(headers, body.length);
      connection.send(body.subarray(0, 1_000));
      connection.send(body.subarray(1_000));
      const { status, body: answer } = await connection.answer();
      assert.equal(status, 200);
      assert.match(answer, /<Success\/>/);
    });

    test(`refuses a request after the first bytes of its body if they contain wrong credentials: ${what}`, async () => {
      using connection = new RawConnection(origin);
      const { headers, body } = packed("a guess");
      connection.post(headers, 10 * MEGABYTE);
      connection.send(body.subarray(0, PREFIX + 1));
      const { status, body: answer } = await connection.answer();
      assert.equal(status, what.includes("form") ? 401 : 200);
      assert.match(answer, BAD);
    });

    test(`refuses a request after its first bytes if it has no credentials: ${what}`, async () => {
      using connection = new RawConnection(origin);
      const { headers, body } = packed(undefined);
      connection.post(headers, 10 * MEGABYTE);
      connection.send(body.subarray(0, PREFIX + 1));
      const { status, body: answer } = await connection.answer();
      assert.equal(status, what.includes("SOAP") ? 200 : 401);
      assert.match(answer, BAD);
    });
  }

  test("refuses a request whose credentials are beyond the first 64 kB, compressed or not", async () => {
    const late = bare(secret)
      .body.toString()
      .replace("<POS>", `<!--${" ".repeat(PREFIX)}-->$&`);
    for (const [headers, body] of [
      [XML, Buffer.from(late)],
      [{ ...XML, "content-encoding": "gzip" }, gzipSync(late)],
    ] as const) {
      const answer = await service.inject({ method: "POST", url: "/channel", headers, payload: body });
      assert.equal(answer.statusCode, 401);
      assert.match(answer.body, BAD);
    }
  });

  test("refuses an unauthenticated request after its first bytes, even if it decompresses to far more than its size", async () => {
    using connection = new RawConnection(origin);
    const bomb = gzipSync(Buffer.concat([Buffer.from(messageStart(undefined)), Buffer.alloc(60 * MEGABYTE, " ")]));
    assert.ok(bomb.length < PREFIX);
    connection.post({ ...XML, "content-encoding": "gzip" }, bomb.length);
    connection.send(bomb);
    const { status, body, headers } = await connection.answer();
    assert.equal(status, 401);
    assert.match(body, /<OTA_HotelInvCountNotifRS /);
    const entry = await logged(headers);
    assert.ok(entry.request.length <= PREFIX, `${entry.request.length} bytes are kept`);
    assert.match(entry.notes, /only the first 65536 bytes are kept/);
  });

  test("refuses a request from a locked-out address without reading its body", async () => {
    await lockOut("192.0.2.1");
    for (const [credentials, expected] of [
      [basic("pms", "a guess"), 429],
      [{}, 401],
    ] as const) {
      using connection = new RawConnection(origin);
      connection.post({ ...XML, ...credentials, "content-encoding": "gzip", "x-forwarded-for": "192.0.2.1" }, 10 * MEGABYTE);
      const { status, headers } = await connection.answer();
      assert.equal(status, expected);
      assert.equal(headers[expected === 429 ? "retry-after" : "www-authenticate"] !== undefined, true);
      const entry = await logged(headers);
      assert.deepEqual([entry.request.length, entry.outcome], [0, "unauthorised"]);
      assert.match(entry.notes, /unauthenticated sender: message not read/);
      connection.send(Buffer.alloc(PREFIX + 1));
      await connection.closed();
    }
  });

  test("reads credentials in the body of a request from a locked-out address if an earlier request had valid ones", async () => {
    const post = (address: string) =>
      service.inject({ method: "POST", url: "/channel", headers: { ...XML, "x-forwarded-for": address }, payload: bare(secret).body });
    assert.match((await post("192.0.2.2")).body, /<Success\/>/);
    await lockOut("192.0.2.2");
    await lockOut("192.0.2.3");
    assert.match((await post("192.0.2.2")).body, /<Success\/>/);
    assert.equal((await post("192.0.2.3")).statusCode, 401);
  });

  test("keeps the connection open after refusing a request if little of it remains", async () => {
    using connection = new RawConnection(origin);
    await lockOut("192.0.2.4");
    const { body } = bare(undefined);
    connection.post({ ...XML, ...basic("pms", "a guess"), "x-forwarded-for": "192.0.2.4" }, 1_000);
    assert.equal((await connection.answer()).status, 429);
    connection.send(Buffer.alloc(1_000));
    connection.post({ ...XML, ...basic("pms", secret) }, body.length);
    connection.send(body);
    assert.match((await connection.answer()).body, /<Success\/>/);
  });

  async function logged(headers: Readonly<Record<string, string>>) {
    return service.database.read
      .selectFrom("message")
      .innerJoin("message_body", "message_body.message", "message.id")
      .select(["request", "notes", "outcome"])
      .where("id", "=", Number(headers["x-message-id"]))
      .executeTakeFirstOrThrow();
  }
});
