import assert from "node:assert/strict";
import { test } from "node:test";
import { day, eachChannel } from "../../../../test/support/channel.ts";

const line = (target: string, at: number) =>
  `<Inventory><StatusApplicationControl Start="${day(at)}" End="${day(at)}" ${target}/><InvCounts><InvCount CountType="2" Count="3"/></InvCounts></Inventory>`;
const counts = (hotel: string, lines: string) =>
  `<OTA_HotelInvCountNotifRQ xmlns="http://www.opentravel.org/OTA/2003/05"><Inventories HotelCode="${hotel}">${lines}</Inventories></OTA_HotelInvCountNotifRQ>`;
const TARGETS = ["DBL", "SGL"].flatMap((code) => [`InvTypeCode="${code}"`, `InvTypeCode="${code}" RatePlanCode="BAR"`]);

eachChannel("The summary of a message in the log", (channel) => {
  test("names up to three targets and their range of nights", async () => {
    const { code } = await channel.hotel();
    const summaryOf = async (lines: string) => (await channel.send(counts(code, lines))).receipt?.verdict.summary;
    const first = (count: number) =>
      TARGETS.slice(0, count)
        .map((target, at) => line(target, at + 1))
        .join("");
    assert.equal(await summaryOf(first(1)), `DBL ${day(1)}: available 3`);
    assert.equal(await summaryOf(first(3)), `DBL, DBL/BAR, SGL, ${day(1)} to ${day(3)}: 3 lines`);
    assert.equal(await summaryOf(first(4)), `DBL, DBL/BAR, SGL and more, ${day(1)} to ${day(4)}: 4 lines`);
  });
});
