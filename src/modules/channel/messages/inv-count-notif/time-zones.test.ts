import assert from "node:assert/strict";
import { test } from "node:test";
import { day, eachChannel, NOON } from "../../../../../test/support/channel.ts";
import { DAY_MS, HOUR_MS } from "../../../../calendar/night.ts";
import { SPAN_DAYS } from "../../../../calendar/runs.ts";

const TODAY = Math.floor(NOON / DAY_MS);
/** Days from today to the last night of the stored page that contains today. */
const END_OF_PAGE = SPAN_DAYS - 1 - (TODAY % SPAN_DAYS);

const message = (hotel: string, nights: string, count: number) =>
  `<OTA_HotelInvCountNotifRQ xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.0"><Inventories HotelCode="${hotel}"><Inventory><StatusApplicationControl ${nights} InvTypeCode="DBL"/><InvCounts><InvCount CountType="2" Count="${count}"/></InvCounts></Inventory></Inventories></OTA_HotelInvCountNotifRQ>`;

eachChannel("Counts of a hotel west of UTC", (channel) => {
  test("stores counts for the current date in the hotel's time zone, even if the UTC date is already a day later", async (t) => {
    const { code, night } = await channel.hotel({ time_zone: "Pacific/Honolulu" });
    const [before, last] = [day(END_OF_PAGE - 1), day(END_OF_PAGE)];
    await channel.send(message(code, `Start="${before}" End="${last}"`, 5));
    t.after(() => channel.clock.set(NOON));
    channel.clock.set(NOON + END_OF_PAGE * DAY_MS + 17 * HOUR_MS);
    const { text } = await channel.send(message(code, `Start="${last}" End="${last}"`, 3));
    assert.match(text, /<Success\/><\//);
    assert.deepEqual([await night(before, {}), await night(last, {})], [{ available: 5 }, { available: 3 }]);
  });
});
