import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { test } from "node:test";
import { startApp } from "../../../../test/support/app.ts";
import { addHotel, day } from "../../../../test/support/channel.ts";
import { addSender } from "../../../../test/support/senders.ts";

type Service = Awaited<ReturnType<typeof startApp>>;

const MESSAGE = `<OTA_HotelInvCountNotifRQ xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.0"><Inventories HotelCode="ALP"><Inventory><StatusApplicationControl Start="${day(1)}" InvTypeCode="DBL"/></Inventory></Inventories></OTA_HotelInvCountNotifRQ>`;

async function start(limit: Record<string, string>): Promise<Service> {
  const service = await startApp({ settings: { ADMIN_PASSWORD: "a long administrator secret", ...limit } });
  await addHotel(service.database, { code: "ALP" }, {});
  return service;
}

function sendTo(service: Service, secret: string, payload: string | Readable = MESSAGE) {
  const headers = { authorization: `Bearer ${secret}`, "content-type": "text/xml" };
  return service.inject({ method: "POST", url: "/channel", headers, payload });
}

test("refuses a sender's messages beyond its limit per minute without affecting other senders", async () => {
  await using service = await start({ CHANNEL_MESSAGES_PER_MINUTE: "2" });
  const secrets = [await addSender(service.database, { name: "eager" }), await addSender(service.database, { name: "calm" })];
  const send = (secret: string) => sendTo(service, secret);
  const [eager, calm] = secrets as [string, string];
  assert.deepEqual([(await send(eager)).statusCode, (await send(eager)).statusCode], [200, 200]);
  const refused = await send(eager);
  assert.deepEqual([refused.statusCode, refused.headers["retry-after"]], [429, "30"]);
  assert.match(refused.body, /Code="191"[^>]*>System busy - please try later</);
  assert.equal((await send(calm)).statusCode, 200);
  service.clock.set(service.clock.now() + 30_000);
  assert.deepEqual([(await send(eager)).statusCode, (await send(eager)).statusCode], [200, 429]);
});

test("refuses messages from a sender that has used up its megabytes per minute, with or without a Content-Length", async () => {
  await using service = await start({ CHANNEL_MEGABYTES_PER_MINUTE: "1" });
  const [eager, calm] = [await addSender(service.database, { name: "eager" }), await addSender(service.database, { name: "calm" })];
  const large = `${MESSAGE}<!--${"x".repeat(700 * 1024)}-->`;
  assert.equal((await sendTo(service, eager, large)).statusCode, 200);
  assert.equal(
    (await sendTo(service, eager, Readable.from([large]))).statusCode,
    200,
    "the message that exceeds the limit is still accepted",
  );
  const refused = await sendTo(service, eager);
  assert.deepEqual([refused.statusCode, refused.headers["retry-after"]], [429, "23"]);
  assert.equal((await sendTo(service, calm)).statusCode, 200);
  service.clock.set(service.clock.now() + 23_000);
  assert.equal((await sendTo(service, eager)).statusCode, 200);
});
