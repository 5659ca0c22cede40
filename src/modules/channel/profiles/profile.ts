/** How one sender's messages differ from the standard. Plain data, so that it can be passed to threads. Code never reads the preset's name. */
export type Profile = {
  /** The preset that the profile is based on. */
  preset: string;
  /** The code for our distribution channel, as in `DestinationSystemCode`. Lines for other codes are skipped. */
  distribution: string | undefined;
  /** The attribute that contains the category. `InvTypeCode` includes `InvCode`. */
  category: "InvTypeCode" | "RatePlanCode";
  /** The attribute that contains the rate plan. */
  plan: "RatePlanCode" | "RatePlanCategory";
  /** Whether `End` is the last night or the day after it. */
  end: "included" | "excluded";
  /** How stay limits without `ArrivalDateBased` apply. */
  stayLimits: "arrival" | "through";
  /** Additional values that this sender uses for "no limit". */
  noMinStay: readonly string[];
  noMaxStay: readonly string[];
  noMinAdvance: readonly string[];
  noMaxAdvance: readonly string[];
  /** The element that contains a night's price. */
  price: "BaseByGuestAmt" | "BestAvailableRate";
  /** How a message identifies its property. `credential` means that it is the only property that the sender can access. */
  hotelCode: "HotelCode" | "BrandCode" | "credential";
  /** The XML namespaces that messages can have. */
  namespace: "OpenTravel" | "any";
  /**
   * Whether a rate message replaces only the amounts on its nights, or all amounts for a category and plan from its first to its last
   * night.
   */
  rates: "overlay" | "range";
  /** The `Status` value that means "closed". */
  closedWord: "Close" | "Closed";
  /**
   * Whether a booking limit with a rate plan limits the room or the plan. `auto` means the plan if limits for the same room and night
   * differ.
   */
  limitsWithPlan: "auto" | "room" | "plan";
  /** Attributes and elements that normally limit a line, but don't do so in this sender's messages. */
  ignored: readonly string[];
  /** Whether a line that has an `InvBlockCode` is skipped, or only the code is ignored. */
  blocks: "skip" | "ignore";
  /** Whether `CountType` 1, when sent without other counts, means physical rooms or rooms for sale. */
  countType1: "physical" | "forSale";
  /** Whether `MaxAdvancedBookingOffset="0"` is stored with a warning or removes the limit. */
  maxAdvance0: "warn" | "clears";
  /** How stay limits in Expedia's messages apply. */
  expediaStays: "arrival" | "through";
};

/** The profile for open access and for senders without a profile. */
export const DEFAULT_PROFILE: Profile = {
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
