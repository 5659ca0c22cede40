import type { Example, ExampleCodes } from "../../example.ts";

export const examples: readonly Example[] = [
  {
    name: "open-with-minimum-stay",
    description: "Opens a rate plan for ten nights with an arrival-based minimum stay of two nights.",
    xml: (codes) =>
      messagesXml(
        codes,
        messageXml(
          controlXml(codes, 0, 9, planXml(codes)),
          stayXml("SetMinLOS", 2),
          '<RestrictionStatus Status="Open" Restriction="Master"/>',
        ),
      ),
  },
  {
    name: "limit-and-stop-sell",
    description: "Makes ten rooms available and closes one rate plan, in a SOAP 1.1 envelope.",
    transport: "soap11",
    xml: (codes) => messagesXml(codes, limitMessageXml(10, controlXml(codes, 0, 0, planXml(codes)), '<RestrictionStatus Status="Close"/>')),
  },
  {
    name: "closed-to-arrival",
    description: "Closes two nights to arrival. Stop sell and departure restrictions are unchanged.",
    xml: (codes) =>
      messagesXml(codes, messageXml(controlXml(codes, 4, 5, planXml(codes)), '<RestrictionStatus Status="Close" Restriction="Arrival"/>')),
  },
  {
    name: "hotel-closed-to-departure",
    description: "A restriction without a category or rate plan applies to the whole hotel.",
    xml: (codes) =>
      messagesXml(
        codes,
        messageXml(
          `<StatusApplicationControl Start="${codes.day(8)}" End="${codes.day(8)}"/>`,
          '<RestrictionStatus Status="Close" Restriction="Departure"/>',
        ),
      ),
  },
  {
    name: "stay-pattern",
    description: "Allows only two- or three-night stays, based on the arrival date.",
    xml: (codes) =>
      messagesXml(
        codes,
        messageXml(
          controlXml(codes, 0, 2, planXml(codes)),
          '<LengthsOfStay FixedPatternLength="4"><LengthOfStay MinMaxMessageType="FullPatternLOS" Time="4" TimeUnit="Day"><LOS_Pattern FullPatternLOS="NYYN"/></LengthOfStay></LengthsOfStay>',
        ),
      ),
  },
  {
    name: "booking-window",
    description: "Allows the plan to be booked from 1 to 180 days before arrival.",
    xml: (codes) =>
      messagesXml(
        codes,
        messageXml(
          controlXml(codes, 0, 30, planXml(codes)),
          '<RestrictionStatus MinAdvancedBookingOffset="P1D" MaxAdvancedBookingOffset="P180D"/>',
        ),
      ),
  },
  {
    name: "freerooms-2018-10",
    description: "AlpineBits FreeRooms up to 2018-10: a booking limit and a threshold.",
    transport: "alpinebits",
    action: "OTA_HotelAvailNotif:FreeRooms",
    version: "2018-10",
    xml: (codes) =>
      messagesXml(
        codes,
        `<AvailStatusMessage BookingLimit="1" BookingLimitMessageType="SetLimit" BookingThreshold="0">${controlXml(codes, 0, 9)}</AvailStatusMessage>`,
      ),
  },
  {
    name: "relative-limit",
    description: "Refused: if the message were repeated, a relative limit would be applied twice.",
    expect: { refused: 450 },
    xml: (codes) =>
      messagesXml(
        codes,
        `<AvailStatusMessage BookingLimit="1" BookingLimitMessageType="AdjustLimit">${controlXml(codes, 0, 9)}</AvailStatusMessage>`,
      ),
  },
  {
    name: "wrong-status",
    description: "Refused: OpenTravel does not define this status.",
    expect: { refused: 320 },
    xml: (codes) => messagesXml(codes, messageXml(controlXml(codes, 0, 9), '<RestrictionStatus Status="Maybe"/>')),
  },
];

function messagesXml(codes: ExampleCodes, ...lines: readonly string[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<OTA_HotelAvailNotifRQ xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.002" EchoToken="example-1">
  <AvailStatusMessages HotelCode="${codes.hotel}">
    ${lines.join("\n    ")}
  </AvailStatusMessages>
</OTA_HotelAvailNotifRQ>
`;
}

function messageXml(...parts: readonly string[]): string {
  return `<AvailStatusMessage>\n      ${parts.join("\n      ")}\n    </AvailStatusMessage>`;
}

function limitMessageXml(rooms: number, ...parts: readonly string[]): string {
  return `<AvailStatusMessage BookingLimit="${rooms}">\n      ${parts.join("\n      ")}\n    </AvailStatusMessage>`;
}

// oxlint-disable-next-line max-params -- the parameters follow the order of the XML
function controlXml(codes: ExampleCodes, from: number, to: number, more = ""): string {
  return `<StatusApplicationControl Start="${codes.day(from)}" End="${codes.day(to)}" InvTypeCode="${codes.category}"${more}/>`;
}

function planXml({ plan: code }: ExampleCodes): string {
  return ` RatePlanCode="${code}"`;
}

function stayXml(kind: string, nights: number): string {
  return `<LengthsOfStay><LengthOfStay MinMaxMessageType="${kind}" Time="${nights}" TimeUnit="Day"/></LengthsOfStay>`;
}
