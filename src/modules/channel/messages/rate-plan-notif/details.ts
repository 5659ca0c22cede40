import { formatNight, type Night } from "../../../../calendar/night.ts";
import type { PlanDetails, PlanFragment } from "../../../../journal/plan-details.ts";
import type { DecisionContext } from "../../message.ts";
import type { Reading } from "../../report.ts";
import { codeIn, flagIn } from "../parts/attributes.ts";
import { type DatesRead, noDates } from "../parts/dates.ts";
import { inBestLanguage } from "../parts/languages.ts";
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

/**
 * What is known of a plan after an element that does not replace it: of texts and supplements those that it sends are
 * replaced, and supplements of days before `today` are gone; offers have no names, so all of them are replaced.
 */
export function mergeDetails(before: PlanDetails, sent: Partial<PlanDetails>, today: Night): PlanDetails {
  const { descriptions = [], supplements } = sent;
  const names = new Set(descriptions.map(({ name }) => name));
  return {
    ...before,
    ...sent,
    descriptions: [...before.descriptions.filter(({ name }) => !names.has(name)), ...descriptions],
    supplements: supplements ? mergeSupplements(before.supplements, supplements, formatNight(today)) : before.supplements,
  };
}

/** The dates stand as `YYYY-MM-DD`, which sorts as text. A range that goes on from today is the same on each day. */
function mergeSupplements(before: readonly PlanFragment[], sent: readonly PlanFragment[], today: string): PlanFragment[] {
  const nameOf = ({ key, start = "", end = "" }: PlanFragment) => `${key}/${start && start < today ? today : start}/${end}`;
  const names = new Set(sent.map(nameOf));
  const isLeft = (one: PlanFragment) => one.key !== undefined && !names.has(nameOf(one)) && (one.end ?? today) >= today;
  return [...before.filter(isLeft), ...sent];
}

const MAX_TITLE = 255;

/** The plan's title, cut to the length of a name, in the best language, else the first that came. */
export function titleOf({ descriptions = [] }: Partial<PlanDetails>, property: DecisionContext["property"]): string | undefined {
  const titles = descriptions.filter(({ name }) => name === "title");
  const [title] = inBestLanguage(titles, property);
  return title && firstCharacters(title.text, MAX_TITLE);
}
