import assert from "node:assert/strict";
import { test } from "node:test";
import { day, eachChannel } from "../../../../test/support/channel.ts";

const line = (id: string, category: string) =>
  `<AvailStatusMessage LocatorID="${id}"><StatusApplicationControl Start="${day(1)}" End="${day(1)}" InvTypeCode="${category}"/><RestrictionStatus Status="Open"/></AvailStatusMessage>`;
const message = (hotel: string, ...lines: readonly string[]) =>
  `<OTA_HotelAvailNotifRQ xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.0"><AvailStatusMessages HotelCode="${hotel}">${lines.join("")}</AvailStatusMessages></OTA_HotelAvailNotifRQ>`;

eachChannel("A response", (channel) => {
  test("names the element that caused an error in the Tag attribute, except in AlpineBits", async () => {
    const { code } = await channel.hotel();
    const prefixed = message(code, line("1", "X")).replaceAll("<", "<ota:").replaceAll("<ota:/", "</ota:").replace("xmlns=", "xmlns:ota=");
    for (const xml of [message(code, line("1", "X")), prefixed])
      assert.match((await channel.send(xml)).text, /Status="NotProcessed" Tag="StatusApplicationControl" RecordID="1">/);
    const unnamed = message(code, line("1", "DBL")).replace(/ HotelCode="[^"]*"/, "");
    assert.match((await channel.send(unnamed)).text, /Code="321"[^>]* Tag="AvailStatusMessages" RecordID="1:\d+">/);
    assert.doesNotMatch((await channel.send(message("none", line("1", "DBL")))).text, /Tag=/);
    const form = { transport: "alpinebits", action: "OTA_HotelAvailNotif:FreeRooms", version: "2018-10" } as const;
    assert.doesNotMatch((await channel.send(message(code, line("1", "X")), form)).text, /Tag=/);
  });

  test("limits attribute values to the lengths in the OpenTravel schema", async () => {
    const { code } = await channel.hotel();
    const { text } = await channel.send(message(code, line("L".repeat(65), "X".repeat(60))));
    const [, shortText = "", record = ""] = /<Error [^>]*ShortText="([^"]*)"[^>]*RecordID="([^"]*)"/.exec(text) ?? [];
    assert.equal(shortText, `Room type code not found for this hotel (${"X".repeat(23)}`);
    assert.equal(record, "L".repeat(64));
    assert.match(text, new RegExp(`>Room type code not found for this hotel \\(${"X".repeat(60)}\\)</Error>`), "the text is not shortened");
  });

  test("lists at most twenty errors, in document order", async () => {
    const { code } = await channel.hotel();
    const { text } = await channel.send(message(code, ...Array.from({ length: 30 }, (_, at) => line(`${at}`, `NONE-${at}`))));
    const records = [...text.matchAll(/RecordID="(\d+)"/g)].map(([, record]) => Number(record));
    assert.deepEqual(
      records,
      Array.from({ length: 20 }, (_, at) => at),
    );
  });
});
