import { isAmount } from "../../../calendar/attributes.ts";
import type { LaneNights } from "../../../calendar/lane.ts";
import { type Night, todayIn } from "../../../calendar/night.ts";
import type { Database } from "../../../db/database.ts";
import { readNights } from "../../../journal/nights.ts";
import { findActivity, findPropertyBrief, listPropertyCategories } from "../../../records/property/store.ts";
import { findFirstAccepted, listNamedProperties } from "./message-store.ts";
import { findSender } from "./store.ts";

/** A sender's progress with one of its existing properties. */
export type PropertyProgress = {
  property: string;
  hasCategories: boolean;
  /** Active categories without a count on at least one of the next 365 nights. */
  categoriesWithoutCounts: readonly string[];
  hasPlans: boolean;
  /** Active rate plans without any price in the next 365 nights. */
  plansWithoutPrices: readonly string[];
  completeSetAt: number | undefined;
};

export type SenderChecklist = {
  signedInAt: number | undefined;
  firstAccepted: { message: number; at: number } | undefined;
  /** Up to 20 of the sender's properties. If the sender can access all properties, contains those in its newest messages. */
  properties: readonly PropertyProgress[];
  /** Codes of properties that do not exist. */
  missing: readonly string[];
  /** Number of further properties that were not checked. */
  more: number;
};

const MAX_PROPERTIES = 20;
const CHECKED_NIGHTS = 365;

type ChecklistQuery = { sender: string; now: number };

/** Returns `undefined` if the sender doesn't exist. */
export async function findChecklist(database: Database, { sender, now }: ChecklistQuery): Promise<SenderChecklist | undefined> {
  const storedSender = await findSender(database, sender);
  if (!storedSender) return undefined;
  const first = await findFirstAccepted(database, sender);
  const codes = storedSender.hotels ?? (await listNamedProperties(database, sender));
  const checkedCodes = codes.slice(0, MAX_PROPERTIES);
  const progress = await Promise.all(checkedCodes.map((code) => findProgress(database, code, now)));
  return {
    signedInAt: storedSender.usedAt,
    firstAccepted: first && { message: first.id, at: first.received_at },
    properties: progress.filter((one) => one !== undefined),
    missing: checkedCodes.filter((_, index) => progress[index] === undefined),
    more: codes.length - checkedCodes.length,
  };
}

async function findProgress(database: Database, property: string, now: number): Promise<PropertyProgress | undefined> {
  const propertyBrief = await findPropertyBrief(database, property);
  if (!propertyBrief) return undefined;
  const first = todayIn(propertyBrief.timeZone, now);
  const nights = { property, first, last: first + CHECKED_NIGHTS - 1 };
  const [categories, plans, activity, counts, rates] = await Promise.all([
    listPropertyCategories(database, property),
    listActivePlans(database, property),
    findActivity(database, property),
    readNights(database, { ...nights, kind: "inventory", groups: ["counts"] }),
    readNights(database, { ...nights, kind: "rate", groups: ["amounts"] }),
  ]);
  const activeCodes = categories.filter(({ status }) => status === "active").map(({ code }) => code);
  const pricedPlans = new Set(rates.filter(hasPrice).map(({ lane }) => lane));
  const byCategory = Map.groupBy(counts, ({ category }) => category);
  return {
    property,
    hasCategories: activeCodes.length > 0,
    categoriesWithoutCounts: activeCodes.filter((code) => !hasAllCounts(byCategory.get(code) ?? [])),
    hasPlans: plans.length > 0,
    plansWithoutPrices: plans.filter((code) => !pricedPlans.has(code)),
    completeSetAt: activity?.lastCompleteSetAt,
  };
}

async function listActivePlans({ read }: Database, property: string): Promise<string[]> {
  const plans = read.selectFrom("rate_plan").select("code").where("property", "=", property).where("status", "=", "active");
  return (await plans.orderBy("code").execute()).map(({ code }) => code);
}

/** Whether the category has all counts, either for the whole category or for each room. */
function hasAllCounts(lanes: readonly LaneNights[]): boolean {
  const columns = lanes.flatMap(({ columns: found }) => (found.has("available") ? [found.get("available")!] : []));
  const isCounted = (night: Night) => columns.some((values) => values[night] !== undefined);
  return Array.from({ length: CHECKED_NIGHTS }, (_, night) => night).every(isCounted);
}

function hasPrice({ columns }: LaneNights): boolean {
  return [...columns].some(([attribute, values]) => isAmount(attribute) && values.some((value) => value !== undefined));
}
