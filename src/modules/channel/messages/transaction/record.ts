import type { Attributes } from "../../../../xml/handler.ts";
import { MAX_GUESTS } from "../../limits.ts";
import { invalidWord } from "../../ota-error.ts";
import type { SourceLocation, MessageReport } from "../../report.ts";
import type { RoomDescription } from "../descriptive-content-notif/guest-room.ts";
import { normalizeCode, parseInteger } from "../parts/values.ts";

/** A `RoomData` or `PackageData` element. */
export type PropertyRecord = {
  at: SourceLocation;
  code: string | undefined;
  names: RoomDescription[];
  descriptions: RoomDescription[];
  photos: { at: SourceLocation; url: string }[];
  guests: Partial<Record<GuestField, number>>;
};

type GuestField = "Capacity" | "AdultCapacity" | "ChildCapacity" | "MinOccupancy";

const TEXT_ELEMENTS: ReadonlySet<string> = new Set([
  "RoomID",
  "PackageID",
  "URL",
  "Capacity",
  "AdultCapacity",
  "ChildCapacity",
  "MinOccupancy",
]);

/** Reads the elements inside a `RoomData` or `PackageData`. */
export class RecordReader {
  readonly record: PropertyRecord;
  readonly #report: MessageReport;
  #texts: RoomDescription[] | undefined;
  #at: SourceLocation;
  #text: string | undefined;

  constructor(at: SourceLocation, report: MessageReport) {
    this.record = { at, code: undefined, names: [], descriptions: [], photos: [], guests: {} };
    this.#at = at;
    this.#report = report;
  }

  open(name: string, attributes: Attributes, at: SourceLocation): void {
    if (name === "Name") this.#texts = this.record.names;
    else if (name === "Description") this.#texts = this.record.descriptions;
    else if (name === "Text") this.#texts?.push(readText(attributes, at));
    this.#at = at;
    this.#text = TEXT_ELEMENTS.has(name) ? "" : undefined;
  }

  text(text: string): void {
    if (this.#text !== undefined) this.#text += text;
  }

  close(name: string): void {
    if (name === "Name" || name === "Description") this.#texts = undefined;
    const text = this.#text?.trim();
    this.#text = undefined;
    if (text === undefined) return;
    if (name === "URL") this.record.photos.push({ at: this.#at, url: text });
    else if (name === "RoomID" || name === "PackageID")
      this.record.code ??= normalizeCode(name, text, { report: this.#report, at: this.#at });
    else this.#setGuests(name as GuestField, text);
  }

  #setGuests(field: GuestField, text: string): void {
    const guests = parseInteger(text, MAX_GUESTS);
    const minGuests = field === "ChildCapacity" ? 0 : 1;
    if (guests === undefined || guests < minGuests) this.#report.error(invalidWord(text, field, `${minGuests} to ${MAX_GUESTS}`), this.#at);
    else this.record.guests[field] = guests;
  }
}

function readText(attributes: Attributes, at: SourceLocation): RoomDescription {
  return { at, language: attributes.get("language")?.trim(), format: undefined, text: attributes.get("text") ?? "" };
}
