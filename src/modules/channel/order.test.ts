import assert from "node:assert/strict";
import { test } from "node:test";
import { day, openChannel } from "../../../test/support/channel.ts";
import { eachEngine } from "../../../test/support/databases.ts";
import { LARGE } from "./limits.ts";

const NAMESPACE = 'xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.0"';

/** One line that sets the count of the first night, again and again until the message is that long. */
function counts(hotel: string, count: number, length: number): string {
  const line = `<Inventory><StatusApplicationControl Start="${day(1)}" End="${day(1)}" InvTypeCode="DBL"/><InvCounts><InvCount CountType="2" Count="${count}"/></InvCounts></Inventory>`;
  const lines = line.repeat(Math.max(1, Math.ceil(length / line.length)));
  return `<OTA_HotelInvCountNotifRQ ${NAMESPACE}><Inventories HotelCode="${hotel}">${lines}</Inventories></OTA_HotelInvCountNotifRQ>`;
}

eachEngine("Messages of one hotel", (open) => {
  test("are applied in the order in which they came, however long it takes to read them", async () => {
    const channel = openChannel(await open());
    const hotel = await channel.hotel();
    const sent = [
      counts(hotel.code, 1, 8 * LARGE),
      counts(hotel.code, 2, 2 * LARGE),
      counts(hotel.code, 3, 0),
      counts(hotel.code, 4, LARGE),
      counts(hotel.code, 5, 0),
    ];
    const answers = await Promise.all(sent.map((xml) => channel.send(xml)));
    const ids = answers.map(({ receipt }) => receipt!.id);
    assert.deepEqual(
      ids,
      ids.toSorted((a, b) => a - b),
    );
    assert.equal((await hotel.night(day(1), {})).available, 5);
  });
});
