import assert from "node:assert/strict";
import { test } from "node:test";
import { eachChannel } from "../../../../../test/support/channel.ts";
import { listAudit } from "../../../../records/audit.ts";
import { listProperties } from "../../../../records/property/list-store.ts";
import { findProperty } from "../../../../records/property/store.ts";

const NAMESPACE = 'xmlns="http://www.opentravel.org/OTA/2003/05" Version="8.000"';
const push = (hotel: string, parts: string, more = "") =>
  `<OTA_HotelDescriptiveContentNotifRQ ${NAMESPACE}><HotelDescriptiveContents><HotelDescriptiveContent HotelCode="${hotel}"${more}>${parts}</HotelDescriptiveContent></HotelDescriptiveContents></OTA_HotelDescriptiveContentNotifRQ>`;
const pull = (hotel: string) =>
  `<OTA_HotelDescriptiveInfoRQ ${NAMESPACE}><HotelDescriptiveInfos><HotelDescriptiveInfo HotelCode="${hotel}"/></HotelDescriptiveInfos></OTA_HotelDescriptiveInfoRQ>`;
const inAction = (action: string, version = "2024-10") => ({ transport: "alpinebits", action, version }) as const;
const INFO_PUSH = inAction("OTA_HotelDescriptiveContentNotif:Info");
const INFO_PULL = inAction("OTA_HotelDescriptiveInfo:Info");
const contact = (parts: string, more = "") => `<ContactInfos><ContactInfo${more}>${parts}</ContactInfo></ContactInfos>`;
const address = (lines: string, more = "") => `<Addresses><Address${more}>${lines}</Address></Addresses>`;
const rooms = (content: string) => `<FacilityInfo><GuestRooms>${content}</GuestRooms></FacilityInfo>`;
const policy = (content: string) => `<Policies><Policy>${content}</Policy></Policies>`;
const award = (attributes: string) => `<AffiliationInfo><Awards><Award ${attributes}/></Awards></AffiliationInfo>`;
const text = (code: string, content: string, language = "en") =>
  `<HotelInfo><Descriptions><MultimediaDescriptions><MultimediaDescription InfoCode="${code}"><TextItems><TextItem><Description TextFormat="PlainText" Language="${language}">${content}</Description></TextItem></TextItems></MultimediaDescription></MultimediaDescriptions></Descriptions></HotelInfo>`;
const WHOLE = [
  '<HotelInfo><Position Latitude="46.498300001" Longitude="11.3548"/></HotelInfo>',
  rooms('<GuestRoom><TypeRoom RoomTypeCode="TWN" Size="24"/></GuestRoom><GuestRoom><TypeRoom Size="30"/></GuestRoom>'),
  policy('<PolicyInfo CheckInTime="14:00:00" CheckOutTime="10:30"/>'),
  award('Rating="4.5" Provider="Stars" OfficialAppointmentInd="true"'),
  contact(
    [
      "<Names><Name><GivenName>Ada</GivenName><Surname>Berger</Surname></Name></Names>",
      address(
        "<AddressLine>Seestrasse 3</AddressLine><AddressLine>Haus B</AddressLine><CityName>Kaltern</CityName><PostalCode>39052</PostalCode><StateProv>BZ</StateProv><CountryName>Italy</CountryName>",
      ),
      '<Phones><Phone CountryAccessCode="39" AreaCityCode="0471" PhoneNumber="12345"/></Phones><Emails><Email>desk@hotel.example</Email></Emails>',
      '<URLs><URL ID="FACEBOOK">https://social.example/</URL><URL>https://hotel.example/</URL></URLs>',
    ].join(""),
  ),
].join("");

eachChannel("A property's record", (channel) => {
  const recordOf = async (code: string) => (await findProperty(channel.database, code))!;
  const categoriesOf = (code: string) =>
    channel.database.read.selectFrom("category").selectAll().where("property", "=", code).orderBy("code").execute();

  test("updates the property from a full-property message and audits the changes", async () => {
    const { code } = await channel.hotel({ phone: "1", notes: "Ours", languages: "de" });
    const before = await recordOf(code);
    const { text: answer } = await channel.send(push(code, WHOLE, ' HotelName="Seeblick"'));
    assert.match(answer, /<Success\/><Warnings><Warning [^>]*>a room without a code is skipped<\/Warning><\/Warnings>/);
    const sent = { name: "Seeblick", street: "Seestrasse 3, Haus B", city: "Kaltern", postalCode: "39052", region: "BZ", country: "IT" };
    const details = { latitude: "46.4983", longitude: "11.3548", checkInFrom: "14:00", checkOutUntil: "10:30", stars: 4.5 };
    const contacts = { contactName: "Ada Berger", phone: "+39 0471 12345", email: "desk@hotel.example", website: "https://hotel.example/" };
    const now = { version: before.version + 1, updatedAt: channel.clock.now() };
    assert.deepEqual(await recordOf(code), { ...before, ...sent, ...details, ...contacts, ...now });
    assert.deepEqual(
      (await categoriesOf(code)).map((row) => [row.code, row.size]),
      [
        ["DBL", null],
        ["SGL", null],
        ["TWN", 24],
      ],
    );
    const [entry] = await listAudit(channel.database, `property:${code}`);
    assert.deepEqual(
      entry?.changes.find(({ field }) => field === "phone"),
      { field: "phone", from: "1", to: "+39 0471 12345" },
    );
    assert.equal(entry?.changes.length, 15);
    const found = await listProperties(channel.database, { q: "kaltern", sort: "code", direction: "asc", page: 1, size: 99 });
    assert.ok(found.lines.some((line) => line.code === code));
    await channel.send(push(code, WHOLE, ' HotelName="Seeblick"'));
    assert.equal((await recordOf(code)).version, before.version + 1, "the same message changes nothing");
  });

  for (const [what, parts, error] of [
    ["country", contact(address('<CountryName Code="ITA"/>')), 'Invalid value "ITA" for CountryName; allowed: a two-letter country code'],
    ["latitude", '<HotelInfo><Position Latitude="146" Longitude="11"/></HotelInfo>', 'Invalid value "146" for Latitude; allowed: '],
    ["position", '<HotelInfo><Position Latitude="46"/></HotelInfo>', "Required field missing: Longitude of Position"],
    ["time", policy('<PolicyInfo CheckInTime="3pm"/>'), 'Invalid value "3pm" for CheckInTime; allowed: the start of check-in as a time'],
    ["star rating", award('Rating="four"'), 'Invalid value "four" for Rating; allowed: 0 to 5 stars, in half-star steps'],
    ["email address", contact("<Emails><Email>desk</Email></Emails>"), 'Invalid value "desk" for Email; allowed: an email address'],
  ] as const) {
    test(`leaves the property unchanged if a message has an invalid ${what}`, async () => {
      const { code } = await channel.hotel();
      const before = await recordOf(code);
      const { text: answer } = await channel.send(push(code, rooms('<GuestRoom Code="NEW"/>') + parts));
      assert.ok(answer.includes(error), answer);
      assert.match(answer, /<Error [^>]*Tag="[A-Z]\w+" RecordID="\d+:\d+"/);
      assert.deepEqual(await recordOf(code), before);
      assert.equal((await categoriesOf(code)).length, 2);
    });
  }

  test("reads check-in and check-out times from stay requirements and time ranges", async () => {
    const { code } = await channel.hotel();
    const requirements =
      '<StayRequirements><StayRequirement StayContext="Checkin" Start="15:00:00" End="20:00:00"/><StayRequirement StayContext="Checkout" Start="06:00:00" End="11:00:00"/></StayRequirements>';
    await channel.send(push(code, policy(`<PolicyInfo CheckInTime="12:00-23:00"/>${requirements}`)));
    const { checkInFrom, checkInUntil, checkOutUntil } = await recordOf(code);
    assert.deepEqual([checkInFrom, checkInUntil, checkOutUntil], ["15:00", "20:00", "11:00"]);
    await channel.send(push(code, policy('<PolicyInfo CheckInTime="9:00-21:30"/>')));
    const later = await recordOf(code);
    assert.deepEqual([later.checkInFrom, later.checkInUntil, later.checkOutUntil], ["09:00", "21:30", "11:00"]);
  });

  test("keeps the property's star rating if a review score is sent", async () => {
    const { code } = await channel.hotel({ stars: 3 });
    await channel.send(push(code, award('Rating="4.5" Provider="REVIEWS" OfficialAppointmentInd="false"')));
    const { text: answer } = await channel.send(push(code, award('Rating="95" Provider="REVIEWS"')));
    assert.match(answer, /<Success\/><Warnings><Warning [^>]*>Rating 95 is not a number of stars and is not stored</);
    assert.equal((await recordOf(code)).stars, 3);
  });

  test("stores the property's own address, and the description in the property's language", async () => {
    const { code } = await channel.hotel({ languages: "de" });
    const invoices = contact(address("<CityName>Milano</CityName>"), ' ContactProfileType="invoices"');
    const own = contact(
      `<Addresses><Address Language="it"><CityName>Bolzano</CityName></Address><Address Language="de"><CityName>Bozen</CityName></Address></Addresses>`,
      ' Location="6"',
    );
    await channel.send(push(code, invoices + own + text("17", "Kurz", "de") + text("1", "Lang", "de") + text("1", "Long")));
    const { city, description } = await recordOf(code);
    assert.deepEqual([city, description], ["Bozen", "Lang"]);
  });

  test("keeps the property's categories if the room list is empty or its rooms have no codes", async () => {
    const { code } = await channel.hotel();
    for (const list of ["", "<GuestRoom/>"]) await channel.send(push(code, rooms(list) + text("1", "Quiet")));
    assert.ok((await categoriesOf(code)).every(({ status }) => status === "active"));
    assert.equal((await recordOf(code)).description, "Quiet");
  });

  test("stores and returns the property with AlpineBits Info and keeps fields that are not sent", async () => {
    const { code } = await channel.hotel({ email: "old@hotel.example", languages: "en" }, { description: "Stays" });
    const picture = `<MultimediaDescriptions><MultimediaDescription><ImageItems><ImageItem Category="6"><ImageFormat><URL>https://hotel.example/a.jpg</URL></ImageFormat></ImageItem></ImageItems></MultimediaDescription></MultimediaDescriptions>`;
    const info = [
      '<HotelInfo><CategoryCodes><HotelCategory CodeDetail="ASTAT2020_11:4s"/></CategoryCodes><Position Latitude="46.5" Longitude="11.3"/></HotelInfo>',
      rooms(`<GuestRoom Code="DBL">${picture}</GuestRoom>`),
      contact(
        address("<AddressLine>Weg 1</AddressLine><CityName>Bozen</CityName><PostalCode>39100</PostalCode><CountryName Code='IT'/>"),
        ' Location="6"',
      ),
    ].join("");
    assert.match((await channel.send(push(code, info), INFO_PUSH)).text, /<Success\/><\/OTA/);
    const [double] = await categoriesOf(code);
    assert.deepEqual([double?.photos, double?.description, double?.rooms], ["https://hotel.example/a.jpg", "Stays", 50]);
    const { text: answer } = await channel.send(pull(code), INFO_PULL);
    assert.match(
      answer,
      /<HotelInfo><CategoryCodes><HotelCategory CodeDetail="Stars:4s"\/><\/CategoryCodes><Position Latitude="46.5" Longitude="11.3"\/><\/HotelInfo>/,
    );
    assert.match(answer, /<ContactInfo Location="6"><Addresses><Address><AddressLine>Weg 1<\/AddressLine><CityName>Bozen</);
    assert.match(answer, /<Email EmailType="5">old@hotel.example<\/Email>/);
    assert.doesNotMatch(answer, /GuestRoom|Warning/);
  });

  test("refuses property fields in AlpineBits Inventory and creates no categories from Info", async () => {
    const { code } = await channel.hotel();
    const inventory = await channel.send(push(code, text("1", "Quiet")), inAction("OTA_HotelDescriptiveContentNotif:Inventory"));
    assert.match(inventory.text, /HotelInfo belongs to the action Info/);
    const info = await channel.send(push(code, rooms('<GuestRoom Code="NEW"/>')), INFO_PUSH);
    assert.match(info.text, /<Success\/><Warnings><Warning [^>]*>pictures of NEW are not stored, because NEW is not an active category</);
    assert.equal((await categoriesOf(code)).length, 2);
    assert.equal((await recordOf(code)).description, undefined);
  });

  for (const [name, room] of [
    ["MinOccupancy", '<GuestRoom Code="DBL" MinOccupancy="1"/>'],
    ["Amenities", '<GuestRoom Code="DBL"><Amenities><Amenity RoomAmenityCode="7"/></Amenities></GuestRoom>'],
    ["TypeRoom", '<GuestRoom Code="DBL"><TypeRoom/></GuestRoom>'],
    [
      "InfoCode",
      '<GuestRoom Code="DBL"><MultimediaDescriptions><MultimediaDescription InfoCode="1"/></MultimediaDescriptions></GuestRoom>',
    ],
  ] as const) {
    test(`leaves the property unchanged if Info contains ${name} for a category`, async () => {
      const { code } = await channel.hotel();
      const { text: answer } = await channel.send(push(code, rooms(room) + text("1", "Quiet")), INFO_PUSH);
      assert.ok(answer.includes(`${name} belongs to the action Inventory, not to Info`), answer);
      assert.equal((await recordOf(code)).description, undefined);
    });
  }

  test("keeps the property's website if the new one is invalid", async () => {
    const { code } = await channel.hotel({ website: "https://hotel.example/" });
    const { text: answer } = await channel.send(
      push(code, contact("<URLs><URL>httpss://hotel.example/</URL></URLs>") + text("1", "Quiet")),
    );
    assert.match(answer, /<Success\/>.*>URL httpss:\/\/hotel.example\/ is not stored; allowed: a URL of up to 2,000 characters/);
    const { description, website } = await recordOf(code);
    assert.deepEqual([description, website], ["Quiet", "https://hotel.example/"]);
  });

  test("advertises the Info actions in the handshake of every version", async () => {
    const names = ["action_OTA_HotelDescriptiveContentNotif_Info", "action_OTA_HotelDescriptiveInfo_Info"];
    for (const version of ["2018-10", "2020-10", "2022-10", "2024-10"]) {
      const offer = JSON.stringify({ versions: [{ version, actions: names.map((action) => ({ action })) }] });
      const ping = `<OTA_PingRQ ${NAMESPACE}><EchoData>${offer}</EchoData></OTA_PingRQ>`;
      const { text: answer } = await channel.send(ping, inAction("OTA_Ping:Handshaking", version));
      const [, agreed] = /ALPINEBITS_HANDSHAKE">([^<]*)</.exec(answer)!;
      const actions: { action: string }[] = JSON.parse(agreed!.replaceAll("&quot;", '"')).versions[0].actions;
      // Some 2024-10 clients do not advertise the ping, and the response then omits it too.
      assert.deepEqual(
        actions.map(({ action }) => action),
        names,
      );
    }
  });
});
