import { type Fault, invalidValue } from "../../ota-error.ts";

/** ISO 4217 currencies whose minor unit is not a hundredth. */
const FRACTION_DIGITS: Readonly<Record<string, number>> = {
  ...digitsOf("BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF", 0),
  ...digitsOf("BHD IQD JOD KWD LYD OMR TND", 3),
  ...digitsOf("CLF UYW", 4),
};

const CURRENCIES: ReadonlySet<string> = new Set([...Intl.supportedValuesOf("currency"), ...Object.keys(FRACTION_DIGITS)]);

export function isCurrency(code: string): boolean {
  return CURRENCIES.has(code);
}

/** Digits behind the decimal point that the currency has. */
export function fractionDigits(currency: string): number {
  return FRACTION_DIGITS[currency] ?? 2;
}

/** No amount has more digits than this, the minor ones included. */
const MAX_DIGITS = 12;

export type AmountText = { text: string; field: string; currency: string; decimalPlaces: number | undefined };

/**
 * Reads a decimal as whole minor units of its currency: `100.00` EUR is 10000.
 * Without a point, `decimalPlaces` says how many of its digits are the fraction (`10000` with 2 is 100.00).
 */
export function parseAmount({ text, field, currency, decimalPlaces }: AmountText): number | Fault {
  const parts = DECIMAL.exec(text.trim());
  if (!parts) return invalidValue(text, field);
  const { whole, fraction } = parts[2] === undefined ? shift(parts[1]!, decimalPlaces ?? 0) : { whole: parts[1]!, fraction: parts[2] };
  const minor = fractionDigits(currency);
  const units = whole.replace(/^0+/, "") + fraction.padEnd(minor, "0");
  return fraction.length > minor || units.length > MAX_DIGITS ? invalidValue(text, field) : Number(units);
}

const DECIMAL = /^(\d{1,20})(?:\.(\d{0,20}))?$/;

/** Moves the point; noughts that it leaves at the end mean nothing. */
function shift(digits: string, places: number): { whole: string; fraction: string } {
  if (places === 0) return { whole: digits, fraction: "" };
  const padded = digits.padStart(places + 1, "0");
  return { whole: padded.slice(0, -places), fraction: padded.slice(-places).replace(/0+$/, "") };
}

/** Writes minor units as a decimal with the digits of the currency. */
export function formatAmount(units: number, currency: string): string {
  const minor = fractionDigits(currency);
  const digits = String(units).padStart(minor + 1, "0");
  return minor === 0 ? digits : `${digits.slice(0, -minor)}.${digits.slice(-minor)}`;
}

function digitsOf(codes: string, digits: number): Record<string, number> {
  return Object.fromEntries(codes.split(" ").map((code) => [code, digits]));
}
