import { parseWeekday } from "./weekdays.ts";

/** OpenTravel's element for vendor-specific content. */
export const EXTENSION_ELEMENT = "TPA_Extensions";

/** Words that occur in the names of limiting attributes and elements, such as `SalesChannel` or `RoomView`. */
const NARROWING_PATTERN = new RegExp(
  [
    "channel|destination|distribut|market|segment|source|promo|voucher|coupon|group|block|view|meal|board|product|categor|tier",
    "access|agen(?:t|cy)|compan|corporat|contract|countr|nation|residen|gender|wing|building|floor|loyal|member|operator|wholesal",
    "partner|supplier|vendor|package|season|week|dow|days?$|plan|customer|audience|device",
    "guest(?!room)|adult|child|infant|occupan|person|pax$|smok|refund|singleuse|account|profile|pointofsale|portal|website|^(?:pos|ota|los|nights?)$",
    "^site|site(?:code|id)|bookingsite",
    "room(?:number|code|id|type|class)|(?:inv|inventory|guest|rate|bed|booking)(?:type|class|code)|rate(?:access|category)",
    "valid|expir|(?:book|booking|sell|sale|release|travel|stay)(?:ing)?(?:start|end|from|to|until|date|window|period)",
  ].join("|"),
  "i",
);

/** Names of descriptions and timestamps, which don't limit anything. */
const DESCRIPTIVE_PATTERN = /(?:name|description|text|remarks?|comments?|notes?|title|label)$|^(?:creat|modif|updat|lastmod|lastupd)/i;

/** Whether the name of an unknown attribute or element suggests that it limits its line. */
export function isNarrowing(name: string): boolean {
  return parseWeekday(name) !== undefined || (NARROWING_PATTERN.test(name) && !DESCRIPTIVE_PATTERN.test(name));
}

/** Whether an attribute or element names a property. */
export function isHotelName(name: string): boolean {
  return /^(?:hotel|property)_?(?:code|id|ref)?$/i.test(name);
}

/** Whether an attribute or element limits its line to a distribution channel. */
export function isDistribution(name: string): boolean {
  return /channel|destinationsystem|distribut/i.test(name);
}
