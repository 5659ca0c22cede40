import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { day, eachChannel } from "../../../../test/support/channel.ts";

const LINES = `<Inventory><StatusApplicationControl Start="${day(1)}" End="${day(1)}" InvTypeCode="DBL"/><InvCounts><InvCount CountType="2" Count="4"/></InvCounts></Inventory>`;
const message = (hotel: string) =>
  `<OTA_HotelInvCountNotifRQ xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.0"><Inventories ${hotel}>${LINES}</Inventories></OTA_HotelInvCountNotifRQ>`;
const MEGABYTE = 1024 * 1024;

eachChannel("The encoding of a body", (channel) => {
  test("uses the content type's encoding if the document declares none", async () => {
    await channel.hotel({ name: "Hôtel Charset" });
    const body = Buffer.from(message('HotelName="Hôtel Charset"'), "latin1");
    for (const charset of ["iso-8859-1", '"ISO-8859-1"', "windows-1252"]) {
      const { text } = await channel.post({ body, headers: { "content-type": `text/xml; charset=${charset}` } });
      assert.match(text, /<Success\/>/, charset);
    }
    assert.match((await channel.post({ body, headers: { "content-type": "text/xml" } })).text, /the bytes are not utf-8/);
  });

  test("reads UTF-16 at any memory alignment", async () => {
    const { code } = await channel.hotel();
    const bytes = Buffer.from(`\ufeff${message(`HotelCode="${code}"`)}`, "utf16le");
    for (const offset of [0, 1, 2, 3]) {
      const body = Buffer.from(new ArrayBuffer(bytes.length + offset), offset);
      body.set(bytes);
      assert.match((await channel.post({ body, headers: { "content-type": "text/xml" } })).text, /<Success\/>/, `offset ${offset}`);
    }
  });

  for (const charset of ["utf-16", "UTF-16LE", "unicode", "nonsense", "constructor", "__proto__"]) {
    test(`reads a UTF-8 body even if the content type claims ${charset}`, async () => {
      const { code } = await channel.hotel();
      const { text } = await channel.post({
        body: message(`HotelCode="${code}"`),
        headers: { "content-type": `text/xml; charset=${charset}` },
      });
      assert.match(text, /<Success\/>/);
    });
  }

  test("prefers the document's declared encoding to the content type's", async () => {
    await channel.hotel({ name: "Hôtel Déclaré" });
    const xml = `<?xml version="1.0" encoding="ISO-8859-1"?>${message('HotelName="Hôtel Déclaré"')}`;
    const { text } = await channel.post({ body: Buffer.from(xml, "latin1"), headers: { "content-type": "text/xml; charset=utf-8" } });
    assert.match(text, /<Success\/>/);
  });

  test("reads a document in a URL-encoded form with the encoding in its XML declaration", async () => {
    await channel.hotel({ name: "Hôtel Formé" });
    const post = (encoding: string) => {
      const xml = `<?xml version="1.0" encoding="${encoding}"?>${message('HotelName="Hôtel Formé"')}`;
      const request = [...Buffer.from(xml, "latin1")].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
      const headers = { "content-type": "application/x-www-form-urlencoded" };
      return channel.post({ headers, body: `action=OTA_HotelInvCountNotif%3aFreeRooms&request=${request}` });
    };
    assert.match((await post("ISO-8859-1")).text, /<Success\/>/);
    const { status, text } = await post("UTF-8");
    assert.match(`${status} ${text}`, /^400 ERROR:XML is not well-formed at line 1, column \d+: the bytes are not UTF-8/);
  });

  test("reads encodings for Central European, Russian and Turkish text", async () => {
    for (const [encoding, letter, byte] of [
      ["windows-1250", "ł", 0xb3],
      ["ISO-8859-2", "ł", 0xb3],
      ["windows-1251", "Ж", 0xc6],
      ["ISO-8859-9", "ş", 0xfe],
    ] as const) {
      await channel.hotel({ name: `${letter} ${encoding}` });
      const xml = `<?xml version="1.0" encoding="${encoding}"?>${message(`HotelName="? ${encoding}"`)}`;
      const bytes = Buffer.from(xml, "latin1");
      bytes[xml.indexOf('"? ') + 1] = byte;
      assert.match((await channel.post({ body: bytes })).text, /<Success\/>/, encoding);
    }
  });

  test("reads encodings in which some ASCII bytes stand for other characters", async () => {
    const { code } = await channel.hotel();
    const xml = `<?xml version="1.0" encoding="Shift_JIS"?>${message(`HotelCode="${code}"`)}`;
    assert.match((await channel.post({ body: xml })).text, /<Success\/>/);
    const { text } = await channel.post({ body: `${xml}<!--\u007f-->` });
    assert.match(text, /a character that XML does not allow/, "the byte 0x7F decodes to U+001A");
  });

  test("accepts the content encodings x-gzip and identity", async () => {
    const { code } = await channel.hotel();
    const xml = Buffer.from(message(`HotelCode="${code}"`));
    const post = (body: Uint8Array, encoding: string) => channel.post({ body, headers: { "content-encoding": encoding } });
    assert.match((await post(gzipSync(xml), "x-gzip")).text, /<Success\/>/);
    assert.match((await post(gzipSync(xml), " GZIP ")).text, /<Success\/>/);
    assert.match((await post(xml, "identity")).text, /<Success\/>/);
  });

  test("refuses a compressed body that decompresses to more than 64 MB", async () => {
    const body = gzipSync(Buffer.concat([randomBytes(MEGABYTE), Buffer.alloc(65 * MEGABYTE, " ")]), { level: 1 });
    assert.ok(body.length * 100 > 66 * MEGABYTE, "the limit of 100 times its size would allow more");
    const { status, text } = await channel.post({ body, headers: { "content-encoding": "gzip" } });
    assert.equal(status, 413, text);
  });
});
