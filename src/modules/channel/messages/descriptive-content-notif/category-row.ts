import type { CategoryRow } from "../../../../db/schema.ts";
import { CATEGORY_LIMITS, isPhotoUrl, newCategoryForm } from "../../../../records/category/category.ts";
import { toRow } from "../../../../records/category/store.ts";
import { firstCharacters, isVisible, visibleText } from "../../../../text.ts";
import type { DecisionContext } from "../../message.ts";
import { note } from "../../ota-error.ts";
import { InfoCode, isOpenTravelAmenity, kindFromCodes } from "../parts/code-lists.ts";
import { selectBestLanguage } from "../parts/languages.ts";
import { type ParsedCategory, type GuestRoom, roomNames, type RoomDescription } from "./guest-room.ts";
import { toPlainText } from "./texts.ts";

type OptionalFields = Pick<CategoryRow, "description" | "max_children" | "size" | "amenities" | "photos">;
const REMOVED_FIELDS: OptionalFields = { description: null, max_children: null, size: null, amenities: null, photos: null };

/**
 * Returns a category's row as changed by the message. Fields missing from the message are cleared if the message replaces whole categories,
 * and kept otherwise. Individual rooms are replaced only if the message contains any.
 */
export function toCategoryRow(read: ParsedCategory, before: CategoryRow, context: DecisionContext): CategoryRow {
  const { room } = read;
  const unsentFields = read.clearsMissingFields ? REMOVED_FIELDS : before;
  return {
    ...before,
    code: room.code!,
    name: chooseName(room, context) ?? before.name,
    description: chooseDescription(room, context) ?? unsentFields.description,
    ...mergeOccupancy(room, before, unsentFields),
    ...classifyRoom(room, before),
    ...mergeRooms(read, before),
    size: room.size ?? unsentFields.size,
    amenities: joinAmenities(room, context) ?? unsentFields.amenities,
    photos: joinPhotos(room, context) ?? unsentFields.photos,
    status: "active",
  };
}

const DEFAULT_ROW = toRow({
  ...newCategoryForm.parse({ hotelCode: "PLAIN", code: "PLAIN", name: "PLAIN", rooms: "0" }),
  ...{ version: 0, createdAt: 0, updatedAt: 0 },
});

/** Returns a new category. Its number of rooms is 0, which means unknown. */
export function newCategory(code: string, { property, now }: DecisionContext): CategoryRow {
  return { ...DEFAULT_ROW, property: property.code, code, name: code, created_at: now, updated_at: now };
}

function chooseName(room: GuestRoom, context: DecisionContext): string | undefined {
  const text = chooseText(room, InfoCode.longName, context) ?? room.typeName ?? "";
  const name = visibleText(text).replaceAll(/\s+/g, " ").trim();
  return isVisible(name) ? truncate("name", name, { room, context }) : undefined;
}

function chooseDescription(room: GuestRoom, context: DecisionContext): string | undefined {
  const text = chooseText(room, InfoCode.description, context);
  return text ? truncate("description", text, { room, context }) : undefined;
}

function truncate(field: "name" | "description", text: string, { room, context }: { room: GuestRoom; context: DecisionContext }): string {
  const maxLength = CATEGORY_LIMITS[field];
  const shortenedText = firstCharacters(text, maxLength);
  if (shortenedText !== text) context.report.warn(note(`the ${field} of ${room.code} was shortened to ${maxLength} characters`), room.at);
  return shortenedText;
}

type OccupancyFields = Pick<
  CategoryRow,
  "min_occupancy" | "standard_occupancy" | "max_occupancy" | "max_adults" | "max_children" | "max_infants"
>;

/** Adjusts values that were not sent, so that minimum ≤ standard ≤ maximum. */
function mergeOccupancy(room: GuestRoom, before: CategoryRow, unsentFields: OptionalFields): OccupancyFields {
  const standardGuests = room.standardOccupancy ?? clamp(before.standard_occupancy, room.minOccupancy, room.maxOccupancy);
  const maxOccupancy = room.maxOccupancy ?? Math.max(standardGuests, before.max_occupancy);
  const limitToMax = (guests: number | null) => (guests === null ? null : Math.min(guests, maxOccupancy));
  return {
    min_occupancy: room.minOccupancy ?? Math.min(standardGuests, before.min_occupancy),
    standard_occupancy: standardGuests,
    max_occupancy: maxOccupancy,
    max_adults: limitToMax(room.maxAdults ?? before.max_adults),
    max_children: limitToMax(room.maxChildren ?? unsentFields.max_children),
    max_infants: limitToMax(before.max_infants),
  };
}

function clamp(guests: number, least = 1, most = guests): number {
  return Math.max(least, Math.min(guests, most));
}

function classifyRoom({ classification, roomType }: GuestRoom, before: CategoryRow): Pick<CategoryRow, "kind"> {
  return { kind: classification === undefined ? before.kind : kindFromCodes(classification, roomType) };
}

function mergeRooms(read: ParsedCategory, before: CategoryRow): Pick<CategoryRow, "rooms" | "room_names"> {
  const names = roomNames(read);
  if (names.size === 0) return { rooms: before.rooms, room_names: before.room_names };
  return { rooms: names.size, room_names: [...names].join(", ") };
}

function joinAmenities({ amenities = [], at }: GuestRoom, { report }: DecisionContext): string | undefined {
  const codes = new Set<string>();
  for (const code of amenities) {
    if (code !== undefined && isOpenTravelAmenity(code)) codes.add(String(Number(code)));
    else report.warn(note(`amenity ${code ?? "without a code"} is not stored`), at);
  }
  return codes.size > 0 ? [...codes].join(", ") : undefined;
}

function joinPhotos({ media }: GuestRoom, { report }: DecisionContext): string | undefined {
  const photoUrls = new Set<string>();
  for (const { pictures = [] } of media) {
    for (const { url = "", at } of pictures) {
      const photoUrl = url.trim();
      if (isPhotoUrl(photoUrl)) photoUrls.add(photoUrl);
      else report.warn(note(`a picture without an http or https URL is not stored`), at);
    }
  }
  const maxPhotos = CATEGORY_LIMITS.photos;
  if (photoUrls.size > maxPhotos) report.warn(note(`only the first ${maxPhotos} pictures are stored`), media[0]?.at);
  return photoUrls.size > 0 ? [...photoUrls].slice(0, maxPhotos).join("\n") : undefined;
}

export function chooseText({ media }: GuestRoom, infoCode: string, { property, report }: DecisionContext): string | undefined {
  const texts = media.filter((one) => one.infoCode === infoCode).flatMap(({ texts: found = [] }) => found);
  const filledTexts = texts.filter(({ text }) => text.trim() !== "");
  const chosenText = preferPlain(selectBestLanguage(filledTexts, property));
  if (chosenText && filledTexts.some(({ language }) => language !== chosenText.language)) {
    report.advise(`only the descriptions ${chosenText.language ? `in ${chosenText.language}` : "without a language"} are stored`);
  }
  return chosenText && toPlainText(chosenText);
}

function preferPlain(texts: readonly RoomDescription[]): RoomDescription | undefined {
  return texts.find(({ format }) => format !== "HTML") ?? texts[0];
}
