import { NO_VALUES, type Values } from "../../../../calendar/attributes.ts";
import type { Attributes } from "../../../../xml/handler.ts";
import type { Dialect } from "../../dialects/dialect.ts";
import type { HotelRequest, Message, MessageReader, ReadContext } from "../../message.ts";
import { fieldMissing, note } from "../../ota-error.ts";
import { requestOf } from "../../updates/decide.ts";
import type { Update } from "../../updates/update.ts";
import { checkCountTarget, checkMixture, checkReset } from "../parts/check-counts.ts";
import { openDatedControl } from "../parts/control.ts";
import { noHotel, readHotel } from "../parts/hotel.ts";
import { availableOf, noCounts, omittedIn, readCount, valuesOf, warnOfUnusedCounts } from "./counts.ts";
import { examples } from "./examples.ts";
import { checkFreeRooms, type InventoryLine, isClosing } from "./free-rooms.ts";

/** Sets the rooms for sale; AlpineBits FreeRooms since 2020-10. */
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

class InventoriesReader implements MessageReader {
  readonly #context: ReadContext;
  readonly #hotel = noHotel();
  readonly #lines: InventoryLine[] = [];
  #line: InventoryLine | undefined;
  #hasInvCount = false;
  #hasOffSell = false;

  constructor(context: ReadContext) {
    this.#context = context;
  }

  open(name: string, attributes: Attributes, offset: number): void {
    const { report } = this.#context;
    if (this.#line) this.#openInLine(this.#line, name, attributes, offset);
    else if (name === "Inventory") {
      this.#line = { at: { offset, record: undefined }, control: undefined, nights: undefined, counts: undefined };
      this.#hasOffSell = false;
    } else if (name === "Inventories") readHotel(this.#hotel, { attributes, report, at: { offset, record: undefined } });
    else if (name !== "OTA_HotelInvCountNotifRQ") report.ignore(name);
  }

  close(name: string): void {
    const line = this.#line;
    if (!line) return;
    const { dialect, report } = this.#context;
    if (name === "InvCounts" && dialect.checksFreeRooms && !this.#hasInvCount) report.error(fieldMissing("InvCount"), line.at);
    if (name === "Inventory") this.#closeLine(line);
  }

  text(): void {}

  finish(): HotelRequest {
    const { dialect, head } = this.#context;
    this.#check();
    const lines = dialect.appliesClosingsLast ? closingsLast(this.#lines) : this.#lines;
    return requestOf({
      hotel: this.#hotel,
      lines: lines.length,
      updates: lines.filter(({ control }) => control).map((line) => updateOf(line, dialect)),
      replaces: head.completeSet ? ["counts", "closed", "allotment"] : undefined,
      dueSet: "counts",
    });
  }

  // oxlint-disable-next-line max-params -- called for each element, so that it makes no object
  #openInLine(line: InventoryLine, name: string, attributes: Attributes, offset: number): void {
    const { report } = this.#context;
    if (name === "InvCount") this.#openCount(line, attributes, offset);
    else if (name === "StatusApplicationControl")
      openDatedControl(line, { attributes, offset, previous: this.#lines.at(-1)?.control }, this.#context);
    else if (name === "InvCounts") {
      line.counts ??= noCounts();
      this.#hasInvCount = false;
    } else if (name === "UniqueID") report.nameLine(line.at, attributes.get("ID"));
    else if (name === "OffSell") this.#hasOffSell = true;
    else report.ignore(name);
  }

  #openCount(line: InventoryLine, attributes: Attributes, offset: number): void {
    const { dialect, report } = this.#context;
    const at = { offset, record: line.at.record };
    if (dialect.checksFreeRooms && attributes.get("CountType") === undefined) report.error(fieldMissing("CountType"), at);
    const fault = readCount((line.counts ??= noCounts()), attributes);
    if (fault) report.error(fault, at);
    this.#hasInvCount = true;
  }

  #closeLine(line: InventoryLine): void {
    const { report } = this.#context;
    if (line.counts) warnOfUnusedCounts(line.counts, { report, at: line.at });
    if (this.#hasOffSell) {
      report.warn(note("OffSell is not stored"), line.at);
      // Without counts the line would sell the nights out.
      if (line.counts === undefined) line.nights = undefined;
    }
    this.#lines.push(line);
    this.#line = undefined;
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

/** AlpineBits sends closings first. They apply last, so that a count of 0 in one does not open the hotel. */
function closingsLast(lines: readonly InventoryLine[]): readonly InventoryLine[] {
  return lines.some(isClosing) ? [...lines.filter((line) => !isClosing(line)), ...lines.filter(isClosing)] : lines;
}

function updateOf(line: InventoryLine, dialect: Dialect): Update {
  const { at, nights } = line;
  const target = line.control!;
  return { at, target, narrowedBy: target.narrowedBy, nights, set: setBy(line, dialect) };
}

const CLOSED: Values = new Map([["closed", 1]]);

/** The counts of a rate plan are its own allotment; those of the category stay as they are. */
function setBy(line: InventoryLine, dialect: Dialect): Values {
  const { control, counts } = line;
  if (isClosing(line)) return CLOSED;
  if (control!.plan === undefined) return valuesOf(counts, dialect.zeroesMissingCounts ? omittedIn(counts) : undefined);
  const allotment = availableOf(counts);
  return allotment === undefined ? NO_VALUES : new Map([["allotment", allotment]]);
}
