import { fractionDigits } from "../../../calendar/money.ts";
import { MAX_DIGITS, MAX_WHOLE_DIGITS } from "../limits.ts";
import { type Fault, invalidValue, invalidWord } from "../ota-error.ts";

/** `minor units` means the number of decimal places that the currency has. */
export type DecimalPlaces = number | "minor units" | undefined;

type AmountText = { text: string; field: string; currency: string; decimalPlaces: DecimalPlaces };

/**
 * Parses a decimal as minor units of its currency: `100.00` EUR is 10000. If there is no decimal point, the last `decimalPlaces` digits are
 * decimals (`10000` with 2 is 100.00). Ignores trailing zeros, so `12000.00` is valid in a currency without decimals.
 */
export function parseMoney({ text, field, currency, decimalPlaces }: AmountText): number | Fault {
  const parts = DECIMAL_PATTERN.exec(text.trim());
  if (!parts) return invalidValue(text, field);
  const minorDigits = fractionDigits(currency);
  const places = decimalPlaces === "minor units" ? minorDigits : (decimalPlaces ?? 0);
  const { whole, fraction: sent } =
    parts[2] === undefined ? shiftDecimalPoint(parts[1]!, places) : { whole: parts[1]!, fraction: parts[2] };
  const fraction = sent.replace(/(?<!0)0+$/, "");
  const units = whole.replace(/^0+/, "") + fraction.padEnd(minorDigits, "0");
  const maxDigits = Math.min(MAX_DIGITS, MAX_WHOLE_DIGITS + minorDigits);
  const isTooLong = fraction.length > minorDigits || units.length > maxDigits;
  return isTooLong
    ? invalidWord(text, field, `${describeDecimals(minorDigits)} in ${currency}, ${maxDigits} digits in total`)
    : Number(units);
}

const DECIMAL_PATTERN = /^\+?(?=\.?\d)(\d{0,20})(?:\.(\d{0,20}))?$/;

function describeDecimals(minorDigits: number): string {
  return minorDigits === 0 ? "no decimals" : `up to ${minorDigits} decimals`;
}

function shiftDecimalPoint(digits: string, places: number): { whole: string; fraction: string } {
  if (places === 0) return { whole: digits, fraction: "" };
  const paddedDigits = digits.padStart(places + 1, "0");
  return { whole: paddedDigits.slice(0, -places), fraction: paddedDigits.slice(-places) };
}
