import type { Example, ExampleCodes } from "../../example.ts";

export const examples: readonly Example[] = [
  {
    name: "google-rooms-and-packages",
    description: "Updates a category and a rate plan's name. Other records are unchanged.",
    xml: (codes) => messageXml(codes, "delta", roomXml(codes, ""), packageXml(codes)),
  },
  {
    name: "google-overlay",
    description: "Replaces the property's categories: those not sent become inactive.",
    expect: "warnings",
    xml: (codes) => messageXml(codes, "overlay", roomXml(codes, "")),
  },
  {
    name: "google-allowed-packages",
    description: "The assignment of packages to rooms is not stored.",
    expect: "warnings",
    xml: (codes) =>
      messageXml(
        codes,
        "delta",
        roomXml(codes, `<AllowablePackageIDs><AllowablePackageID>${codes.plan}</AllowablePackageID></AllowablePackageIDs>`),
      ),
  },
  {
    name: "google-room-without-id",
    description: "Refused: the room has no RoomID.",
    expect: { refused: 321 },
    xml: (codes) => messageXml(codes, "delta", '<RoomData><Name><Text text="Double" language="en"/></Name></RoomData>'),
  },
];

// oxlint-disable-next-line max-params -- the parameters follow the order of the XML
function messageXml({ hotel, day }: ExampleCodes, action: string, ...records: readonly string[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<Transaction timestamp="${day(0)}T12:00:00Z" id="example-1" partner="pms">
  <PropertyDataSet action="${action}">
    <Property>${hotel}</Property>
    ${records.join("\n    ")}
  </PropertyDataSet>
</Transaction>
`;
}

function roomXml({ category }: ExampleCodes, more: string): string {
  return `<RoomData>
      <RoomID>${category}</RoomID>
      <Name><Text text="Double room" language="en"/></Name>
      <Description><Text text="A quiet room." language="en"/></Description>
      ${more}<Capacity>3</Capacity>
      <PhotoURL><URL>https://example.com/double.jpg</URL></PhotoURL>
    </RoomData>`;
}

function packageXml({ plan }: ExampleCodes): string {
  return `<PackageData>
      <PackageID>${plan}</PackageID>
      <Name><Text text="Best price" language="en"/></Name>
    </PackageData>`;
}
