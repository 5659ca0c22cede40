import type { Example, ExampleCodes } from "../../example.ts";

const ACTION = "OTA_HotelDescriptiveContentNotif:Inventory";

export const examples: readonly Example[] = [
  {
    name: "categories-described",
    description: "AlpineBits Inventory: a category with descriptions, amenities, a picture and two individual rooms.",
    transport: "alpinebits",
    action: ACTION,
    version: "2024-10",
    xml: (codes) =>
      contentsXml(codes, categoryXml(codes, TEXTS_XML, PICTURE_XML), singleRoomXml(codes, "101"), singleRoomXml(codes, "102")),
  },
  {
    name: "categories-renamed",
    description: "Outside AlpineBits, omitted values are unchanged: here only the name changes.",
    xml: (codes) => contentsXml(codes, `<GuestRoom Code="${codes.category}">${mediaXml(TEXTS_XML)}</GuestRoom>`),
  },
  {
    name: "categories-without-long-name",
    description: "AlpineBits Inventory: refused, because a category must have a long name (InfoCode 25).",
    transport: "alpinebits",
    action: ACTION,
    version: "2024-10",
    expect: { refused: 321 },
    xml: (codes) => contentsXml(codes, categoryXml(codes, PICTURE_XML)),
  },
  {
    name: "categories-too-many-children",
    description: "Refused: the maximum number of children exceeds the category's maximum occupancy.",
    expect: { refused: 320 },
    xml: (codes) => contentsXml(codes, `<GuestRoom Code="${codes.category}" MaxOccupancy="2" MaxChildOccupancy="3"/>`),
  },
  {
    name: "categories-room-size",
    description: "AlpineBits Inventory: refused, because the size belongs to the category, not to its individual rooms.",
    transport: "alpinebits",
    action: ACTION,
    version: "2022-10",
    expect: { refused: 320 },
    xml: (codes) => contentsXml(codes, categoryXml(codes, TEXTS_XML), singleRoomXml(codes, "101", ' Size="24"')),
  },
  {
    name: "categories-empty-list",
    description: "AlpineBits Inventory: an empty list deactivates all categories; their nights are kept.",
    transport: "alpinebits",
    action: ACTION,
    version: "2024-10",
    xml: (codes) => contentsXml(codes),
  },
  {
    name: "property-described",
    description:
      "A property with its address, contact details, check-in and check-out times and star rating, and a category identified by its room type code.",
    xml: (codes) => propertyXml(codes, `${INFO_PARTS_XML}\n      ${typedRoomXml(codes)}`),
  },
  {
    name: "property-with-room-without-code",
    description: "A room without a code is skipped; the rest is stored.",
    expect: "warnings",
    xml: (codes) => propertyXml(codes, `${POSITION_XML}\n      ${UNNAMED_ROOM_XML}`),
  },
  {
    name: "property-with-bad-country",
    description: "Refused: the country code is not in ISO 3166.",
    expect: { refused: 320 },
    xml: (codes) => propertyXml(codes, BAD_COUNTRY_XML),
  },
  {
    name: "hotelinfo-described",
    description: "AlpineBits Info: sets the property's coordinates and description.",
    transport: "alpinebits",
    action: "OTA_HotelDescriptiveContentNotif:Info",
    version: "2024-10",
    xml: (codes) => propertyXml(codes, POSITION_XML),
  },
  {
    name: "hotelinfo-with-occupancy",
    description: "AlpineBits Info: refused, because occupancy may only be sent with the action Inventory.",
    transport: "alpinebits",
    action: "OTA_HotelDescriptiveContentNotif:Info",
    version: "2022-10",
    expect: { refused: 320 },
    xml: (codes) => contentsXml(codes, `<GuestRoom Code="${codes.category}" MaxOccupancy="3"/>`),
  },
];

const POSITION_XML = `<HotelInfo>
        <Descriptions><MultimediaDescriptions><MultimediaDescription InfoCode="1"><TextItems><TextItem>
          <Description TextFormat="PlainText" Language="en">A family hotel above the lake.</Description>
        </TextItem></TextItems></MultimediaDescription></MultimediaDescriptions></Descriptions>
        <Position Latitude="46.4983" Longitude="11.3548"/>
      </HotelInfo>`;

const INFO_PARTS_XML = `<HotelInfo>
        <HotelName>Seeblick</HotelName>
        <Position Latitude="46.4983" Longitude="11.3548"/>
      </HotelInfo>
      <Policies><Policy><PolicyInfo CheckInTime="14:00" CheckOutTime="10:30"/></Policy></Policies>
      <AffiliationInfo><Awards><Award Rating="4" Provider="Stars" OfficialAppointmentInd="true"/></Awards></AffiliationInfo>
      <ContactInfos><ContactInfo>
        <Addresses><Address>
          <AddressLine>Seestrasse 3</AddressLine><CityName>Kaltern</CityName><PostalCode>39052</PostalCode><CountryName Code="IT"/>
        </Address></Addresses>
        <Phones><Phone PhoneNumber="+390471000000"/></Phones>
        <Emails><Email>desk@hotel.example</Email></Emails>
      </ContactInfo></ContactInfos>`;

const BAD_COUNTRY_XML = `<ContactInfos><ContactInfo><Addresses><Address>
        <CityName>Kaltern</CityName><CountryName Code="ITA"/>
      </Address></Addresses></ContactInfo></ContactInfos>`;

const UNNAMED_ROOM_XML = `<FacilityInfo><GuestRooms><GuestRoom><TypeRoom Size="24"/></GuestRoom></GuestRooms></FacilityInfo>`;

function typedRoomXml({ category: code }: ExampleCodes): string {
  return `<FacilityInfo><GuestRooms><GuestRoom><TypeRoom RoomTypeCode="${code}" Size="24"/></GuestRoom></GuestRooms></FacilityInfo>`;
}

function propertyXml({ hotel }: ExampleCodes, parts: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<OTA_HotelDescriptiveContentNotifRQ xmlns="http://www.opentravel.org/OTA/2003/05" Version="8.000">
  <HotelDescriptiveContents>
    <HotelDescriptiveContent HotelCode="${hotel}">
      ${parts}
    </HotelDescriptiveContent>
  </HotelDescriptiveContents>
</OTA_HotelDescriptiveContentNotifRQ>
`;
}

const TEXTS_XML = `<MultimediaDescription InfoCode="25">
                <TextItems><TextItem>
                  <Description TextFormat="PlainText" Language="en">Double room</Description>
                  <Description TextFormat="PlainText" Language="de">Doppelzimmer</Description>
                </TextItem></TextItems>
              </MultimediaDescription>
              <MultimediaDescription InfoCode="1">
                <TextItems><TextItem>
                  <Description TextFormat="PlainText" Language="en">A quiet room overlooking the garden.</Description>
                </TextItem></TextItems>
              </MultimediaDescription>`;

const PICTURE_XML = `<MultimediaDescription InfoCode="23">
                <ImageItems>
                  <ImageItem Category="6"><ImageFormat><URL>https://hotel.example/double.jpg</URL></ImageFormat></ImageItem>
                </ImageItems>
              </MultimediaDescription>`;

function contentsXml({ hotel }: ExampleCodes, ...rooms: readonly string[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<OTA_HotelDescriptiveContentNotifRQ xmlns="http://www.opentravel.org/OTA/2003/05" Version="8.000">
  <HotelDescriptiveContents>
    <HotelDescriptiveContent HotelCode="${hotel}">
      <FacilityInfo>
        <GuestRooms>
          ${rooms.join("\n          ")}
        </GuestRooms>
      </FacilityInfo>
    </HotelDescriptiveContent>
  </HotelDescriptiveContents>
</OTA_HotelDescriptiveContentNotifRQ>
`;
}

function categoryXml({ category: code }: ExampleCodes, ...described: readonly string[]): string {
  return `<GuestRoom Code="${code}" MinOccupancy="1" MaxOccupancy="3" MaxChildOccupancy="1">
            <TypeRoom StandardOccupancy="2" RoomClassificationCode="42" Size="24"/>
            <Amenities><Amenity RoomAmenityCode="2"/><Amenity RoomAmenityCode="26"/></Amenities>
            ${mediaXml(...described)}
          </GuestRoom>`;
}

function mediaXml(...described: readonly string[]): string {
  return `<MultimediaDescriptions>
              ${described.join("\n              ")}
            </MultimediaDescriptions>`;
}

function singleRoomXml({ category: code }: ExampleCodes, name: string, more = ""): string {
  return `<GuestRoom Code="${code}"><TypeRoom RoomID="${name}"${more}/></GuestRoom>`;
}
