import type { XmlSource } from "../../../../xml/source.ts";
import type { Dialect } from "../../dialects/dialect.ts";
import type { NarrowingAttribute } from "../../elements/narrowing.ts";
import type { ReadContext } from "../../message.ts";
import { fieldMissing, partInWrongPlace, note } from "../../ota-error.ts";
import type { Profile } from "../../profiles/profile.ts";
import type { ElementContext, MessageReport } from "../../report.ts";
import { addLimit } from "../parts/control.ts";
import { newDates } from "../parts/dates.ts";
import { type ParsedRate } from "../parts/rate.ts";
import { readMealPlan, newRateDefaults, OPENTRAVEL_CHARGE_BASES, readBaseAmount, readExtra, readRateDefaults } from "../parts/read-rate.ts";
import { readLengthOfStay, readLengthsOfStay, readPattern, readRestrictionStatus, finishRestrictions } from "../parts/restrictions.ts";
import { readCategory } from "../parts/values.ts";
import { checkStrictly } from "./alpinebits-rules.ts";
import { addFragment, type FragmentReader, isFragment, readFragment } from "./details.ts";
import type { ParsedPlan, PlanRule, StaticRate } from "./rate-plan.ts";
import {
  ALPINEBITS_CHARGE_BASES,
  hasNoBounds,
  readAlpineBitsAmount,
  readBasis,
  readDatedRate,
  readStaticRate,
  allowedDays,
  excludesDays,
  readRule,
} from "./read-plan-rate.ts";

const CONTAINER_ELEMENTS: ReadonlySet<string> = new Set(["BookingRules", "Supplements", "Offers", "SellableProducts"]);
const RATE_ELEMENTS: ReadonlySet<string> = new Set(["BaseByGuestAmts", "AdditionalGuestAmounts"]);

/** `isStored` is false for a fragment inside a rate or rule. */
type OpenFragment = { name: string; reader: FragmentReader; isStored: boolean };

type OpenRate = { is: "static"; rate: StaticRate } | { is: "dated"; rate: ParsedRate };

export class PlanReader {
  readonly plan: ParsedPlan;
  readonly #source: XmlSource;
  readonly #report: MessageReport;
  readonly #dialect: Dialect;
  readonly #profile: Profile;
  #rate: OpenRate | undefined;
  #terms = newRateDefaults();
  /** The open rule, or `skipped` if it is not stored. */
  #rule: PlanRule | "skipped" | undefined;
  #fragment: OpenFragment | undefined;

  constructor(plan: ParsedPlan, { source, report, dialect, profile }: Pick<ReadContext, "source" | "report" | "dialect" | "profile">) {
    this.plan = plan;
    this.#source = source;
    this.#report = report;
    this.#dialect = dialect;
    this.#profile = profile;
  }

  open(name: string, reading: ElementContext): void {
    if (this.#dialect.checksRatePlans) checkStrictly(this.#fragment?.name === "Offer" ? `Offer/${name}` : name, reading);
    if (this.#fragment) this.#fragment.reader.open(name, reading.attributes);
    else this.#openPart(name, reading);
  }

  #openPart(name: string, reading: ElementContext): void {
    const { attributes, report, at } = reading;
    if (isFragment(name)) this.#openFragment(name, reading);
    else if (this.#rate) this.#openInRate(this.#rate, name, reading);
    else if (this.#rule) this.#openInRule(this.#rule, name, reading);
    else if (name === "Rate") this.#openRate(reading);
    else if (name === "Rates") this.#openRates(reading);
    else if (name === "BookingRule") this.#openRule(reading);
    else if (name === "SellableProduct" && !this.#dialect.checksRatePlans) this.#openProduct(reading);
    else if (name === "UniqueID") report.labelLine(this.plan.at, attributes.get("ID"));
    else if (!CONTAINER_ELEMENTS.has(name)) report.warn(partInWrongPlace(name), at);
  }

  text(text: string): void {
    this.#fragment?.reader.text(text);
  }

  close(name: string, end: number): void {
    if (this.#fragment) this.#closeFragment(this.#fragment, end);
    else if (name === "Rate") this.#rate = undefined;
    else if (name === "BookingRule") this.#closeRule();
  }

  #closeRule(): void {
    if (this.#rule && this.#rule !== "skipped") finishRestrictions(this.#rule.restrictions, { report: this.#report, at: this.#rule.at });
    this.#rule = undefined;
  }

  #openFragment(name: string, { attributes, report, at }: ElementContext): void {
    const isStored = !this.#rate && !this.#rule;
    this.#fragment = { name, reader: readFragment(this.#source, at.offset, { name, attributes }), isStored };
    if (isStored) return;
    if (name === "Description") report.ignore(name);
    else report.warn(partInWrongPlace(name), at);
  }

  #closeFragment({ name, reader, isStored }: OpenFragment, end: number): void {
    const fragment = reader.close(end);
    if (!fragment) return;
    if (isStored) addFragment(this.plan.details, name, fragment);
    this.#fragment = undefined;
  }

  #openRates(reading: ElementContext): void {
    this.#terms = newRateDefaults();
    readRateDefaults(this.#terms, reading);
  }

  /** Opens a rate. The first rate is static if neither it nor the plan has dates, and it names no category. */
  #openRate(reading: ElementContext): void {
    const { rates, staticRate, dates } = this.plan;
    const isDated = !this.#dialect.planDatesControlDisplay && (dates.start !== undefined || dates.end !== undefined);
    if (rates.length === 0 && !staticRate && !isDated && hasNoBounds(reading)) {
      const rate = readStaticRate(reading, this.#terms);
      this.plan.staticRate = rate;
      if (rate.stay !== undefined) this.plan.details.nights = rate.stay;
      this.#rate = { is: "static", rate };
    } else {
      this.#rate = { is: "dated", rate: readDatedRate(reading, staticRate ?? this.#terms, this.#planDates()) };
      rates.push(this.#rate.rate);
    }
  }

  /** Returns the dates that apply to rates and rules without their own. */
  #planDates() {
    return this.#dialect.planDatesControlDisplay ? newDates() : this.plan.dates;
  }

  #openInRate(open: OpenRate, name: string, reading: ElementContext): void {
    if (name === "MealsIncluded") open.rate.mealPlan = readMealPlan(reading) ?? open.rate.mealPlan;
    else if (name === "BaseByGuestAmt") this.#openBaseAmount(open, reading);
    else if (name === "AdditionalGuestAmount" && open.is === "dated") readExtra(open.rate, reading);
    else if (RATE_ELEMENTS.has(name)) readRateDefaults(open.rate, reading);
    else reading.report.warn(partInWrongPlace(name), reading.at);
  }

  #openBaseAmount({ is, rate }: OpenRate, reading: ElementContext): void {
    if (is === "static") readBasis(rate, reading, this.#dialect.checksRatePlans ? ALPINEBITS_CHARGE_BASES : OPENTRAVEL_CHARGE_BASES);
    else if (this.#dialect.checksRatePlans) readAlpineBitsAmount(rate, reading);
    else readBaseAmount(rate, reading);
  }

  narrow(limit: NarrowingAttribute): boolean {
    if (this.#rule === "skipped") return true;
    const rate = this.#rate?.is === "dated" ? this.#rate.rate : undefined;
    return addLimit(rate ?? this.#rule ?? this.plan, limit);
  }

  #openRule(reading: ElementContext): void {
    const rule = readRule(reading, this.#planDates(), this.#profile);
    if (rule) this.plan.rules.push(rule);
    this.#rule = rule ?? "skipped";
  }

  /** Refuses a `SellableProduct` without a category, because its amounts would apply to all categories. */
  #openProduct(reading: ElementContext): void {
    const category = readCategory(reading);
    if (category === undefined) reading.report.error(fieldMissing("InvTypeCode"), reading.at);
    else this.plan.products.push({ at: reading.at, category });
  }

  #openInRule(rule: PlanRule | "skipped", name: string, reading: ElementContext): void {
    if (rule === "skipped") return;
    if (name === "LengthOfStay") readLengthOfStay(rule.restrictions, reading);
    else if (name === "LengthsOfStay") readLengthsOfStay(rule.restrictions, reading);
    else if (name === "LOS_Pattern") readPattern(rule.restrictions, reading);
    else if (name === "RestrictionStatus") readRestrictionStatus(rule.restrictions, reading);
    else if (name === "ArrivalDaysOfWeek") rule.arrival = allowedDays(reading);
    else if (name === "DepartureDaysOfWeek") rule.departure = allowedDays(reading);
    else if (name.endsWith("DaysOfWeek") && excludesDays(reading)) reading.report.warn(note(`${name} is not stored`), reading.at);
    else if (name !== "DOW_Restrictions") reading.report.warn(partInWrongPlace(name), reading.at);
  }
}
