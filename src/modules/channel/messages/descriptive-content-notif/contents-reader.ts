import type { Attributes } from "../../../../xml/handler.ts";
import type { ReadContext } from "../../message.ts";
import type { ElementContext } from "../../report.ts";
import { readHotel } from "../parts/hotel.ts";
import type { PropertyContents } from "./guest-room.ts";
import type { SentGroup } from "./property-read.ts";
import { PROPERTY_PARTS, PropertyReader } from "./property-reader.ts";
import { newRoom, RoomReader } from "./room-reader.ts";

const CONTAINER_ELEMENTS: ReadonlySet<string> = new Set(["OTA_HotelDescriptiveContentNotifRQ", "HotelDescriptiveContents", "FacilityInfo"]);

export class ContentsReader {
  readonly read: PropertyContents;
  readonly #context: ReadContext;
  /** Whether `HotelDescriptiveContents` identifies the hotel, as it does in messages from some OpenTravel senders. */
  #listNamesHotel = false;
  #room: RoomReader | undefined;
  #part: PropertyReader | undefined;
  #skipped: string | undefined;

  constructor(context: ReadContext, read: PropertyContents) {
    this.#context = context;
    this.read = read;
  }

  open(name: string, attributes: Attributes, offset: number): void {
    if (this.#skipped !== undefined) return;
    const reading = { attributes, report: this.#context.report, at: { offset, record: undefined } };
    const openReader = this.#room ?? this.#part;
    if (openReader) openReader.open(name, reading);
    else if (name === "GuestRoom" && this.read.hasList) this.#openRoom(reading);
    else if (PROPERTY_PARTS.has(name)) this.#openPart(name, reading);
    else this.#openOutside(name, reading);
  }

  close(name: string): void {
    if (this.#skipped !== undefined) {
      if (name === this.#skipped) this.#skipped = undefined;
    } else if (this.#part) {
      if (this.#part.close(name)) this.#part = undefined;
    } else if (name === "GuestRoom") this.#room = undefined;
    else this.#room?.close(name);
  }

  text(text: string): void {
    (this.#part ?? this.#room)?.text(text);
  }

  #openOutside(name: string, reading: ElementContext): void {
    if (name === "GuestRooms") this.read.hasList = true;
    else if (name === "HotelDescriptiveContents" && !this.#context.dialect.ignoresContentsHotelCode) this.#openList(reading);
    else if (name === "HotelDescriptiveContent") this.#openContent(reading);
    else if (!CONTAINER_ELEMENTS.has(name)) {
      this.#skipped = name;
      this.#context.report.ignore(name);
    }
  }

  #openList(reading: ElementContext): void {
    const { hotel } = this.read;
    readHotel(hotel, reading);
    this.#listNamesHotel = hotel.code !== undefined;
    // Here, a name alone does not identify the hotel.
    if (!this.#listNamesHotel) hotel.name = undefined;
  }

  #openContent(reading: ElementContext): void {
    const { hotel, property } = this.read;
    if (!this.#listNamesHotel || reading.attributes.get("HotelCode") !== undefined) readHotel(hotel, reading);
    property.groups.push(readHotelName(reading));
  }

  #openRoom(reading: ElementContext): void {
    this.#room = new RoomReader(newRoom(reading));
    this.read.rooms.push(this.#room.room);
  }

  #openPart(name: string, reading: ElementContext): void {
    this.read.parts.push({ name, at: reading.at });
    this.#part = new PropertyReader(this.read.property, name);
    this.#part.open(name, reading);
  }
}

/** Reads the name that is sent with the hotel code. A name in `HotelInfo` takes precedence. */
function readHotelName({ attributes, at }: ElementContext): SentGroup {
  const source = "HotelName";
  return { kind: "name", rank: 1, values: [{ field: "name", source, text: attributes.get(source) ?? "", at }] };
}
