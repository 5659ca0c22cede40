import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeXml } from "../../../xml/decode.ts";
import type { Attributes } from "../../../xml/handler.ts";
import { alpineBits } from "../dialects/alpinebits.ts";
import { openTravel } from "../dialects/opentravel.ts";
import { readDocument } from "../document/read.ts";
import type { Message, MessageReader } from "../message.ts";
import { messages } from "../messages/index.ts";
import { DEFAULT_PROFILE } from "../profiles/profile.ts";
import { attributeKind, findElementRules } from "./part.ts";

/** Attributes that readers find by iterating over all of them, and the root attributes that every message has. */
const FOUND_OTHERWISE: ReadonlySet<string> = new Set(
  "Start End Duration Mon Tue Weds Thur Fri Sat Sun MinLOS MaxLOS StayOverDate Status InvTypeCode InvCode RatePlanCode RatePlanID AllInvCode AllRateCode EchoToken TimeStamp Version Target".split(
    " ",
  ),
);

const DIALECTS = [openTravel, alpineBits("2024-10", { strict: true })];

const CODES = { hotel: "H1", category: "DBL", plan: "BAR", currency: "EUR", day: (days: number) => `2027-03-${10 + days}` };

/** Elements that no example contains. */
const MORE = [
  '<OTA_HotelAvailNotifRQ><AvailStatusMessages><AvailStatusMessage><StatusApplicationControl/><LOS_Pattern FullPatternLOS="YN"/></AvailStatusMessage></AvailStatusMessages></OTA_HotelAvailNotifRQ>',
  "<OTA_HotelBookingRuleNotifRQ><RuleMessages><RuleMessage><BookingRules><BookingRule><LOS_Pattern/><DOW_Restrictions><DepartureDaysOfWeek/><AvailableDaysOfWeek/></DOW_Restrictions></BookingRule></BookingRules></RuleMessage></RuleMessages></OTA_HotelBookingRuleNotifRQ>",
  "<OTA_HotelInvNotifRQ><SellableProducts><SellableProduct><GuestRoom><Amenities><Amenity/></Amenities></GuestRoom></SellableProduct></SellableProducts></OTA_HotelInvNotifRQ>",
  '<OTA_HotelRatePlanNotifRQ><RatePlans><RatePlan><HotelRef HotelCode="H1"/><SellableProducts><SellableProduct/></SellableProducts><BookingRules><BookingRule><LOS_Pattern/></BookingRule></BookingRules><Rates><Rate/><Rate><MealsIncluded/></Rate></Rates></RatePlan></RatePlans></OTA_HotelRatePlanNotifRQ>',
  '<AvailRateUpdateRQ><Hotel/><DateRange/><RoomType id="DBL"><Inventory/><RatePlan id="BAR"><Rate><PerDay/><PerPerson/></Rate></RatePlan></RoomType></AvailRateUpdateRQ>',
  "<OTA_HotelRateAmountNotifRQ><RateAmountMessages><RateAmountMessage><Rates><Rate><MealsIncluded/></Rate></Rates></RateAmountMessage></RateAmountMessages></OTA_HotelRateAmountNotifRQ>",
  '<OTA_HotelDescriptiveContentNotifRQ><HotelDescriptiveContents><HotelDescriptiveContent><HotelInfo><HotelCategory/></HotelInfo><Policies><Policy><StayRequirements><StayRequirement StayContext="Checkin"/></StayRequirements></Policy></Policies><ContactInfos><ContactInfo><Addresses><Address><StateProv/></Address></Addresses><URLs><URL/></URLs></ContactInfo></ContactInfos></HotelDescriptiveContent></HotelDescriptiveContents></OTA_HotelDescriptiveContentNotifRQ>',
];

for (const { root } of messages) {
  test(`marks an attribute of ${root} as read if and only if its reader requests it`, () => {
    const requested = requestedAttributes([...messages.flatMap(({ examples }) => examples.map(({ xml }) => xml(CODES))), ...MORE], root);
    for (const [element, part] of findElementRules(root)!) {
      // Unknown elements and elements stored as sent have no attribute list. UniqueID and Authentication are read before the message.
      if (part.is !== undefined || ["UniqueID", "Authentication"].includes(element)) continue;
      const names = requested.get(element) ?? new Set();
      const unlisted = [...names].filter((name) => attributeKind(part, name) !== "read");
      const unread = [...part.kinds].filter(([name, kind]) => kind === "read" && !names.has(name) && !FOUND_OTHERWISE.has(name));
      assert.deepEqual({ element, unlisted, unread }, { element, unlisted: [], unread: [] });
    }
  });
}

/** Returns the attributes that a message's reader requests in these documents, by element, including missing ones. */
function requestedAttributes(documents: readonly string[], root: string): Map<string, Set<string>> {
  const requested = new Map<string, Set<string>>();
  const spied = messages.map((message): Message =>
    message.root === root ? { ...message, read: (context) => spyOn(message.read(context), requested) } : message,
  );
  for (const xml of documents) {
    const decoded = decodeXml(Buffer.from(xml));
    assert.ok("source" in decoded);
    for (const dialect of DIALECTS) readDocument({ ...decoded, dialect, messages: spied, profile: DEFAULT_PROFILE, isComplete: true });
  }
  return requested;
}

function spyOn(reader: MessageReader, requested: Map<string, Set<string>>): MessageReader {
  return {
    open(name, attributes, at) {
      const names = requested.getOrInsertComputed(name, () => new Set<string>());
      const spied: Attributes = {
        length: attributes.length,
        get(attribute) {
          names.add(attribute);
          return attributes.get(attribute);
        },
        nameAt: (index) => attributes.nameAt(index),
        valueAt: (index) => attributes.valueAt(index),
      };
      reader.open(name, spied, at);
    },
    close: (name, end) => reader.close(name, end),
    text: (text) => reader.text(text),
    finish: () => reader.finish(),
  };
}
