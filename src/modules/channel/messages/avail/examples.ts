import type { Example, ExampleCodes } from "../../example.ts";

export const examples: readonly Example[] = [
  {
    name: "rooms-and-rates-query",
    description: "SiteMinder: requests categories and rate plans for code mapping, in a SOAP 1.1 envelope.",
    transport: "soap11",
    xml: (codes) => queryXml(codes, 'AvailReqType="Room"', ""),
  },
  {
    name: "free-rooms-query",
    description: "Refused: availability search is not supported.",
    expect: { refused: 450 },
    xml: (codes) => queryXml(codes, 'AvailReqType="Room"', `<StayDateRange Start="${codes.day(0)}" End="${codes.day(2)}"/>\n        `),
  },
  {
    name: "rooms-query-wrong-type",
    description: "Refused: only rooms can be listed.",
    expect: { refused: 450 },
    xml: (codes) => queryXml(codes, 'AvailReqType="NonRoom"', ""),
  },
];

// oxlint-disable-next-line max-params -- the parameters follow the order of the XML
function queryXml({ hotel }: ExampleCodes, attributes: string, more: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<OTA_HotelAvailRQ xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.0">
  <AvailRequestSegments>
    <AvailRequestSegment ${attributes}>
        ${more}<HotelSearchCriteria><Criterion><HotelRef HotelCode="${hotel}"/></Criterion></HotelSearchCriteria>
    </AvailRequestSegment>
  </AvailRequestSegments>
</OTA_HotelAvailRQ>
`;
}
