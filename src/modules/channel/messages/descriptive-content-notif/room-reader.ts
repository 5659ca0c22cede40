import { CATEGORY_LIMITS } from "../../../../records/category/category.ts";
import { isVisible } from "../../../../text.ts";
import { invalidNumber, invalidValue, note } from "../../ota-error.ts";
import type { ElementContext } from "../../report.ts";
import { LAST_CLASSIFICATION } from "../parts/code-lists.ts";
import { readCode, parseInteger } from "../parts/values.ts";
import { emptyRoom, type GuestRoom, type Media, type Picture } from "./guest-room.ts";

const CONTAINER_ELEMENTS: ReadonlySet<string> = new Set(["TextItem", "ImageFormat"]);
const { guests: MAX_GUESTS, size: MAX_SIZE } = CATEGORY_LIMITS;

export class RoomReader {
  readonly room: GuestRoom;
  #media: Media | undefined;
  /** The open picture or video. Videos are not stored. */
  #picture: Picture | undefined;
  #take: ((text: string) => void) | undefined;

  constructor(room: GuestRoom) {
    this.room = room;
  }

  open(name: string, reading: ElementContext): void {
    const { attributes, report } = reading;
    if (name === "TypeRoom") readTypeRoom(this.room, reading);
    else if (name === "Amenities") this.room.amenities ??= [];
    else if (name === "Amenity") (this.room.amenities ??= []).push(attributes.get("RoomAmenityCode")?.trim());
    else if (name === "MultimediaDescriptions") this.room.mediaLists += 1;
    else if (name === "MultimediaDescription") this.#openMedia(reading);
    else if (this.#media) this.#openInMedia(this.#media, name, reading);
    else report.ignore(name);
  }

  text(text: string): void {
    this.#take?.(text);
  }

  close(name: string): void {
    this.#take = undefined;
    if (name === "ImageItem" || name === "VideoItem") this.#picture = undefined;
    if (name === "MultimediaDescription") this.#media = undefined;
  }

  #openMedia({ attributes, at }: ElementContext): void {
    this.#media = { at, infoCode: attributes.get("InfoCode")?.trim(), texts: undefined, pictures: undefined };
    this.room.media.push(this.#media);
  }

  #openInMedia(media: Media, name: string, reading: ElementContext): void {
    const { attributes, report, at } = reading;
    if (name === "TextItems") media.texts ??= [];
    else if (name === "ImageItems") media.pictures ??= [];
    else if (name === "ImageItem" || name === "VideoItem") {
      this.#picture = { at, category: attributes.get("Category")?.trim(), url: undefined, texts: [] };
      if (name === "ImageItem") (media.pictures ??= []).push(this.#picture);
      else report.ignore(name);
    } else if (name === "URL") this.#openUrl(this.#picture);
    else if (name === "Description") this.#openDescription(media, reading);
    else if (!CONTAINER_ELEMENTS.has(name)) report.ignore(name);
  }

  /** Reads only a picture's first URL, because a picture can be sent in several sizes. */
  #openUrl(picture: Picture | undefined): void {
    if (picture && picture.url === undefined) this.#take = (text) => (picture.url = (picture.url ?? "") + text);
  }

  /** Reads a description. A picture's description is checked but not stored. */
  #openDescription(media: Media, { attributes, report, at }: ElementContext): void {
    const description = { at, language: attributes.get("Language")?.trim(), format: attributes.get("TextFormat")?.trim(), text: "" };
    if (this.#picture) report.ignore("ImageItem/Description");
    (this.#picture?.texts ?? (media.texts ??= [])).push(description);
    this.#take = (text) => (description.text += text);
  }
}

export function newRoom(reading: ElementContext): GuestRoom {
  const { attributes, at } = reading;
  const guests = (name: string) => readPositiveInteger(name, MAX_GUESTS, reading);
  return {
    ...emptyRoom(at),
    code: readCode("Code", reading) ?? readCode("RoomTypeCode", reading) ?? readCode("InvTypeCode", reading),
    id: readCode("ID", reading),
    minOccupancy: guests("MinOccupancy"),
    maxOccupancy: guests("MaxOccupancy"),
    maxChildren: attributes.get("MaxChildOccupancy")?.trim() === "0" ? 0 : guests("MaxChildOccupancy"),
    maxAdults: guests("MaxAdultOccupancy"),
    typeName: attributes.get("RoomTypeName")?.trim() || undefined,
  };
}

function readTypeRoom(room: GuestRoom, reading: ElementContext): void {
  const { attributes, report, at } = reading;
  room.typeRoom ??= at;
  readTypeCode(room, reading);
  room.standardOccupancy = readPositiveInteger("StandardOccupancy", MAX_GUESTS, reading);
  room.classification = readPositiveInteger("RoomClassificationCode", LAST_CLASSIFICATION, reading);
  room.roomType = attributes.get("RoomType")?.trim();
  room.size = readPositiveInteger("Size", MAX_SIZE, reading);
  room.roomId = readCode("RoomID", reading);
  // Codes are stored as a comma-separated list, so they can't contain commas.
  if (room.roomId !== undefined && (room.roomId.includes(",") || !isVisible(room.roomId)))
    report.error(invalidValue(room.roomId, "RoomID"), at);
}

/** Reads the room type, which is the category. If it is present, the room's `Code` is only an OpenTravel guest room code (GRI). */
function readTypeCode(room: GuestRoom, reading: ElementContext): void {
  const code = readCode("RoomTypeCode", reading) ?? readCode("InvTypeCode", reading);
  if (code === undefined) return;
  if (room.typeCode !== undefined && room.typeCode !== code)
    return reading.report.warn(note(`a room has only one type; ${code} is skipped`), reading.at);
  room.typeCode = code;
  room.code = code;
}

/** Reads a whole number from 1 to `max`. Returns `NaN` after an error, so that the number isn't also reported as missing. */
function readPositiveInteger(name: string, max: number, { attributes, report, at }: ElementContext): number | undefined {
  const text = attributes.get(name);
  if (text === undefined) return undefined;
  const number = parseInteger(text, max);
  if (number) return number;
  if (name === "Size" && number === 0) return void report.advise("a Size of 0 was treated as missing");
  report.error(invalidNumber(text, name, `1 to ${max}`), at);
  return Number.NaN;
}
