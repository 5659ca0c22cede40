import type { Example } from "../../example.ts";

export const examples: readonly Example[] = [
  {
    name: "room-list-query",
    description: "Cubilis and Weekendesk: requests the categories with their rate plans.",
    xml: ({ hotel }) => queryXml(`<HotelRoomList HotelCode="${hotel}"/>`),
  },
  {
    name: "room-list-query-without-hotel",
    description: "Refused: `HotelRoomList` is missing.",
    expect: { refused: 321 },
    xml: () => queryXml(""),
  },
];

function queryXml(list: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<OTA_HotelRoomListRQ xmlns="http://www.opentravel.org/OTA/2003/05" Version="2.0">
  <HotelRoomLists>${list}</HotelRoomLists>
</OTA_HotelRoomListRQ>
`;
}
