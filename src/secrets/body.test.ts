import assert from "node:assert/strict";
import { test } from "node:test";
import { maskBody } from "./mask.ts";

const LARGE = 20 * 1024 * 1024;

const masked = (text: string, encoding: BufferEncoding = "utf8") => Buffer.from(maskBody(Buffer.from(text, encoding))).toString(encoding);

test("masks only passwords in attributes, elements and URL-encoded forms", () => {
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

test("masks a password in a CDATA section, after a comment and in a truncated body", () => {
  const within = (content: string) => masked(`<a><o:Password Type="x">${content}</o:Password><b/></a>`);
  const expected = '<a><o:Password Type="x">[masked]</o:Password><b/></a>';
  assert.equal(within("<![CDATA[se</cret]]>"), expected);
  assert.equal(within("<!-- why --> secret"), expected);
  assert.equal(masked("<a><Password>secr"), "<a><Password>[masked]");
  assert.equal(masked('<a MessagePassword="secr'), '<a MessagePassword="[masked]');
  assert.equal(masked("<Password/><Hint>n</Hint>"), "<Password/><Hint>n</Hint>");
  assert.equal(masked("r=%3cPassword%3e%3c!%5bCDATA%5bsecret%5d%5d%3e%3c%2fPassword%3e"), "r=%3cPassword%3e[masked]%3c%2fPassword%3e");
});

test("masks a password in any encoding and with any quotes", () => {
  assert.equal(masked("request=MessagePassword%20%3D%0A%22secret%22%20"), "request=MessagePassword%20%3D%0A%22[masked]%22%20");
  assert.equal(masked("user=a&password=se%22cret&request=%3Cx%3E"), "user=a&password=[masked]&request=%3Cx%3E");
  assert.equal(masked("<a MessagePassword=secret Type='1'>"), "<a MessagePassword=[masked] Type='1'>");
  assert.equal(masked('{"user":"a", "password" : "se\\"cret", "x":1}'), '{"user":"a", "password" : "[masked]", "x":1}');
  assert.equal(masked("<Password><!-- </x> -->secret</Password><x/>"), "<Password>[masked]</Password><x/>");
});

test("masks a password in one part of a multipart form", () => {
  const form = (headers: string, content: string) => `--b\r\nContent-Disposition: form-data; ${headers}\r\n\r\n${content}\r\n--b--\r\n`;
  const unchanged = form('name="request"', "<x/>");
  for (const headers of ['name="password"', "name=userPassword", 'name="PASSWORD"; filename="a"\r\nContent-Type: text/plain'])
    assert.equal(masked(form(headers, "se\r\ncret") + unchanged), form(headers, "[masked]") + unchanged, headers);
  assert.equal(masked(form('name="password"', "x").replaceAll("\r", "")), form('name="password"', "[masked]").replaceAll("\r", ""));
  assert.equal(masked('--b\nContent-Disposition: form-data; name="password"\n\nsecr').slice(-10), "\n\n[masked]");
});

test("masks a password in elements whose name is in upper case or ends in Password", () => {
  assert.equal(masked("USER=a&PASSWORD=secret"), "USER=a&PASSWORD=[masked]");
  assert.equal(masked("<MessagePassword>s</MessagePassword><b/>"), "<MessagePassword>[masked]</MessagePassword><b/>");
  assert.equal(masked("<é:Password>s</é:Password><b/>"), "<é:Password>[masked]</é:Password><b/>");
  assert.equal(masked("r=%3CUserPassword%3Es%3C%2FUserPassword%3E"), "r=%3CUserPassword%3E[masked]%3C%2FUserPassword%3E");
  assert.equal(masked("<PasswordPolicy>s</PasswordPolicy>"), "<PasswordPolicy>s</PasswordPolicy>");
});

test("ignores unclosed tags, and masks unterminated values to the end of the body", () => {
  for (const start of ["<Password ", "<o:Password x", "%3CPassword ", "Password%20", 'Password"', "Content-Disposition: name=Password\n"]) {
    const body = start.repeat(1_000);
    assert.equal(masked(body), body);
  }
  assert.equal(masked("<Password><![CDATA[".repeat(1_000)), "<Password>[masked]");
  assert.equal(masked("Password=".repeat(1_000)), "Password=[masked]");
  assert.equal(masked("MessagePassword='".repeat(1_000)), "MessagePassword='[masked]'".repeat(500));
});

test("masks a value that fills the whole body", () => {
  for (const [start, end] of [
    ["MessagePassword='", "'"],
    ['"password": "', '"'],
    ["password=", ""],
    ["<Password>", ""],
    ["Content-Disposition: form-data; name=password\n\n", "\n--b--"],
  ] as const)
    assert.equal(masked(`${start}${"x".repeat(LARGE)}${end}`), `${start}[masked]${end}`);
  assert.doesNotThrow(() => masked(`Password${" ".repeat(LARGE)}`));
});

test("masks a secret anywhere in a long body", () => {
  for (let before = 65_500; before < 65_560; before++) {
    const start = `<a>${"x".repeat(before)}`;
    assert.equal(masked(`${start}<b Password="geheim"/></a>`), `${start}<b Password="[masked]"/></a>`);
  }
  const form = (secret: string) =>
    `--b\r\n\r\n${"<".repeat(200_000)}\r\n--b\r\nContent-Disposition: form-data; name=pin\r\n\r\n${secret}\r\n--b--`;
  assert.equal(masked(form("geheim")), form("[masked]"));
});

test("masks the rest of a body with an implausible number of secret names", () => {
  const kept = masked("<a Password='x'/>".repeat(100_000));
  assert.ok(kept.startsWith("<a Password='[masked]'/>".repeat(1_000)));
  assert.ok(kept.endsWith("[masked]") && kept.length < 1_300_000, `${kept.length}`);
  assert.ok(masked("<Password ".repeat(100_000)).endsWith("<Password[masked]"));
  const few = `${"<Password ".repeat(100)}${"x".repeat(1_000_000)}`;
  assert.equal(masked(few), few);
});

test("masks a body in UTF-16", () => {
  const xml = '\ufeff<RequestorID MessagePassword="secret"/>';
  assert.equal(masked(xml, "utf16le"), '\ufeff<RequestorID MessagePassword="[masked]"/>');
  const bigEndian = Buffer.from(maskBody(Buffer.from(xml, "utf16le").swap16()));
  assert.equal(bigEndian.swap16().toString("utf16le"), '\ufeff<RequestorID MessagePassword="[masked]"/>');
});

test("masks UTF-16 at any memory offset and in one part of a form", () => {
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
