const DAYS = "Mon Tue Weds Thur Fri Sat Sun";
const DATES = "Start End Duration";
const HOTEL = "ChainCode BrandCode HotelCode HotelCityCode HotelName HotelCodeContext ChainName BrandName AreaID TTIcode";
const PLAN = "RatePlanType RatePlanCode RatePlanID RatePlanQualifier PromotionCode PromotionVendorCode RatePlanCategory RatePlanCodeType";
const PRODUCT = "InvCodeApplication InvCode InvType InvTypeCode IsRoom";
const AGES = "AgeQualifyingCode MinAge MaxAge AgeTimeUnit AgeBucket";
const MONEY = "CurrencyCode DecimalPlaces";
const TOTAL = `AmountBeforeTax AmountAfterTax ${MONEY} AdditionalFeesExcludedIndicator Type ServiceOverrideIndicator RateOverrideIndicator AmountIncludingMarkup`;
const UNIQUE_ID = "URL Type Instance ID ID_Context";

const RATE = `NumberOfUnits RateTimeUnit UnitMultiplier MinGuestApplicable MaxGuestApplicable ${AGES} MinLOS MaxLOS StayOverDate ${DATES} ${DAYS} ${MONEY} RateTier ${PRODUCT} Status`;

/** OpenTravel's attributes for a line's elements, including attributes that we don't read. */
export const ATTRIBUTES: Readonly<Record<string, string>> = {
  Inventories: HOTEL,
  AvailStatusMessages: HOTEL,
  RuleMessages: HOTEL,
  RateAmountMessages: HOTEL,
  RatePlans: HOTEL,
  StatusApplicationControl: `${DATES} ${PLAN} ${PRODUCT} ${DAYS} RateTier AllRateCode AllInvCode InvBlockCodeApply InvBlockCode Override QuoteID SubBlockCode WingIdentifier`,
  UniqueID: UNIQUE_ID,
  InvCount: "CountType Count AdjustReason ActionType",
  AvailStatusMessage: "Override BookingLimitMessageType BookingLimit LocatorID BookingThreshold RoomGender SharedRoomInd",
  LengthsOfStay: "ArrivalDateBased FixedPatternLength",
  LengthOfStay: "Time TimeUnit OpenStatusIndicator MinMaxMessageType",
  RestrictionStatus: "Restriction Status SellThroughOpenIndicator MaxAdvancedBookingOffset MinAdvancedBookingOffset",
  RuleMessage: "LocatorID",
  RateAmountMessage: "LocatorID",
  Rate: RATE,
  BaseByGuestAmt: `${TOTAL} NumberOfGuests ${AGES}`,
  AdditionalGuestAmount: `${TOTAL} Amount MaxAdditionalGuests ${AGES} Percent RPH`,
  MealsIncluded: "Breakfast Lunch Dinner MealPlanIndicator MealPlanCodes",
  RatePlan: `${DATES} ${MONEY} ${PLAN} RatePlanNotifType RatePlanStatusType RatePlanNotifScopeType IsCommissionable RateReturn YieldableIndicator MarketCode YieldDeltaAmount InventoryAllocatedInd RestrictedDisplayIndicator EarliestStartIndicator LatestEndIndicator ExtraNightRatePlanCode BaseRatePlanCode AdjustedAmount AdjustedPercentage FloorAmount CeilingAmount AdjustUpIndicator ChargeTypeCode`,
  SellableProduct: `${PRODUCT} InvNotifType InvStatusType InvGroupingCode`,
  BookingRule: `Code CodeContext Quantity URI ${DATES} MaxAdvancedBookingOffset MinAdvancedBookingOffset ForceGuaranteeOffset DepositWaiverOffset MinTotalOccupancy MaxTotalOccupancy AbsoluteDropTime GenerallyBookable PriceViewable QualifiedRateYN AddressRequired AbsoluteCutoff OffsetDuration OffsetCalculationMode MaxContiguousBookings`,
  ArrivalDaysOfWeek: DAYS,
};

/** The child elements in OpenTravel's schema. */
export const CHILDREN: Readonly<Record<string, string>> = {
  Inventory: "StatusApplicationControl InvCounts OffSell UniqueID",
  InvCount: "InvBlockCutoff",
  StatusApplicationControl: "DestinationSystemCodes",
  AvailStatusMessage: "StatusApplicationControl LengthsOfStay BestAvailableRates HurdleRate Delta UniqueID RestrictionStatus",
  RuleMessage: "StatusApplicationControl BookingRules UniqueID",
  RateAmountMessage: "StatusApplicationControl Rates",
  Rate: "BaseByGuestAmts AdditionalGuestAmounts Fees CancelPolicies RateDescription UniqueID MealsIncluded AdditionalCharges GuaranteePolicies PaymentPolicies",
  BaseByGuestAmt: "Taxes Surcharges NumberOfGuestsDescription",
  AdditionalGuestAmount: "Taxes Surcharges AddlGuestAmtDescription",
  RatePlan:
    "DestinationSystemsCode BookingRules Rates Supplements Offers RatePlanShoulders SellableProducts RatePlanLevelFee Commission Description UniqueID HotelRef",
  BookingRules: "BookingRule InventoryInfo",
  BookingRule:
    "AcceptableGuarantees CancelPenalties RequiredPaymts LengthsOfStay DOW_Restrictions RestrictionStatus Viewerships AddtionalRules Description UniqueID CheckoutCharge",
  DOW_Restrictions: "AvailableDaysOfWeek ArrivalDaysOfWeek DepartureDaysOfWeek RequiredDaysOfWeek",
};

/** Returns a plausible value for an attribute. The value differs from the default. */
export function valueOf(name: string): string {
  return VALUES[name] ?? (/Ind(?:icator)?$|^Is|^Override$|Override/.test(name) ? "true" : "X1");
}

const VALUES: Readonly<Record<string, string>> = {
  Duration: "P1D",
  IsRoom: "false",
  InvTypeCode: "DBL",
  InvCode: "DBL",
  Code: "DBL",
  CodeContext: "ROOMTYPE",
  RatePlanCode: "BAR",
  RatePlanID: "BAR",
  RatePlanQualifier: "true",
  RatePlanCodeType: "RatePlanGroupingCode",
  InvCodeApplication: "InvGroupingCode",
  AllRateCode: "true",
  AllInvCode: "true",
  RoomGender: "Female",
  BookingLimit: "3",
  BookingThreshold: "1",
  BookingLimitMessageType: "SetLimit",
  Restriction: "Arrival",
  MinAdvancedBookingOffset: "P1D",
  MaxAdvancedBookingOffset: "P90D",
  ArrivalDateBased: "true",
  FixedPatternLength: "4",
  TimeUnit: "Day",
  OpenStatusIndicator: "true",
  RateTimeUnit: "Day",
  UnitMultiplier: "1",
  NumberOfUnits: "4",
  NumberOfGuests: "2",
  MinGuestApplicable: "2",
  MaxGuestApplicable: "2",
  AgeQualifyingCode: "10",
  MinAge: "2",
  MaxAge: "9",
  MinLOS: "2",
  MaxLOS: "9",
  StayOverDate: "Sat",
  CurrencyCode: "EUR",
  DecimalPlaces: "2",
  AmountBeforeTax: "90",
  AmountAfterTax: "100",
  AmountIncludingMarkup: "120",
  Amount: "50",
  Percent: "50",
  Type: "7",
  MaxAdditionalGuests: "2",
  Breakfast: "true",
  Lunch: "true",
  Dinner: "true",
  MealPlanCodes: "3",
  CountType: "2",
  Count: "3",
  ActionType: "Allocation",
  RatePlanNotifType: "Overlay",
  RatePlanStatusType: "Active",
  ...Object.fromEntries(DAYS.split(" ").map((name) => [name, "true"])),
};
