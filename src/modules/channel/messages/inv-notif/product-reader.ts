import { ADULT_CODE } from "../../../../calendar/amounts.ts";
import { CATEGORY_LIMITS } from "../../../../records/category/category.ts";
import { invalidNumber, invalidWord, note } from "../../ota-error.ts";
import type { SourceLocation, ElementContext } from "../../report.ts";
import type { RoomDescription, GuestRoom } from "../descriptive-content-notif/guest-room.ts";
import { InfoCode, LAST_CLASSIFICATION } from "../parts/code-lists.ts";
import { parseInteger } from "../parts/values.ts";
import type { ParsedProduct } from "./product.ts";

const CONTAINER_ELEMENTS: ReadonlySet<string> = new Set(["GuestRoom", "Amenities"]);
/** Elements that contain nothing to store. */
const HARMLESS_ELEMENTS: ReadonlySet<string> = new Set(["Currency", "URL", "Image", "UniqueID"]);
/** Code for children in OpenTravel code list AQC (age qualifying codes). */
const CHILD_AGE_CODE = 8;
const { guests: MAX_GUESTS, size: MAX_SIZE } = CATEGORY_LIMITS;

/** Reads a product's content into its category. */
export class ProductReader {
  readonly #room: GuestRoom;
  readonly #texts: Record<"Description" | "LongDescription", RoomDescription[]> = { Description: [], LongDescription: [] };
  #open: RoomDescription[] | undefined;
  #text: RoomDescription | undefined;

  constructor({ room }: ParsedProduct) {
    this.#room = room;
  }

  /** Returns whether the element's content must be read too. */
  open(name: string, reading: ElementContext): boolean {
    const { attributes, report, at } = reading;
    if (name === "Description" || name === "LongDescription") this.#openDescription(name, reading);
    else if (name === "Text" && this.#open) this.#openText(this.#open, reading);
    else if (name === "Occupancy") readOccupancy(this.#room, reading);
    else if (name === "Room") readRoom(this.#room, reading);
    else if (name === "Amenity")
      (this.#room.amenities ??= []).push((attributes.get("AmenityCode") ?? attributes.get("RoomAmenityCode"))?.trim());
    else if (!CONTAINER_ELEMENTS.has(name)) {
      if (HARMLESS_ELEMENTS.has(name)) report.ignore(name);
      else report.warn(note(`${name} of a SellableProduct is not stored`), at);
      return false;
    }
    return true;
  }

  text(text: string): void {
    if (this.#text) this.#text.text += text;
  }

  close(name: string): void {
    if (name === "Text") this.#text = undefined;
    else if (name === "Description" || name === "LongDescription") this.#open = undefined;
    else if (name === "SellableProduct") this.#finish();
  }

  #openDescription(name: "Description" | "LongDescription", { attributes }: ElementContext): void {
    this.#open = this.#texts[name];
    this.#room.typeName ??= attributes.get("Name")?.trim() || undefined;
  }

  #openText(texts: RoomDescription[], { attributes, at }: ElementContext): void {
    this.#text = { at, language: attributes.get("Language")?.slice(0, 2), format: attributes.get("TextFormat")?.trim(), text: "" };
    texts.push(this.#text);
  }

  /** If there was no `RoomType`, uses the short description as the name. */
  #finish(): void {
    const { Description: short, LongDescription: long } = this.#texts;
    const isNamed = this.#room.typeName !== undefined;
    addTexts(this.#room, InfoCode.longName, isNamed ? [] : short);
    addTexts(this.#room, InfoCode.description, isNamed && long.length === 0 ? short : long);
    // If no total was sent, uses the sum of adults and children.
    const { maxAdults, maxChildren } = this.#room;
    if (maxAdults !== undefined) this.#room.maxOccupancy ??= Math.min(MAX_GUESTS, maxAdults + (maxChildren ?? 0));
  }
}

function addTexts({ media, at }: GuestRoom, infoCode: string, texts: RoomDescription[]): void {
  if (texts.length > 0) media.push({ at, infoCode, texts, pictures: undefined });
}

/** Reads the occupancy for all guests, or for one age group. */
function readOccupancy(room: GuestRoom, reading: ElementContext): void {
  const { attributes, report, at } = reading;
  const age = attributes.get("AgeQualifyingCode")?.trim();
  const [least, most] = [readGuests("MinOccupancy", reading), readGuests("MaxOccupancy", reading)];
  if (age === undefined) {
    room.minOccupancy = least === 0 ? undefined : least;
    room.maxOccupancy = requirePositive(most, "MaxOccupancy", { report, at });
  } else if (age === String(ADULT_CODE)) room.maxAdults = most;
  else if (age === String(CHILD_AGE_CODE)) room.maxChildren = most;
  else report.warn(note(`Occupancy with AgeQualifyingCode="${age}" is not stored`), at);
  if (age !== undefined && (least ?? 0) > 1) report.warn(note("MinOccupancy by age is not stored"), at);
  for (const name of ["MinAge", "MaxAge"])
    if (attributes.get(name) !== undefined) report.warn(note(`${name} of an Occupancy is not stored`), at);
  room.maxAdults = readGuests("MaxAdultOccupancy", reading) ?? room.maxAdults;
  room.maxChildren = readGuests("MaxChildOccupancy", reading) ?? room.maxChildren;
}

function readGuests(name: string, { attributes, report, at }: ElementContext): number | undefined {
  const text = attributes.get(name);
  const guests = text === undefined ? undefined : parseInteger(text, MAX_GUESTS);
  if (text !== undefined && guests === undefined) report.error(invalidNumber(text, name, `0 to ${MAX_GUESTS}`), at);
  return guests;
}

function requirePositive(
  guests: number | undefined,
  name: string,
  { report, at }: { report: ElementContext["report"]; at: SourceLocation },
): number | undefined {
  if (guests === 0) report.error(invalidNumber("0", name, `1 to ${MAX_GUESTS}`), at);
  return guests;
}

function readRoom(room: GuestRoom, reading: ElementContext): void {
  const { attributes, report, at } = reading;
  room.typeName = attributes.get("RoomType")?.trim() || room.typeName;
  room.classification = readPositiveInteger("RoomClassificationCode", LAST_CLASSIFICATION, reading) ?? room.classification;
  const unit = attributes.get("SizeMeasurementUnit")?.trim().toLowerCase();
  if (unit === undefined || SQUARE_METRE_NAMES.has(unit))
    room.size = readPositiveInteger("SizeMeasurement", MAX_SIZE, reading) ?? room.size;
  else report.warn(note(`SizeMeasurement in ${unit} is not stored; send square metres`), at);
  for (const name of ["Quantity", "NumberOfUnits"])
    if (attributes.get(name) !== undefined) report.warn(note(`${name} of a Room is not stored; send counts by night`), at);
}

const SQUARE_METRE_NAMES: ReadonlySet<string> = new Set(["sqm", "m2", "squaremeters", "square meters"]);

function readPositiveInteger(name: string, max: number, { attributes, report, at }: ElementContext): number | undefined {
  const text = attributes.get(name);
  if (text === undefined) return undefined;
  const number = parseInteger(text.replace(/\.0*\s*$/, ""), max);
  if (!number) report.error(invalidWord(text, name, `1 to ${max}`), at);
  return number || undefined;
}
