import type { Dialect } from "../../dialects/dialect.ts";
import { isDistribution } from "../../elements/words.ts";
import type { HotelRequest, Message, ReadContext, MessageReader } from "../../message.ts";
import { invalidWord, partInWrongPlace, note, fieldMissing, ruleBroken } from "../../ota-error.ts";
import type { ElementContext, MessageReport } from "../../report.ts";
import { warnIfSetIsDue } from "../../updates/decide.ts";
import { PageSet } from "../../updates/pages.ts";
import { ALL_NIGHTS, NO_NARROWING } from "../../updates/update.ts";
import { toDateRange } from "../parts/dates.ts";
import { newHotelReference, readHotel } from "../parts/hotel.ts";
import { isEmptyRate } from "../parts/rate.ts";
import { readChargeBasis, readCurrency, warnIfDerived } from "../parts/read-rate.ts";
import { readCode } from "../parts/values.ts";
import { checkStrictly } from "./alpinebits-rules.ts";
import { decideRatePlans } from "./decide.ts";
import { readHead } from "./details.ts";
import { examples } from "./examples.ts";
import { PlanReader } from "./plan-reader.ts";
import { type ParsedPlan, type RatePlans, type NotifType, isReset, collectLimits, namesCategories } from "./rate-plan.ts";

/** Whole rate plans: amounts, booking rules and descriptions. AlpineBits calls this message RatePlans. */
export const ratePlanNotif: Message = {
  root: "OTA_HotelRatePlanNotifRQ",
  about: "Sets rate plans with their nightly amounts, booking rules, descriptions, supplements and offers.",
  actions: [
    {
      action: "OTA_HotelRatePlanNotif:RatePlans",
      handshake: "action_OTA_HotelRatePlanNotif_RatePlans",
      capabilities: [
        { name: "OTA_HotelRatePlanNotif_accept_full", since: "2024-10" },
        "OTA_HotelRatePlanNotif_accept_ArrivalDOW",
        "OTA_HotelRatePlanNotif_accept_DepartureDOW",
        "OTA_HotelRatePlanNotif_accept_RatePlan_BookingRule",
        "OTA_HotelRatePlanNotif_accept_RatePlan_RoomType_BookingRule",
        "OTA_HotelRatePlanNotif_accept_RatePlan_mixed_BookingRule",
        "OTA_HotelRatePlanNotif_accept_Supplements",
        "OTA_HotelRatePlanNotif_accept_FreeNightsOffers",
        "OTA_HotelRatePlanNotif_accept_FamilyOffers",
        "OTA_HotelRatePlanNotif_accept_overlay",
        "OTA_HotelRatePlanNotif_accept_RatePlanJoin",
        "OTA_HotelRatePlanNotif_accept_OfferRule_BookingOffset",
        "OTA_HotelRatePlanNotif_accept_OfferRule_DOWLOS",
      ],
    },
  ],
  hotelElements: ["RatePlans"],
  read: readRatePlans,
  examples,
};

function toRequest(read: RatePlans, { dialect, report }: ReadContext): HotelRequest {
  checkRatePlans(read, dialect, report);
  const lines = read.plans.reduce((sum, { rates, rules }) => sum + Math.max(1, rates.length + rules.length), 0);
  return {
    kind: "hotel",
    hotel: read.hotel,
    lines,
    pages: pageRequests(read),
    planDetails: true,
    hasChannels: collectLimits(read.plans).some(({ name }) => isDistribution(name)),
    decide(context) {
      if (!read.completeSet) warnIfSetIsDue(context, "rate plans");
      return decideRatePlans(read, context);
    },
  };
}

function pageRequests(read: RatePlans) {
  const pages = new PageSet();
  for (const plan of read.plans) addPages(pages, plan);
  if (read.completeSet) pages.add({ kind: "rate", category: undefined, lane: undefined }, ALL_NIGHTS);
  return pages.list();
}

function addPages(pages: PageSet, plan: ParsedPlan): void {
  const { code = "" } = plan;
  if (code !== "" && (plan.type === "full" || plan.type === "remove"))
    pages.add({ kind: "rate", category: undefined, lane: code }, ALL_NIGHTS);
  for (const { category, range } of plan.rates) if (range) pages.add({ kind: "rate", category, lane: code }, range);
  for (const { category, range } of plan.rules) {
    const { first = ALL_NIGHTS.first, last = ALL_NIGHTS.last } = range ?? {};
    if (range) pages.add({ kind: "rate", category, lane: code }, { ...range, first, last });
  }
}

function readRatePlans(context: ReadContext): MessageReader {
  const { dialect, head, report } = context;
  const hotel = newHotelReference();
  const plans: ParsedPlan[] = [];
  let reader: PlanReader | undefined;
  return {
    open(name, attributes, offset) {
      const reading = { attributes, report, at: { offset, record: undefined } };
      if (name === "HotelRef" && attributes.get("HotelCode") !== undefined) readHotel(hotel, reading);
      else if (reader) reader.open(name, { ...reading, at: { offset, record: reader.plan.at.record } });
      else if (name === "RatePlan") {
        reader = new PlanReader(newPlan(reading, dialect), context);
        plans.push(reader.plan);
      } else if (name === "RatePlans") readHotel(hotel, reading);
      else if (name !== "OTA_HotelRatePlanNotifRQ") report.warn(partInWrongPlace(name), reading.at);
    },
    close(name, end) {
      reader?.close(name, end);
      if (name === "RatePlan") reader = undefined;
    },
    text: (text) => reader?.text(text),
    narrow: (limit) => reader?.narrow(limit) ?? false,
    finish: () => toRequest({ hotel, plans, completeSet: head.completeSet }, context),
  };
}

/** Returns a new plan. Some OpenTravel senders send only a plan's ID. */
function newPlan(reading: ElementContext, dialect: Dialect): ParsedPlan {
  if (dialect.checksRatePlans) checkStrictly("RatePlan", reading);
  const type = readNotifType(reading, dialect);
  return {
    at: reading.at,
    code: readCode("RatePlanCode", reading) ?? (dialect.checksRatePlans ? undefined : readCode("RatePlanID", reading)),
    type,
    currency: readCurrency(reading),
    perPerson: readChargeBasis(reading),
    isDerived: type !== "remove" && warnIfDerived(reading),
    staticRate: undefined,
    rates: [],
    rules: [],
    products: [],
    narrowedBy: NO_NARROWING,
    ...readHead(reading),
  };
}

const NOTIF_TYPES: ReadonlyMap<string, NotifType> = new Map([
  ["New", "full"],
  ["Full", "full"],
  ["Overlay", "overlay"],
  ["Delta", "delta"],
  ["Remove", "remove"],
]);
const TYPES_BY_LOWER_CASE_NAME = new Map([...NOTIF_TYPES].map(([word, type]) => [word.toLowerCase(), type]));

function readNotifType(reading: ElementContext, dialect: Dialect): NotifType | undefined {
  return dialect.checksRatePlans ? readAlpineBitsType(reading) : readOpenTravelType(reading);
}

/** Reads the type of change. AlpineBits has no Delta. An invalid type is treated as Delta, so that it isn't also reported as missing. */
function readAlpineBitsType({ attributes, report, at }: ElementContext): NotifType | undefined {
  const text = attributes.get("RatePlanNotifType");
  const type = text === undefined ? undefined : (NOTIF_TYPES.get(text.trim()) ?? "delta");
  if (type === "delta") report.error(invalidWord(text!, "RatePlanNotifType", "New, Full, Overlay, Remove"), at);
  return type;
}

const PLAN_STATUSES: ReadonlySet<string> = new Set(["initial", "active", "deactivated"]);

/** Reads the type of change. The default is an overlay. A deactivated plan is removed. */
function readOpenTravelType({ attributes, report, at }: ElementContext): NotifType | undefined {
  const text = attributes.get("RatePlanNotifType");
  const type = text === undefined ? "overlay" : TYPES_BY_LOWER_CASE_NAME.get(text.trim().toLowerCase());
  if (!type) report.error(invalidWord(text!, "RatePlanNotifType", "New, Full, Overlay, Delta, Remove"), at);
  const status = attributes.get("RatePlanStatusType");
  const word = status?.trim().toLowerCase();
  if (word !== undefined && !PLAN_STATUSES.has(word)) report.warn(note(`RatePlanStatusType ${status} is not stored`), at);
  return word === "deactivated" ? "remove" : type;
}

function checkRatePlans(read: RatePlans, dialect: Dialect, report: MessageReport): void {
  const emptyAllowed = read.completeSet && !dialect.checksRatePlans;
  if (read.plans.length === 0 && !emptyAllowed) report.error(fieldMissing("RatePlan"), read.hotel.at);
  if (isReset(read)) return;
  for (const plan of read.plans) checkPlan(plan, dialect, report);
}

function checkPlan(plan: ParsedPlan, dialect: Dialect, report: MessageReport): void {
  const { at, code, type, dates, staticRate, rates } = plan;
  const isChecked = dialect.checksRatePlans;
  if (code === undefined) checkUnnamed(plan, dialect, report);
  toDateRange(dates, { report, at });
  if (isChecked && type === undefined) report.error(fieldMissing("RatePlanNotifType"), at);
  if (staticRate?.hasMixedBases) report.error(ruleBroken("The static rate must not mix amounts per person and per room"), staticRate.at);
  if (isChecked && type === "full") checkStaticRate(plan, report);
  if (type !== "remove" && staticRate?.hasAmounts) {
    if (!isChecked && rates.length === 0) report.error(fieldMissing("Start"), staticRate.at);
    else report.warn(note("amounts in the static rate are not stored because it has no dates"), staticRate.at);
  }
  for (const rate of rates) {
    const isInherited = rate.mealPlan === staticRate?.mealPlan;
    if (isEmptyRate(rate) && isInherited && type !== "remove") report.error(fieldMissing("BaseByGuestAmt"), rate.at);
  }
}

/**
 * Checks an element without a plan code. In plain OpenTravel, rates and rules may have no plan. The rest of the element is then not stored.
 */
function checkUnnamed(plan: ParsedPlan, dialect: Dialect, report: MessageReport): void {
  const { at, type, details } = plan;
  if (dialect.requiresPlanCode || type === "remove" || !namesCategories(plan)) report.error(fieldMissing("RatePlanCode"), at);
  else if (Object.keys(details).length > 0) report.warn(note("without RatePlanCode, only rates and booking rules are stored"), at);
}

function checkStaticRate({ at, staticRate }: ParsedPlan, report: MessageReport): void {
  if (!staticRate) report.error(fieldMissing("the static Rate, without dates and InvTypeCode, as the first of a full rate plan"), at);
  else if (staticRate.perPerson === undefined) report.error(fieldMissing("Type of the static Rate's BaseByGuestAmt"), staticRate.at);
}
