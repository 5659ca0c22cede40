import type { Example, ExampleCodes } from "../../example.ts";

const ACTION = "OTA_HotelDescriptiveContentNotif:Inventory";

export const examples: readonly Example[] = [
  {
    name: "categories-described",
    description: "AlpineBits Inventory: a category with its texts, amenities, a picture and two single rooms.",
    transport: "alpinebits",
    action: ACTION,
    version: "2024-10",
    xml: (codes) => contents(codes, category(codes, TEXTS, PICTURE), singleRoom(codes, "101"), singleRoom(codes, "102")),
  },
  {
    name: "categories-renamed",
    description: "In OpenTravel what a message leaves out is unchanged: here only the name changes.",
    xml: (codes) => contents(codes, `<GuestRoom Code="${codes.category}">${media(TEXTS)}</GuestRoom>`),
  },
  {
    name: "categories-without-long-name",
    description: "AlpineBits Inventory: a category has a long name, InfoCode 25.",
    transport: "alpinebits",
    action: ACTION,
    version: "2024-10",
    expect: { refused: 321 },
    xml: (codes) => contents(codes, category(codes, PICTURE)),
  },
  {
    name: "categories-of-children-alone",
    description: "More children than the category has guests.",
    expect: { refused: 320 },
    xml: (codes) => contents(codes, `<GuestRoom Code="${codes.category}" MaxOccupancy="2" MaxChildOccupancy="3"/>`),
  },
  {
    name: "categories-with-size-of-room",
    description: "AlpineBits Inventory: the size belongs to the category, not to its single rooms.",
    transport: "alpinebits",
    action: ACTION,
    version: "2022-10",
    expect: { refused: 320 },
    xml: (codes) => contents(codes, category(codes, TEXTS), singleRoom(codes, "101", ' Size="24"')),
  },
  {
    name: "categories-all-gone",
    description: "AlpineBits Inventory: an empty list deactivates every category; its nights are kept.",
    transport: "alpinebits",
    action: ACTION,
    version: "2024-10",
    xml: (codes) => contents(codes),
  },
];

const TEXTS = `<MultimediaDescription InfoCode="25">
                <TextItems><TextItem>
                  <Description TextFormat="PlainText" Language="en">Double room</Description>
                  <Description TextFormat="PlainText" Language="de">Doppelzimmer</Description>
                </TextItem></TextItems>
              </MultimediaDescription>
              <MultimediaDescription InfoCode="1">
                <TextItems><TextItem>
                  <Description TextFormat="PlainText" Language="en">A quiet room that looks on the garden.</Description>
                </TextItem></TextItems>
              </MultimediaDescription>`;

const PICTURE = `<MultimediaDescription InfoCode="23">
                <ImageItems>
                  <ImageItem Category="6"><ImageFormat><URL>https://hotel.example/double.jpg</URL></ImageFormat></ImageItem>
                </ImageItems>
              </MultimediaDescription>`;

function contents({ hotel }: ExampleCodes, ...rooms: readonly string[]): string {
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

function category({ category: code }: ExampleCodes, ...described: readonly string[]): string {
  return `<GuestRoom Code="${code}" MinOccupancy="1" MaxOccupancy="3" MaxChildOccupancy="1">
            <TypeRoom StandardOccupancy="2" RoomClassificationCode="42" Size="24"/>
            <Amenities><Amenity RoomAmenityCode="2"/><Amenity RoomAmenityCode="26"/></Amenities>
            ${media(...described)}
          </GuestRoom>`;
}

function media(...described: readonly string[]): string {
  return `<MultimediaDescriptions>
              ${described.join("\n              ")}
            </MultimediaDescriptions>`;
}

function singleRoom({ category: code }: ExampleCodes, name: string, more = ""): string {
  return `<GuestRoom Code="${code}"><TypeRoom RoomID="${name}"${more}/></GuestRoom>`;
}
