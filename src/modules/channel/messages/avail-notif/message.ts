import type { Group, AttributeMap } from "../../../../calendar/attributes.ts";
import type { Attributes } from "../../../../xml/handler.ts";
import type { NarrowingAttribute } from "../../elements/narrowing.ts";
import type { HotelRequest, Message, MessageReader, ReadContext } from "../../message.ts";
import { fieldMissing, invalidValue, invalidWord, partInWrongPlace, note, ruleBroken } from "../../ota-error.ts";
import type { SourceLocation, ElementContext, MessageReport } from "../../report.ts";
import { updatesRequest } from "../../updates/decide.ts";
import type { Rate, Update } from "../../updates/update.ts";
import { checkCountTarget, checkFreeRoomsLine, checkMixture, checkReset } from "../parts/check-counts.ts";
import { addLimit, newLine, openDatedControl, type OpenLine } from "../parts/control.ts";
import { newHotelReference, readHotel } from "../parts/hotel.ts";
import {
  readLengthOfStay,
  readLengthsOfStay,
  readPattern,
  readRestrictionStatus,
  Restrictions,
  finishRestrictions,
} from "../parts/restrictions.ts";
import { readBestRate } from "./best-rate.ts";
import { examples } from "./examples.ts";
import {
  addLimitValue,
  hasTypeOnly,
  type BookingLimit,
  limitName,
  type LimitField,
  type LimitValues,
  readLimitValues,
  readLimit,
} from "./limit.ts";

/** Restrictions and booking limits. AlpineBits called this message FreeRooms until 2018-10. */
export const availNotif: Message = {
  root: "OTA_HotelAvailNotifRQ",
  about: "Opens and closes categories and rate plans, limits the length of stay, and sets how many rooms can be booked.",
  actions: [
    {
      action: "OTA_HotelAvailNotif:FreeRooms",
      handshake: "action_OTA_HotelAvailNotif",
      until: "2018-10",
      capabilities: [
        "OTA_HotelAvailNotif_accept_rooms",
        "OTA_HotelAvailNotif_accept_categories",
        "OTA_HotelAvailNotif_accept_deltas",
        "OTA_HotelAvailNotif_accept_BookingThreshold",
      ],
    },
  ],
  hotelElements: ["AvailStatusMessages"],
  read: (context) => new AvailStatusReader(context),
  examples,
};

type StatusLine = OpenLine & {
  /** Position of the line's own element, also used for faults in its limit. `at` is later set to the control's position. */
  start: SourceLocation;
  texts: LimitValues;
  limit: BookingLimit | undefined;
  restrictions: Restrictions;
  /** Prices, if the sender's profile expects them in this message. */
  rates: Rate[];
};

class AvailStatusReader implements MessageReader {
  readonly #context: ReadContext;
  readonly #hotel = newHotelReference();
  readonly #lines: StatusLine[] = [];
  #line: StatusLine | undefined;
  /** The open element whose text is being read. */
  #text: { name: LimitField; text: string } | undefined;

  constructor(context: ReadContext) {
    this.#context = context;
  }

  open(name: string, attributes: Attributes, offset: number): void {
    const { report } = this.#context;
    const reading = { attributes, report, at: { offset, record: this.#line?.at.record } };
    if (this.#line) this.#openInLine(this.#line, name, reading);
    else if (name === "AvailStatusMessage") this.#line = this.#newLine(reading);
    else if (name === "AvailStatusMessages") readHotel(this.#hotel, reading);
    else if (name !== "OTA_HotelAvailNotifRQ") report.warn(partInWrongPlace(name), reading.at);
  }

  close(name: string): void {
    const line = this.#line;
    if (line && this.#text?.name === name) this.#closeText(line, this.#text);
    if (!line || name !== "AvailStatusMessage") return;
    const { report } = this.#context;
    finishRestrictions(line.restrictions, { report, at: line.at });
    line.limit = readLimit(line.texts, { report, at: line.start });
    if (hasTypeOnly(line.texts)) reportMissingLimit(line, report);
    this.#lines.push(line);
    this.#line = undefined;
  }

  text(text: string): void {
    if (this.#text) this.#text.text += text;
  }

  narrow(limit: NarrowingAttribute): boolean {
    return addLimit(this.#line, limit);
  }

  finish(): HotelRequest {
    this.#check();
    return updatesRequest({
      hotel: this.#hotel,
      lines: this.#lines.length,
      updates: this.#lines.filter(({ control }) => control).map(toUpdate),
      replaces: this.#context.head.completeSet ? this.#groups() : undefined,
      dueSet: "counts",
    });
  }

  #newLine({ attributes, at: { offset } }: ElementContext): StatusLine {
    const start = { offset, record: attributes.get("LocatorID") };
    return {
      ...newLine({ ...start }),
      start,
      texts: readLimitValues(attributes),
      limit: undefined,
      restrictions: new Restrictions(this.#context.profile),
      rates: [],
    };
  }

  #closeText(line: StatusLine, { name, text }: { name: LimitField; text: string }): void {
    addLimitValue(line.texts, { name, text: text.trim() }, { report: this.#context.report, at: line.start });
    this.#text = undefined;
  }

  #openInLine(line: StatusLine, name: string, reading: ElementContext): void {
    const { attributes, report, at } = reading;
    const limit = limitName(name);
    if (limit) this.#text = { name: limit, text: "" };
    else if (name === "StatusApplicationControl")
      openDatedControl(line, { attributes, offset: at.offset, previous: this.#lines.at(-1)?.control }, this.#context);
    else if (name === "RestrictionStatus") readRestrictionStatus(line.restrictions, reading);
    else if (name === "LengthOfStay") readLengthOfStay(line.restrictions, reading);
    else if (name === "LOS_Pattern") readPattern(line.restrictions, reading);
    else if (name === "LengthsOfStay") readLengthsOfStay(line.restrictions, reading);
    else if (this.#context.profile.price === "BestAvailableRate" && BEST_RATE_ELEMENTS.has(name)) this.#openBestRate(line, name, reading);
    else if (name === "UniqueID") {
      line.at.record = attributes.get("ID");
      report.labelLine(line.start, line.at.record);
    } else report.warn(partInWrongPlace(name), at);
  }

  #openBestRate(line: StatusLine, name: string, reading: ElementContext): void {
    const rate = name === "BestAvailableRate" ? readBestRate(reading) : undefined;
    if (rate) line.rates.push(rate);
  }

  #check(): void {
    const { dialect, head, report } = this.#context;
    const lines = this.#lines;
    if (lines.length === 0) report.error(fieldMissing("AvailStatusMessage"), this.#hotel.at);
    if (isReset(lines)) return checkReset(lines, head, report);
    // Restrictions with neither a category nor a plan apply to the whole hotel.
    for (const line of lines) if (!line.control || line.limit) checkCountTarget(line, report);
    const limits = lines.filter(({ limit }) => limit !== undefined);
    checkMixture(limits, report);
    if (dialect.checksFreeRooms) for (const line of lines) checkFreeRooms(line, report);
    if (!report.refused) for (const line of lines) warnIfEmpty(line, report);
  }

  /**
   * A complete set replaces only the kinds of values that it contains: counts with allotments, restrictions, or both. A reset clears the
   * counts.
   */
  #groups(): readonly Group[] {
    const groups: Group[] = [];
    if (isReset(this.#lines) || this.#lines.some(({ limit }) => limit)) groups.push("counts", "closed", "allotment");
    if (this.#lines.some(({ restrictions }) => restrictions.size > 0)) groups.push("restrictions");
    return groups;
  }
}

const BEST_RATE_ELEMENTS: ReadonlySet<string> = new Set(["BestAvailableRates", "BestAvailableRate"]);

function reportMissingLimit({ start, restrictions }: StatusLine, report: MessageReport): void {
  if (restrictions.size === 0) report.error(fieldMissing("BookingLimit"), start);
  else report.warn(note("SetLimit without BookingLimit: no limit was set"), start);
}

function isReset([line, second]: readonly StatusLine[]): boolean {
  return line !== undefined && second === undefined && line.control === undefined && isEmptyLine(line);
}

function isEmptyLine({ limit, restrictions, rates }: StatusLine): boolean {
  return limit === undefined && restrictions.size === 0 && rates.length === 0;
}

function warnIfEmpty(line: StatusLine, report: MessageReport): void {
  const { control, nights, at } = line;
  if (control && nights && isEmptyLine(line)) report.warn(note("a line without BookingLimit or restrictions changes nothing"), at);
}

function checkFreeRooms({ control, limit, restrictions, start, at }: StatusLine, report: MessageReport): void {
  if (control) checkFreeRoomsLine(control, { report, at });
  if (restrictions.size > 0) report.error(ruleBroken("Restrictions are not allowed in AlpineBits FreeRooms"), at);
  // A limit without any target is reported by `checkCountTarget`.
  if (control && !control.category && (!limit || control.plan !== undefined || control.wholeHotel))
    report.error(fieldMissing("InvTypeCode"), at);
  if (!limit) return report.error(fieldMissing("BookingLimit"), start);
  if (limit.messageType === undefined) report.error(fieldMissing("BookingLimitMessageType"), start);
  else if (limit.messageType !== "SetLimit") report.error(invalidWord(limit.messageType, "BookingLimitMessageType", "SetLimit"), start);
  const { rooms = 0, threshold = 0 } = limit;
  if (control?.room !== undefined && rooms > 1) report.error(invalidValue(String(rooms), "BookingLimit for an individual room"), start);
  if (threshold > rooms) report.error(invalidValue(String(threshold), `BookingThreshold with BookingLimit ${rooms}`), start);
}

function toUpdate({ at, control, nights, narrowedBy, limit, restrictions, rates }: StatusLine): Update {
  const set = limit ? new Map([...limitCounts(limit), ...restrictions]) : restrictions;
  const update: Update = { at, target: control!, narrowedBy, nights, set, stays: restrictions };
  return rates.length === 0 ? update : { ...update, amounts: { rates, replace: "older" } };
}

/** If the line has a plan, the decision may turn this limit into the plan's allotment. */
function limitCounts({ rooms, threshold }: BookingLimit): AttributeMap {
  return new Map([
    ["available", rooms],
    ["threshold", threshold],
    ["derived", undefined],
  ]);
}
