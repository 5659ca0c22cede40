import { ADULT_CODE, type ExtraAmount, ageRangeKey } from "../../../../calendar/amounts.ts";
import { formatAmount } from "../../../../calendar/money.ts";
import { type PlanText, parsePlanDetails } from "../../../../journal/plan-details.ts";
import type { StoredPlan } from "../../../../journal/work.ts";
import { writeElement, writeEmptyElement } from "../../../../xml/write.ts";
import type { Profile } from "../../profiles/profile.ts";
import { dateAttributes } from "../parts/night-ranges.ts";
import type { RateRun } from "./runs.ts";

type Amount = RateRun["amounts"][number];

type WrittenPlan = { code: string; plan: StoredPlan | undefined; currency: string; runs: readonly RateRun[] };

/** Writes the static rate with the attributes that all rates share, then each category's rates. */
export function writePlan({ code, plan, currency, runs }: WrittenPlan, { end }: Profile): string {
  const details = parsePlanDetails(plan?.details);
  const commonAttributes = { ...sharedAttributes(runs), end };
  const rates = runs.map((run) => writeRun(run, currency, commonAttributes)).join("");
  const attributes = {
    RatePlanCode: code || undefined,
    CurrencyCode: currency,
    RatePlanID: details.joinCode,
    RatePlanQualifier: details.joinMaster === undefined ? undefined : String(details.joinMaster),
  };
  return writeElement(
    "RatePlan",
    attributes,
    writeElement("Rates", {}, writeStatic(commonAttributes) + rates) + writeTitle(details.descriptions),
  );
}

type SharedTerms = Pick<RateRun, "perPerson" | "mealPlan">;

/**
 * Returns the attributes for the static rate. Rates inherit its meal plan, so it has one only if every rate has a meal plan that can be
 * sent.
 */
function sharedAttributes(runs: readonly RateRun[]): SharedTerms {
  const [run] = runs;
  return {
    perPerson: run?.perPerson,
    mealPlan: runs.every(({ mealPlan = "" }) => WRITABLE_MEAL_PLANS.has(mealPlan)) ? run?.mealPlan : undefined,
  };
}

/** Writes the static rate. Amounts without a basis are per room. */
function writeStatic({ perPerson, mealPlan }: SharedTerms): string {
  const basis = writeEmptyElement("BaseByGuestAmt", { Type: rateType(perPerson) });
  return writeElement(
    "Rate",
    { RateTimeUnit: "Day", UnitMultiplier: 1 },
    writeElement("BaseByGuestAmts", {}, basis) + writeMeals(mealPlan),
  );
}

function rateType(perPerson: boolean | undefined): string {
  return perPerson ? "7" : "25";
}

const WRITABLE_MEAL_PLANS: ReadonlySet<string> = new Set(["1", "3", "10", "12", "14"]);

function writeMeals(mealPlan: string | undefined): string {
  if (mealPlan === undefined || !WRITABLE_MEAL_PLANS.has(mealPlan)) return "";
  return writeEmptyElement("MealsIncluded", { MealPlanIndicator: "true", MealPlanCodes: mealPlan });
}

function writeRun(run: RateRun, currency: string, common: SharedTerms & Pick<Profile, "end">): string {
  const byNights = Map.groupBy(run.amounts, ({ key }) => key.nights);
  const dates = { InvTypeCode: run.category, ...dateAttributes(run, common) };
  const meals = run.mealPlan === common.mealPlan ? "" : writeMeals(run.mealPlan);
  const Type = rateType(run.perPerson) === rateType(common.perPerson) ? undefined : rateType(run.perPerson);
  const CurrencyCode = run.currency === undefined || run.currency === currency ? undefined : run.currency;
  const rates = [...byNights]
    .toSorted(([a], [b]) => a - b)
    .map(([nights, amounts], index) => {
      const unit = nights > 1 ? { RateTimeUnit: "Day", UnitMultiplier: nights } : {};
      const amountsXml = writeAmounts(amounts, run.currency ?? currency, { CurrencyCode, Type });
      const extras = index === 0 ? writeExtras(run.extras, run.currency ?? currency, CurrencyCode) : "";
      return writeElement("Rate", { ...dates, ...unit }, writeElement("BaseByGuestAmts", {}, amountsXml) + extras + meals);
    });
  return rates.join("");
}

type OverriddenAttributes = { CurrencyCode: string | undefined; Type: string | undefined };

/** Amounts after and before tax for the same guests share one element. */
function writeAmounts(amounts: readonly Amount[], currency: string, overrides: OverriddenAttributes): string {
  const byGuests = Map.groupBy(amounts, ({ key }) => `${amountOrder({ key })} ${ageRangeKey(key)}`);
  const sortedGroups = [...byGuests.values()].toSorted(
    ([a], [b]) => amountOrder(a!) - amountOrder(b!) || (a!.key.minAge ?? 0) - (b!.key.minAge ?? 0),
  );
  return sortedGroups
    .map((same) => writeEmptyElement("BaseByGuestAmt", { ...guestAttributes(same[0]!), ...amountAttributes(same, currency), ...overrides }))
    .join("");
}

function writeExtras(extras: readonly ExtraAmount[], currency: string, CurrencyCode: string | undefined): string {
  const extrasXml = extras.map(({ amount, age, tax, minAge, maxAge, guests }) =>
    writeEmptyElement("AdditionalGuestAmount", {
      [tax === "after" ? "Amount" : "AmountBeforeTax"]: formatAmount(amount, currency),
      AgeQualifyingCode: age,
      MinAge: minAge || undefined,
      MaxAge: maxAge,
      MaxAdditionalGuests: guests,
      CurrencyCode,
    }),
  );
  return extrasXml.length === 0 ? "" : writeElement("AdditionalGuestAmounts", {}, extrasXml.join(""));
}

function amountOrder({ key }: Pick<Amount, "key">): number {
  return (key.age === ADULT_CODE ? 0 : key.age * 100) + key.guests;
}

function guestAttributes({ key }: Amount): Record<string, number | undefined> {
  return { NumberOfGuests: key.guests || undefined, AgeQualifyingCode: key.age, MinAge: key.minAge, MaxAge: key.maxAge };
}

function amountAttributes(same: readonly Amount[], currency: string): Record<string, string> {
  return Object.fromEntries(
    same.map(({ key, minor }) => [key.tax === "after" ? "AmountAfterTax" : "AmountBeforeTax", formatAmount(minor, currency)]),
  );
}

function writeTitle(descriptions: readonly PlanText[]): string {
  const titles = descriptions.filter(({ name, language }) => name === "title" && /^[a-z]{2}$/.test(language ?? ""));
  const textElements = titles.map(({ language, text }) => writeElement("Text", { TextFormat: "PlainText", Language: language }, { text }));
  return textElements.length === 0 ? "" : writeElement("Description", { Name: "title" }, textElements.join(""));
}
