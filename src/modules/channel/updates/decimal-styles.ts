import { note } from "../ota-error.ts";
import type { MessageReport } from "../report.ts";
import type { ParsedAmount, Rate } from "./update.ts";

/**
 * Tracks how a message uses `DecimalPlaces`. With `DecimalPlaces="2"`, `120` means 1.20 but `99.5` means 99.50, so a mixture is probably an
 * error.
 */
export class DecimalStyles {
  #withPoint: ParsedAmount | undefined;
  #withoutPoint: ParsedAmount | undefined;
  #isReported = false;

  note(rates: readonly Rate[], report: MessageReport): void {
    if (this.#isReported) return;
    for (const { amounts, extras } of rates) {
      for (const amount of amounts) this.#noteAmount(amount);
      for (const amount of extras) this.#noteAmount(amount);
    }
    if (!this.#withPoint || !this.#withoutPoint) return;
    this.#isReported = true;
    report.warn(note(describeStyles(this.#withPoint, this.#withoutPoint)), this.#withoutPoint.at);
  }

  #noteAmount(amount: ParsedAmount): void {
    if (!amount.decimalPlaces) return;
    if (amount.text.includes(".")) this.#withPoint ??= amount;
    else if (Number(amount.text) !== 0) this.#withoutPoint ??= amount;
  }
}

function describeStyles(withPoint: ParsedAmount, withoutPoint: ParsedAmount): string {
  const places = `DecimalPlaces ${withoutPoint.decimalPlaces}`;
  return `${places}: amounts were sent both with and without a decimal point, such as ${amountText(withPoint)} and ${amountText(withoutPoint)}; those without one were stored in minor units`;
}

function amountText({ text }: ParsedAmount): string {
  return text.trim().slice(0, MAX_TEXT_LENGTH);
}

const MAX_TEXT_LENGTH = 20;
