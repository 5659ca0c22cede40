import assert from "node:assert/strict";
import { test } from "node:test";
import { eachChannel } from "../../../../../test/support/channel.ts";

const PUSH = { transport: "alpinebits", action: "OTA_HotelDescriptiveContentNotif:Inventory", version: "2024-10" } as const;
const TYPE = '<TypeRoom StandardOccupancy="2" RoomClassificationCode="42"/>';
const NAME =
  '<MultimediaDescription InfoCode="25"><TextItems><TextItem><Description TextFormat="PlainText" Language="en">Loft</Description></TextItem></TextItems></MultimediaDescription>';
const picture = (url: string, category = 'Category="6"') => `<ImageItem ${category}><ImageFormat>${url}</ImageFormat></ImageItem>`;
const at = (url: string) => `<URL>${url}</URL>`;
const push = (hotel: string, pictures: string, type = TYPE) =>
  `<OTA_HotelDescriptiveContentNotifRQ xmlns="http://www.opentravel.org/OTA/2003/05" Version="8.000"><HotelDescriptiveContents><HotelDescriptiveContent HotelCode="${hotel}"><FacilityInfo><GuestRooms><GuestRoom Code="LOFT" MinOccupancy="1" MaxOccupancy="3">${type}<MultimediaDescriptions>${NAME}<MultimediaDescription InfoCode="23"><ImageItems>${pictures}</ImageItems></MultimediaDescription></MultimediaDescriptions></GuestRoom></GuestRooms></FacilityInfo></HotelDescriptiveContent></HotelDescriptiveContents></OTA_HotelDescriptiveContentNotifRQ>`;
const HOTEL = "https://hotel.example/";

eachChannel("OTA_HotelDescriptiveContentNotifRQ", (channel) => {
  const photosOf = async (property: string) => {
    const query = channel.database.read.selectFrom("category").select("photos").where("property", "=", property);
    return (await query.where("code", "=", "LOFT").executeTakeFirstOrThrow()).photos?.split("\n");
  };

  test("stores each URL once and warns about URLs other than http or https", async () => {
    const { code } = await channel.hotel();
    const three = [`${HOTEL}a.jpg`, "file:///b.jpg", `${HOTEL}a.jpg`].map((url) => picture(at(url)));
    const { text } = await channel.send(push(code, three.join("")));
    assert.match(text, /<Success\/><Warnings><Warning Type="11"[^>]*>a picture without an http or https URL is not stored</);
    assert.deepEqual(await photosOf(code), [`${HOTEL}a.jpg`]);
  });

  test("stores at most thirty pictures and warns about the rest", async () => {
    const { code } = await channel.hotel();
    const all = Array.from({ length: 31 }, (_, index) => `${HOTEL}${index}.jpg`);
    const { text } = await channel.send(push(code, all.map((url) => picture(at(url))).join("")));
    assert.match(text, /<Success\/><Warnings><Warning [^>]*>only the first 30 pictures are stored</);
    assert.deepEqual(await photosOf(code), all.slice(0, 30));
    const fewer = await channel.send(
      push(
        code,
        all
          .slice(1)
          .map((url) => picture(at(url)))
          .join(""),
      ),
    );
    assert.match(fewer.text, /<Success\/><\//);
  });

  test("requires a category and a web URL in AlpineBits", async () => {
    const { code } = await channel.hotel();
    const faults: [pictures: string, expected: string][] = [
      [picture(at(`${HOTEL}a.jpg`), ""), 'Code="321">Required field missing: Category'],
      [picture(""), 'Code="321">Required field missing: URL'],
      [picture(at("a.jpg")), 'Code="320">Invalid value "a.jpg" for URL'],
    ];
    for (const [pictures, expected] of faults) {
      const { text } = await channel.send(push(code, pictures), PUSH);
      assert.ok(text.includes(expected), text);
    }
    assert.match((await channel.send(push(code, picture(at(`${HOTEL}a.jpg`))), PUSH)).text, /<Success\/>/);
  });

  test("treats a size of 0 as missing and refuses a negative one", async () => {
    const { code } = await channel.hotel();
    const sized = (size: string) => push(code, picture(at(`${HOTEL}a.jpg`)), TYPE.replace("/>", ` Size="${size}"/>`));
    const { text, receipt } = await channel.send(sized("0"));
    assert.match(text, /<Success\/><\//);
    assert.ok(receipt?.verdict.notes.advisories.includes("a Size of 0 was treated as missing"));
    assert.match((await channel.send(sized("-1"))).text, /Code="320"[^>]*>Invalid value "-1" for Size</);
  });
});
