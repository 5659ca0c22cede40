import type { Report } from "../report.ts";
import type { Attributes } from "../xml/handler.ts";

const DAYS = "Mon Tue Weds Thur Fri Sat Sun Tues Wed Thu Thurs";
const HOTEL = "HotelCode HotelName";

/** The attributes we read, by element. `StatusApplicationControl` is missing: its reader sees them all. */
export const READ: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    Inventories: HOTEL,
    Inventory: "",
    InvCounts: "",
    InvCount: "CountType Count ActionType",
    AvailStatusMessages: HOTEL,
    AvailStatusMessage: "BookingLimit BookingLimitMessageType BookingThreshold LocatorID",
    LengthsOfStay: "ArrivalDateBased",
    LengthOfStay: "Time TimeUnit MinMaxMessageType OpenStatusIndicator",
    LOS_Pattern: "FullPatternLOS",
    RestrictionStatus: "Status Restriction MinAdvancedBookingOffset MaxAdvancedBookingOffset",
    RateAmountMessages: HOTEL,
    RateAmountMessage: "LocatorID",
    Rate: `Start End ${DAYS} CurrencyCode DecimalPlaces RateTimeUnit UnitMultiplier Duration InvTypeCode InvCode AgeQualifyingCode MinLOS MaxLOS StayOverDate`,
    BaseByGuestAmt: "AmountBeforeTax AmountAfterTax CurrencyCode DecimalPlaces NumberOfGuests AgeQualifyingCode Type",
    AdditionalGuestAmount:
      "Amount AmountBeforeTax AmountAfterTax Percent CurrencyCode DecimalPlaces AgeQualifyingCode MinAge MaxAge MaxAdditionalGuests TaxInclusive",
    MealsIncluded: "MealPlanCodes MealPlanIndicator Breakfast Lunch Dinner",
    RatePlans: HOTEL,
    RatePlan:
      "RatePlanCode RatePlanNotifType CurrencyCode RatePlanID RatePlanQualifier RatePlanType RatePlanCategory RatePlanStatusType Start End",
    SellableProduct: "InvTypeCode InvCode",
    BookingRule: `Start End ${DAYS} CodeContext Code MinAdvancedBookingOffset MaxAdvancedBookingOffset`,
    HotelDescriptiveContent: HOTEL,
    GuestRoom: "Code ID RoomTypeName MinOccupancy MaxOccupancy MaxAdultOccupancy MaxChildOccupancy",
    TypeRoom: "StandardOccupancy RoomClassificationCode RoomType Size RoomID",
    Amenity: "RoomAmenityCode",
    HotelDescriptiveInfo: HOTEL,
    HotelRef: HOTEL,
    DateRange: "Start End",
    RatePlanCandidate: "RatePlanCode RatePlanID",
  }).map(([element, attributes]) => [element, new Set(attributes.split(" "))]),
);

/** Notes the attributes of an element that nobody reads, except `xsi`, which is for schemas. */
export function noteUnread(element: string, attributes: Attributes, report: Report): void {
  const read = READ.get(element);
  if (!read) return;
  for (let index = 0; index < attributes.length; index++) {
    const name = attributes.nameAt(index);
    if (!read.has(name) && !name.startsWith("xsi:")) report.ignore(`${element}/@${name}`);
  }
}
