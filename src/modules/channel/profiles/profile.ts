/**
 * How to read one sender's messages where senders differ. A profile is plain data, because it is passed to threads. Readers and decisions
 * use its settings, never its name.
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
  /** The element that holds the price of a night. */
  price: "BaseByGuestAmt" | "BestAvailableRate";
  /** What identifies the property. `credential`: the only property that the sender has access to. */
  hotelCode: "HotelCode" | "BrandCode" | "credential";
  /** The XML namespaces that messages can have. */
  namespace: "OpenTravel" | "any";
  /** Whether a rate message replaces the amounts of its nights, or all of a category and plan from its first night to its last. */
  rates: "overlay" | "range";
  /** The word for a closed `Status`. */
  closedWord: "Close" | "Closed";
  /** What a booking limit with a rate plan limits. `auto`: the room, or each plan if the limits of a room and night differ. */
  limitsWithPlan: "auto" | "room" | "plan";
  /** Attributes and elements that would limit a line, but don't in this sender's messages. */
  ignored: readonly string[];
  /** Lines with an `InvBlockCode`: skipped, or read as if they had none. */
  blocks: "skip" | "ignore";
  /** `CountType` 1 without other counts: rooms that exist, or rooms for sale. */
  countType1: "physical" | "forSale";
  /** `MaxAdvancedBookingOffset` 0: stored as sent with a warning, or removes the limit. */
  maxAdvance0: "warn" | "clears";
  /** The kind of Expedia's stay limits. */
  expediaStays: "arrival" | "through";
};

/** For senders without a profile, and for open access. */
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
