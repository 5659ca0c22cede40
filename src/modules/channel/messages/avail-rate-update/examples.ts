import type { Example, ExampleCodes } from "../../example.ts";

export const examples: readonly Example[] = [
  {
    name: "expedia-rooms-rates-restrictions",
    description: "Makes ten rooms available, and sets prices by number of guests and arrival-based stay limits.",
    xml: (codes) =>
      messageXml(
        codes,
        `<DateRange from="${codes.day(0)}" to="${codes.day(9)}"/>`,
        `<RoomType id="${codes.category}" closed="false">
      <Inventory totalInventoryAvailable="10"/>
      <RatePlan id="${codes.plan}" closed="false">
        <Rate currency="${codes.currency}">
          <PerOccupancy rate="100.00" occupancy="1"/>
          <PerOccupancy rate="120.50" occupancy="2"/>
        </Rate>
        <Restrictions minLOS="2" maxLOS="14" closedToArrival="true" closedToDeparture="false"/>
      </RatePlan>
    </RoomType>`,
      ),
  },
  {
    name: "expedia-weekends",
    description: "Closes a plan on every Friday and Saturday for a month.",
    xml: (codes) =>
      messageXml(
        codes,
        `<DateRange from="${codes.day(0)}" to="${codes.day(30)}" fri="true" sat="true"/>`,
        planXml(codes, ' closed="true"', ""),
      ),
  },
  {
    name: "expedia-length-of-stay",
    description: "Sets the price per night for three-night stays.",
    xml: (codes) =>
      messageXml(
        codes,
        `<DateRange from="${codes.day(0)}" to="${codes.day(4)}"/>`,
        planXml(codes, "", `<Rate currency="${codes.currency}"><PerDay rate="90.00" lengthOfStay="3"/></Rate>`),
      ),
  },
  {
    name: "expedia-unknown-attribute",
    description: "An attribute that is not stored causes a warning.",
    expect: "warnings",
    xml: (codes) =>
      messageXml(
        codes,
        `<DateRange from="${codes.day(0)}" to="${codes.day(0)}"/>`,
        `<RoomType id="${codes.category}"><Inventory totalInventoryAvailable="3" flexibleAllocation="2"/></RoomType>`,
      ),
  },
  {
    name: "expedia-narrowed",
    description:
      "Refused: the line has an attribute that may limit it. If the attribute were ignored, the line would apply more broadly than intended.",
    expect: { refused: 450 },
    xml: (codes) =>
      messageXml(
        codes,
        `<DateRange from="${codes.day(0)}" to="${codes.day(0)}"/>`,
        `<RoomType id="${codes.category}" channel="AAA" closed="true"/>`,
      ),
  },
];

function messageXml({ hotel }: ExampleCodes, ...parts: readonly string[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<AvailRateUpdateRQ xmlns="http://www.expediaconnect.com/EQC/AR/2011/06">
  <Hotel id="${hotel}"/>
  <AvailRateUpdate>
    ${parts.join("\n    ")}
  </AvailRateUpdate>
</AvailRateUpdateRQ>
`;
}

// oxlint-disable-next-line max-params -- the parameters follow the order of the XML
function planXml(codes: ExampleCodes, attributes: string, content: string): string {
  return `<RoomType id="${codes.category}"><RatePlan id="${codes.plan}"${attributes}>${content}</RatePlan></RoomType>`;
}
