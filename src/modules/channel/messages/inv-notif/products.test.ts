import assert from "node:assert/strict";
import { test } from "node:test";
import { eachChannel } from "../../../../../test/support/channel.ts";

const message = (hotel: string, ...products: string[]) =>
  `<OTA_HotelInvNotifRQ xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.0"><SellableProducts HotelCode="${hotel}">${products.join("")}</SellableProducts></OTA_HotelInvNotifRQ>`;
const product = (attributes: string, ...parts: string[]) =>
  `<SellableProduct ${attributes}><GuestRoom>${parts.join("")}</GuestRoom></SellableProduct>`;

eachChannel("OTA_HotelInvNotifRQ", (channel) => {
  const category = async (property: string, code: string) =>
    channel.database.read.selectFrom("category").selectAll().where("property", "=", property).where("code", "=", code).executeTakeFirst();
  const errorOf = async (xml: string) =>
    / Code="(\d+)"[^>]*>([^<]+)<\/Error>/
      .exec((await channel.send(xml)).text)
      ?.slice(1)
      .join(" ");

  test("creates a category from a Booking.com message and audits it", async () => {
    const { code } = await channel.hotel();
    const parts = [
      '<Occupancy MaxOccupancy="5" MaxAdultOccupancy="4" MaxChildOccupancy="2"/>',
      '<Room RoomType="Family room" RoomClassificationCode="3" SizeMeasurement="35" SizeMeasurementUnit="sqm"/>',
      '<Amenities><Amenity AmenityCode="2"/><Amenity AmenityCode="26"/></Amenities>',
      '<Description><Text Language="en">Two rooms &amp; a door.</Text></Description>',
    ];
    const { text } = await channel.send(message(code, product('InvCode="FAM" InvStatusType="Initial"', ...parts)));
    assert.match(
      text,
      /<Success\/><InventoryCrossRefs><InventoryCrossRef RequestInvCode="FAM" ResponseInvCode="FAM"\/><\/InventoryCrossRefs><\//,
    );
    const { name, description, kind, max_occupancy, max_adults, max_children, size, amenities, status } = (await category(code, "FAM"))!;
    assert.deepEqual(
      [name, description, kind, max_occupancy, max_adults, max_children, size, amenities, status],
      ["Family room", "Two rooms & a door.", "suite", 5, 4, 2, 35, "2, 26", "active"],
    );
    const history = await channel.database.read.selectFrom("audit").selectAll().where("subject", "like", `%${code}%`).execute();
    assert.equal(history.length, 1);
  });

  test("updates a category from a Ctrip message and keeps its other fields", async () => {
    const { code } = await channel.hotel({}, { size: 20, amenities: "5" });
    const parts = [
      '<Occupancy AgeQualifyingCode="10" MinOccupancy="1" MaxOccupancy="3"/>',
      '<Occupancy AgeQualifyingCode="8" MinOccupancy="0" MaxOccupancy="2"/>',
      '<Currency Code="CNY"/>',
      '<Description><Text Language="en-us">Garden room</Text></Description>',
      '<LongDescription><Text Language="en-us">On the garden.</Text></LongDescription>',
    ];
    assert.match(
      (await channel.send(message(code, product('InvTypeCode="DBL" InvStatusType="Active"', ...parts)))).text,
      /<Success\/><Inv/,
    );
    const { name, description, max_occupancy, max_adults, max_children, size, amenities, version } = (await category(code, "DBL"))!;
    assert.deepEqual(
      [name, description, max_occupancy, max_adults, max_children, size, amenities],
      ["Garden room", "On the garden.", 5, 3, 2, 20, "5"],
    );
    assert.equal((await category(code, "SGL"))!.name, "SGL");
    await channel.send(message(code, product('InvTypeCode="DBL"', ...parts)));
    assert.equal((await category(code, "DBL"))!.version, version, "sent twice");
  });

  test("deactivates only removed categories", async () => {
    const { code } = await channel.hotel();
    const removed = '<SellableProduct InvTypeCode="DBL" InvNotifType="Remove"/>';
    assert.match((await channel.send(message(code, removed))).text, /<Success\/>/);
    assert.deepEqual([(await category(code, "DBL"))!.status, (await category(code, "SGL"))!.status], ["inactive", "active"]);
    const both = message(
      code,
      product('InvTypeCode="DBL" InvStatusType="Active"'),
      '<SellableProduct InvTypeCode="SGL" InvStatusType="Deactivated"/>',
    );
    assert.match((await channel.send(both)).text, /<Success\/>/);
    assert.deepEqual([(await category(code, "DBL"))!.status, (await category(code, "SGL"))!.status], ["active", "inactive"]);
    assert.match((await errorOf(message(code, removed.replace("DBL", "XXX"))))!, /^402 /);
  });

  test("warns about parts that are not stored", async () => {
    const { code } = await channel.hotel();
    const parts = [
      '<Occupancy AgeQualifyingCode="7" MaxOccupancy="1"/>',
      '<Room RoomType="Double" Quantity="12" SizeMeasurement="200" SizeMeasurementUnit="sqft"/>',
      '<Quantities MaximumAdditionalGuests="1"/>',
      '<RoomLevelFees><Fee Amount="5"/></RoomLevelFees>',
    ];
    const { text } = await channel.send(message(code, product('InvTypeCode="DBL" Start="2026-12-01" End="2026-12-31"', ...parts)));
    for (const named of [
      "AgeQualifyingCode=",
      "Quantity of a Room",
      "SizeMeasurement in sqft",
      "Quantities",
      "RoomLevelFees",
      "Start and End",
    ])
      assert.match(text, new RegExp(`<Warning [^>]*>[^<]*${named}`));
    assert.deepEqual([(await category(code, "DBL"))!.name, (await category(code, "DBL"))!.size], ["Double", null]);
  });

  test("refuses products that are invalid, repeated or not categories", async () => {
    const { code } = await channel.hotel();
    assert.equal(await errorOf(message(code)), "321 Required field missing: SellableProduct");
    assert.equal(await errorOf(message(code, product(""))), "321 Required field missing: InvTypeCode");
    assert.match((await errorOf(message(code, product('InvTypeCode="A,B"'))))!, /^320 Invalid value "A,B" for InvTypeCode; allowed: /);
    assert.match((await errorOf(message(code, product('InvTypeCode="DBL" InvCode="101"'))))!, /^450 .* is not implemented: /);
    assert.match(
      (await errorOf(message(code, product('InvTypeCode="DBL" InvType="PACKAGE"'))))!,
      /^450 InvType="PACKAGE" is not supported/,
    );
    assert.match(
      (await errorOf(message(code, product('InvTypeCode="DBL" InvStatusType="Maybe"'))))!,
      /^320 Invalid value "Maybe" for InvStatusType/,
    );
    assert.match(
      (await errorOf(message(code, product('InvTypeCode="DBL"'), product('InvCode="DBL"'))))!,
      /^320 SellableProduct DBL appears twice/,
    );
    const most = product('InvTypeCode="DBL"', '<Occupancy MaxOccupancy="0"/>');
    assert.match((await errorOf(message(code, most)))!, /^320 Invalid value "0" for MaxOccupancy/);
    assert.equal((await category(code, "DBL"))!.version, 1);
  });
});
