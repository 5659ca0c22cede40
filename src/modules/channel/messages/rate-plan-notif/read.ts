import { isStrict } from "../../dialects.ts";
import type { MessageReader, ReadContext } from "../../message.ts";
import { invalidValue } from "../../ota-error.ts";
import type { Attributes } from "../../xml/reader.ts";
import { codeOf } from "../parts/control.ts";
import { noDates } from "../parts/dates.ts";
import { noHotel, readHotel } from "../parts/hotel.ts";
import { readLengthOfStay, type Reading, readPattern, readRestrictionStatus } from "../parts/restrictions.ts";
import { currencyOf, readExtra } from "../rate-amount-notif/read-rate.ts";
import { addFragment, readHead } from "./details.ts";
import { type FragmentReader, isFragment, readFragment } from "./fragment.ts";
import type { DatedRate, NotifType, PlanRead, RatePlans, Rule, StaticRate } from "./rate-plan.ts";
import { isUnbound, mealPlanOf, readAmount, readBasis, readDatedRate, readStaticRate } from "./read-rate.ts";
import { allowedDays, readRule } from "./read-rule.ts";

type OpenRate = { is: "static"; rate: StaticRate } | { is: "dated"; rate: DatedRate };

/** Reads `OTA_HotelRatePlanNotifRQ` and hands it to `finish`. */
export function readRatePlans<T>({ dialect, head, report, source }: ReadContext, finish: (read: RatePlans) => T) {
  const strict = isStrict(dialect);
  const hotel = noHotel();
  const plans: PlanRead[] = [];
  let plan: PlanRead | undefined;
  let rate: OpenRate | undefined;
  let rule: Rule | undefined;
  let skipping = false;
  let fragment: FragmentReader | undefined;
  let fragmentName = "";

  function openInPlan(current: PlanRead, name: string, reading: Reading): void {
    if (rate) openInRate(rate, name, reading);
    else if (rule) openInRule(rule, name, reading);
    else if (name === "Rate") openRate(current, reading);
    else if (name === "BookingRule") openRule(current, reading);
    else if (name === "UniqueID") current.at.record = reading.attributes.get("ID");
    else if (!CONTAINERS.has(name)) report.ignore(name);
  }

  function openRate(current: PlanRead, reading: Reading): void {
    if (current.rates.length === 0 && !current.staticRate && isUnbound(reading) && (strict || !isDated(current))) {
      current.staticRate = readStaticRate(reading);
      rate = { is: "static", rate: current.staticRate };
    } else {
      const dated = readDatedRate(reading, current.staticRate, strict ? noDates() : current.dates);
      current.rates.push(dated);
      rate = { is: "dated", rate: dated };
    }
  }

  function openInRate(current: OpenRate, name: string, reading: Reading): void {
    if (name === "MealsIncluded") current.rate.mealPlan = mealPlanOf(reading) ?? current.rate.mealPlan;
    else if (RATE_PARTS.has(name)) return;
    else if (name === "BaseByGuestAmt" && current.is === "static") readBasis(current.rate, reading);
    else if (name === "BaseByGuestAmt" && current.is === "dated") readAmount(current.rate, reading, strict);
    else if (name === "AdditionalGuestAmount" && current.is === "dated") readExtra(current.rate, reading);
    else report.ignore(name);
  }

  function openRule(current: PlanRead, reading: Reading): void {
    rule = readRule(reading, strict ? noDates() : current.dates);
    skipping = rule === undefined;
    if (rule) current.rules.push(rule);
  }

  function openInRule(current: Rule, name: string, reading: Reading): void {
    if (name === "LengthOfStay") readLengthOfStay(current.restrictions, reading);
    else if (name === "LOS_Pattern") readPattern(current.restrictions, reading);
    else if (name === "RestrictionStatus") readRestrictionStatus(current.restrictions, reading);
    else if (name === "ArrivalDaysOfWeek") current.arrival = allowedDays(reading);
    else if (name === "DepartureDaysOfWeek") current.departure = allowedDays(reading);
    else if (!RULE_PARTS.has(name)) report.ignore(name);
  }

  function newPlan(attributes: Attributes, offset: number): PlanRead {
    const at = { offset, record: undefined };
    return {
      at,
      code: codeOf("RatePlanCode", attributes.get("RatePlanCode") ?? (strict ? "" : (attributes.get("RatePlanID") ?? "")), report, at),
      type: notifTypeOf(attributes, { attributes, report, at }, strict),
      currency: currencyOf(attributes, report, at),
      staticRate: undefined,
      rates: [],
      rules: [],
      ...readHead(attributes),
    };
  }

  return {
    open(name, attributes, offset) {
      if (fragment) return fragment.open(name, attributes);
      if (skipping) return;
      if (plan && !rate && !rule && isFragment(name)) {
        fragmentName = name;
        fragment = readFragment(source, offset, { name, attributes });
      } else if (plan) openInPlan(plan, name, { attributes, report, at: { offset, record: plan.at.record } });
      else if (name === "RatePlan") plans.push((plan = newPlan(attributes, offset)));
      else if (name === "RatePlans") readHotel(hotel, attributes, offset, report);
      else if (name !== "OTA_HotelRatePlanNotifRQ") report.ignore(name);
    },
    close(name, end) {
      const kept = fragment?.close(end);
      if (fragment && !kept) return;
      if (kept) addFragment(plan!.details, fragmentName, kept);
      fragment = undefined;
      if (name === "Rate") rate = undefined;
      if (name === "BookingRule") (rule = undefined), (skipping = false);
      if (name === "RatePlan") plan = undefined;
    },
    text: (text) => fragment?.text(text),
    finish: () => finish({ hotel, plans, completeSet: head.completeSet }),
  } satisfies Omit<MessageReader, "finish"> & { finish(): T };
}

const CONTAINERS: ReadonlySet<string> = new Set(["BookingRules", "Rates", "Supplements", "Offers"]);
const RATE_PARTS: ReadonlySet<string> = new Set(["BaseByGuestAmts", "AdditionalGuestAmounts"]);
const RULE_PARTS: ReadonlySet<string> = new Set(["LengthsOfStay", "DOW_Restrictions"]);

function isDated({ dates }: PlanRead): boolean {
  return dates.start !== undefined || dates.end !== undefined;
}

const NOTIF_TYPES: Readonly<Record<string, NotifType>> = { New: "full", Full: "full", Overlay: "overlay", Delta: "delta", Remove: "remove" };

/** AlpineBits has no Delta; elsewhere a plan without a type is an overlay. */
function notifTypeOf(attributes: Attributes, { report, at }: Reading, strict: boolean): NotifType | undefined {
  const text = attributes.get("RatePlanNotifType");
  if (text === undefined) return strict ? undefined : "overlay";
  const type = NOTIF_TYPES[text.trim()];
  if (!type || (strict && type === "delta")) report.error(invalidValue(text, "RatePlanNotifType"), at);
  return type;
}
