import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { day, eachChannel } from "../../../../test/support/channel.ts";
import { wrapRequest } from "../example.ts";

const message = (hotel: string, head = 'Version="1.0"') =>
  `<OTA_HotelInvCountNotifRQ xmlns="http://www.opentravel.org/OTA/2003/05" ${head}><Inventories HotelCode="${hotel}"><Inventory><StatusApplicationControl Start="${day(1)}" End="${day(1)}" InvTypeCode="DBL"/><InvCounts><InvCount CountType="2" Count="4"/></InvCounts></Inventory></Inventories></OTA_HotelInvCountNotifRQ>`;

eachChannel("The channel", (channel) => {
  test("returns the EchoToken, Target and Version of a plain message", async () => {
    const { code } = await channel.hotel();
    const { text, headers } = await channel.send(message(code, 'Version="3.01" EchoToken="a&amp;&quot;b" Target="Production"'));
    assert.match(text, /EchoToken="a&amp;&quot;b" TimeStamp="2026-11-20T12:00:00Z" Target="Production" Version="3.01"><Success\/>/);
    assert.equal(headers["content-type"], "application/xml; charset=utf-8");
  });

  test("returns Version 1.0 for an invalid Version and shortens a long EchoToken", async () => {
    const { code } = await channel.hotel();
    const { text } = await channel.send(message(code, `Version="2015A" EchoToken="${"x".repeat(300)}"`));
    assert.match(text, new RegExp(`EchoToken="${"x".repeat(256)}" .*Version="1.0"`));
    const whole = `${"x".repeat(255)}😀`;
    const answer = await channel.send(message(code, `EchoToken="${whole}"`));
    assert.match(answer.text, new RegExp(`EchoToken="${whole}"`), "a surrogate pair counts as one character");
    for (const version of ["4", "8.000", "1.", ".5", "+2.001"]) {
      assert.ok((await channel.send(message(code, `Version="${version}"`))).text.includes(` Version="${version}">`), version);
    }
  });

  test("responds to SOAP 1.1 with an envelope that has an empty header", async () => {
    const { code } = await channel.hotel();
    const { text, headers, receipt } = await channel.send(message(code), { transport: "soap11" });
    assert.match(
      text,
      /<soap:Envelope xmlns:soap="http:\/\/schemas.xmlsoap.org\/soap\/envelope\/"><soap:Header\/><soap:Body><OTA_HotelInvCountNotifRS .*<\/soap:Body>/,
    );
    assert.equal(headers["content-type"], "text/xml; charset=utf-8");
    assert.equal(receipt?.changedNights, 1);
  });

  test("responds to SOAP 1.2 with a SOAP 1.2 envelope", async () => {
    const { code } = await channel.hotel();
    const { text, headers } = await channel.send(message(code), { transport: "soap12" });
    assert.match(
      text,
      /<env:Envelope xmlns:env="http:\/\/www.w3.org\/2003\/05\/soap-envelope"><env:Header\/><env:Body><OTA_HotelInvCountNotifRS/,
    );
    assert.equal(headers["content-type"], "application/soap+xml; charset=utf-8");
  });

  test("advertises gzip support in every response", async () => {
    for (const headers of [{}, { soapaction: '""' }, { "content-type": "application/json" }] as Record<string, string>[]) {
      for (const body of ["{}", "<a", "", `<OTA_PingRQ xmlns="http://www.opentravel.org/OTA/2003/05"/>`]) {
        const answer = await channel.post({ body, headers });
        assert.equal(answer.headers["x-alpinebits-server-accept-encoding"], "gzip", answer.text);
      }
    }
  });

  test("recognizes an envelope with any content type", async () => {
    const { code } = await channel.hotel();
    const { body } = wrapRequest(message(code), { transport: "soap11" });
    assert.match((await channel.post({ body, headers: { "content-type": "text/plain" } })).text, /<soap:Envelope/);
    assert.match(
      (await channel.post({ body: message(code), headers: { "content-type": "application/x-www-form-urlencoded" } })).text,
      /^<\?xml[^>]*>\n<OTA_HotelInvCountNotifRS/,
    );
  });

  test("accepts envelope headers that have mustUnderstand", async () => {
    const { code } = await channel.hotel();
    const body = wrapRequest(message(code), { transport: "soap11" }).body.toString();
    const header = '<soap:Header><x:Security xmlns:x="urn:x" soap:mustUnderstand="1"><x:Other>y</x:Other></x:Security></soap:Header>';
    assert.match((await channel.post({ body: Buffer.from(body).toString().replace("<soap:Header/>", header) })).text, /<Success\/>/);
  });

  test("accepts a URL-encoded form", async () => {
    const { code } = await channel.hotel();
    const body = new URLSearchParams({ action: "OTA_HotelInvCountNotif:FreeRooms", request: message(code) }).toString();
    const { text, receipt } = await channel.post({ body, headers: { "content-type": "application/x-www-form-urlencoded" } });
    assert.match(text, /<OTA_HotelInvCountNotifRS xmlns="[^"]+" Version="1.0" TimeStamp="[^"]+"><Success\/>/);
    assert.equal(receipt?.changedNights, 1);
  });

  test("accepts a form that has a preamble, and files and extra headers in its parts", async () => {
    const { code } = await channel.hotel();
    const form = [
      "preamble",
      "--b 1",
      'content-disposition: form-data; filename="a.txt"; name=action',
      "Content-Type: text/plain",
      "",
      "OTA_HotelInvCountNotif:FreeRooms",
      "--b 1",
      'Content-Disposition: form-data; name="request"; filename="request.xml"',
      "",
      message(code),
      "--b 1--",
      "",
    ];
    const { text } = await channel.post({ body: form.join("\r\n"), headers: { "content-type": 'multipart/form-data; boundary="b 1"' } });
    assert.match(text, /<Success\/>/);
  });

  test("accepts a form whose lines end with only LF", async () => {
    const { code } = await channel.hotel();
    const { body, headers } = wrapRequest(message(code), {
      transport: "alpinebits",
      action: "OTA_HotelInvCountNotif:FreeRooms",
      version: "2024-10",
    });
    const text = Buffer.from(body).toString();
    assert.match((await channel.post({ body: text.replaceAll("\r\n", "\n"), headers })).text, /<Success\/>/);
    assert.match((await channel.post({ body: `preamble\n${text.replaceAll("\r\n", "\n")}`, headers })).text, /<Success\/>/);
    assert.match((await channel.post({ body: text.replace("</OTA_", "\n</OTA_"), headers })).text, /<Success\/>/);
  });

  test("accepts a gzip body", async () => {
    const { code } = await channel.hotel();
    const { body, headers } = wrapRequest(message(code), {
      transport: "alpinebits",
      action: "OTA_HotelInvCountNotif:FreeRooms",
      version: "2024-10",
    });
    const { text } = await channel.post({ body: gzipSync(body), headers: { ...headers, "content-encoding": "gzip" } });
    assert.match(text, /<Success\/>/);
  });

  for (const [what, encode] of [
    ["UTF-8 with a byte order mark", (xml: string) => Buffer.from(`\ufeff${xml}`)],
    ["UTF-16 with a byte order mark", (xml: string) => Buffer.from(`\ufeff${xml.replace("UTF-8", "UTF-16")}`, "utf16le")],
    ["UTF-16 without a byte order mark", (xml: string) => Buffer.from(xml.replace("UTF-8", "UTF-16"), "utf16le")],
    ["UTF-16 big-endian", (xml: string) => Buffer.from(`\ufeff${xml.replace("UTF-8", "UTF-16")}`, "utf16le").swap16()],
    ["UTF-16 big-endian without a byte order mark", (xml: string) => Buffer.from(xml.replace("UTF-8", "UTF-16"), "utf16le").swap16()],
    ["UTF-8 declared as US-ASCII", (xml: string) => Buffer.from(xml.replace("UTF-8", "US-ASCII"))],
    ["ISO-8859-1", (xml: string) => Buffer.from(xml.replace("UTF-8", "ISO-8859-1"), "latin1")],
    ["ISO_8859-1", (xml: string) => Buffer.from(xml.replace("UTF-8", "ISO_8859-1"), "latin1")],
    ["ISO-8859-15", (xml: string) => Buffer.from(xml.replace("UTF-8", "ISO-8859-15"), "latin1")],
    ["Windows-1252", (xml: string) => Buffer.from(xml.replace("UTF-8", "Windows-1252"), "latin1")],
  ] as const) {
    test(`reads a document in ${what}`, async () => {
      const name = `Hôtel ${what}`;
      await channel.hotel({ name });
      const xml = `<?xml version="1.0" encoding="UTF-8"?>${message("").replace('HotelCode=""', `HotelName="${name}"`)}`;
      const { text } = await channel.post({ body: encode(xml) });
      assert.match(text, /<Success\/>/);
    });
  }

  test("uses the encoding of a form part if the document in that part declares none", async () => {
    const name = "Hôtel of a form";
    await channel.hotel({ name });
    const head = '--b\r\nContent-Disposition: form-data; name="request"\r\nContent-Type: text/plain; charset=ISO-8859-1\r\n\r\n';
    const action = '--b\r\nContent-Disposition: form-data; name="action"\r\n\r\nOTA_HotelInvCountNotif:FreeRooms\r\n';
    const xml = message("").replace('HotelCode=""', `HotelName="${name}"`);
    const body = Buffer.from(`${action}${head}${xml}\r\n--b--\r\n`, "latin1");
    const { text } = await channel.post({ body, headers: { "content-type": "multipart/form-data; boundary=b" } });
    assert.match(text, /<Success\/>/);
  });

  test("refuses bytes that are invalid in the document's encoding", async () => {
    const { status, text } = await channel.post({ body: Buffer.from(`<a>\n  <b c="ô"/></a>`, "latin1") });
    assert.equal(status, 400);
    assert.match(text, /XML is not well-formed at line 2, column 9: the bytes are not utf-8/);
    assert.match(
      (await channel.post({ body: '<?xml version="1.0" encoding="EBCDIC-X"?><a/>' })).text,
      /encoding EBCDIC-X is not supported/,
    );
  });

  test("ignores white space around a namespace", async () => {
    const { code } = await channel.hotel();
    const printed = message(code).replace(/xmlns="([^"]+)"/, 'xmlns="\n  $1\n  "');
    assert.match((await channel.send(printed)).text, /<Success\/>/);
  });

  test("accepts any namespace prefix, and lines that end with only CR", async () => {
    const { code, night } = await channel.hotel();
    const prefixed = message(code)
      .replaceAll(/<(\/?)(?=\w)/g, "<$1ota:")
      .replace("xmlns=", "xmlns:ota=")
      .replaceAll("><", ">\r<");
    assert.match((await channel.send(prefixed)).text, /<Success\/>/);
    assert.equal((await night(day(1), {}))["available"], 4);
  });

  test("logs extensions and elements from other namespaces and warns about unknown elements", async () => {
    const { code, night } = await channel.hotel();
    const inventory = `<Inventory><StatusApplicationControl Start="${day(2)}" InvTypeCode="DBL"/></Inventory>`;
    const extended = message(code).replace(
      "</Inventories>",
      `<TPA_Extensions>${inventory}</TPA_Extensions><x:Inventory xmlns:x="urn:x">${inventory}</x:Inventory><Unheard/></Inventories>`,
    );
    const { text, receipt } = await channel.send(extended);
    assert.match(text, /<Success\/><Warnings><Warning [^>]*>Unheard is unknown and was ignored<\/Warning><\/Warnings>/);
    assert.deepEqual(await night(day(2), {}), {});
    assert.deepEqual(receipt?.verdict.notes.ignored, ["TPA_Extensions", "Inventory"]);
  });

  test("logs the request as received, without secrets", async () => {
    const { code } = await channel.hotel();
    const pos = '<POS><Source><RequestorID ID="me" MessagePassword="s3cr&quot;et"/></Source></POS>';
    const xml = message(code).replace("<Inventories", `${pos}<Inventories`);
    const body = wrapRequest(xml, { transport: "soap11" })
      .body.toString()
      .replace(
        "<soap:Header/>",
        "<soap:Header><w:UsernameToken xmlns:w='urn:w'><w:Username>u</w:Username><w:Password Type='x'>hunter2</w:Password></w:UsernameToken></soap:Header>",
      );
    const { receipt, text } = await channel.post({ body, headers: { authorization: "Basic dTpodW50ZXIy" } });
    assert.match(text, /<Success\/>/);
    const kept = await channel.database.read
      .selectFrom("message_body")
      .selectAll()
      .where("message", "=", receipt!.id)
      .executeTakeFirstOrThrow();
    const request = Buffer.from(kept.request).toString();
    assert.doesNotMatch(request + kept.notes, /s3cr|hunter2|dTpodW50ZXIy/);
    assert.match(request, /MessagePassword="\[masked\]".*|<w:Password Type='x'>\[masked\]<\/w:Password>/);
    assert.match(kept.notes, /Basic \[masked\]/);
  });
});
