import type { PageRequest } from "../../../../journal/work.ts";
import { firstCharacters } from "../../../../text.ts";
import type { Attributes } from "../../../../xml/handler.ts";
import { MAX_ECHO_TOKEN_LENGTH } from "../../limits.ts";
import type { HotelRequest, Message, MessageReader, ReadContext } from "../../message.ts";
import { fieldMissing, invalidWord, partInWrongPlace, ruleBroken } from "../../ota-error.ts";
import type { SourceLocation, ElementContext } from "../../report.ts";
import { ALL_NIGHTS } from "../../updates/update.ts";
import { setHotel, newHotelReference } from "../parts/hotel.ts";
import { normalizeCode } from "../parts/values.ts";
import { decideProperty, type PropertyData } from "./decide.ts";
import { examples } from "./examples.ts";
import { type PropertyRecord, RecordReader } from "./record.ts";

export const transaction: Message = {
  root: "Transaction",
  about: "Google property data: creates and updates categories from RoomData and rate plans from PackageData.",
  actions: [],
  hotelElements: ["Property"],
  hotelCodeIn: "text",
  read: (context) => new TransactionReader(context),
  examples,
};

class TransactionReader implements MessageReader {
  readonly #context: ReadContext;
  readonly #hotel = newHotelReference();
  readonly #records: Record<"RoomData" | "PackageData", PropertyRecord[]> = { RoomData: [], PackageData: [] };
  #isOverlay = false;
  #property: { text: string; at: SourceLocation } | undefined;
  #record: RecordReader | undefined;

  constructor(context: ReadContext) {
    this.#context = context;
  }

  open(name: string, attributes: Attributes, offset: number): void {
    const { head, report } = this.#context;
    const at = { offset, record: undefined };
    const reading = { attributes, report, at };
    if (this.#record) this.#record.open(name, attributes, at);
    else if (name === "RoomData" || name === "PackageData") this.#record = new RecordReader(at, report);
    else if (name === "Property") this.#property = { text: "", at };
    else if (name === "PropertyDataSet") this.#readAction(reading);
    else if (name === "Transaction") {
      head.echoToken = shortenText(attributes.get("id"));
      head.requestor = shortenText(attributes.get("partner"));
      head.timeStamp = attributes.get("timestamp");
    } else report.warn(partInWrongPlace(name), at);
  }

  text(text: string): void {
    if (this.#record) this.#record.text(text);
    else if (this.#property) this.#property.text += text;
  }

  close(name: string): void {
    if (name === "Property" && this.#property) this.#closeProperty(this.#property);
    else if ((name === "RoomData" || name === "PackageData") && this.#record) this.#closeRecord(name, this.#record);
    else this.#record?.close(name);
  }

  finish(): HotelRequest {
    const { RoomData: rooms, PackageData: packages } = this.#records;
    const data: PropertyData = { isOverlay: this.#isOverlay, rooms, packages };
    if (rooms.length + packages.length === 0) this.#context.report.error(fieldMissing("RoomData or PackageData"), this.#hotel.at);
    const pages = this.#isOverlay && packages.length > 0 ? RATE_PAGE_REQUESTS : [];
    return {
      kind: "hotel",
      hotel: this.#hotel,
      lines: rooms.length + packages.length,
      pages,
      decide: (context) => decideProperty(data, context),
    };
  }

  /** Reads the action. Without one, nothing is removed. */
  #readAction({ attributes, report, at }: ElementContext): void {
    const action = attributes.get("action")?.trim().toLowerCase() ?? "delta";
    if (action !== "delta" && action !== "overlay") report.error(invalidWord(action, "action", "delta, overlay"), at);
    this.#isOverlay ||= action === "overlay";
  }

  #closeProperty({ text, at }: { text: string; at: SourceLocation }): void {
    const { report } = this.#context;
    this.#property = undefined;
    const code = normalizeCode("Property", text, { report, at });
    if (code !== undefined) setHotel(this.#hotel, { code, name: undefined }, { report, at });
  }

  #closeRecord(name: "RoomData" | "PackageData", { record }: RecordReader): void {
    const { report } = this.#context;
    this.#record = undefined;
    const recordsOfKind = this.#records[name];
    if (record.code === undefined) report.error(fieldMissing(name === "RoomData" ? "RoomID" : "PackageID"), record.at);
    else if (recordsOfKind.some(({ code }) => code === record.code))
      report.error(ruleBroken(`${name} ${record.code} appears twice`), record.at);
    recordsOfKind.push(record);
  }
}

/** Shortens a value that the response repeats. */
function shortenText(text: string | undefined): string | undefined {
  return text && firstCharacters(text, MAX_ECHO_TOKEN_LENGTH);
}

const RATE_PAGE_REQUESTS: readonly PageRequest[] = [{ kind: "rate", first: ALL_NIGHTS.first, last: ALL_NIGHTS.last }];
