import { NO_VALUES, type AttributeMap } from "../../../../calendar/attributes.ts";
import type { Attributes } from "../../../../xml/handler.ts";
import type { Dialect } from "../../dialects/dialect.ts";
import type { NarrowingAttribute } from "../../elements/narrowing.ts";
import type { HotelRequest, Message, MessageReader, ReadContext } from "../../message.ts";
import { fieldMissing, partInWrongPlace, note } from "../../ota-error.ts";
import { updatesRequest } from "../../updates/decide.ts";
import type { Update } from "../../updates/update.ts";
import { checkCountTarget, checkMixture, checkReset } from "../parts/check-counts.ts";
import { addLimit, newLine, openDatedControl } from "../parts/control.ts";
import { newHotelReference, readHotel } from "../parts/hotel.ts";
import {
  roomsForSale,
  hasNoCounts,
  newCounts,
  inferOmittedCount,
  readCount,
  treatPhysicalAsAvailable,
  countValues,
  warnOfUnusedCounts,
} from "./counts.ts";
import { examples } from "./examples.ts";
import { checkFreeRooms, type InventoryLine, isClosing } from "./free-rooms.ts";

/** Sets the number of rooms for sale. Since 2020-10, AlpineBits calls this message FreeRooms. */
export const invCountNotif: Message = {
  root: "OTA_HotelInvCountNotifRQ",
  about: "Sets how many rooms of a category can be sold on each night.",
  actions: [
    {
      action: "OTA_HotelInvCountNotif:FreeRooms",
      handshake: "action_OTA_HotelInvCountNotif",
      since: "2020-10",
      capabilities: [
        "OTA_HotelInvCountNotif_accept_rooms",
        "OTA_HotelInvCountNotif_accept_categories",
        "OTA_HotelInvCountNotif_accept_deltas",
        { name: "OTA_HotelInvCountNotif_accept_complete_set", since: "2022-10" },
        "OTA_HotelInvCountNotif_accept_out_of_order",
        "OTA_HotelInvCountNotif_accept_out_of_market",
        "OTA_HotelInvCountNotif_accept_closing_seasons",
      ],
    },
  ],
  hotelElements: ["Inventories"],
  read: (context) => new InventoriesReader(context),
  examples,
};

const COUNT_LISTS: ReadonlySet<string> = new Set(["InvCounts", "InvCountList"]);

class InventoriesReader implements MessageReader {
  readonly #context: ReadContext;
  readonly #hotel = newHotelReference();
  readonly #lines: InventoryLine[] = [];
  #line: InventoryLine | undefined;
  #hasInvCount = false;
  #hasOffSell = false;
  /** Whether part of the open line was ignored. */
  #isPartial = false;

  constructor(context: ReadContext) {
    this.#context = context;
  }

  open(name: string, attributes: Attributes, offset: number): void {
    const { report } = this.#context;
    if (this.#line) this.#openInLine(this.#line, name, attributes, offset);
    else if (name === "Inventory") {
      this.#line = { ...newLine({ offset, record: undefined }), counts: undefined };
      this.#hasOffSell = false;
      this.#isPartial = false;
    } else if (name === "Inventories") readHotel(this.#hotel, { attributes, report, at: { offset, record: undefined } });
    else if (name !== "OTA_HotelInvCountNotifRQ") report.warn(partInWrongPlace(name), { offset, record: undefined });
  }

  close(name: string): void {
    const line = this.#line;
    if (!line) return;
    const { dialect, report } = this.#context;
    if (COUNT_LISTS.has(name) && dialect.checksFreeRooms && !this.#hasInvCount) report.error(fieldMissing("InvCount"), line.at);
    if (name === "Inventory") this.#closeLine(line);
  }

  text(): void {}

  narrow(limit: NarrowingAttribute): boolean {
    return addLimit(this.#line, limit);
  }

  omit(): void {
    this.#isPartial = true;
  }

  finish(): HotelRequest {
    const { dialect, head } = this.#context;
    this.#check();
    const lines = dialect.appliesClosingsLast ? sortClosingsLast(this.#lines) : this.#lines;
    return updatesRequest({
      hotel: this.#hotel,
      lines: lines.length,
      updates: lines.filter(({ control }) => control).map((line) => toUpdate(line, dialect)),
      replaces: head.completeSet ? ["counts", "closed", "allotment"] : undefined,
      dueSet: "counts",
    });
  }

  // oxlint-disable-next-line max-params -- called for each element; an object would cost memory
  #openInLine(line: InventoryLine, name: string, attributes: Attributes, offset: number): void {
    const { report } = this.#context;
    if (name === "InvCount") this.#openCount(line, attributes, offset);
    else if (name === "StatusApplicationControl")
      openDatedControl(line, { attributes, offset, previous: this.#lines.at(-1)?.control }, this.#context);
    else if (COUNT_LISTS.has(name)) {
      line.counts ??= newCounts();
      this.#hasInvCount = false;
    } else if (name === "UniqueID") report.labelLine(line.at, attributes.get("ID"));
    else if (name === "OffSell") this.#hasOffSell = true;
    else report.warn(partInWrongPlace(name), { offset, record: line.at.record });
  }

  #openCount(line: InventoryLine, attributes: Attributes, offset: number): void {
    const { dialect, report } = this.#context;
    const at = { offset, record: line.at.record };
    if (dialect.checksFreeRooms && attributes.get("CountType") === undefined) report.error(fieldMissing("CountType"), at);
    const fault = readCount((line.counts ??= newCounts()), attributes);
    if (fault) report.error(fault, at);
    this.#hasInvCount = true;
  }

  #closeLine(line: InventoryLine): void {
    const { report, profile } = this.#context;
    if (line.counts && profile.countType1 === "forSale") treatPhysicalAsAvailable(line.counts);
    if (line.counts) warnOfUnusedCounts(line.counts, { report, at: line.at });
    if (this.#hasOffSell) report.warn(note("OffSell is not stored"), line.at);
    if ((this.#hasOffSell || this.#isPartial) && hasNoCounts(line.counts)) this.#ignoreNights(line);
    this.#lines.push(line);
    this.#line = undefined;
  }

  /**
   * Ignores the nights of a line without counts, because an ignored part of the line may contain them. Otherwise the nights would be marked
   * as sold out. In a complete set, which would clear the nights, this is an error.
   */
  #ignoreNights(line: InventoryLine): void {
    line.nights = undefined;
    if (this.#isPartial && this.#context.head.completeSet) this.#context.report.error(fieldMissing("InvCounts"), line.at);
    else if (this.#isPartial)
      this.#context.report.warn(note("a line without InvCounts was ignored because part of it was not read"), line.at);
  }

  #check(): void {
    const { dialect, head, report } = this.#context;
    const lines = this.#lines;
    if (lines.length === 0) report.error(fieldMissing("Inventory"), this.#hotel.at);
    if (isReset(lines)) checkReset(lines, head, report);
    else for (const line of lines) checkCountTarget(line, report);
    checkMixture(lines, report);
    if (dialect.checksFreeRooms) checkFreeRooms(lines, report);
  }
}

function isReset([line, second]: readonly InventoryLine[]): boolean {
  return line !== undefined && second === undefined && line.control === undefined && line.counts === undefined;
}

/** Moves closing seasons to the end. AlpineBits sends them first, but a count of 0 on the same nights must not reopen the hotel. */
function sortClosingsLast(lines: readonly InventoryLine[]): readonly InventoryLine[] {
  return lines.some(isClosing) ? [...lines.filter((line) => !isClosing(line)), ...lines.filter(isClosing)] : lines;
}

function toUpdate(line: InventoryLine, dialect: Dialect): Update {
  const { at, nights, narrowedBy } = line;
  return { at, target: line.control!, narrowedBy, nights, set: computeValues(line, dialect) };
}

const CLOSED_VALUES: AttributeMap = new Map([["closed", 1]]);

/** Counts with a rate plan are the plan's allotment and don't change the category's counts. */
function computeValues(line: InventoryLine, dialect: Dialect): AttributeMap {
  const { control, counts } = line;
  if (isClosing(line)) return CLOSED_VALUES;
  if (control!.plan === undefined) return countValues(counts, dialect.zeroesMissingCounts ? inferOmittedCount(counts) : undefined);
  const allotment = roomsForSale(counts);
  return allotment === undefined ? NO_VALUES : new Map([["allotment", allotment]]);
}
