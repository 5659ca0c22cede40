import { formatNight, type Night } from "../../../../calendar/night.ts";
import type { PlanDetails, PlanFragment, PlanText } from "../../../../journal/plan-details.ts";
import { firstCharacters } from "../../../../text.ts";
import { type Attributes } from "../../../../xml/handler.ts";
import { type XmlSource } from "../../../../xml/source.ts";
import type { DecisionContext } from "../../message.ts";
import type { ElementContext } from "../../report.ts";
import { type ParsedDates, readEnds, newDates } from "../parts/dates.ts";
import { selectBestLanguage } from "../parts/languages.ts";
import { readCode, readFlag } from "../parts/values.ts";

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

/** Reads the attributes of `RatePlan`, except its code and type. */
export function readHead(reading: ElementContext): { dates: ParsedDates; details: Partial<PlanDetails> } {
  const { attributes } = reading;
  const dates = { ...newDates(), ...readEnds(attributes) };
  const details: Writable<Partial<PlanDetails>> = {};
  const joinCode = readCode("RatePlanID", reading);
  const masterFlag = readFlag("RatePlanQualifier", reading);
  const type = attributes.get("RatePlanType");
  const category = attributes.get("RatePlanCategory");
  if (joinCode !== undefined) details.joinCode = joinCode;
  if (masterFlag !== undefined) details.joinMaster = masterFlag;
  if (type !== undefined) details.type = type;
  if (category !== undefined) details.category = category;
  if (dates.start !== undefined) details.start = dates.start;
  if (dates.end !== undefined) details.end = dates.end;
  return { dates, details };
}

/** Adds a `Supplement`, an `Offer` or the contents of a `Description`. */
export function addFragment(details: Writable<Partial<PlanDetails>>, element: string, fragment: PlanFragment): void {
  if (element === "Supplement") (details.supplements ??= []).push(fragment);
  else if (element === "Offer") (details.offers ??= []).push(fragment);
  else for (const text of fragment.texts) (details.descriptions ??= []).push(text);
}

/**
 * Returns the plan's details after elements that do not replace the plan. Descriptions and supplements replace those with the same name;
 * past supplements are dropped. Offers have no names, so new offers replace all existing ones.
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

/** Compares dates as strings. A supplement that has already started is treated as if it started today. */
function mergeSupplements(before: readonly PlanFragment[], sent: readonly PlanFragment[][], today: string): PlanFragment[] {
  const remainingSupplements = before.filter(({ key, end = today }) => key !== undefined && end >= today);
  return lastOfEach(
    [remainingSupplements, ...sent],
    ({ key, start = "", end = "" }) => `${key}/${start && start < today ? today : start}/${end}`,
  );
}

/** Returns, for each key, the items in the last list that contains the key. */
function lastOfEach<Item>(lists: readonly (readonly Item[])[], keyOf: (item: Item) => string): Item[] {
  const itemsByKey = new Map<string, Item[]>();
  for (const list of lists) {
    for (const [key, same] of Map.groupBy(list, keyOf)) {
      itemsByKey.delete(key);
      itemsByKey.set(key, same);
    }
  }
  return [...itemsByKey.values()].flat();
}

const MAX_TITLE_LENGTH = 255;

/** Returns the plan's title in the best language, shortened to the maximum length of a name. */
export function chooseTitle({ descriptions = [] }: Partial<PlanDetails>, property: DecisionContext["property"]): string | undefined {
  const titles = descriptions.filter(({ name }) => name === "title");
  const [title] = selectBestLanguage(titles, property);
  return title && firstCharacters(title.text, MAX_TITLE_LENGTH);
}

export type FragmentReader = {
  open(name: string, attributes: Attributes): void;
  text(text: string): void;
  /** Returns the fragment once its element is closed. */
  close(end: number): PlanFragment | undefined;
};

const FRAGMENT_ELEMENTS: ReadonlySet<string> = new Set(["Supplement", "Offer", "Description"]);

export function isFragment(element: string): boolean {
  return FRAGMENT_ELEMENTS.has(element);
}

const TEXT_ELEMENTS: ReadonlySet<string> = new Set(["Text", "ListItem", "URL", "Image"]);

/** Starts reading at the element that opens at offset `at` in `source`. */
export function readFragment(source: XmlSource, at: number, element: { name: string; attributes: Attributes }): FragmentReader {
  const texts: PlanText[] = [];
  const names = [fragmentName(element.name, element.attributes)];
  const supplement = element.name === "Supplement" ? readSupplement(element.attributes) : undefined;
  let current: { name: string; language: string | undefined; text: string; depth: number } | undefined;

  return {
    open(name, attributes) {
      names.push(fragmentName(name, attributes) ?? names.at(-1));
      if (supplement && name === "PrerequisiteInventory") supplement.key += ` ${supplementKey(attributes)}`;
      if (TEXT_ELEMENTS.has(name))
        current = { name: names.at(-1) ?? "", language: attributes.get("Language"), text: "", depth: names.length };
    },
    text(text) {
      if (current) current.text += text;
    },
    close(end) {
      if (current?.depth === names.length) {
        const { name, language, text } = current;
        if (text.trim() !== "") texts.push({ name, language, text: text.trim() });
        current = undefined;
      }
      names.pop();
      return names.length === 0 ? { xml: source.slice(at, end), texts, ...supplement } : undefined;
    },
  };
}

function readSupplement(attributes: Attributes): Pick<PlanFragment, "start" | "end"> & { key: string } {
  const start = attributes.get("Start")?.trim().slice(0, DATE_LENGTH);
  const end = attributes.get("End")?.trim().slice(0, DATE_LENGTH);
  return { key: supplementKey(attributes), start, end };
}

const DATE_LENGTH = "YYYY-MM-DD".length;

function supplementKey(attributes: Attributes): string {
  return `${attributes.get("InvType")?.trim()} ${attributes.get("InvCode")?.trim()}`;
}

function fragmentName(element: string, attributes: Attributes): string | undefined {
  return element === "Description" ? attributes.get("Name") : undefined;
}
