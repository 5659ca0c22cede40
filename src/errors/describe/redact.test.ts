import assert from "node:assert/strict";
import { test } from "node:test";
import { assertScans } from "../../../test/support/cpu.ts";
import { MAX_LENGTHS, scrubValue, scrubAndCut, scrubText } from "./redact.ts";

const SECRETS: readonly (readonly [what: string, text: string, secret: string])[] = [
  ["a bearer token", "Authorization: Bearer abcDEF123456", "abcDEF123456"],
  ["basic credentials", "sent Basic dXNlcjpwYXNz to the server", "dXNlcjpwYXNz"],
  ["a JSON Web Token", "got eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl back", "eyJhbGciOiJIUzI1NiJ9"],
  ["a password in a URL", "connect postgres://anna:geheim@db.example/rooms", "geheim"],
  ["a password in a query", "/login?user=anna&password=geheim#top", "geheim"],
  ["a password in JSON", '{"newPassword": "ge\\"heim"}', "heim"],
  ["a password in an XML attribute", '<POS MessagePassword="geheim">', "geheim"],
  ["a token in an XML element", "<token>geheim</token>", "geheim"],
  ["a password in an XML element", '<wsse:Password Type="text">geheim</wsse:Password>', "geheim"],
  ["a card number", "card 4111 1111 1111 1111 refused", "1111 1111"],
  ["a card number without spaces", "/pay/5500005555555559", "5500005555555559"],
  ["a session cookie", "Cookie: theme=dark; sid=abcdef0123456789", "abcdef0123456789"],
  ["a token in a URL in a query", "/nope?a=1&next=https%3A%2F%2Fapp.example%2Fback%3Faccess_token%3Dgeheim&b=2", "geheim"],
  ["a password in JSON in a query", "/nope?data=%7B%22password%22%3A%22geheim%22%7D", "geheim"],
  ["a password in a URL in a path", "_uri=/go/https%3A//anna%3Ageheim%40host.example/x", "geheim"],
  ["a session ID in a path", "_uri=/cart%3Bjsessionid%3Dgeheim", "geheim"],
  ["a token next to text that cannot be decoded", "next=%zz%3Ftoken%3Dgeheim", "geheim"],
  ["a card number with plus signs in a query", "/pay?card=4111+1111+1111+1111", "1111+1111"],
  ["an encoded card number", "/pay?card=4111%201111%201111%201111", "1111%201111"],
  ["a bearer token with a plus sign in a query", "/x?q=Bearer+abcDEF123456", "abcDEF123456"],
  ["an encoded bearer token", "/x?q=Bearer%20abcDEF123456", "abcDEF123456"],
  ["a password containing the other kind of quote", `<POS MessagePassword="o'geheim">`, "geheim"],
  ["a password containing a quote", `/x?password=ge"heim`, "heim"],
  ["a numeric password in JSON", '{"password": 5432109}', "5432109"],
  ["a password in JSON within JSON", String.raw`{"body":"{\"password\":\"geheim\"}"}`, "geheim"],
  ["a password in a CDATA section", "<Password><![CDATA[geheim]]></Password>", "geheim"],
  ["a password with an at sign in a URL", "connect postgres://anna:ge@heim@db.example/rooms", "heim"],
  ["a card number at the end of a sentence", "No money on 4111 1111 1111 1111.", "1111 1111"],
  ["a card number after another number", "/pay?q=room+12+4111111111111111", "4111111111111111"],
  ["a card number before its security code", "card 4111 1111 1111 1111 123", "4111 1111"],
  ["a card number before its expiry date", "card 378282246310005 12/29", "378282246310005"],
];

for (const [what, text, secret] of SECRETS) {
  test(`redacts ${what} and shows its length`, () => {
    const scrubbed = scrubText(text);
    assert.ok(!scrubbed.includes(secret), scrubbed);
    assert.match(scrubbed, /\[redacted, \d+ characters\]/);
    assert.equal(scrubText(scrubbed), scrubbed);
  });
}

test("leaves harmless text unchanged", () => {
  const harmless = [
    "Route 'GET /category/PARK/DBL/edit?from=2026-11-20' not found",
    "DOMDocument::loadXML(): Argument #1 ($source) must not be empty",
    "Invalid CSRF token",
    "Unexpected token: <",
    "/nope?q=caf%C3%A9%20token&x=%zz&next=%2Ftools%3Fq%3Dsession",
    "at 1795165200000, order 4111111111111112, version 1.2.3-4",
    "Route 'GET /property?q=haus%20am%20see&mail=anna%40hotel.example&at=2026-11-20T08%3A00%2B01%3A00' not found",
    "4111111111111111.5 of 0.4111111111111111",
  ];
  for (const text of harmless) assert.equal(scrubText(text), text);
});

test("redacts only the password in a URL", () => {
  const readable = "connect postgres://[redacted, 8 characters]@db.example/my%20rooms failed";
  assert.equal(scrubText("connect postgres://anna:a%b@db.example/my%20rooms failed"), readable);
});

test("redacts fields by name at every depth and shows their length", () => {
  const scrubbed = scrubValue({
    user: "anna",
    Password: "geheim",
    sid: "a session",
    side: "left",
    headers: { Authorization: "x", "x-api-key": "abc" },
    list: [{ csrf_token: "t0k3n" }],
    card: 4111111111111111,
    at: 1795165200000,
  });
  assert.deepEqual(scrubbed, {
    user: "anna",
    Password: "[redacted, 6 characters]",
    sid: "[redacted, 9 characters]",
    side: "left",
    headers: { Authorization: "[redacted, 1 characters]", "x-api-key": "[redacted, 3 characters]" },
    list: [{ csrf_token: "[redacted, 5 characters]" }],
    card: "[redacted, 16 characters]",
    at: 1795165200000,
  });
});

test("replaces characters that PostgreSQL rejects", () => {
  assert.equal(scrubText("a\0b\ud800c"), "a\ufffdb\ufffdc");
});

test("truncates text at its limit and notes its full length", () => {
  const cut = scrubAndCut("x".repeat(10_000), MAX_LENGTHS.message);
  assert.ok(cut.startsWith("x".repeat(MAX_LENGTHS.message)));
  assert.ok(cut.endsWith("… (10000 characters in total)"), cut.slice(-40));
});

test("limits the size of the context of an error", () => {
  const wide = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`field${index}`, "y".repeat(500)]));
  const cyclic: Record<string, unknown> = { wide };
  cyclic.itself = cyclic;
  const text = JSON.stringify(scrubValue(cyclic));
  assert.ok(text.length < 2 * MAX_LENGTHS.context, `${text.length}`);
  assert.match(text, /more fields omitted/);
});

test("converts any value to JSON without throwing", () => {
  const hostile = {
    get broken() {
      throw new Error("no");
    },
    big: 10n,
    none: undefined,
    infinite: Infinity,
    call: () => 1,
    symbol: Symbol("s"),
    error: new TypeError("inner"),
  };
  assert.deepEqual(scrubValue(hostile), {
    broken: "[unreadable]",
    big: "10",
    infinite: "Infinity",
    call: "[function]",
    symbol: "[symbol]",
    error: "TypeError: inner",
  });
  assert.equal(JSON.stringify(scrubValue(JSON.parse('{"__proto__":{"a":1}}'))), '{"__proto__":{"a":1}}');
});

test("truncates values that are too deeply nested, too long or too numerous, and notes the truncation", () => {
  const within = (depth: number, core: unknown): unknown => (depth === 0 ? core : { a: within(depth - 1, core) });
  const innermost = (depth: number, core: unknown) => JSON.stringify(scrubValue(within(depth, core))).replaceAll(/\{"a":|\}/g, "");
  assert.deepEqual([innermost(MAX_LENGTHS.depth, "core"), innermost(MAX_LENGTHS.depth, {})], ['"core"', '"[nested object]"']);
  assert.deepEqual([innermost(MAX_LENGTHS.depth - 1, []), innermost(MAX_LENGTHS.depth, [])], ["[]", '"[nested list]"']);
  const list = Array.from({ length: MAX_LENGTHS.items }, (_, index) => index);
  assert.deepEqual([scrubValue(list), scrubValue([...list, "a", "b"])], [list, [...list, "… (2 more)"]]);
  const fields = Object.fromEntries(list.map((index) => [`f${index}`, index]));
  assert.deepEqual([scrubValue(fields), scrubValue({ ...fields, a: 1, b: 2 })], [fields, { ...fields, "…": "more fields omitted" }]);
  const cut = `${"x".repeat(49)}… (100 characters in total)`;
  assert.deepEqual(scrubValue({ a: "x".repeat(100), b: 1 }, { left: 50, longest: 50, cut: false }), {
    a: cut,
    "…": "more fields omitted",
  });
});

test("redacts hostile text in linear time", async () => {
  const harmless = ["pass", "eyJ-", "a.", "a://", "a://@", '"pass":"', "<pass ", "4 1 1 ", "4+1%20", "%25"];
  const secret = ["bearer ", "pass%3D", `pass="x`, "pass=a'"];
  for (const part of [...harmless, ...secret]) {
    const text = part.repeat(MAX_LENGTHS.context / part.length);
    await assertScans(text.length, 1_000, () => {
      const scrubbed = scrubText(text);
      assert.ok(secret.includes(part) ? scrubbed.includes("[redacted, ") : scrubbed === text, part);
    });
  }
});
