/**
 * Settings for one sender's variations in how messages are written. Plain data, so that it can be passed to threads. Code reads the
 * settings, never the profile's name.
 */
export type Profile = {
  /** The preset it is based on. */
  preset: string;
  /** The code of this distribution channel, as in `DestinationSystemCode`. Lines for other codes are skipped. */
  distribution: string | undefined;
  /** The attribute that names the category. `InvTypeCode` includes `InvCode`. */
  category: "InvTypeCode" | "RatePlanCode";
  /** The attribute that names the rate plan. */
  plan: "RatePlanCode" | "RatePlanCategory";
  /** Whether `End` is the last night or the day after it. */
  end: "included" | "excluded";
  /** The kind of a stay limit without `ArrivalDateBased`. */
  stayLimits: "arrival" | "through";
  /** Additional values that mean no limit for this sender. */
  noMinStay: readonly string[];
  noMaxStay: readonly string[];
  noMinAdvance: readonly string[];
  noMaxAdvance: readonly string[];
  /** The element that contains a night's price. */
  price: "BaseByGuestAmt" | "BestAvailableRate";
  /** How a message identifies its property. `credential`: it is the only one that the sender can access. */
  hotelCode: "HotelCode" | "BrandCode" | "credential";
  /** The XML namespaces that messages can have. */
  namespace: "OpenTravel" | "any";
  /** Whether a rate message replaces the amounts of its nights, or all of a category and plan from its first night to its last. */
  rates: "overlay" | "range";
  /** The word for a closed `Status`. */
  closedWord: "Close" | "Closed";
  /** Whether a booking limit with a rate plan limits the room or the plan. `auto`: the plan, if a room's limits for a night differ. */
  limitsWithPlan: "auto" | "room" | "plan";
  /** Attributes and elements that normally limit a line, but not in this sender's messages. */
  ignored: readonly string[];
  /** Whether to skip a line with an `InvBlockCode`, or to ignore the code. */
  blocks: "skip" | "ignore";
  /** Whether `CountType` 1 without other counts means rooms that exist, or rooms for sale. */
  countType1: "physical" | "forSale";
  /** Whether `MaxAdvancedBookingOffset="0"` is stored with a warning, or removes the limit. */
  maxAdvance0: "warn" | "clears";
  /** The kind of Expedia's stay limits. */
  expediaStays: "arrival" | "through";
};

/** The profile of senders without their own, and of open access. */
export const STANDARD: Profile = {
  preset: "standard",
  distribution: undefined,
  category: "InvTypeCode",
  plan: "RatePlanCode",
  end: "included",
  stayLimits: "arrival",
  noMinStay: [],
  noMaxStay: [],
  noMinAdvance: [],
  noMaxAdvance: [],
  price: "BaseByGuestAmt",
  hotelCode: "HotelCode",
  namespace: "OpenTravel",
  rates: "overlay",
  closedWord: "Close",
  limitsWithPlan: "auto",
  ignored: [],
  blocks: "skip",
  countType1: "physical",
  maxAdvance0: "warn",
  expediaStays: "arrival",
};
