import type { Example, ExampleCodes } from "../../example.ts";

export const examples: readonly Example[] = [
  {
    name: "restrictions-query",
    description: "Requests two weeks of restrictions for one rate plan and one category.",
    xml: (codes) =>
      queryXml(
        codes,
        `<DateRange Start="${codes.day(0)}" End="${codes.day(13)}"/>
      <RatePlanCandidates><RatePlanCandidate RatePlanCode="${codes.plan}"/></RatePlanCandidates>
      <RoomTypeCandidates><RoomTypeCandidate RoomTypeCode="${codes.category}"/></RoomTypeCandidates>
      `,
      ),
  },
  {
    name: "restrictions-query-all",
    description: "Requests all restrictions and booking limits from today onward, in a SOAP 1.1 envelope.",
    transport: "soap11",
    xml: (codes) => queryXml(codes, ""),
  },
  {
    name: "restrictions-query-unknown-category",
    description: "Refused: the category does not exist.",
    expect: { refused: 402 },
    xml: (codes) => queryXml(codes, '<RoomTypeCandidates><RoomTypeCandidate RoomTypeCode="NONE"/></RoomTypeCandidates>'),
  },
];

function queryXml({ hotel }: ExampleCodes, filter: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<OTA_HotelAvailGetRQ xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.000">
  <HotelAvailRequests>
    <HotelAvailRequest>
      ${filter}<HotelRef HotelCode="${hotel}"/>
    </HotelAvailRequest>
  </HotelAvailRequests>
</OTA_HotelAvailGetRQ>
`;
}
