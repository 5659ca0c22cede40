import type { Example, ExampleCodes } from "../../example.ts";

const ACTION = "OTA_HotelRatePlan:BaseRates";

export const examples: readonly Example[] = [
  {
    name: "base-rates-query",
    description: "AlpineBits BaseRates: requests all stored amounts from today onward.",
    transport: "alpinebits",
    action: ACTION,
    version: "2024-10",
    xml: (codes) => queryXml(codes, ""),
  },
  {
    name: "plan-rates-query",
    description: "AlpineBits BaseRates: requests the amounts for one rate plan and a range of nights.",
    transport: "alpinebits",
    action: ACTION,
    version: "2022-10",
    xml: (codes) =>
      queryXml(
        codes,
        `${rangeXml(codes, 0, 13)}<RatePlanCandidates><RatePlanCandidate RatePlanCode="${codes.plan}"/></RatePlanCandidates>`,
      ),
  },
  {
    name: "rates-query-crossed-dates",
    description: "Refused: the range ends before it starts.",
    expect: { refused: 404 },
    xml: (codes) => queryXml(codes, rangeXml(codes, 6, 0)),
  },
];

function rangeXml({ day }: ExampleCodes, from: number, to: number): string {
  return `<DateRange Start="${day(from)}" End="${day(to)}"/>`;
}

function queryXml({ hotel }: ExampleCodes, filter: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<OTA_HotelRatePlanRQ xmlns="http://www.opentravel.org/OTA/2003/05" Version="3.000">
  <RatePlans>
    <RatePlan>${filter}<HotelRef HotelCode="${hotel}"/></RatePlan>
  </RatePlans>
</OTA_HotelRatePlanRQ>
`;
}
