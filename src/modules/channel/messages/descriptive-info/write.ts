import type { CategoryRow } from "../../../../db/schema.ts";
import { formatCount } from "../../../../web/parts/amount.ts";
import { writeElement, writeEmptyElement } from "../../../../xml/write.ts";
import type { Decision, DecisionContext } from "../../message.ts";
import { classifyKind, InfoCode } from "../parts/code-lists.ts";
import { warnOfOmission } from "../parts/pull.ts";

const GUEST_ROOM_CODE = 6;

export function writeGuestRooms(context: DecisionContext): Decision {
  const { property, categories, dialect } = context;
  const activeCategories = [...categories.values()].filter(({ status }) => status === "active");
  const writtenCategories = activeCategories.filter(({ code }) => fitsLength(code, dialect.maxCategoryCodeLength));
  const omittedCategories = activeCategories.filter((category) => !writtenCategories.includes(category));
  for (const { code } of omittedCategories)
    warnOfOmission(context, `category ${code}, whose code has more than ${dialect.maxCategoryCodeLength} characters`);
  const rooms = writtenCategories.map((category) => writeCategory(category, context)).join("");
  const hotel = { HotelCode: property.code, HotelName: property.name };
  const content = writeElement("HotelDescriptiveContent", hotel, writeElement("FacilityInfo", {}, writeElement("GuestRooms", {}, rooms)));
  return {
    summary: `${formatCount(writtenCategories.length, "category", "categories")} returned`,
    content: writeElement("HotelDescriptiveContents", {}, content),
  };
}

function writeCategory(category: CategoryRow, context: DecisionContext): string {
  const { code, max_occupancy, min_occupancy, max_children } = category;
  const guests = { MaxOccupancy: max_occupancy, MinOccupancy: min_occupancy, MaxChildOccupancy: max_children || undefined };
  const content = writeType(category) + writeAmenities(category) + writeMedia(category, context);
  const names = splitList(category.room_names, ",").filter((name) => canWriteRoom(name, context));
  const individualRooms = names.map((RoomID) => writeElement("GuestRoom", { Code: code }, writeEmptyElement("TypeRoom", { RoomID })));
  return writeElement("GuestRoom", { Code: code, ...guests }, content) + individualRooms.join("");
}

function fitsLength(text: string, maxLength = Infinity): boolean {
  return text.length <= maxLength;
}

function canWriteRoom(name: string, context: DecisionContext): boolean {
  const { maxRoomNameLength } = context.dialect;
  if (fitsLength(name, maxRoomNameLength)) return true;
  warnOfOmission(context, `room ${name}, whose name has more than ${maxRoomNameLength} characters`);
  return false;
}

function writeType({ kind, standard_occupancy, size }: CategoryRow): string {
  const { classification, roomType } = classifyKind(kind);
  return writeEmptyElement("TypeRoom", {
    StandardOccupancy: standard_occupancy,
    RoomClassificationCode: classification,
    Size: size === null ? undefined : Math.round(size),
    RoomType: roomType,
  });
}

function writeAmenities({ amenities }: CategoryRow): string {
  const codes = splitList(amenities, ",").map((RoomAmenityCode) => writeEmptyElement("Amenity", { RoomAmenityCode }));
  return codes.length === 0 ? "" : writeElement("Amenities", {}, codes.join(""));
}

function writeMedia({ name, description, photos }: CategoryRow, { property }: DecisionContext): string {
  const language = property.languages?.slice(0, 2) ?? "en";
  const textsXml = writeText(InfoCode.longName, name, language) + writeText(InfoCode.description, description ?? "", language);
  return writeElement("MultimediaDescriptions", {}, textsXml + writePictures(splitList(photos, "\n")));
}

export function writeText(infoCode: string, text: string, language: string): string {
  if (text === "") return "";
  const description = writeElement("Description", { TextFormat: "PlainText", Language: language }, { text });
  return writeElement(
    "MultimediaDescription",
    { InfoCode: infoCode },
    writeElement("TextItems", {}, writeElement("TextItem", {}, description)),
  );
}

function writePictures(photos: readonly string[]): string {
  if (photos.length === 0) return "";
  const items = photos.map((photo) => {
    const url = writeElement("URL", {}, { text: new URL(photo).href });
    return writeElement("ImageItem", { Category: GUEST_ROOM_CODE }, writeElement("ImageFormat", {}, url));
  });
  return writeElement("MultimediaDescription", { InfoCode: InfoCode.pictures }, writeElement("ImageItems", {}, items.join("")));
}

function splitList(list: string | null, separator: string): string[] {
  const words = (list ?? "").split(separator).map((word) => word.trim());
  return words.filter(Boolean);
}
