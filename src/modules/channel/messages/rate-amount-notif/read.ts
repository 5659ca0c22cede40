import type { Attributes } from "../../../../xml/handler.ts";
import type { HotelRequest, MessageReader, ReadContext } from "../../message.ts";
import { invalidWord } from "../../ota-error.ts";
import type { Reading } from "../../report.ts";
import { openControl } from "../parts/control.ts";
import { type DatesRead, rangeOf } from "../parts/dates.ts";
import { noHotel, readHotel } from "../parts/hotel.ts";
import { added } from "../parts/lists.ts";
import { mealPlanOf } from "../parts/meals.ts";
import { refuseOtherBounds } from "../parts/other-names.ts";
import type { Rate } from "../parts/rate.ts";
import { dateRate, readBaseAmount, readExtra, readRate } from "../parts/read-rate.ts";
import type { Line, NotifType, RateAmounts } from "./line.ts";

/** `dates` are those of the control, for rates without their own. */
type OpenLine = Line & { rates: Rate[]; dates: DatesRead | undefined };

/** Reads `OTA_HotelRateAmountNotifRQ` and hands it to `finish`. */
export class RateAmountsReader implements MessageReader {
  readonly #context: ReadContext;
  readonly #finish: (read: RateAmounts) => HotelRequest;
  readonly #hotel = noHotel();
  readonly #lines: Line[] = [];
  #type: NotifType = "overlay";
  #line: OpenLine | undefined;
  #rate: Rate | undefined;

  constructor(context: ReadContext, finish: (read: RateAmounts) => HotelRequest) {
    this.#context = context;
    this.#finish = finish;
  }

  open(name: string, attributes: Attributes, offset: number): void {
    const { report } = this.#context;
    const reading = { attributes, report, at: { offset, record: this.#line?.at.record } };
    if (this.#line) this.#openInLine(this.#line, name, reading);
    else if (name === "RateAmountMessage")
      this.#line = {
        at: { offset, record: attributes.get("LocatorID") },
        control: undefined,
        range: undefined,
        rates: [],
        dates: undefined,
      };
    else if (name === "RateAmountMessages") readHotel(this.#hotel, reading);
    else if (name === "OTA_HotelRateAmountNotifRQ") this.#type = notifTypeOf(reading);
    else report.ignore(name);
  }

  close(name: string): void {
    if (name === "Rate") this.#rate = undefined;
    if (name !== "RateAmountMessage" || !this.#line) return;
    if (this.#type === "remove") dateRemoval(this.#line, this.#context);
    this.#lines.push(this.#line);
    this.#line = undefined;
  }

  text(): void {}

  finish(): HotelRequest {
    return this.#finish({ hotel: this.#hotel, type: this.#type, lines: this.#lines });
  }

  #openInLine(line: OpenLine, name: string, reading: Reading): void {
    const { attributes, report } = reading;
    if (name === "StatusApplicationControl") this.#openControl(line, reading);
    else if (name === "Rate") this.#openRate(line, reading);
    else if (name === "UniqueID") report.nameLine(line.at, attributes.get("ID"));
    else if (this.#rate) openInRate(this.#rate, name, reading);
    else if (name !== "Rates") report.ignore(name);
  }

  /** Dates also the rates that came before it. */
  #openControl(line: OpenLine, { attributes, report, at: { offset } }: Reading): void {
    line.dates = openControl(line, { attributes, offset, before: this.#lines.at(-1)?.control }, this.#context);
    for (const earlier of line.rates) dateRate(earlier, line.dates, { report, at: line.at });
  }

  #openRate(line: OpenLine, reading: Reading): void {
    this.#rate = readRate(reading);
    line.rates = added(line.rates, this.#rate);
    // In a rate plan `Duration` is the length of stay.
    this.#rate.dates.duration = reading.attributes.get("Duration");
    if (line.control) refuseOtherBounds(line.control.category ?? this.#rate.category, this.#rate.dates, reading);
    if (line.dates) dateRate(this.#rate, line.dates, { report: reading.report, at: line.at });
  }
}

/** Rates have dates of their own, and a block changes nothing. */
function dateRemoval(line: OpenLine, { report }: ReadContext): void {
  if (line.dates && line.rates.length === 0 && !line.control?.block) line.range = rangeOf(line.dates, { report, at: line.at });
}

function openInRate(rate: Rate, name: string, reading: Reading): void {
  if (name === "BaseByGuestAmt") readBaseAmount(rate, reading);
  else if (name === "AdditionalGuestAmount") readExtra(rate, reading);
  else if (name === "MealsIncluded") rate.mealPlan = mealPlanOf(reading);
  else if (!PARTS.has(name)) reading.report.ignore(name);
}

const PARTS: ReadonlySet<string> = new Set(["BaseByGuestAmts", "AdditionalGuestAmounts"]);

/**
 * OpenTravel 2015A: absent means Overlay. Older senders write New for what is now Delta. A wrong one counts as Remove, which needs no
 * amounts: so none are called missing too.
 */
function notifTypeOf({ attributes, report, at }: Reading): NotifType {
  const text = attributes.get("NotifType");
  const type = text === undefined ? "overlay" : NOTIF_TYPES.get(text.trim().toLowerCase());
  if (!type) report.error(invalidWord(text!, "NotifType", "Overlay, Delta, New, Remove"), at);
  return type ?? "remove";
}

const NOTIF_TYPES: ReadonlyMap<string, NotifType> = new Map(
  Object.entries<NotifType>({ overlay: "overlay", delta: "delta", new: "delta", remove: "remove" }),
);
