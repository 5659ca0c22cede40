import * as faults from "../../src/modules/channel/ota-error.ts";
import type { Fault } from "../../src/modules/channel/ota-error.ts";

/** `http` is the HTTP status, if it is not 200. */
type ErrorReference = { fault: Fault; http?: string; cause: string; remedy: string };

const BAD_XML = "400; SOAP 1.1: 500";
const PLACE = { line: 7, column: 12 };

/** Every error of the channel, with sample values in its text. */
export const errors: readonly ErrorReference[] = [
  {
    fault: faults.invalidDate("2027-02-30", "Start"),
    cause: "The date doesn't exist or has the wrong format.",
    remedy: "Send `YYYY-MM-DD`.",
  },
  {
    fault: faults.invalidCurrency("EURO"),
    cause: "The currency is not in ISO 4217.",
    remedy: "Send the three-letter code in capitals.",
  },
  {
    fault: faults.systemUnavailable(),
    http: "503",
    cause: "The database is down, restarting or full.",
    remedy: "Send the message again after `Retry-After` seconds.",
  },
  {
    fault: faults.systemBusy(),
    http: "429",
    cause: "Too many messages are waiting or in progress, or too many wrong credentials came from this address.",
    remedy: "Wait `Retry-After` seconds. Send messages for one property one at a time.",
  },
  {
    fault: faults.rateNotFound("BAR"),
    cause: "The property accepts only known plans, and this plan is unknown or retired.",
    remedy:
      "Create the plan with `OTA_HotelRatePlanNotifRQ` or on the **Rate plans** tab, restore it on that tab, or allow new plans in the property's form.",
  },
  {
    fault: faults.invalidValue("-1", "Count"),
    cause: "A number, keyword or flag has a value that is not allowed.",
    remedy: "Send an allowed value. The error text lists the allowed values, unless the sent value itself shows what is wrong.",
  },
  {
    fault: faults.ruleBroken("Closing seasons must not overlap"),
    cause: "The message breaks a rule that has no specific code.",
    remedy: "Follow the rule in the error text.",
  },
  {
    fault: faults.fieldMissing("HotelCode"),
    cause: "A required attribute or element is missing, or was sent under another name such as `RoomTypeCode`.",
    remedy: "Use the name given in the error text.",
  },
  {
    fault: faults.ambiguousHotelName("Bellevue"),
    cause: "No active property has this name, or several properties have it.",
    remedy: "Send `HotelCode`.",
  },
  { fault: faults.emptyBody(), http: "400", cause: "The request has no body.", remedy: "Send the message as the body of a POST." },
  {
    fault: faults.hotelNotActive("ALP"),
    cause: "The property is inactive or archived.",
    remedy: "Activate or restore the property, or stop sending for it.",
  },
  {
    fault: faults.hotelNotFound("ALP"),
    cause: "No property has this code.",
    remedy: "Check the code, including upper and lower case. If the property doesn't exist yet, create it.",
  },
  { fault: faults.invalidGuests("0"), cause: "The number of guests is invalid.", remedy: "Send 1 to 99." },
  {
    fault: faults.roomTypeNotFound("TWN"),
    cause: "The property has no category with this code. In SOAP 1.1, the error text omits the code.",
    remedy: "Check the code, including upper and lower case. If the category doesn't exist yet, create it.",
  },
  {
    fault: faults.invalidDates("2027-03-05", "2027-03-01"),
    cause: "The range ends before it starts.",
    remedy: "Swap the dates. `End` is the last night, not the day of departure.",
  },
  {
    fault: faults.tooSlow(),
    http: "408",
    cause: "The body arrived too slowly. The connection is closed.",
    remedy: "Send the message again.",
  },
  {
    fault: faults.processedTooLate(),
    http: "503",
    cause: "The message took longer than 15 seconds, including waiting time.",
    remedy: "Send the message again after `Retry-After` seconds. Split very large messages.",
  },
  {
    fault: faults.systemError("1042"),
    http: "500",
    cause: "The service failed because of a bug.",
    remedy: "Report the reference in the error text. It identifies the entry at `/dev/logs`.",
  },
  {
    fault: faults.narrowedFault({ name: "RoomView", value: "SEA" }),
    cause: "The line is limited to something that Roomrack doesn't store. See [what limits a line](#what-limits-a-line).",
    remedy: "Follow the instruction in the error text.",
  },
  {
    fault: faults.ambiguousDistribution("DestinationSystemCode", { codes: ["AAA", "BBB"], before: undefined }),
    cause: "The message has lines for several [distribution channels](#distribution-channels).",
    remedy: "Set the sender's `distribution`.",
  },
  {
    fault: faults.ambiguousDistribution("DestinationSystemCode", { codes: ["BBB"], before: "AAA" }),
    cause: "An earlier message had a different distribution channel code.",
    remedy: "Set the sender's `distribution`.",
  },
  {
    fault: faults.unknownDay("Mondy", "Mon, Tue, Weds, Thur, Fri, Sat, Sun"),
    cause: "The name of a weekday attribute is unknown. If the attribute were ignored, the line would apply to every day.",
    remedy: "Use the standard name.",
  },
  {
    fault: faults.notSupportedValue("AdjustLimit", "BookingLimitMessageType", "SetLimit, RemoveLimit"),
    cause: "The count or limit is relative, so a repeated message would apply it twice.",
    remedy: "Send the number of rooms left.",
  },
  {
    fault: faults.notImplemented("OTA_HotelResNotifRQ", "reservations are not stored"),
    http: "200; AlpineBits: 400",
    cause: "Roomrack doesn't implement this message or a part of it.",
    remedy: "The error text gives the reason. Omit the part, or send one of the [messages](#messages).",
  },
  {
    fault: faults.notWellFormed(PLACE, "unclosed tag"),
    http: BAD_XML,
    cause: "The body is not XML.",
    remedy: "Fix the XML at the position in the error text. Check the declared encoding.",
  },
  { fault: faults.dtdNotAllowed(), http: BAD_XML, cause: "The document has a `<!DOCTYPE`.", remedy: "Remove it." },
  {
    fault: faults.unexpectedNamespace("urn:example"),
    http: "400",
    cause: "The message is in a different namespace.",
    remedy: "Use `http://www.opentravel.org/OTA/2003/05`, or no namespace.",
  },
  {
    fault: faults.notGzip(),
    http: BAD_XML,
    cause: "`Content-Encoding` is gzip, but the body is not compressed with gzip.",
    remedy: "Compress the body, or remove the header.",
  },
  {
    fault: faults.encodingNotSupported(),
    http: "415",
    cause: "The body is compressed in a format other than gzip.",
    remedy: "Use gzip or no compression.",
  },
  {
    fault: faults.malformedJson({ line: 7, column: 12 }, "expected a colon"),
    http: "400",
    cause: "The JSON is malformed or repeats a name.",
    remedy: "Send valid JSON (RFC 8259) in UTF-8.",
  },
  {
    fault: faults.messageNotSupported("OTA_AirAvailRQ"),
    http: "200; AlpineBits: 400",
    cause: "Roomrack doesn't support this OpenTravel message.",
    remedy: "Send one of the [messages](#messages).",
  },
  {
    fault: faults.unknownMessage("Rooms"),
    http: "400",
    cause: "The message is not an OpenTravel message.",
    remedy: "Send one of the [messages](#messages).",
  },
  {
    fault: faults.badCredentials(),
    http: "401; SOAP and credentials in the body: 200",
    cause: "The name or secret is wrong, missing or expired, or the sender is disabled.",
    remedy: "See [credentials](#credentials). `npm run sender -- rotate NAME` replaces a lost secret.",
  },
  {
    fault: faults.badDigest(),
    cause: "The WS-Security `PasswordDigest` is wrong or has already been used, or the sender is not set up for digests.",
    remedy: "Send `PasswordText` over HTTPS.",
  },
  {
    fault: faults.noAccessToHotel("ALP"),
    cause: "The sender is limited to other properties. The response is the same whether or not the property exists.",
    remedy: "Add the property with `npm run sender -- widen NAME PROPERTY`, or map the code.",
  },
  {
    fault: faults.roomTypeNotActive("DBL"),
    cause: "The category is inactive.",
    remedy: "Activate the category, or stop sending for it.",
  },
  { fault: faults.tooLarge(20), http: "413", cause: "The body is larger than the limit.", remedy: "Split the message." },
  { fault: faults.tooManyLines(50_000), cause: "The message exceeds one of the other [limits](#limits).", remedy: "Split the message." },
  {
    fault: faults.roomAndRateNotFound(),
    cause: "The property accepts only known plans, and this plan has been removed or retired.",
    remedy: "Send the plan again with `OTA_HotelRatePlanNotifRQ`, or restore it on the **Rate plans** tab.",
  },
];
