import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startApp } from "../../../../test/support/app.ts";
import { addHotel, day } from "../../../../test/support/channel.ts";
import { addSender } from "../../../../test/support/senders.ts";

type Service = Awaited<ReturnType<typeof startApp>>;

const MESSAGE = `<OTA_HotelInvCountNotifRQ xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.0"><Inventories HotelCode="ALP"><Inventory><StatusApplicationControl Start="${day(1)}" InvTypeCode="DBL"/></Inventory></Inventories></OTA_HotelInvCountNotifRQ>`;

let service: Service;
before(async () => {
  service = await startApp({ settings: { ADMIN_PASSWORD: "a long administrator secret", CHANNEL_MESSAGES_PER_MINUTE: "2" } });
  await addHotel(service.database, { code: "ALP" }, {});
});
after(() => service.close());

test("refuses only this sender's messages beyond its limit per minute", async () => {
  const secrets = [await addSender(service.database, { name: "eager" }), await addSender(service.database, { name: "calm" })];
  const send = (secret: string) =>
    service.inject({
      method: "POST",
      url: "/channel",
      headers: { authorization: `Bearer ${secret}`, "content-type": "text/xml" },
      payload: MESSAGE,
    });
  const [eager, calm] = secrets as [string, string];
  assert.deepEqual([(await send(eager)).statusCode, (await send(eager)).statusCode], [200, 200]);
  const refused = await send(eager);
  assert.deepEqual([refused.statusCode, refused.headers["retry-after"]], [429, "30"]);
  assert.match(refused.body, /Code="191"[^>]*>System busy - please try later</);
  assert.equal((await send(calm)).statusCode, 200);
  service.clock.set(service.clock.now() + 30_000);
  assert.deepEqual([(await send(eager)).statusCode, (await send(eager)).statusCode], [200, 429]);
});
