import assert from "node:assert/strict";
import { test } from "node:test";
import { stopwatch } from "../../../clock.ts";
import { MAX_BODY_BYTES } from "../limits.ts";
import { keptHeaders, maskBody } from "./mask.ts";

const masked = (text: string, encoding: BufferEncoding = "utf8") => Buffer.from(maskBody(Buffer.from(text, encoding))).toString(encoding);

test("passwords in attributes, elements and URL-encoded forms are masked, and nothing else", () => {
  assert.equal(
    masked(`<RequestorID ID="a" MessagePassword = 'é"x' Type="1"/>`),
    `<RequestorID ID="a" MessagePassword = '[masked]' Type="1"/>`,
  );
  assert.equal(
    masked('<Authentication Username="a" Password="s&lt;t" x="1"/><password>u</password>'),
    '<Authentication Username="a" Password="[masked]" x="1"/><password>[masked]</password>',
  );
  assert.equal(masked('<o:Password Type="#PasswordText">s&amp;t</o:Password>'), '<o:Password Type="#PasswordText">[masked]</o:Password>');
  assert.equal(
    masked("request=%3CRequestorID+MessagePassword%3D%22secret%22%2F%3E"),
    "request=%3CRequestorID+MessagePassword%3D%22[masked]%22%2F%3E",
  );
  assert.equal(masked('<a HotelName="Passwort é">x</a>'), '<a HotelName="Passwort é">x</a>');
});

test("a password is masked in a CDATA section, behind a comment and where the body breaks off", () => {
  const within = (content: string) => masked(`<a><o:Password Type="x">${content}</o:Password><b/></a>`);
  const expected = '<a><o:Password Type="x">[masked]</o:Password><b/></a>';
  assert.equal(within("<![CDATA[se</cret]]>"), expected);
  assert.equal(within("<!-- why --> secret"), expected);
  assert.equal(masked("<a><Password>secr"), "<a><Password>[masked]");
  assert.equal(masked('<a MessagePassword="secr'), '<a MessagePassword="[masked]"');
  assert.equal(masked("<Password/><Nonce>n</Nonce>"), "<Password/><Nonce>n</Nonce>");
  assert.equal(masked("r=%3cPassword%3e%3c!%5bCDATA%5bsecret%5d%5d%3e%3c%2fPassword%3e"), "r=%3cPassword%3e[masked]%3c%2fPassword%3e");
});

test("a password is masked however the body is encoded and quoted", () => {
  assert.equal(masked("request=MessagePassword%20%3D%0A%22secret%22%20"), "request=MessagePassword%20%3D%0A%22[masked]%22%20");
  assert.equal(masked("user=a&password=se%22cret&request=%3Cx%3E"), "user=a&password=[masked]&request=%3Cx%3E");
  assert.equal(masked("<a MessagePassword=secret Type='1'>"), "<a MessagePassword=[masked] Type='1'>");
  assert.equal(masked('{"user":"a", "password" : "se\\"cret", "x":1}'), '{"user":"a", "password" : "[masked]", "x":1}');
  assert.equal(masked("<Password><!-- </x> -->secret</Password><x/>"), "<Password>[masked]</Password><x/>");
});

test("a password is masked in a part of a multipart form", () => {
  const form = (headers: string, content: string) => `--b\r\nContent-Disposition: form-data; ${headers}\r\n\r\n${content}\r\n--b--\r\n`;
  const unchanged = form('name="request"', "<x/>");
  for (const headers of ['name="password"', "name=userPassword", 'name="PASSWORD"; filename="a"\r\nContent-Type: text/plain'])
    assert.equal(masked(form(headers, "se\r\ncret") + unchanged), form(headers, "[masked]") + unchanged, headers);
  assert.equal(masked(form('name="password"', "x").replaceAll("\r", "")), form('name="password"', "[masked]").replaceAll("\r", ""));
  assert.equal(masked('--b\nContent-Disposition: form-data; name="password"\n\nsecr').slice(-10), "\n\n[masked]");
});

test("a password is masked in capitals and in an element of any name that ends so", () => {
  assert.equal(masked("USER=a&PASSWORD=secret"), "USER=a&PASSWORD=[masked]");
  assert.equal(masked("<MessagePassword>s</MessagePassword><b/>"), "<MessagePassword>[masked]</MessagePassword><b/>");
  assert.equal(masked("<é:Password>s</é:Password><b/>"), "<é:Password>[masked]</é:Password><b/>");
  assert.equal(masked("r=%3CUserPassword%3Es%3C%2FUserPassword%3E"), "r=%3CUserPassword%3E[masked]%3C%2FUserPassword%3E");
  assert.equal(masked("<PasswordPolicy>s</PasswordPolicy>"), "<PasswordPolicy>s</PasswordPolicy>");
});

test("tags without an end take no longer than any other body", () => {
  const times = 100_000;
  const elapsed = stopwatch();
  for (const start of ["<Password ", "<o:Password x", "%3CPassword ", "Password%20", 'Password"', "Content-Disposition: name=Password\n"]) {
    const body = start.repeat(times);
    assert.equal(masked(body), body, "has no value");
  }
  assert.equal(masked("<Password><![CDATA[".repeat(times)), "<Password>[masked]");
  assert.equal(masked("Password=".repeat(times)), "Password=[masked]");
  assert.equal(masked("MessagePassword='".repeat(times)), "MessagePassword='[masked]'".repeat(times / 2));
  assert.ok(elapsed() < 10_000, `${elapsed()} ms`);
});

test("a value that fills a whole body is masked as any other", () => {
  for (const [start, end] of [
    ["MessagePassword='", "'"],
    ['"password": "', '"'],
    ["password=", ""],
    ["<Password>", ""],
    ["Content-Disposition: form-data; name=password\n\n", "\n--b--"],
  ] as const)
    assert.equal(masked(`${start}${"x".repeat(MAX_BODY_BYTES)}${end}`), `${start}[masked]${end}`);
  assert.doesNotThrow(() => masked(`Password${" ".repeat(MAX_BODY_BYTES)}`));
});

test("a body in UTF-16 is masked too", () => {
  const xml = '\ufeff<RequestorID MessagePassword="secret"/>';
  assert.equal(masked(xml, "utf16le"), '\ufeff<RequestorID MessagePassword="[masked]"/>');
  const bigEndian = Buffer.from(maskBody(Buffer.from(xml, "utf16le").swap16()));
  assert.equal(bigEndian.swap16().toString("utf16le"), '\ufeff<RequestorID MessagePassword="[masked]"/>');
});

test("a body in UTF-16 is masked wherever in memory it is, and as the part of a form", () => {
  const xml = '\ufeff<RequestorID ID="ж" MessagePassword="жsecret" Type="1"/>';
  const expected = xml.replace("жsecret", "[masked]");
  for (const bytes of [Buffer.from(xml, "utf16le"), Buffer.from(xml, "utf16le").swap16()]) {
    const isBigEndian = bytes[0] === 0xfe;
    for (const before of ["", "-", "--", '--b\r\nContent-Disposition: form-data; name="request"\r\n\r\n']) {
      const memory = new Uint8Array(500);
      const body = memory.subarray(1, 1 + before.length + bytes.length + 7);
      body.set([...Buffer.from(before), ...bytes, ...Buffer.from("\r\n--b--")]);
      const kept = Buffer.from(maskBody(body));
      assert.equal(kept.toString("latin1", 0, before.length), before);
      assert.equal(kept.toString("latin1").slice(-7), "\r\n--b--");
      const document = Buffer.from(kept.subarray(before.length, -7));
      assert.equal((isBigEndian ? document.swap16() : document).toString("utf16le"), expected, `behind '${before}'`);
    }
  }
});

test("of the headers those that help are kept, credentials as their scheme alone", () => {
  const headers = { "content-type": "text/xml", authorization: "Basic c2VjcmV0", cookie: "sid=1", "user-agent": "x".repeat(900) };
  const kept = keptHeaders(headers);
  assert.equal(kept["authorization"], "Basic [masked]");
  assert.equal(kept["cookie"], undefined);
  assert.equal(kept["user-agent"]?.length, 500);
});

test("a secret that stands alone in Authorization, or behind an unknown word, is masked whole", () => {
  const kept = (authorization: string) => keptHeaders({ authorization })["authorization"];
  assert.equal(kept("geheim"), "[masked]");
  assert.equal(kept("geheim heim"), "[masked]");
  assert.equal(kept("bearer\tgeheim"), "bearer [masked]");
  assert.equal(kept("Basic"), "Basic [masked]");
});
