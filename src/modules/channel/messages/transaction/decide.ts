import type { Operation } from "../../../../calendar/operation.ts";
import type { PlanMention } from "../../../../journal/work.ts";
import { CATEGORY_LIMITS } from "../../../../records/category/category.ts";
import { firstCharacters } from "../../../../text.ts";
import type { Decision, DecisionContext } from "../../message.ts";
import { note } from "../../ota-error.ts";
import { replaceCategories, updateCategories } from "../descriptive-content-notif/decide.ts";
import { type ParsedCategory, emptyRoom, type GuestRoom, type Media } from "../descriptive-content-notif/guest-room.ts";
import { InfoCode } from "../parts/code-lists.ts";
import { selectBestLanguage } from "../parts/languages.ts";
import { clearFromToday, PLAN_GROUPS, removedPlanMention } from "../rate-plan-notif/decide.ts";
import type { PropertyRecord } from "./record.ts";

/** `isOverlay` means that the message replaces all categories if it contains any, and all plans if it contains any. */
export type PropertyData = { isOverlay: boolean; rooms: readonly PropertyRecord[]; packages: readonly PropertyRecord[] };

export function decideProperty({ isOverlay, rooms, packages }: PropertyData, context: DecisionContext): Decision {
  const parsedCategories = rooms.map(toCategory);
  const update = isOverlay ? replaceCategories : updateCategories;
  const { summary, ...categories } = rooms.length > 0 ? update(parsedCategories, context) : { summary: "Categories unchanged" };
  const omittedPlans = isOverlay && packages.length > 0 ? otherPlans(packages, context) : [];
  if (omittedPlans.length > 0) context.report.warn(note(`omitted rate plans were removed: ${omittedPlans.join(", ")}`));
  const operations: Operation[] = omittedPlans.map((code) => clearFromToday(code, PLAN_GROUPS, context));
  const plans: PlanMention[] = [...packages.map((one) => toPlanMention(one, context)), ...omittedPlans.map(removedPlanMention)];
  return {
    ...categories,
    summary: plans.length === 0 ? summary : `${summary}; rate plans ${plans.map(({ code }) => code).join(", ")}`,
    operations,
    plans,
  };
}

function otherPlans(packages: readonly PropertyRecord[], { plans }: DecisionContext): string[] {
  const sentCodes = new Set(packages.map(({ code }) => code));
  return [...plans.values()].filter(({ code, status }) => status !== "removed" && !sentCodes.has(code)).map(({ code }) => code);
}

function toPlanMention({ code, names }: PropertyRecord, { property }: DecisionContext): PlanMention {
  const name = selectBestLanguage(names, property)[0]?.text.trim();
  return { code: code!, status: "active", ...(name && { name: firstCharacters(name, CATEGORY_LIMITS.name) }) };
}

function toCategory(record: PropertyRecord): ParsedCategory {
  const { at, code, guests, names, descriptions, photos } = record;
  const roomMedia: Media[] = [
    { at, infoCode: InfoCode.longName, texts: names, pictures: undefined },
    { at, infoCode: InfoCode.description, texts: descriptions, pictures: undefined },
    { at, infoCode: InfoCode.pictures, texts: undefined, pictures: photos.map((photo) => ({ ...photo, category: undefined, texts: [] })) },
  ];
  const room: GuestRoom = {
    ...emptyRoom(at),
    code,
    minOccupancy: guests.MinOccupancy,
    maxOccupancy: guests.Capacity,
    maxAdults: guests.AdultCapacity,
    maxChildren: guests.ChildCapacity,
    media: roomMedia,
    mediaLists: 1,
  };
  return { room, individualRooms: [], clearsMissingFields: false };
}
