import type { HotelRequest, MessageReader, ReadContext } from "../../message.ts";
import { fieldMissing, invalidValue, note, ruleBroken, secondControl } from "../../ota-error.ts";
import type { Report } from "../../report.ts";
import type { Attributes, Opened } from "../../xml/reader.ts";
import { type Control, readControl } from "../parts/control.ts";
import { noDates } from "../parts/dates.ts";
import { noHotel, readHotel } from "../parts/hotel.ts";
import { mealPlanOf } from "../parts/meals.ts";
import { isNamedByRates, isOfRoom, type Line, type NotifType, type Rate, type RateAmounts } from "./line.ts";
import { dateRate, readBaseAmount, readExtra, readRate } from "./read-rate.ts";

type OpenLine = Line & { rates: Rate[] };

/** Reads `OTA_HotelRateAmountNotifRQ` and hands it to `finish`. */
export function readRateAmounts({ report }: ReadContext, finish: (read: RateAmounts) => HotelRequest): MessageReader {
  const hotel = noHotel();
  const lines: Line[] = [];
  let type: NotifType = "overlay";
  let line: OpenLine | undefined;
  let rate: Rate | undefined;

  function openInLine(current: OpenLine, name: string, { attributes, at: offset }: Opened): void {
    const reading = { attributes, report, at: { offset, record: current.at.record } };
    if (name === "StatusApplicationControl") {
      if (current.control) report.error(secondControl(), current.at);
      current.dates = noDates();
      current.control = readControl(attributes, current.dates, { report, at: current.at });
      for (const earlier of current.rates) dateRate(earlier, current.dates, report);
    } else if (name === "Rate") startRate(current, readRate(reading));
    else if (name === "UniqueID") report.nameLine(current.at, attributes.get("ID"));
    else if (!rate) return name === "Rates" ? undefined : report.ignore(name);
    else if (name === "BaseByGuestAmt") readBaseAmount(rate, reading);
    else if (name === "AdditionalGuestAmount") readExtra(rate, reading);
    else if (name === "MealsIncluded") rate.mealPlan = mealPlanOf(reading);
    else if (!PARTS.has(name)) report.ignore(name);
  }

  function startRate(current: OpenLine, started: Rate): void {
    rate = started;
    current.rates.push(started);
    if (current.dates) dateRate(started, current.dates, report);
  }

  return {
    open(name, attributes, at) {
      if (line) openInLine(line, name, { attributes, at });
      else if (name === "RateAmountMessage") line = newLine(attributes, at);
      else if (name === "RateAmountMessages") readHotel(hotel, { attributes, report, at: { offset: at, record: undefined } });
      else if (name === "OTA_HotelRateAmountNotifRQ") type = notifTypeOf(attributes, at, report);
      else report.ignore(name);
    },
    close(name) {
      if (name === "Rate") rate = undefined;
      if (name !== "RateAmountMessage" || !line) return;
      lines.push(line);
      line = undefined;
    },
    text() {},
    finish: () => finish({ hotel, type, lines }),
  };
}

const PARTS: ReadonlySet<string> = new Set(["BaseByGuestAmts", "AdditionalGuestAmounts"]);

function newLine(attributes: Attributes, offset: number): OpenLine {
  return { at: { offset, record: attributes.get("LocatorID") }, control: undefined, dates: undefined, rates: [] };
}

/** OpenTravel 2015A: absent is taken as Overlay; New, of older senders, sets what is named. */
function notifTypeOf(attributes: Attributes, offset: number, report: Report): NotifType {
  const text = attributes.get("NotifType");
  const type = text === undefined ? "overlay" : NOTIF_TYPES.get(text.trim().toLowerCase());
  if (!type) report.error(invalidValue(text!, "NotifType"), { offset, record: undefined });
  return type ?? "overlay";
}

const NOTIF_TYPES: ReadonlyMap<string, NotifType> = new Map(
  Object.entries<NotifType>({ overlay: "overlay", delta: "delta", new: "delta", remove: "remove" }),
);

/** Rules that need nothing but the message. */
export function checkRateAmounts({ hotel, lines, type }: RateAmounts, report: Report): void {
  if (lines.length === 0) report.error(fieldMissing("RateAmountMessage"), hotel.at);
  for (const line of lines) {
    if (!line.control) report.error(fieldMissing("StatusApplicationControl"), line.at);
    else checkTarget(line, line.control, report);
    if (line.control?.room !== undefined || line.rates.some((rate) => isOfRoom(rate, line.control)))
      report.warn(note("amounts of single rooms are not stored"), line.at);
    if (type !== "remove") checkRates(line, report);
  }
}

/** A rate may name the category that its line does not, but no other than that of its line. */
function checkTarget({ rates, at }: Line, control: Control, report: Report): void {
  const { category, plan, all } = control;
  const isNamed = category !== undefined || plan !== undefined || all || isNamedByRates(rates);
  if (!isNamed) report.error(fieldMissing("InvTypeCode"), at);
  if (category === undefined) return;
  const other = rates.find((rate) => rate.category !== undefined && rate.category !== category && !isOfRoom(rate, control));
  if (other) report.error(ruleBroken("A Rate is about the category of its line"), other.at);
}

function checkRates({ rates, at }: Line, report: Report): void {
  if (rates.length === 0) report.error(fieldMissing("Rate"), at);
  for (const rate of rates) {
    if (rate.amounts.length === 0 && rate.extras.length === 0 && !report.refused) report.error(fieldMissing("BaseByGuestAmt"), rate.at);
  }
}
