import type { Example } from "../../example.ts";

const xml = (hotel: string): string => `<?xml version="1.0" encoding="UTF-8"?>
<OTA_HotelDescriptiveInfoRQ xmlns="http://www.opentravel.org/OTA/2003/05" Version="3.000">
  <HotelDescriptiveInfos>
    <HotelDescriptiveInfo HotelCode="${hotel}"/>
  </HotelDescriptiveInfos>
</OTA_HotelDescriptiveInfoRQ>
`;

export const examples: readonly Example[] = [
  {
    name: "categories-query",
    description: "AlpineBits Inventory: returns the active categories and their individual rooms.",
    transport: "alpinebits",
    action: "OTA_HotelDescriptiveInfo:Inventory",
    version: "2024-10",
    xml: ({ hotel }) => xml(hotel),
  },
  {
    name: "hotelinfo-query",
    description: "AlpineBits Info: returns the property's record.",
    transport: "alpinebits",
    action: "OTA_HotelDescriptiveInfo:Info",
    version: "2024-10",
    xml: ({ hotel }) => xml(hotel),
  },
  {
    name: "categories-query-unknown-hotel",
    description: "Refused: the hotel code does not exist.",
    expect: { refused: 392 },
    xml: ({ hotel }) => xml(`${hotel}-UNKNOWN`),
  },
];
