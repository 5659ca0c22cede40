import type { Attribute, AttributeValue } from "../../../../calendar/attributes.ts";
import type { Attributes } from "../../../../xml/handler.ts";
import type { HotelRequest, Message, MessageReader, ReadContext } from "../../message.ts";
import { fieldMissing, note } from "../../ota-error.ts";
import type { SourceLocation, ElementContext } from "../../report.ts";
import { updatesRequest } from "../../updates/decide.ts";
import { NO_NARROWING, type WeekdayRange, type Rate, type Update } from "../../updates/update.ts";
import { setHotel, newHotelReference } from "../parts/hotel.ts";
import { readCode } from "../parts/values.ts";
import { examples } from "./examples.ts";
import {
  type EnclosedAmountDefaults,
  readAmount,
  readClosed,
  readDateRange,
  readInventory,
  readEnclosedAmountDefaults,
  readRestrictions,
} from "./values.ts";

export const availRateUpdate: Message = {
  root: "AvailRateUpdateRQ",
  about: "Expedia QuickConnect: sets availability, prices and restrictions for room types and rate plans.",
  actions: [],
  hotelElements: ["Hotel"],
  hotelCodeIn: "id",
  read: (context) => new AvailRateReader(context),
  examples,
};

/** A `RoomType` or `RatePlan` element. */
type RateLine = {
  at: SourceLocation;
  category: string | undefined;
  plan: string | undefined;
  set: Map<Attribute, AttributeValue | undefined>;
  rates: Rate[];
  isUsed: boolean;
};

/** An `AvailRateUpdate` element. Each line applies to all of its date ranges. */
type RateBlock = { at: SourceLocation; ranges: { range: WeekdayRange | undefined }[]; lines: RateLine[] };

class AvailRateReader implements MessageReader {
  readonly #context: ReadContext;
  readonly #hotel = newHotelReference();
  readonly #blocks: RateBlock[] = [];
  #block: RateBlock;
  #room: RateLine | undefined;
  #line: RateLine | undefined;
  #terms: EnclosedAmountDefaults = { currency: undefined, stay: 1 };
  #amounts = 0;
  #at: SourceLocation = { offset: 0, record: undefined };

  constructor(context: ReadContext) {
    this.#context = context;
    this.#block = this.#newBlock({ offset: 0, record: undefined });
  }

  open(name: string, attributes: Attributes, offset: number): void {
    const { report } = this.#context;
    this.#at = { offset, record: undefined };
    const reading = { attributes, report, at: this.#at };
    if (name === "Hotel") this.#openHotel(reading);
    else if (name === "AvailRateUpdate") this.#block = this.#newBlock(reading.at);
    else if (name === "DateRange") this.#block.ranges.push({ range: readDateRange(reading) });
    else if (name === "RoomType") {
      this.#room = this.#openLine(reading, undefined);
      this.#line = this.#room;
    } else if (name === "RatePlan") this.#line = this.#openLine(reading, this.#room);
    else if (name !== "AvailRateUpdateRQ") this.#openInLine(name, reading);
  }

  close(name: string, end: number): void {
    if (name === "RatePlan") this.#line = this.#room;
    else if (name === "RoomType") {
      this.#room = undefined;
      this.#line = undefined;
    } else if (name === "Rate" && this.#amounts === 0)
      this.#context.report.error(fieldMissing("PerDay, PerOccupancy or PerPerson"), { offset: end, record: undefined });
    else if (name === "AvailRateUpdate") this.#block = this.#newBlock({ offset: end, record: undefined });
  }

  /** Does nothing, because Expedia's elements have only attributes. */
  text(text: string): void {
    if (text.trim() !== "") this.#context.report.warn(note(`text "${text.trim().slice(0, 40)}" is not stored`), this.#at);
  }

  finish(): HotelRequest {
    const { report } = this.#context;
    const blocks = this.#blocks.filter(({ ranges, lines }) => ranges.length + lines.length > 0);
    if (blocks.length === 0) report.error(fieldMissing("AvailRateUpdate"), this.#hotel.at);
    for (const { at, ranges, lines } of blocks) {
      if (ranges.length === 0) report.error(fieldMissing("DateRange"), at);
      if (lines.length === 0) report.error(fieldMissing("RoomType"), at);
      for (const line of lines)
        if (!line.isUsed && isEmptyLine(line)) report.warn(note("a line without rooms, rates or restrictions changes nothing"), line.at);
    }
    const updates = blocks.flatMap(({ ranges, lines }) => lines.flatMap((line) => ranges.map(({ range }) => toUpdate(line, range))));
    return updatesRequest({ hotel: this.#hotel, lines: updates.length, updates, replaces: undefined, dueSet: undefined });
  }

  /** Opens a block. In the 2007 format, dates and rooms are directly below the root. */
  #newBlock(at: SourceLocation): RateBlock {
    const block: RateBlock = { at, ranges: [], lines: [] };
    this.#blocks.push(block);
    return block;
  }

  #openHotel(reading: ElementContext): void {
    const code = readCode("id", reading);
    if (code !== undefined) setHotel(this.#hotel, { code, name: undefined }, reading);
  }

  #openLine(reading: ElementContext, room: RateLine | undefined): RateLine {
    const { report, at } = reading;
    const id = readCode("id", reading);
    const isPlanElement = room !== undefined;
    if (id === undefined) report.error(fieldMissing(isPlanElement ? "id of RatePlan" : "id of RoomType"), at);
    const line: RateLine = {
      at,
      category: isPlanElement ? room.category : id,
      plan: isPlanElement ? id : undefined,
      set: new Map(),
      rates: [],
      isUsed: false,
    };
    readClosed(line.set, reading);
    if (room) room.isUsed = true;
    this.#block.lines.push(line);
    return line;
  }

  #openInLine(name: string, reading: ElementContext): void {
    const { report, at } = reading;
    const line = this.#line;
    if (!line || (line.plan === undefined && name !== "Inventory")) {
      if (VALUE_ELEMENTS.has(name)) report.error(fieldMissing(`${name === "Inventory" ? "RoomType" : "RatePlan"} around ${name}`), at);
      return;
    }
    if (name === "Inventory") readInventory((this.#room ?? line).set, reading);
    else if (name === "Restrictions") readRestrictions(line.set, reading, this.#context.profile);
    else if (name === "Rate") {
      this.#terms = readEnclosedAmountDefaults(reading);
      this.#amounts = 0;
    } else if (AMOUNT_ELEMENTS.has(name)) {
      this.#amounts++;
      line.rates.push(readAmount(name, reading, this.#terms));
    }
  }
}

const AMOUNT_ELEMENTS: ReadonlySet<string> = new Set(["PerDay", "PerOccupancy", "PerPerson"]);
const VALUE_ELEMENTS: ReadonlySet<string> = new Set([...AMOUNT_ELEMENTS, "Inventory", "Restrictions", "Rate"]);

function isEmptyLine({ set, rates }: RateLine): boolean {
  return set.size === 0 && rates.length === 0;
}

function toUpdate({ at, category, plan, set, rates }: RateLine, range: WeekdayRange | undefined): Update {
  return {
    at,
    target: { category, room: undefined, plan, wholeHotel: false },
    narrowedBy: NO_NARROWING,
    // A line without a code gets no nights. Otherwise it would apply to every category.
    nights: category === undefined ? undefined : range,
    set,
    ...(rates.length > 0 && { amounts: { rates, replace: false } }),
  };
}
