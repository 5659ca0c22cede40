import assert from "node:assert/strict";
import { test } from "node:test";
import { scrubValue, scrubFields, scrubText } from "../src/errors/describe/redact.ts";
import { maskBody } from "../src/secrets/mask.ts";
import { startApp, type TestApp } from "./support/app.ts";
import { DATA_PLACES, FIELD_NAMES, FIELD_PLACES, PLAIN_NAMES, SECRET_NAMES, textAt } from "./support/secret-places.ts";

const MASK = "[masked]";
const PLACES = [...DATA_PLACES, ...FIELD_PLACES];

const swapped = (bytes: Uint8Array) => Buffer.from(bytes).swap16();
const utf16 = (text: string) => Buffer.from(text, "utf16le");

const LOGS: readonly (readonly [log: string, keep: (text: string) => string])[] = [
  ["the message log", (text) => Buffer.from(maskBody(Buffer.from(text))).toString()],
  ["the message log in UTF-16", (text) => Buffer.from(maskBody(utf16(text))).toString("utf16le")],
  ["the message log in UTF-16BE", (text) => swapped(maskBody(swapped(utf16(text)))).toString("utf16le")],
  ["the error log", (text) => scrubText(text).replaceAll(/\[redacted, \d+ characters\]/g, MASK)],
];

for (const [log, keep] of LOGS) {
  for (const place of PLACES) {
    test(`${log} masks ${place.what} under any secret name`, () => {
      for (const name of SECRET_NAMES) assert.equal(keep(textAt(place, name, place.secret)), textAt(place, name, MASK), name);
    });

    test(`${log} keeps ${place.what} under other names`, () => {
      for (const name of PLAIN_NAMES) assert.equal(keep(textAt(place, name, place.secret)), textAt(place, name, place.secret), name);
    });
  }

  test(`${log} masks the values of “code” and “key” only in queries and forms`, () => {
    for (const name of FIELD_NAMES) {
      for (const place of FIELD_PLACES) assert.equal(keep(textAt(place, name, place.secret)), textAt(place, name, MASK), place.what);
      for (const place of DATA_PLACES) assert.equal(keep(textAt(place, name, place.secret)), textAt(place, name, place.secret), place.what);
    }
  });

  test(`${log} masks the user and password in a URL`, () => {
    assert.equal(keep("to postgres://anna:ge@heim@db.example/rooms"), `to postgres://${MASK}@db.example/rooms`);
    assert.equal(keep('<Image URL="https://anna:geheim@host.example"/>'), `<Image URL="https://${MASK}@host.example"/>`);
    assert.equal(keep("/go/https%3A%2F%2Fanna%3Ageheim%40host.example%2Fx"), `/go/https%3A%2F%2F${MASK}%40host.example%2Fx`);
    const harmless = '{"site":"http://host.example","mail":"anna@host.example"} <a b="http://x"><c>@</c></a> https://host.example/@x';
    assert.equal(keep(harmless), harmless);
  });
}

test("the error log redacts fields, headers and query parameters by name", () => {
  for (const name of SECRET_NAMES) {
    for (const field of [name, `HTTP_${name.toUpperCase().replaceAll("-", "_")}`]) {
      assert.deepEqual(scrubValue({ [field]: "geheim" }), { [field]: "[redacted, 6 characters]" }, field);
      assert.deepEqual(scrubFields({ [field]: "geheim" }), { [field]: "[redacted, 6 characters]" }, field);
    }
  }
  for (const name of [...PLAIN_NAMES, ...FIELD_NAMES]) assert.deepEqual(scrubValue({ [name]: "data" }), { [name]: "data" });
  for (const name of FIELD_NAMES) assert.deepEqual(scrubFields({ [name]: "geheim" }), { [name]: "[redacted, 6 characters]" });
});

test("logs no secrets in a message", async () => {
  await using service = await startApp();
  for (const place of PLACES) {
    const headers = { "content-type": "text/plain", soapaction: '"urn:x?token=geheim"', "user-agent": "https://anna:geheim@host.example/" };
    await service.inject({ method: "POST", url: "/channel?pw=geheim", headers, payload: textAt(place, "ApiKey", place.secret) });
  }
  for (let id = 1; id <= PLACES.length; id++) {
    const kept = (await service.inject(`/dev/logs/${id}?format=json`)).body;
    assert.match(kept, /urn:x\?token=\[masked\]/);
    assert.doesNotMatch(kept, /ge(?:heim|\W+heim)|4711/, kept);
  }
});

test("logs no secrets in a failed request", async () => {
  await using service = await startApp();
  const headers = { "x-key": "geheim", "x-vault-token": "geheim", referer: "https://anna:geheim@host.example/?otp=geheim" };
  await service.inject({ url: "/no/such?pin=geheim&otp=geheim&pw=geheim&jwt=geheim&code=geheim&key=geheim&room=1", headers });
  for (const place of PLACES) {
    const report = { message: textAt(place, "Pwd", place.secret), Nonce: "geheim", apiKey: { a: "geheim" }, code: "E1" };
    const { statusCode } = await service.inject({ method: "POST", url: "/_errors/log", payload: report });
    assert.equal(statusCode, 204);
  }
  const kept = await errorEntries(service);
  assert.doesNotMatch(kept, /ge(?:heim|\W+heim)|4711/);
  assert.match(kept, /"code":"E1"/);
  assert.match(kept, /"room":"1"/);
});

test("SECRET_NAMES applies to both logs", async () => {
  await using service = await startApp({ settings: { SECRET_NAMES: "guest-code, vault" } });
  const payload = '<a GuestCode="geheim" HotelCode="H1"><vault-a>geheim</vault-a></a>';
  await service.inject({ method: "POST", url: "/channel", headers: { "content-type": "text/xml" }, payload });
  assert.equal(
    (await service.inject("/dev/logs/1?body=request")).body,
    '<a GuestCode="[masked]" HotelCode="H1"><vault-a>[masked]</vault-a></a>',
  );
  await service.inject({ url: "/no/such?guest_code=geheim&hotel_code=H1", headers: { vault: "geheim" } });
  const kept = await errorEntries(service);
  assert.doesNotMatch(kept, /geheim/);
  assert.match(kept, /"hotel_code":"H1"/);
});

async function errorEntries({ errors }: TestApp): Promise<string> {
  const { entries } = await errors.list({}, { limit: 100 });
  return JSON.stringify(await Promise.all(entries.map(({ id }) => errors.find(id))));
}
