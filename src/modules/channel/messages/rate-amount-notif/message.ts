import { NO_VALUES } from "../../../../calendar/attributes.ts";
import type { Attributes } from "../../../../xml/handler.ts";
import type { NarrowingAttribute } from "../../elements/narrowing.ts";
import type { HotelRequest, Message, MessageReader, ReadContext } from "../../message.ts";
import { fieldMissing, invalidWord, partInWrongPlace, note, ruleBroken } from "../../ota-error.ts";
import type { ElementContext, MessageReport } from "../../report.ts";
import { updatesRequest } from "../../updates/decide.ts";
import type { AmountsUpdate, Update } from "../../updates/update.ts";
import { addLimit, type Control, newLine, openControl, type OpenLine, refuseOtherBounds } from "../parts/control.ts";
import { type ParsedDates, rangeKey, toRange } from "../parts/dates.ts";
import { newHotelReference, readHotel } from "../parts/hotel.ts";
import { appendItem, isEmptyRate, isUncomputedRate, mostSpecificFirst, type ParsedRate } from "../parts/rate.ts";
import {
  readMealPlan,
  applyLineDates,
  newRateDefaults,
  readBaseAmount,
  readExtra,
  readRate,
  readRateDefaults,
} from "../parts/read-rate.ts";
import { combineRates, type RateGroup } from "./combine-rates.ts";
import { examples } from "./examples.ts";

export const rateAmountNotif: Message = {
  root: "OTA_HotelRateAmountNotifRQ",
  about: "Sets the nightly amounts for a category under a rate plan, by number of guests, before or after tax.",
  actions: [],
  hotelElements: ["RateAmountMessages"],
  read: (context) => new RateAmountsReader(context),
  examples,
};

/** A `RateAmountMessage`. `nights` is set only if the line removes amounts and has no `Rate`. */
type AmountLine = OpenLine & {
  rates: ParsedRate[];
  /** The dates in the control, for rates that have none of their own. */
  dates: ParsedDates | undefined;
};

/** `overlay` replaces all amounts on the nights, `delta` replaces only the amounts in the message, and `remove` deletes all amounts. */
type NotifType = "overlay" | "delta" | "remove";

class RateAmountsReader implements MessageReader {
  readonly #context: ReadContext;
  readonly #hotel = newHotelReference();
  readonly #lines: AmountLine[] = [];
  #type: NotifType = "overlay";
  #line: AmountLine | undefined;
  #rate: ParsedRate | undefined;
  /** Defaults for the rates in the open line. */
  #terms = newRateDefaults();

  constructor(context: ReadContext) {
    this.#context = context;
  }

  open(name: string, attributes: Attributes, offset: number): void {
    const { report } = this.#context;
    const reading = { attributes, report, at: { offset, record: this.#line?.at.record } };
    if (this.#line) this.#openInLine(this.#line, name, reading);
    else if (name === "RateAmountMessage") {
      const at = { offset, record: attributes.get("LocatorID") };
      this.#line = { ...newLine(at), rates: [], dates: undefined };
      this.#terms = newRateDefaults();
      readRateDefaults(this.#terms, reading);
    } else if (name === "RateAmountMessages") readHotel(this.#hotel, reading);
    else if (name === "OTA_HotelRateAmountNotifRQ") this.#type = readNotifType(reading);
    else report.warn(partInWrongPlace(name), reading.at);
  }

  close(name: string): void {
    if (name === "Rate") this.#rate = undefined;
    if (name !== "RateAmountMessage" || !this.#line) return;
    if (this.#type === "remove") applyRemovalDates(this.#line, this.#context);
    this.#lines.push(this.#line);
    this.#line = undefined;
  }

  text(): void {}

  narrow(limit: NarrowingAttribute): boolean {
    return addLimit(this.#rate ?? this.#line, limit);
  }

  finish(): HotelRequest {
    const { head, profile, report } = this.#context;
    if (head.completeSet) report.warn(note("CompleteSet does not apply to amounts; other nights are unchanged"));
    if (this.#lines.length === 0) report.error(fieldMissing("RateAmountMessage"), this.#hotel.at);
    for (const line of this.#lines) checkLine(line, this.#type, report);
    const terms = { type: this.#type, replacesRange: profile.rates === "range" && this.#type === "overlay" && !head.isDelta };
    const updates = this.#lines.flatMap((line) => lineUpdates(line, terms));
    return updatesRequest({
      hotel: this.#hotel,
      lines: this.#lines.reduce((sum, { rates }) => sum + Math.max(1, rates.length), 0),
      updates: mostSpecificFirst(updates, ({ specificity }) => specificity),
      replaces: undefined,
      dueSet: undefined,
    });
  }

  #openInLine(line: AmountLine, name: string, reading: ElementContext): void {
    const { attributes, report } = reading;
    if (name === "StatusApplicationControl") this.#openControl(line, reading);
    else if (name === "Rate") this.#openRate(line, reading);
    else if (name === "UniqueID") report.labelLine(line.at, attributes.get("ID"));
    else if (this.#rate) openElementsInRate(this.#rate, name, reading);
    else if (name === "Rates") readRateDefaults(this.#terms, reading);
    else report.warn(partInWrongPlace(name), reading.at);
  }

  /** The control may come after the rates in its line. */
  #openControl(line: AmountLine, { attributes, report, at: { offset } }: ElementContext): void {
    line.dates = openControl(line, { attributes, offset, previous: this.#lines.at(-1)?.control }, this.#context);
    for (const rate of line.rates) applyLineDates(rate, line.dates, { report, at: line.at });
  }

  #openRate(line: AmountLine, reading: ElementContext): void {
    this.#rate = readRate(reading, this.#terms);
    this.#rate.perPerson ??= this.#terms.perPerson;
    line.rates = appendItem(line.rates, this.#rate);
    // In a rate plan message, `Duration` is the length of stay.
    this.#rate.dates.duration = reading.attributes.get("Duration");
    if (line.control) refuseOtherBounds(line.control.category ?? this.#rate.category, this.#rate.dates, reading);
    if (line.dates) applyLineDates(this.#rate, line.dates, { report: reading.report, at: line.at });
  }
}

function applyRemovalDates(line: AmountLine, { report }: ReadContext): void {
  if (line.dates && line.rates.length === 0) line.nights = toRange(line.dates, { report, at: line.at });
}

function openElementsInRate(rate: ParsedRate, name: string, reading: ElementContext): void {
  if (name === "BaseByGuestAmt") readBaseAmount(rate, reading);
  else if (name === "AdditionalGuestAmount") readExtra(rate, reading);
  else if (name === "MealsIncluded") rate.mealPlan = readMealPlan(reading);
  else if (name === "BaseByGuestAmts" || name === "AdditionalGuestAmounts") readRateDefaults(rate, reading);
  else reading.report.warn(partInWrongPlace(name), reading.at);
}

/**
 * Reads the type. Since OpenTravel 2015A, the default is Overlay. Treats an invalid type as Remove, so that missing amounts aren't also
 * reported.
 */
function readNotifType({ attributes, report, at }: ElementContext): NotifType {
  const text = attributes.get("NotifType");
  const type = text === undefined ? "overlay" : NOTIF_TYPES.get(text.trim().toLowerCase());
  if (!type) report.error(invalidWord(text!, "NotifType", "Overlay, Delta, New, Remove"), at);
  return type ?? "remove";
}

const NOTIF_TYPES: ReadonlyMap<string, NotifType> = new Map(
  Object.entries<NotifType>({ overlay: "overlay", delta: "delta", new: "delta", remove: "remove" }),
);

function checkLine({ at, control, rates }: AmountLine, type: NotifType, report: MessageReport): void {
  if (!control) report.error(fieldMissing("StatusApplicationControl"), at);
  else checkTarget(control, { at, rates }, report);
  if (control?.room !== undefined || rates.some((rate) => isForRoom(rate, control)))
    report.warn(note("amounts for individual rooms are not stored"), at);
  if (type === "remove") return;
  if (rates.length === 0) report.error(fieldMissing("Rate"), at);
  for (const rate of rates) if (isEmptyRate(rate)) report.error(fieldMissing("BaseByGuestAmt"), rate.at);
}

/** If a line names a category, its rates must not name a different one. */
function checkTarget(control: Control, { at, rates }: Pick<AmountLine, "at" | "rates">, report: MessageReport): void {
  const { category, plan, wholeHotel } = control;
  const isNamed =
    category !== undefined || plan !== undefined || wholeHotel || (rates.length > 0 && rates.every((rate) => rate.category !== undefined));
  if (!isNamed) report.error(fieldMissing("InvTypeCode"), at);
  if (category === undefined) return;
  const otherRate = rates.find((rate) => rate.category !== undefined && rate.category !== category && !isForRoom(rate, control));
  if (otherRate) report.error(ruleBroken("A Rate must not have a category other than its line's"), otherRate.at);
}

/** Whether a rate is for an individual room: it has an `InvCode` in addition to the category that its line names. */
function isForRoom({ category, byInvCode }: ParsedRate, control: Control | undefined): boolean {
  return byInvCode && control?.category !== undefined && control.category !== category;
}

type AmountUpdate = Update & { specificity: number };

type UpdateMode = { type: NotifType; replacesRange: boolean };

function lineUpdates(line: AmountLine, { type, replacesRange }: UpdateMode): readonly AmountUpdate[] {
  const { at, control, nights, narrowedBy } = line;
  if (!control) return [];
  const isStorable = (rate: ParsedRate) => !isForRoom(rate, control) && (type === "remove" || !isUncomputedRate(rate));
  const rates = line.rates.every(isStorable) ? line.rates : line.rates.filter(isStorable);
  const replace: AmountsUpdate["replace"] = type === "delta" ? false : "older";
  if (rates.length === 0) {
    // Without nights, the update only checks the codes.
    const update = { at, target: control, narrowedBy, nights, set: NO_VALUES, specificity: 0 };
    return [type === "remove" ? { ...update, amounts: { rates, replace } } : update];
  }
  return combineGroups(rates, control).map(({ rates: group, isRepeated }) => {
    const { category = control.category, range, specificity } = group[0]!;
    const target = category === control.category ? control : { ...control, category };
    const amounts = { rates: type === "remove" ? [] : group, replace, isRepeated, replacesRange };
    // All rates in a group have the same limits.
    const limits = [...narrowedBy, ...group[0]!.narrowedBy];
    return { at, target, narrowedBy: limits, nights: range, set: NO_VALUES, amounts, specificity };
  });
}

function combineGroups(rates: readonly ParsedRate[], control: Control): readonly RateGroup[] {
  if (rates.length === 1) return [{ rates, isRepeated: false }];
  const sameStays = Map.groupBy(rates, ({ specificity }) => specificity);
  return [...sameStays.values()].flatMap((same) =>
    combineRates(same, (rate) => `${rate.category ?? control.category ?? ""} ${rangeKey(rate)} ${limitsKey(rate)}`),
  );
}

function limitsKey({ narrowedBy }: ParsedRate): string {
  return narrowedBy.map(({ name, value }) => `${name}=${value}`).join(" ");
}
