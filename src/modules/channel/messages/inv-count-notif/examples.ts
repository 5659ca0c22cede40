import type { Example, ExampleCodes } from "../../example.ts";

export const examples: readonly Example[] = [
  {
    name: "counts-of-a-week",
    description: "Makes three rooms of a category available on each of seven nights.",
    xml: (codes) => inventoriesXml(codes, lineXml(codes, 0, 6, 3)),
  },
  {
    name: "counts-on-weekdays",
    description: "Sets counts for Monday to Thursday nights over two weeks. Other nights are unchanged.",
    xml: (codes) => inventoriesXml(codes, lineXml(codes, 0, 13, 2, ' Mon="1" Tue="1" Weds="1" Thur="1" Fri="0" Sat="0" Sun="0"')),
  },
  {
    name: "sold-out",
    description: "A line without counts marks the category as sold out.",
    xml: (codes) => inventoriesXml(codes, inventoryXml(controlXml(codes, 3, 4))),
  },
  {
    name: "out-of-order-and-off-market",
    description: "Sets how many rooms are available, out of order and off the market.",
    xml: (codes) => inventoriesXml(codes, inventoryXml(controlXml(codes, 0, 6), countsXml([2, 30], [6, 10], [9, 5]))),
  },
  {
    name: "counts-in-soap",
    description: "The same counts in a SOAP 1.1 envelope.",
    transport: "soap11",
    xml: (codes) => inventoriesXml(codes, lineXml(codes, 0, 6, 3)),
  },
  {
    name: "freerooms-complete-set",
    description: "AlpineBits FreeRooms: a complete set replaces all stored counts. Closing seasons come first.",
    transport: "alpinebits",
    action: "OTA_HotelInvCountNotif:FreeRooms",
    version: "2024-10",
    xml: (codes) =>
      inventoriesXml(codes, COMPLETE_SET_XML, closingXml(codes, 40, 60), lineXml(codes, 0, 9, 3), inventoryXml(controlXml(codes, 10, 12))),
  },
  {
    name: "freerooms-reset",
    description: "AlpineBits FreeRooms: an empty complete set clears all stored counts.",
    transport: "alpinebits",
    action: "OTA_HotelInvCountNotif:FreeRooms",
    version: "2022-10",
    xml: (codes) => inventoriesXml(codes, COMPLETE_SET_XML, "<Inventory/>"),
  },
  {
    name: "freerooms-single-rooms",
    description: "AlpineBits FreeRooms with individual rooms: the category's availability is their sum.",
    transport: "alpinebits",
    action: "OTA_HotelInvCountNotif:FreeRooms",
    version: "2020-10",
    xml: (codes) =>
      inventoriesXml(
        codes,
        inventoryXml(controlXml(codes, 0, 6, ' InvCode="101"'), countsXml([2, 1])),
        inventoryXml(controlXml(codes, 0, 6, ' InvCode="102"'), countsXml([2, 0])),
      ),
  },
  {
    name: "past-nights",
    description: "Nights before today are ignored with a warning.",
    expect: "warnings",
    xml: (codes) => inventoriesXml(codes, lineXml(codes, -3, 3, 2)),
  },
  {
    name: "unknown-hotel",
    description: "Refused: the hotel code does not exist.",
    expect: { refused: 392 },
    xml: (codes) => inventoriesXml({ ...codes, hotel: `${codes.hotel}-UNKNOWN` }, lineXml(codes, 0, 6, 3)),
  },
  {
    name: "unknown-room-type",
    description: "Refused: the hotel has no category with this code.",
    expect: { refused: 402 },
    xml: (codes) => inventoriesXml(codes, lineXml({ ...codes, category: `${codes.category}-UNKNOWN` }, 0, 6, 3)),
  },
  {
    name: "negative-count",
    description: "Refused: the count is below 0. Storing it as 0 would hide overbooking.",
    expect: { refused: 320 },
    xml: (codes) => inventoriesXml(codes, lineXml(codes, 0, 6, 3), lineXml(codes, 7, 7, -2)),
  },
  {
    name: "end-before-start",
    description: "Refused: the range ends before it starts.",
    expect: { refused: 404 },
    xml: (codes) => inventoriesXml(codes, lineXml(codes, 6, 0, 3)),
  },
];

const COMPLETE_SET_XML = '<UniqueID Type="16" ID="1" Instance="CompleteSet"/>';

function inventoriesXml(codes: ExampleCodes, ...parts: readonly string[]): string {
  const head = parts[0]!.startsWith("<UniqueID") ? `\n  ${parts[0]}` : "";
  const lines = head === "" ? parts : parts.slice(1);
  return `<?xml version="1.0" encoding="UTF-8"?>
<OTA_HotelInvCountNotifRQ xmlns="http://www.opentravel.org/OTA/2003/05" Version="4.000">${head}
  <Inventories HotelCode="${codes.hotel}">
    ${lines.join("\n    ")}
  </Inventories>
</OTA_HotelInvCountNotifRQ>
`;
}

// oxlint-disable-next-line max-params -- the parameters follow the order of the XML
function lineXml(codes: ExampleCodes, from: number, to: number, available: number, flags = ""): string {
  return inventoryXml(controlXml(codes, from, to, flags), countsXml([2, available]));
}

function inventoryXml(...parts: readonly string[]): string {
  return `<Inventory>\n      ${parts.join("\n      ")}\n    </Inventory>`;
}

// oxlint-disable-next-line max-params -- the parameters follow the order of the XML
function controlXml(codes: ExampleCodes, from: number, to: number, more = ""): string {
  return `<StatusApplicationControl Start="${codes.day(from)}" End="${codes.day(to)}" InvTypeCode="${codes.category}"${more}/>`;
}

function closingXml(codes: ExampleCodes, from: number, to: number): string {
  return inventoryXml(`<StatusApplicationControl Start="${codes.day(from)}" End="${codes.day(to)}" AllInvCode="true"/>`);
}

function countsXml(...pairs: readonly (readonly [number, number])[]): string {
  return `<InvCounts>${pairs.map(([type, count]) => `<InvCount CountType="${type}" Count="${count}"/>`).join("")}</InvCounts>`;
}
