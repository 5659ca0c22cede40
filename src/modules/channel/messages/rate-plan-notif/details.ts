import type { PlanDetails, PlanFragment } from "../../../../journal/plan-details.ts";
import type { DecisionContext } from "../../message.ts";
import type { Reading } from "../../report.ts";
import { codeIn } from "../parts/codes.ts";
import { type DatesRead, noDates } from "../parts/dates.ts";
import { flagIn } from "../parts/flag.ts";
import { languagesOf } from "../parts/languages.ts";
import { firstCharacters } from "../parts/values.ts";

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

/** The attributes of `RatePlan` other than its code and type. */
export function readHead(reading: Reading): { dates: DatesRead; details: Partial<PlanDetails> } {
  const { attributes } = reading;
  const dates = { ...noDates(), start: attributes.get("Start"), end: attributes.get("End") };
  const details: Writable<Partial<PlanDetails>> = {};
  const join = codeIn("RatePlanID", reading);
  const master = flagIn("RatePlanQualifier", reading);
  const type = attributes.get("RatePlanType");
  const category = attributes.get("RatePlanCategory");
  if (join !== undefined) details.joinCode = join;
  if (master !== undefined) details.joinMaster = master;
  if (type !== undefined) details.type = type;
  if (category !== undefined) details.category = category;
  if (dates.start !== undefined) details.start = dates.start;
  if (dates.end !== undefined) details.end = dates.end;
  return { dates, details };
}

/** Adds a `Supplement`, an `Offer` or the texts of a `Description`. */
export function addFragment(details: Writable<Partial<PlanDetails>>, element: string, fragment: PlanFragment): void {
  if (element === "Supplement") (details.supplements ??= []).push(fragment);
  else if (element === "Offer") (details.offers ??= []).push(fragment);
  else for (const text of fragment.texts) (details.descriptions ??= []).push(text);
}

const MAX_TITLE = 255;

/** The plan's title, cut to the length of a name, in the best language, else the first that came. */
export function titleOf({ descriptions = [] }: Partial<PlanDetails>, property: DecisionContext["property"]): string | undefined {
  const titles = descriptions.filter(({ name }) => name === "title");
  const preferred = languagesOf(property).map((language) => titles.find((one) => one.language === language));
  const title = preferred.find((one) => one !== undefined) ?? titles[0];
  return title && firstCharacters(title.text, MAX_TITLE);
}
