import type { CategoryRow } from "../../../../db/schema.ts";
import type { RecordChange } from "../../../../records/audit.ts";
import { categoryChange } from "../../../../records/category/store.ts";
import { propertyChange } from "../../../../records/property/store.ts";
import { formatNumber } from "../../../../web/parts/amount.ts";
import type { Decision, DecisionContext, ReadContext } from "../../message.ts";
import { note, ruleBroken } from "../../ota-error.ts";
import { toOurCode } from "../../senders/codes.ts";
import { newCategory, toCategoryRow } from "./category-row.ts";
import { type ParsedCategory, type PropertyContents, type GuestRoom, isIndividualRoom } from "./guest-room.ts";
import { toChangedProperty } from "./property-row.ts";

type ParsedContents = Pick<PropertyContents, "parts" | "property" | "isInfo" | "rooms"> & { categories: readonly ParsedCategory[] };

/** Updates the property's categories, and the property's record if the message describes the property. Never changes nights. */
export function decideContents(read: ParsedContents, context: DecisionContext): Decision {
  const row = read.parts.length > 0 ? toChangedProperty(read.property, context) : undefined;
  const { summary, categories = [], history = [] } = decideCategories(read, context);
  const changes = row && propertyChange(context.property, row);
  const words = [changes ? describeChange(changes) : undefined, summary].filter(Boolean);
  return {
    summary: words.join(". ") || "Property unchanged",
    property: row,
    categories,
    history: [...(changes ? [changes] : []), ...history],
  };
}

function describeChange({ changes }: RecordChange): string {
  return `Property updated: ${changes.map(({ field }) => readableField(field)).join(", ")}`;
}

function readableField(field: string): string {
  return field.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

/** An empty list deactivates all categories, unless the message also describes the property. */
function decideCategories({ categories, rooms, parts, isInfo }: ParsedContents, context: DecisionContext): Decision {
  if (categories.length > 0) return isInfo ? decideKnownCategories(categories, context) : decideSentCategories(categories, context);
  return rooms.length === 0 && parts.length === 0 && !isInfo ? deactivateAll(context) : { summary: "" };
}

/** An AlpineBits Info message never creates a category. */
function decideKnownCategories(read: readonly ParsedCategory[], context: DecisionContext): Decision {
  const isActive = ({ code }: GuestRoom) => context.categories.get(code!)?.status === "active";
  const activeCategories = read.filter(({ room }) => isActive(room));
  for (const { room } of read) {
    if (!isActive(room))
      context.report.warn(note(`pictures of ${room.code} are not stored, because ${room.code} is not an active category`), room.at);
  }
  return activeCategories.length > 0 ? decideSentCategories(activeCategories, context) : { summary: "" };
}

/** Creates or updates categories. The list must not be empty. */
export function decideSentCategories(read: readonly ParsedCategory[], context: DecisionContext): Decision {
  const updatedCategories = updateCategories(read, context);
  reportUnsentCategories(read, context);
  return updatedCategories;
}

/** Creates and updates categories, and deactivates all others. */
export function replaceCategories(read: readonly ParsedCategory[], context: DecisionContext): Decision & CategoryChanges {
  const updatedCategories = updateCategories(read, context);
  const deactivatedRows = activeUnsentCategories(read, context).map((row) => toEditedRow(row, { ...row, status: "inactive" }, context));
  if (deactivatedRows.length > 0)
    context.report.warn(note(`omitted categories became inactive: ${deactivatedRows.map(({ code }) => code).join(", ")}`));
  const deactivations = recordChanges(deactivatedRows, context);
  return {
    ...updatedCategories,
    categories: [...updatedCategories.categories, ...deactivations.categories],
    history: [...updatedCategories.history, ...deactivations.history],
  };
}

export function updateCategories(read: readonly ParsedCategory[], context: DecisionContext): Decision & CategoryChanges {
  const changedRows = new Map<string, CategoryRow>();
  const sentCodes = new Set(read.map(({ room }) => room.code));
  const words = read.map((category) => decideCategory(category, context, { sent: sentCodes, changed: changedRows }));
  return {
    summary: `Categories: ${words.slice(0, 10).join(", ")}${words.length > 10 ? " and more" : ""}`,
    ...recordChanges([...changedRows.values()], context),
  };
}

type CategoryChanges = Required<Pick<Decision, "categories" | "history">>;

/** Returns the rows to store, with each row's history. */
export function recordChanges(categories: readonly CategoryRow[], context: DecisionContext): CategoryChanges {
  return { categories, history: categories.map((row) => categoryChange(context.categories.get(row.code), row)) };
}

function deactivateAll(context: DecisionContext): Decision {
  const activeCategories = [...context.categories.values()].filter(({ status }) => status === "active");
  return {
    summary: `Every category became inactive (${formatNumber(activeCategories.length)})`,
    ...recordChanges(
      activeCategories.map((row) => toEditedRow(row, { ...row, status: "inactive" }, context)),
      context,
    ),
  };
}

type CategoryCodes = { sent: ReadonlySet<string | undefined>; changed: Map<string, CategoryRow> };

function decideCategory(read: ParsedCategory, context: DecisionContext, { sent, changed }: CategoryCodes): string {
  const code = read.room.code!;
  const storedCategory = context.categories.get(code);
  const formerCategory = findFormerCode(read, sent, context);
  const before =
    storedCategory ?? (formerCategory ? { ...formerCategory, version: 0, created_at: context.now } : newCategory(code, context));
  const row = toCategoryRow(read, before, context);
  if (formerCategory) changed.set(formerCategory.code, toEditedRow(formerCategory, { ...formerCategory, status: "inactive" }, context));
  const name = toOurCode(context, "category", code);
  if (storedCategory && isSameCategory(storedCategory, row)) return `${name} unchanged`;
  changed.set(code, toEditedRow(before, row, context));
  return `${name} ${storedCategory ? "updated" : "created"}`;
}

/** Returns the category whose code was changed to the given one, unless the message also contains its former code. */
function findFormerCode({ room: { id, code, at } }: ParsedCategory, sent: CategoryCodes["sent"], { categories, report }: DecisionContext) {
  const formerCategory = id === undefined || sent.has(id) ? undefined : categories.get(id);
  const isUnchanged = formerCategory?.status === "inactive" && categories.has(code!);
  if (!formerCategory || isUnchanged) return undefined;
  report.warn(note(`category ${id} was renamed to ${code}; its stored nights remain under ${id}`), at);
  return formerCategory;
}

export function toEditedRow(before: CategoryRow, row: CategoryRow, { now }: DecisionContext): CategoryRow {
  return { ...row, version: before.version + 1, updated_at: now };
}

function isSameCategory(a: CategoryRow, b: CategoryRow): boolean {
  return (Object.keys(a) as (keyof CategoryRow)[]).every((column) => a[column] === b[column]);
}

function activeUnsentCategories(read: readonly ParsedCategory[], { categories }: DecisionContext): readonly CategoryRow[] {
  const sentCodes = new Set(read.flatMap(({ room }) => [room.code, room.id]));
  return [...categories.values()].filter(({ code, status }) => status === "active" && !sentCodes.has(code));
}

function reportUnsentCategories(read: readonly ParsedCategory[], context: DecisionContext): void {
  const unsentCategories = activeUnsentCategories(read, context);
  if (unsentCategories.length > 0)
    context.report.advise(`omitted categories are unchanged: ${unsentCategories.map(({ code }) => code).join(", ")}`);
}

/**
 * Groups rooms by code. In each group, the first is the category and the others are individual rooms. AlpineBits requires each room to have
 * a category.
 */
export function groupRooms(
  rooms: readonly GuestRoom[],
  { dialect, report, clearsMissingFields }: Pick<ReadContext, "dialect" | "report"> & { clearsMissingFields: boolean },
): readonly ParsedCategory[] {
  const groups = new Map<string, ParsedCategory>();
  let last: string | undefined;
  for (const room of rooms) {
    if (room.code === undefined) continue;
    const group = groups.get(room.code);
    if (group) group.individualRooms.push(room);
    else if (dialect.checksGuestRooms && last !== undefined && isIndividualRoom(room)) report.error(mismatchFault(room, last), room.at);
    else groups.set((last = room.code), { room, individualRooms: [], clearsMissingFields });
  }
  return [...groups.values()];
}

function mismatchFault({ code, roomId }: GuestRoom, category: string) {
  return ruleBroken(`The individual room ${roomId} has the code ${code}, but its category has the code ${category}`);
}
