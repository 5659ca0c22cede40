import type { Attributes } from "../../../../xml/handler.ts";
import type { NarrowingAttribute } from "../../elements/narrowing.ts";
import type { HotelRequest, Message, MessageReader, ReadContext } from "../../message.ts";
import { fieldMissing, partInWrongPlace } from "../../ota-error.ts";
import type { ElementContext } from "../../report.ts";
import { updatesRequest } from "../../updates/decide.ts";
import { addLimit, newLine, openControl } from "../parts/control.ts";
import { newDates } from "../parts/dates.ts";
import { newHotelReference, readHotel } from "../parts/hotel.ts";
import { finishRestrictions } from "../parts/restrictions.ts";
import { examples } from "./examples.ts";
import { lineRange } from "./nights.ts";
import { openElementsInRule, readRule, type ParsedRule } from "./rule.ts";
import { type RuleLine, lineUpdates } from "./updates.ts";

/** Restrictions as booking rules. Many central reservation systems send this message instead of `OTA_HotelAvailNotifRQ`. */
export const bookingRuleNotif: Message = {
  root: "OTA_HotelBookingRuleNotifRQ",
  about:
    "Sets restrictions for categories and rate plans as booking rules: status, length of stay, booking window, and weekdays for arrival and departure.",
  actions: [],
  hotelElements: ["RuleMessages"],
  read: (context) => new RulesReader(context),
  examples,
};

class RulesReader implements MessageReader {
  readonly #context: ReadContext;
  readonly #hotel = newHotelReference();
  readonly #lines: RuleLine[] = [];
  #line: RuleLine | undefined;
  #rule: ParsedRule | undefined;

  constructor(context: ReadContext) {
    this.#context = context;
  }

  open(name: string, attributes: Attributes, offset: number): void {
    const { report } = this.#context;
    const reading = { attributes, report, at: { offset, record: this.#line?.at.record } };
    if (this.#rule) openElementsInRule(this.#rule, name, reading);
    else if (this.#line) this.#openInLine(this.#line, name, reading);
    else if (name === "RuleMessage") {
      const start = { offset, record: attributes.get("LocatorID") };
      this.#line = { ...newLine({ ...start }), start, dates: newDates(), rules: [] };
    } else if (name === "RuleMessages") readHotel(this.#hotel, reading);
    else if (name !== "OTA_HotelBookingRuleNotifRQ") report.warn(partInWrongPlace(name), reading.at);
  }

  close(name: string): void {
    if (name === "BookingRule") this.#closeRule();
    else if (name === "RuleMessage") this.#closeLine();
  }

  text(): void {}

  narrow(limit: NarrowingAttribute): boolean {
    return addLimit(this.#rule ?? this.#line, limit);
  }

  finish(): HotelRequest {
    const { head, report } = this.#context;
    if (this.#lines.length === 0) report.error(fieldMissing("RuleMessage"), this.#hotel.at);
    return updatesRequest({
      hotel: this.#hotel,
      lines: this.#lines.reduce((sum, { rules }) => sum + Math.max(1, rules.length), 0),
      updates: this.#lines.flatMap((line) => lineUpdates(line, report)),
      replaces: head.completeSet ? ["restrictions"] : undefined,
      dueSet: undefined,
    });
  }

  #openInLine(line: RuleLine, name: string, reading: ElementContext): void {
    const { attributes, report, at } = reading;
    if (name === "StatusApplicationControl") {
      line.dates = openControl(line, { attributes, offset: at.offset, previous: this.#lines.at(-1)?.control }, this.#context);
      line.nights = lineRange(line.dates, { report, at: line.at });
    } else if (name === "BookingRule") this.#rule = readRule(reading, this.#context.profile);
    else if (name === "UniqueID") {
      line.at.record = attributes.get("ID");
      report.labelLine(line.start, line.at.record);
    } else if (name !== "BookingRules") report.warn(partInWrongPlace(name), at);
  }

  #closeRule(): void {
    if (!this.#rule || !this.#line) return;
    finishRestrictions(this.#rule.restrictions, { report: this.#context.report, at: this.#rule.at });
    this.#line.rules.push(this.#rule);
    this.#rule = undefined;
  }

  #closeLine(): void {
    const { report } = this.#context;
    const line = this.#line;
    if (!line) return;
    if (!line.control) report.error(fieldMissing("StatusApplicationControl"), line.start);
    if (line.rules.length === 0) report.error(fieldMissing("BookingRule"), line.start);
    this.#lines.push(line);
    this.#line = undefined;
  }
}
