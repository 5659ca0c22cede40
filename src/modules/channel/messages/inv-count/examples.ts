import type { Example, ExampleCodes } from "../../example.ts";

export const examples: readonly Example[] = [
  {
    name: "counts-query",
    description: "Requests two weeks of counts for one category.",
    xml: (codes) =>
      queryXml(
        codes,
        `<DateRange Start="${codes.day(0)}" End="${codes.day(13)}"/>
      <RoomTypeCandidates><RoomTypeCandidate RoomTypeCode="${codes.category}"/></RoomTypeCandidates>
      `,
      ),
  },
  {
    name: "counts-query-crossed-dates",
    description: "Refused: the range ends before it starts.",
    expect: { refused: 404 },
    xml: (codes) => queryXml(codes, `<DateRange Start="${codes.day(6)}" End="${codes.day(0)}"/>`),
  },
];

function queryXml({ hotel }: ExampleCodes, filter: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<OTA_HotelInvCountRQ xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.000">
  <HotelInvCountRequests>
    <HotelInvCountRequest>
      ${filter}<HotelRef HotelCode="${hotel}"/>
    </HotelInvCountRequest>
  </HotelInvCountRequests>
</OTA_HotelInvCountRQ>
`;
}
