import type { Example, ExampleCodes } from "../../example.ts";

export const examples: readonly Example[] = [
  {
    name: "plan-rules",
    description:
      "Opens a rate plan for ten nights with an arrival-based minimum stay of two nights. Guests can book until the day before arrival.",
    xml: (codes) =>
      messagesXml(
        codes,
        controlXml(codes, `${nightsXml(codes, 0, 9)} RatePlanCode="${codes.plan}"`),
        ruleXml(
          ' MinAdvancedBookingOffset="P1D"',
          '<LengthsOfStay ArrivalDateBased="true"><LengthOfStay MinMaxMessageType="SetMinLOS" Time="2" TimeUnit="Day"/></LengthsOfStay>',
          '<RestrictionStatus Restriction="Master" Status="Open"/>',
        ),
      ),
  },
  {
    name: "rules-with-own-dates",
    description: "Two rules with their own dates: the first closes two nights, and the second allows no weekend arrivals.",
    transport: "soap11",
    xml: (codes) =>
      messagesXml(
        codes,
        controlXml(codes, `RatePlanCode="${codes.plan}"`),
        ruleXml(` ${nightsXml(codes, 0, 1)}`, '<RestrictionStatus Status="Close"/>'),
        ruleXml(` ${nightsXml(codes, 2, 15)}`, '<DOW_Restrictions><ArrivalDaysOfWeek Sat="0" Sun="0"/></DOW_Restrictions>'),
      ),
  },
  {
    name: "rules-with-penalties",
    description: "The restrictions are stored. The cancellation penalty is ignored with a warning.",
    expect: "warnings",
    xml: (codes) =>
      messagesXml(
        codes,
        controlXml(codes, nightsXml(codes, 0, 9)),
        ruleXml("", "<CancelPenalties/>", '<RestrictionStatus Restriction="Arrival" Status="Close"/>'),
      ),
  },
  {
    name: "rules-for-some-guests",
    description: "Refused: the rule is intended only for certain guests. Storing it would apply it to all guests.",
    expect: { refused: 450 },
    xml: (codes) =>
      messagesXml(codes, controlXml(codes, nightsXml(codes, 0, 9)), ruleXml("", VIEWERSHIP_XML, '<RestrictionStatus Status="Close"/>')),
  },
  {
    name: "rules-without-dates",
    description: "Refused: neither the line nor its rule has dates.",
    expect: { refused: 321 },
    xml: (codes) => messagesXml(codes, controlXml(codes, ""), ruleXml("", '<RestrictionStatus Status="Close"/>')),
  },
];

const VIEWERSHIP_XML =
  "<Viewerships><Viewership><ViewershipCodes><ViewershipCode>CORP</ViewershipCode></ViewershipCodes></Viewership></Viewerships>";

function messagesXml({ hotel }: ExampleCodes, about: string, ...rules: readonly string[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<OTA_HotelBookingRuleNotifRQ xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.000">
  <RuleMessages HotelCode="${hotel}">
    <RuleMessage>
      ${about}
      <BookingRules>
        ${rules.join("\n        ")}
      </BookingRules>
    </RuleMessage>
  </RuleMessages>
</OTA_HotelBookingRuleNotifRQ>
`;
}

function controlXml({ category }: ExampleCodes, more: string): string {
  return `<StatusApplicationControl InvTypeCode="${category}"${more && ` ${more}`}/>`;
}

function nightsXml({ day }: ExampleCodes, from: number, to: number): string {
  return `Start="${day(from)}" End="${day(to)}"`;
}

function ruleXml(attributes: string, ...parts: readonly string[]): string {
  return `<BookingRule${attributes}>${parts.join("")}</BookingRule>`;
}
