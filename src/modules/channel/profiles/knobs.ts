import { DEFAULT_PROFILE, type Profile } from "./profile.ts";

/** A sender's settings, without the preset's name. */
export type ProfileSettings = Omit<Profile, "preset">;

/** A stored profile: the preset's name, and the settings that differ from it. */
export type StoredProfile = { preset: string; settings: Partial<ProfileSettings> };

type KnobChoices<Value extends string> = { about: string; choices: Readonly<Record<Value, string>> };
type FreeText = { about: string; example: string };
type KnobFor<Value> = [Value] extends [readonly string[]]
  ? FreeText
  : string extends NonNullable<Value>
    ? FreeText
    : KnobChoices<Value & string>;

/** Describes each setting. Settings without choices accept any string. */
export const KNOBS: { readonly [Name in keyof ProfileSettings]: KnobFor<ProfileSettings[Name]> } = {
  distribution: {
    about:
      "Code of this distribution channel. Lines for other codes are skipped. If it is not set, the first code that the sender uses becomes this channel's code.",
    example: "ABC",
  },
  category: {
    about: "Attribute that contains the category code",
    choices: { InvTypeCode: "InvTypeCode, or InvCode if there is none", RatePlanCode: "RatePlanCode" },
  },
  plan: {
    about: "Attribute that contains the rate plan code",
    choices: { RatePlanCode: "RatePlanCode, or RatePlanID if there is none", RatePlanCategory: "RatePlanCategory" },
  },
  end: {
    about: "End of a range of nights",
    choices: { included: "the last night", excluded: "the day after the last night, such as the departure date" },
  },
  stayLimits: {
    about: "Stay limits without ArrivalDateBased",
    choices: { arrival: "apply to guests who arrive on the night", through: "apply to every stay that includes the night" },
  },
  noMinStay: { about: "Minimum stay values that mean no limit", example: "0,-1" },
  noMaxStay: { about: "Maximum stay values that mean no limit", example: "0,999" },
  noMinAdvance: { about: "MinAdvancedBookingOffset values that mean no limit", example: "-P7D" },
  noMaxAdvance: { about: "MaxAdvancedBookingOffset values that mean no limit", example: "P23988D" },
  price: {
    about: "Element that contains the nightly price",
    choices: {
      BaseByGuestAmt: "BaseByGuestAmt in OTA_HotelRateAmountNotifRQ",
      BestAvailableRate: "BestAvailableRate in OTA_HotelAvailNotifRQ as well, as a room price after tax",
    },
  },
  hotelCode: {
    about: "How the property is identified",
    choices: {
      HotelCode: "by HotelCode, optional if the sender has access to only one property",
      BrandCode: "by BrandCode, or by HotelCode if there is none",
      credential: "by the sender's credentials, if they give access to one property; any HotelCode is ignored",
    },
  },
  namespace: {
    about: "XML namespace of a message",
    choices: { OpenTravel: "OpenTravel's, or none", any: "any" },
  },
  rates: {
    about: "Amounts that OTA_HotelRateAmountNotifRQ replaces",
    choices: {
      overlay: "the amounts for the nights in the message",
      range: "all amounts for a category and plan from the message's first night to its last, unless UniqueID is DeltaLoad",
    },
  },
  closedWord: {
    about: "Status value that means closed",
    choices: { Close: "Close", Closed: "Closed or Close" },
  },
  limitsWithPlan: {
    about: "BookingLimit in a line with a rate plan",
    choices: {
      auto: "limits the category, or each plan if the limits for one night differ",
      room: "limits the category",
      plan: "is the plan's allotment",
    },
  },
  ignored: {
    about: "Attributes and elements to ignore, because they don't limit a line in this sender's messages",
    example: "MarketCode,RoomView",
  },
  blocks: {
    about: "Lines with an InvBlockCode",
    choices: { skip: "are skipped with a warning", ignore: "apply as if they had no block code" },
  },
  countType1: {
    about: "CountType 1 without other counts",
    choices: { physical: "physical rooms, which do not affect availability", forSale: "rooms for sale" },
  },
  maxAdvance0: {
    about: "MaxAdvancedBookingOffset 0",
    choices: { warn: "bookable only on the day of arrival, with a warning", clears: "no limit" },
  },
  expediaStays: {
    about: "Stay limits in Expedia messages",
    choices: { arrival: "apply to guests who arrive on the night", through: "apply to every stay that includes the night" },
  },
};

export type KnobName = keyof ProfileSettings;
export const KNOB_NAMES = Object.keys(KNOBS) as readonly KnobName[];

/** A setting as entered by a user. An empty value restores the preset's value. */
export type SettingText = { name: string; value: string };

export type ParsedSetting = { name: KnobName; value: ProfileSettings[KnobName] };

/** Reads one setting. If it is invalid, returns an error message with the allowed values. */
export function readSetting({ name, value }: SettingText): ParsedSetting | string {
  const knobName = KNOB_NAMES.find((one) => one === name);
  if (knobName === undefined) return `Unknown setting '${name}'. Allowed: ${KNOB_NAMES.join(", ")}.`;
  const knob: FreeText | KnobChoices<string> = KNOBS[knobName];
  const text = value.trim();
  if (text === "") return { name: knobName, value: undefined };
  if ("choices" in knob) {
    if (Object.hasOwn(knob.choices, text)) return { name: knobName, value: text as ProfileSettings[KnobName] };
    return `${knobName} cannot be '${text}'. Allowed: ${Object.keys(knob.choices).join(", ")}.`;
  }
  if (text.length > MAX_TEXT_LENGTH) return `${knobName} has more than ${MAX_TEXT_LENGTH} characters.`;
  return { name: knobName, value: isList(knobName) ? splitList(text) : text };
}

const MAX_TEXT_LENGTH = 200;

function isList(name: KnobName): boolean {
  return Array.isArray(DEFAULT_PROFILE[name]);
}

function splitList(text: string): readonly string[] {
  return text
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== "");
}

/** Returns a value in the format that `--set` accepts. */
export function settingText(value: ProfileSettings[KnobName]): string {
  return typeof value === "string" ? value : (value ?? []).join(",");
}
