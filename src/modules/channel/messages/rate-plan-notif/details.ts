import { formatNight, type Night } from "../../../../calendar/night.ts";
import type { PlanDetails, PlanFragment } from "../../../../journal/plan-details.ts";
import { firstCharacters } from "../../../../text.ts";
import type { DecisionContext } from "../../message.ts";
import type { Reading } from "../../report.ts";
import { codeIn, flagIn } from "../parts/attributes.ts";
import { type DatesRead, endsIn, noDates } from "../parts/dates.ts";
import { inBestLanguage } from "../parts/languages.ts";

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

/** The attributes of `RatePlan` other than its code and type. */
export function readHead(reading: Reading): { dates: DatesRead; details: Partial<PlanDetails> } {
  const { attributes } = reading;
  const dates = { ...noDates(), ...endsIn(attributes) };
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
 * What is known of a plan after elements that do not replace it: of texts and supplements those that they send are
 * replaced, and supplements of days before `today` are gone; offers have no names, so all that it had are replaced by those of all elements.
 */
export function mergeDetails(before: PlanDetails, sent: readonly Partial<PlanDetails>[], today: Night): PlanDetails {
  const descriptions = [before, ...sent].map((one) => one.descriptions ?? []);
  const supplements = sent.map((one) => one.supplements).filter((one) => one !== undefined);
  const offers = sent.map((one) => one.offers).filter((one) => one !== undefined);
  return {
    ...sent.reduce<PlanDetails>((latest, one) => ({ ...latest, ...one }), before),
    descriptions: lastOfEach(descriptions, ({ name }) => name),
    supplements: supplements.length === 0 ? before.supplements : mergeSupplements(before.supplements, supplements, formatNight(today)),
    offers: offers.length === 0 ? before.offers : lastOfEach(offers, ({ xml }) => xml),
  };
}

/** The dates stand as `YYYY-MM-DD`, which sorts as text. A range that goes on from today is the same on each day. */
function mergeSupplements(before: readonly PlanFragment[], sent: readonly PlanFragment[][], today: string): PlanFragment[] {
  const left = before.filter(({ key, end = today }) => key !== undefined && end >= today);
  return lastOfEach([left, ...sent], ({ key, start = "", end = "" }) => `${key}/${start && start < today ? today : start}/${end}`);
}

/** Of those with the same name all that the last list has. */
function lastOfEach<Item>(lists: readonly (readonly Item[])[], nameOf: (item: Item) => string): Item[] {
  const found = new Map<string, Item[]>();
  for (const list of lists) {
    for (const [name, same] of Map.groupBy(list, nameOf)) {
      found.delete(name);
      found.set(name, same);
    }
  }
  return [...found.values()].flat();
}

const MAX_TITLE = 255;

/** The plan's title, cut to the length of a name, in the best language, else the first that came. */
export function titleOf({ descriptions = [] }: Partial<PlanDetails>, property: DecisionContext["property"]): string | undefined {
  const titles = descriptions.filter(({ name }) => name === "title");
  const [title] = inBestLanguage(titles, property);
  return title && firstCharacters(title.text, MAX_TITLE);
}
