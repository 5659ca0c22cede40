import assert from "node:assert/strict";
import { test } from "node:test";
import { eachChannel } from "../../../../test/support/channel.ts";
import { readMultipartForm, readUrlEncoded } from "./form.ts";

test("reads only the first fields of a form with millions of fields", () => {
  const encoded = readUrlEncoded(Buffer.from(`action=ping&${"a=b&".repeat(4_000_000)}`));
  assert.deepEqual(encoded[0], { name: "action", content: Buffer.from("ping") });
  assert.ok(encoded.length < 100, `${encoded.length} fields`);
  const part = '--b\r\nContent-Disposition: form-data; name="action"\r\n\r\nping\r\n';
  const read = (parts: number) => readMultipartForm(Buffer.from(`${part.repeat(parts)}--b--`), "multipart/form-data; boundary=b");
  assert.equal(read(10)?.length, 10);
  assert.equal(read(100_000), undefined);
});

test("decodes the fields of a URL-encoded form", () => {
  const fields = readUrlEncoded(Buffer.from("action=OTA_Read%3AGuest&request=%3ca%20b%3D%22%26amp%3B%22/%3E+&100%=5%2&%C3%B6=ö=%2B&bare"));
  assert.deepEqual(
    fields.map(({ name, content }) => [name, Buffer.from(content).toString()]),
    [
      ["action", "OTA_Read:Guest"],
      ["request", '<a b="&amp;"/> '],
      ["100%", "5%2"],
      ["ö", "ö=+"],
      ["bare", ""],
    ],
  );
});

eachChannel("An AlpineBits form", (channel) => {
  const ping =
    '<OTA_PingRQ xmlns="http://www.opentravel.org/OTA/2003/05" Version="8.000"><EchoData>{"versions":[]}</EchoData></OTA_PingRQ>';
  const fields = (others: number): [string, string][] => [
    ...Array.from({ length: others }, (_, at): [string, string] => [`x${at}`, "1"]),
    ["action", "OTA_Ping:Handshaking"],
    ["request", ping],
  ];
  const multipart = (others: number) => ({
    headers: { "content-type": "multipart/form-data; boundary=b" },
    body: `${fields(others)
      .map(([name, value]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
      .join("")}--b--\r\n`,
  });
  const urlEncoded = (others: number) => ({
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams(fields(others)).toString(),
  });

  for (const [what, form] of [
    ["multipart", multipart],
    ["URL-encoded", urlEncoded],
  ] as const) {
    test(`accepts at most twenty parts in a form: ${what}`, async () => {
      assert.match((await channel.post(form(18))).text, /<Success\/>/);
      assert.equal((await channel.post(form(20))).status, 400);
    });
  }

  for (const [name, value] of fields(0)) {
    test(`refuses a form with a second ${name}`, async () => {
      const { headers, body } = urlEncoded(0);
      const { status, text } = await channel.post({ headers, body: `${body}&${name}=${encodeURIComponent(value)}` });
      assert.deepEqual([status, text.includes(`ERROR:the form has more than one ${name}`)], [400, true], text);
    });
  }
});
