import { fieldMissing, note, ruleBroken } from "../../ota-error.ts";
import type { Report } from "../../report.ts";
import type { Control } from "../parts/control.ts";
import { isEmpty } from "../parts/rate.ts";
import { isNamedByRates, isOfRoom, type Line, type RateAmounts } from "./line.ts";

/** Checks a message by itself. */
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

/** A rate may name a category when its line names none, but not a different one. */
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
  for (const rate of rates) if (isEmpty(rate)) report.error(fieldMissing("BaseByGuestAmt"), rate.at);
}
