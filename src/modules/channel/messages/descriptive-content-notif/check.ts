import { CATEGORY_CODE_FORMAT, CATEGORY_LIMITS, isCategoryCode } from "../../../../records/category/category.ts";
import { isLanguage } from "../../../../records/property/choices.ts";
import { isWebAddress } from "../../../../records/rules.ts";
import { fieldMissing, invalidValue, invalidWord, ruleBroken } from "../../ota-error.ts";
import type { MessageReport } from "../../report.ts";
import { AMENITIES_TEXT, isAmenity, InfoCode, isPictureCategory, PICTURE_CATEGORIES_TEXT } from "../parts/code-lists.ts";
import {
  type ParsedCategory,
  type PropertyContents,
  type GuestRoom,
  roomNames,
  type RoomDescription,
  type Media,
  type Picture,
} from "./guest-room.ts";

type RoomContents = Pick<PropertyContents, "hotel" | "hasList" | "parts"> & { rooms: readonly GuestRoom[] };

export function checkContents(read: RoomContents, categories: readonly ParsedCategory[], report: MessageReport): void {
  if (!read.hasList && read.parts.length === 0) report.error(fieldMissing("GuestRooms"), read.hotel.at);
  for (const { at, code } of read.rooms) {
    if (code === undefined) report.error(fieldMissing("Code"), at);
    else if (!isCategoryCode(code)) report.error(invalidWord(code, "Code", CATEGORY_CODE_FORMAT), at);
  }
  for (const category of categories) {
    checkOccupancy(category.room, report);
    checkRoomNames(category, report);
  }
}

function checkRoomNames(category: ParsedCategory, report: MessageReport): void {
  const { code, at } = category.room;
  const maxNames = CATEGORY_LIMITS.roomNames;
  const names = [...roomNames(category)].join(", ");
  if (names.length > maxNames)
    report.error(ruleBroken(`the names of the individual rooms of ${code} have more than ${maxNames} characters in total`), at);
}

const LIMITED_BY_MAX_OCCUPANCY = [
  ["maxChildren", "MaxChildOccupancy"],
  ["maxAdults", "MaxAdultOccupancy"],
] as const;

function checkOccupancy(room: GuestRoom, report: MessageReport): void {
  const { minOccupancy, standardOccupancy, maxOccupancy, at } = room;
  const sentOccupancies = [minOccupancy, standardOccupancy, maxOccupancy].filter((guests) => guests !== undefined && guests > 0);
  const isAscending = sentOccupancies.every((guests, index) => index === 0 || guests! >= sentOccupancies[index - 1]!);
  if (!isAscending)
    report.error(ruleBroken("MinOccupancy must not exceed StandardOccupancy, and StandardOccupancy must not exceed MaxOccupancy"), at);
  for (const [field, name] of LIMITED_BY_MAX_OCCUPANCY) {
    const guests = room[field];
    if (guests !== undefined && maxOccupancy !== undefined && guests > maxOccupancy)
      report.error(ruleBroken(`${name} must not exceed MaxOccupancy`), at);
  }
}

export function checkStrictly(read: PropertyContents, categories: readonly ParsedCategory[], report: MessageReport): void {
  if (read.isInfo) return checkInfo(categories, report);
  if (!read.hasList) report.error(fieldMissing("GuestRooms"), read.hotel.at);
  for (const { name, at } of read.parts) report.error(ruleBroken(`${name} belongs to the action Info, not to Inventory`), at);
  for (const { room, individualRooms } of categories) {
    checkCategory(room, report);
    for (const individualRoom of individualRooms) checkIndividualRoom(individualRoom, report);
  }
}

const INVENTORY_FIELDS = [
  ["minOccupancy", "MinOccupancy"],
  ["maxOccupancy", "MaxOccupancy"],
  ["maxChildren", "MaxChildOccupancy"],
  ["amenities", "Amenities"],
  ["id", "ID"],
  ["typeRoom", "TypeRoom"],
] as const;

/** Refuses everything in categories except pictures, because the Info action can't set anything else. */
function checkInfo(categories: readonly ParsedCategory[], report: MessageReport): void {
  for (const room of categories.flatMap(({ room: first, individualRooms }) => [first, ...individualRooms])) {
    const extra = INVENTORY_FIELDS.filter(([field]) => room[field] !== undefined).map(([, name]) => name as string);
    if (room.media.some(({ texts }) => texts !== undefined)) extra.push("TextItems");
    if (room.media.some(({ infoCode }) => infoCode !== undefined)) extra.push("InfoCode");
    for (const name of extra) report.error(ruleBroken(`${name} belongs to the action Inventory, not to Info`), room.at);
    for (const picture of room.media.flatMap(({ pictures = [] }) => pictures)) checkPicture(picture, report);
  }
}

const REQUIRED_FIELDS = [
  ["minOccupancy", "MinOccupancy"],
  ["maxOccupancy", "MaxOccupancy"],
  ["standardOccupancy", "StandardOccupancy"],
  ["classification", "RoomClassificationCode"],
] as const;

function checkCategory(room: GuestRoom, report: MessageReport): void {
  for (const [field, name] of REQUIRED_FIELDS) if (room[field] === undefined) report.error(fieldMissing(name), room.at);
  if (room.roomType !== undefined && !/^[1-9]$/.test(room.roomType))
    report.error(invalidWord(room.roomType, "RoomType", "1 to 9"), room.at);
  if (room.maxChildren === 0) report.error(invalidWord("0", "MaxChildOccupancy", `1 to ${CATEGORY_LIMITS.guests}, or none`), room.at);
  for (const code of room.amenities ?? []) {
    if (code === undefined) report.error(fieldMissing("RoomAmenityCode"), room.at);
    else if (!isAmenity(code)) report.error(invalidWord(code, "RoomAmenityCode", AMENITIES_TEXT), room.at);
  }
  checkMedia(room, report);
}

const CATEGORY_FIELDS = [
  ...REQUIRED_FIELDS,
  ["maxChildren", "MaxChildOccupancy"],
  ["size", "Size"],
  ["amenities", "Amenities"],
  ["id", "ID"],
] as const;

function checkIndividualRoom(room: GuestRoom, report: MessageReport): void {
  const { at, code, roomId, mediaLists } = room;
  if (roomId === undefined) report.error(fieldMissing("RoomID"), at);
  const extra = CATEGORY_FIELDS.filter(([field]) => room[field] !== undefined).map(([, name]) => name as string);
  if (mediaLists > 0) extra.push("MultimediaDescriptions");
  for (const name of extra) report.error(ruleBroken(`${name} belongs to the category ${code}, not to its individual room`), at);
}

function checkMedia({ media, mediaLists, at }: GuestRoom, report: MessageReport): void {
  if (mediaLists > 1) report.error(ruleBroken("A category must have only one MultimediaDescriptions"), at);
  if (!media.some(({ infoCode }) => infoCode === InfoCode.longName)) {
    report.error(fieldMissing(`MultimediaDescription with InfoCode ${InfoCode.longName}, the long name`), at);
  }
  const seen = new Set<string>();
  for (const one of media) {
    if (one.infoCode !== undefined && seen.has(one.infoCode)) report.error(ruleBroken(`InfoCode ${one.infoCode} is repeated`), one.at);
    if (one.infoCode !== undefined) seen.add(one.infoCode);
    checkMediaKind(one, report);
  }
}

function checkMediaKind({ at, infoCode, texts, pictures }: Media, report: MessageReport): void {
  if (infoCode === undefined) return report.error(fieldMissing("InfoCode"), at);
  if (infoCode === InfoCode.pictures) {
    if (!pictures || pictures.length === 0) report.error(fieldMissing("ImageItems"), at);
    for (const picture of pictures ?? []) checkPicture(picture, report);
  } else if (infoCode === InfoCode.longName || infoCode === InfoCode.description) {
    if (!texts) report.error(fieldMissing("TextItems"), at);
    else if (texts.every(({ text }) => text.trim() === "")) report.error(fieldMissing("Description"), at);
    checkTexts(texts ?? [], report);
  } else report.error(invalidWord(infoCode, "InfoCode", "1, 23, 25"), at);
}

function checkPicture({ at, category, url, texts }: Picture, report: MessageReport): void {
  if (category === undefined) report.error(fieldMissing("Category"), at);
  else if (!isPictureCategory(category)) report.error(invalidWord(category, "Category", PICTURE_CATEGORIES_TEXT), at);
  if (url === undefined) report.error(fieldMissing("URL"), at);
  else if (!isWebAddress(url.trim())) report.error(invalidValue(url, "URL"), at);
  checkTexts(texts, report);
}

function checkTexts(texts: readonly RoomDescription[], report: MessageReport): void {
  const seen = new Set<string>();
  for (const { at, language, format } of texts) {
    if (language === undefined) report.error(fieldMissing("Language"), at);
    else if (!isLanguage(language)) report.error(invalidWord(language, "Language", "ISO 639-1, such as de"), at);
    if (format === undefined) report.error(fieldMissing("TextFormat"), at);
    else if (format !== "PlainText" && format !== "HTML") report.error(invalidWord(format, "TextFormat", "PlainText, HTML"), at);
    const kind = `${language} ${format}`;
    if (seen.has(kind)) report.error(ruleBroken(`Language and TextFormat ${kind} are repeated`), at);
    seen.add(kind);
  }
}
