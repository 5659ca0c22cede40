import { formatNight, parseNight } from "../../../calendar/night.ts";
import type { Attributes } from "../../../xml/handler.ts";
import { isHotelName } from "../elements/words.ts";
import { ruleBroken } from "../ota-error.ts";
import type { ReportContext } from "../report.ts";
import { type Profile, DEFAULT_PROFILE } from "./profile.ts";

/** Returns an element's attributes as a standard sender would write them. */
export type TranslateAttributes = (element: string, attributes: Attributes, spot: ReportContext) => Attributes;

/** Placeholder for a value that means "no limit". This character can't occur in XML. */
export const NO_LIMIT_MARK = "\0";

type XmlAttributeMap = Map<string, string>;
type ElementEdit = (values: XmlAttributeMap, element: string, spot: ReportContext) => void;

/** Returns `undefined` if the profile needs no translation. `hotelElements` are the elements that identify the property. */
export function createTranslator(profile: Profile, hotelElements: readonly string[]): TranslateAttributes | undefined {
  const edits = profileEdits(profile, hotelElements);
  if (edits.length === 0) return undefined;
  return (element, attributes, spot) => {
    const values: XmlAttributeMap = new Map();
    for (let index = 0; index < attributes.length; index++) values.set(attributes.nameAt(index), attributes.valueAt(index));
    for (const edit of edits) edit(values, element, spot);
    return toAttributes(values);
  };
}

function toAttributes(values: XmlAttributeMap): Attributes {
  const all = [...values];
  return {
    length: all.length,
    get: (name) => values.get(name),
    nameAt: (index) => all[index]![0],
    valueAt: (index) => all[index]![1],
  };
}

function profileEdits(profile: Profile, hotelElements: readonly string[]): readonly ElementEdit[] {
  const { category, plan, end, closedWord, hotelCode, noMinStay, noMaxStay, noMinAdvance, noMaxAdvance } = profile;
  const limits = [noMinStay, noMaxStay, noMinAdvance, noMaxAdvance];
  return [
    ...(category === DEFAULT_PROFILE.category && plan === DEFAULT_PROFILE.plan ? [] : [renameCodes(profile)]),
    ...(end === "excluded" ? [moveEnd] : []),
    ...(closedWord === "Closed" ? [renameClosed] : []),
    ...(limits.every((texts) => texts.length === 0) ? [] : [removeLimits(profile)]),
    ...(hotelCode === "HotelCode" ? [] : [renameHotel(hotelCode, hotelElements)]),
  ];
}

/**
 * Moves codes to the standard attributes. If a code is missing, the other codes are kept, because a line without codes would apply more
 * broadly than its sender intended.
 */
function renameCodes({ category, plan }: Profile): ElementEdit {
  return (values, element, spot) => {
    if (element === "RatePlan" && category === "RatePlanCode") return spot.report.error(NO_CATEGORY_FAULT, spot.at);
    if (element !== "StatusApplicationControl" && element !== "RatePlan") return;
    const code = values.get("RatePlanCode")?.trim();
    const planCode = plan === "RatePlanCategory" ? values.get("RatePlanCategory")?.trim() : code;
    if (category === "RatePlanCode" && code) {
      values.delete("InvCode");
      values.set("InvTypeCode", code);
      values.delete("RatePlanCode");
    }
    if (!planCode) return;
    values.set("RatePlanCode", planCode);
    if (plan === "RatePlanCategory") values.delete("RatePlanCategory");
  };
}

const NO_CATEGORY_FAULT = ruleBroken(
  "A RatePlan has no category if the sender's setting is category=RatePlanCode; send OTA_HotelRateAmountNotifRQ and OTA_HotelAvailNotifRQ",
);

/** Matches a date, optionally followed by a time of day and a time zone. */
const DATE_PATTERN = /^\s*(?<date>\d{4}-\d\d-\d\d)(?<rest>.*)$/s;

function moveEnd(values: XmlAttributeMap, _element: string, { report, at }: ReportContext): void {
  const [end, start] = [values.get("End"), values.get("Start")];
  const last = readNight(end);
  if (end === undefined || last === undefined) return;
  values.set("End", `${formatNight(last - 1)}${DATE_PATTERN.exec(end)!.groups!["rest"]!}`);
  const first = readNight(start);
  if (first !== undefined && first >= last)
    report.error(
      ruleBroken(`Start="${start!.trim()}" End="${end.trim()}" contains no night, because the sender's setting is end=excluded`),
      at,
    );
}

function readNight(text: string | undefined): number | undefined {
  const date = DATE_PATTERN.exec(text ?? "")?.groups!["date"];
  return date === undefined ? undefined : parseNight(date);
}

function renameClosed(values: XmlAttributeMap, element: string): void {
  if (element === "RestrictionStatus" && values.get("Status")?.trim().toLowerCase() === "closed") values.set("Status", "Close");
}

function removeLimits({ noMinStay, noMaxStay, noMinAdvance, noMaxAdvance }: Profile): ElementEdit {
  const isNoLimitText = (texts: readonly string[], text: string | undefined) => text !== undefined && texts.includes(text.trim());
  return (values, element) => {
    if (isNoLimitText(noMinAdvance, values.get("MinAdvancedBookingOffset"))) values.set("MinAdvancedBookingOffset", NO_LIMIT_MARK);
    if (isNoLimitText(noMaxAdvance, values.get("MaxAdvancedBookingOffset"))) values.set("MaxAdvancedBookingOffset", NO_LIMIT_MARK);
    if (element !== "LengthOfStay") return;
    const type = values.get("MinMaxMessageType")?.toLowerCase() ?? "";
    const isMin = type.includes("min") && isNoLimitText(noMinStay, values.get("Time"));
    const isMax = type.includes("max") && isNoLimitText(noMaxStay, values.get("Time"));
    // Without `Time`, the limit is removed.
    if (isMin || isMax) values.delete("Time");
  };
}

function renameHotel(source: "BrandCode" | "credential", hotelElements: readonly string[]): ElementEdit {
  return (values, element) => {
    if (!hotelElements.includes(element)) return;
    const brand = values.get("BrandCode")?.trim();
    if (source === "BrandCode" && !brand) return;
    values.delete("BrandCode");
    values.delete("HotelName");
    for (const name of [...values.keys()]) if (isHotelName(name)) values.delete(name);
    if (source === "BrandCode") values.set("HotelCode", brand!);
  };
}
