import type { Example, ExampleCodes } from "../../example.ts";

export const examples: readonly Example[] = [
  {
    name: "products-created",
    description: "Creates a category with a name, occupancy, size and amenities.",
    xml: (codes) =>
      productsXml(
        codes,
        `<SellableProduct InvTypeCode="FAM" InvStatusType="Initial">
      <GuestRoom>
        <Occupancy MinOccupancy="1" MaxOccupancy="4" MaxAdultOccupancy="4" MaxChildOccupancy="2"/>
        <Room RoomType="Family room" RoomClassificationCode="42" SizeMeasurement="35" SizeMeasurementUnit="sqm"/>
        <Amenities><Amenity AmenityCode="2"/></Amenities>
        <Description><Text Language="en">Two rooms with a connecting door.</Text></Description>
      </GuestRoom>
    </SellableProduct>`,
      ),
  },
  {
    name: "products-updated",
    description: "Ctrip: occupancy is sent per age group, and the short description is used as the category name.",
    transport: "soap11",
    xml: (codes) =>
      productsXml(
        codes,
        `<SellableProduct InvTypeCode="${codes.category}" InvStatusType="Active">
      <GuestRoom>
        <Occupancy AgeQualifyingCode="10" MinOccupancy="1" MaxOccupancy="3"/>
        <Occupancy AgeQualifyingCode="8" MinOccupancy="0" MaxOccupancy="1"/>
        <Description><Text Language="en-us">Garden room</Text></Description>
        <LongDescription><Text Language="en-us">A quiet room overlooking the garden.</Text></LongDescription>
      </GuestRoom>
    </SellableProduct>`,
      ),
  },
  {
    name: "products-deactivated",
    description: "Makes the category inactive. Its nights are kept.",
    xml: (codes) => productsXml(codes, `<SellableProduct InvTypeCode="${codes.category}" InvStatusType="Deactivated"/>`),
  },
  {
    name: "products-with-fees",
    description: "The category is stored. Room fees are ignored with a warning.",
    expect: "warnings",
    xml: (codes) =>
      productsXml(
        codes,
        `<SellableProduct InvTypeCode="${codes.category}"><GuestRoom><Room RoomType="Double room"/><RoomLevelFees/></GuestRoom></SellableProduct>`,
      ),
  },
  {
    name: "products-without-code",
    description: "Refused: the category code is missing.",
    expect: { refused: 321 },
    xml: (codes) =>
      productsXml(codes, '<SellableProduct InvStatusType="Initial"><GuestRoom><Room RoomType="Suite"/></GuestRoom></SellableProduct>'),
  },
];

function productsXml({ hotel }: ExampleCodes, product: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<OTA_HotelInvNotifRQ xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.000">
  <SellableProducts HotelCode="${hotel}">
    ${product}
  </SellableProducts>
</OTA_HotelInvNotifRQ>
`;
}
