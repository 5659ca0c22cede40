import type { MessageReader, ReadContext } from "../../message.ts";
import { invalidValue } from "../../ota-error.ts";
import { codeOf } from "../parts/control.ts";
import { noHotel, readHotel } from "../parts/hotel.ts";
import type { Reading } from "../parts/restrictions.ts";
import { MAX_GUESTS, parseWhole } from "../parts/values.ts";
import { LAST_CLASSIFICATION } from "./codes.ts";
import type { Contents, GuestRoom, Media } from "./guest-room.ts";

const FOREIGN: ReadonlySet<string> = new Set(["AffiliationInfo", "Policies", "ContactInfos", "HotelInfo"]);
const CONTAINERS: ReadonlySet<string> = new Set(["TextItem", "ImageFormat"]);
const MAX_SIZE = 10_000;

/** Reads `OTA_HotelDescriptiveContentNotifRQ` and hands it to `finish`. */
export function readContents<T>({ report }: ReadContext, finish: (read: Contents) => T) {
  const hotel = noHotel();
  const rooms: GuestRoom[] = [];
  const foreign: { name: string; at: { offset: number; record: undefined } }[] = [];
  let listed = false;
  let room: GuestRoom | undefined;
  let media: Media | undefined;
  let skipped: string | undefined;
  let take: ((text: string) => void) | undefined;

  function openInRoom(current: GuestRoom, name: string, reading: Reading): void {
    const { attributes, at } = reading;
    if (name === "TypeRoom") readTypeRoom(current, reading);
    else if (name === "Amenities") current.amenities ??= [];
    else if (name === "Amenity") (current.amenities ??= []).push(attributes.get("RoomAmenityCode")?.trim());
    else if (name === "MultimediaDescriptions") current.mediaLists += 1;
    else if (name === "MultimediaDescription") {
      media = { at, infoCode: attributes.get("InfoCode")?.trim(), texts: undefined, pictures: undefined };
      current.media.push(media);
    } else if (media) openInMedia(media, name, reading);
    else report.ignore(name);
  }

  function openInMedia(current: Media, name: string, { attributes, at }: Reading): void {
    if (name === "TextItems") current.texts ??= [];
    else if (name === "ImageItems") current.pictures ??= [];
    else if (name === "ImageItem") (current.pictures ??= []).push({ at, category: attributes.get("Category")?.trim(), url: undefined });
    else if (name === "URL") takeUrl(current);
    else if (name === "Description" && !current.pictures) takeDescription(current, { attributes, at, report });
    else if (!CONTAINERS.has(name)) report.ignore(name);
  }

  function takeUrl({ pictures }: Media): void {
    const picture = pictures?.at(-1);
    take = picture && ((text) => (picture.url = (picture.url ?? "") + text));
  }

  function takeDescription(current: Media, { attributes, at }: Reading): void {
    const description = { at, language: attributes.get("Language")?.trim(), format: attributes.get("TextFormat")?.trim(), text: "" };
    (current.texts ??= []).push(description);
    take = (text) => (description.text += text);
  }

  return {
    open(name, attributes, offset) {
      const at = { offset, record: undefined };
      if (skipped !== undefined) return;
      if (room) openInRoom(room, name, { attributes, report, at });
      else if (name === "GuestRoom" && listed) rooms.push((room = newRoom({ attributes, report, at })));
      else if (name === "GuestRooms") listed = true;
      else if (name === "HotelDescriptiveContent") readHotel(hotel, attributes, offset, report);
      else if (FOREIGN.has(name)) foreign.push({ name: (skipped = name), at });
      else if (!OUTSIDE.has(name)) report.ignore((skipped = name));
    },
    close(name) {
      take = undefined;
      if (name === skipped) skipped = undefined;
      else if (name === "GuestRoom") room = undefined;
      else if (name === "MultimediaDescription") media = undefined;
    },
    text: (text) => take?.(text),
    finish: () => finish({ hotel, listed, rooms, foreign }),
  } satisfies Omit<MessageReader, "finish"> & { finish(): T };
}

const OUTSIDE: ReadonlySet<string> = new Set(["OTA_HotelDescriptiveContentNotifRQ", "HotelDescriptiveContents", "FacilityInfo"]);

function newRoom({ attributes, report, at }: Reading): GuestRoom {
  const guests = (name: string) => numberOf(name, MAX_GUESTS, { attributes, report, at });
  return {
    at,
    code: codeOf("Code", attributes.get("Code") ?? "", report, at),
    id: codeOf("ID", attributes.get("ID") ?? "", report, at),
    minOccupancy: guests("MinOccupancy"),
    maxOccupancy: guests("MaxOccupancy"),
    maxChildren: guests("MaxChildOccupancy"),
    standardOccupancy: undefined,
    classification: undefined,
    roomType: undefined,
    size: undefined,
    roomId: undefined,
    amenities: undefined,
    media: [],
    mediaLists: 0,
  };
}

function readTypeRoom(room: GuestRoom, reading: Reading): void {
  const { attributes, report, at } = reading;
  room.standardOccupancy = numberOf("StandardOccupancy", MAX_GUESTS, reading);
  room.classification = numberOf("RoomClassificationCode", LAST_CLASSIFICATION, reading);
  room.roomType = attributes.get("RoomType")?.trim();
  room.size = numberOf("Size", MAX_SIZE, reading);
  room.roomId = codeOf("RoomID", attributes.get("RoomID") ?? "", report, at);
}

/** A whole number from 1 to `max`; one that is wrong was reported, and is there all the same. */
function numberOf(name: string, max: number, { attributes, report, at }: Reading): number | undefined {
  const text = attributes.get(name);
  if (text === undefined) return undefined;
  const number = parseWhole(text, max);
  if (number) return number;
  if (name === "Size" && number === 0) return void report.advise("a size of 0 was taken as none");
  report.error(invalidValue(text, name), at);
  return Number.NaN;
}

