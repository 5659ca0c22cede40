import type { Attributes } from "../../../xml/handler.ts";
import type { Report } from "../report.ts";

const DAYS = "Mon Tue Weds Thur Fri Sat Sun Tues Wed Thu Thurs";
const HOTEL = "HotelCode HotelName";

/** The attributes that we read, by element. `StatusApplicationControl` is missing because its reader reports unknown ones itself. */
export const READ: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    OTA_PingRQ: "",
    OTA_HotelInvCountNotifRQ: "",
    OTA_HotelAvailNotifRQ: "",
    OTA_HotelRateAmountNotifRQ: "NotifType",
    OTA_HotelRatePlanNotifRQ: "",
    OTA_HotelRatePlanRQ: "",
    OTA_HotelDescriptiveContentNotifRQ: "",
    OTA_HotelDescriptiveInfoRQ: "",
    Inventories: HOTEL,
    Inventory: "",
    InvCounts: "",
    InvCount: "CountType Count ActionType",
    AvailStatusMessages: HOTEL,
    AvailStatusMessage: "BookingLimit BookingLimitMessageType BookingThreshold LocatorID",
    LengthsOfStay: "ArrivalDateBased FixedPatternLength",
    LengthOfStay: "Time TimeUnit MinMaxMessageType OpenStatusIndicator",
    LOS_Pattern: "FullPatternLOS",
    RestrictionStatus: "Status Restriction MinAdvancedBookingOffset MaxAdvancedBookingOffset",
    RateAmountMessages: HOTEL,
    RateAmountMessage: "LocatorID",
    Rate: `Start End ${DAYS} CurrencyCode DecimalPlaces RateTimeUnit UnitMultiplier Duration InvTypeCode InvCode AgeQualifyingCode MinLOS MaxLOS StayOverDate`,
    Rates: "",
    BaseByGuestAmts: "",
    AdditionalGuestAmounts: "",
    BaseByGuestAmt: "AmountBeforeTax AmountAfterTax CurrencyCode DecimalPlaces NumberOfGuests AgeQualifyingCode Type",
    AdditionalGuestAmount:
      "Amount AmountBeforeTax AmountAfterTax Percent CurrencyCode DecimalPlaces AgeQualifyingCode MinAge MaxAge MaxAdditionalGuests TaxInclusive",
    MealsIncluded: "MealPlanCodes MealPlanIndicator Breakfast Lunch Dinner",
    RatePlans: HOTEL,
    RatePlan:
      "RatePlanCode RatePlanNotifType CurrencyCode RatePlanID RatePlanQualifier RatePlanType RatePlanCategory RatePlanStatusType Start End Duration",
    SellableProducts: "",
    SellableProduct: "InvTypeCode InvCode",
    BookingRules: "",
    DOW_Restrictions: "",
    ArrivalDaysOfWeek: DAYS,
    DepartureDaysOfWeek: DAYS,
    BookingRule: `Start End Duration ${DAYS} CodeContext Code InvTypeCode InvCode MinAdvancedBookingOffset MaxAdvancedBookingOffset`,
    HotelDescriptiveContents: HOTEL,
    HotelDescriptiveContent: HOTEL,
    FacilityInfo: "",
    GuestRooms: "",
    GuestRoom: "Code RoomTypeCode InvTypeCode ID RoomTypeName MinOccupancy MaxOccupancy MaxAdultOccupancy MaxChildOccupancy",
    TypeRoom: "RoomTypeCode InvTypeCode StandardOccupancy RoomClassificationCode RoomType Size RoomID",
    Amenities: "",
    Amenity: "RoomAmenityCode",
    HotelDescriptiveInfo: HOTEL,
    HotelRef: HOTEL,
    DateRange: "Start End Duration",
    RatePlanCandidate: "RatePlanCode RatePlanID",
  }).map(([element, attributes]) => [element, new Set(attributes.split(" "))]),
);

/** Elements of one name to check. Lines are alike, so the first ones show what a sender adds. */
const CHECKED = 20;

const NONE: ReadonlySet<string> = new Set();

/** Reports the attributes that we do not read, except for `xsi`, which is for schemas. */
export class Unread {
  readonly #report: Report;
  readonly #left = new Map<string, number>();

  constructor(report: Report) {
    this.#report = report;
  }

  note(element: string, attributes: Attributes, known: ReadonlySet<string> = NONE): void {
    const left = this.#left.get(element) ?? CHECKED;
    if (left === 0) return;
    const read = READ.get(element);
    this.#left.set(element, read ? left - 1 : 0);
    if (!read) return;
    for (let index = 0; index < attributes.length; index++) {
      const name = attributes.nameAt(index);
      if (!read.has(name) && !known.has(name) && !name.startsWith("xsi:")) this.#report.ignore(`${element}/@${name}`);
    }
  }
}
