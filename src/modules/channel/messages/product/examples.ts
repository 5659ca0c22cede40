import type { Example } from "../../example.ts";

export const examples: readonly Example[] = [
  {
    name: "products-query",
    description: "TravelClick: requests every combination of category and rate plan.",
    xml: ({ hotel }) => queryXml(`<HotelProduct HotelCode="${hotel}"/>`),
  },
  {
    name: "products-query-unknown-hotel",
    description: "Refused: the property does not exist.",
    expect: { refused: 392 },
    xml: ({ hotel }) => queryXml(`<HotelProduct HotelCode="${hotel}-UNKNOWN"/>`),
  },
];

function queryXml(product: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<OTA_HotelProductRQ xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.0">
  <HotelProducts>${product}</HotelProducts>
</OTA_HotelProductRQ>
`;
}
