const FRACTION_DIGITS: Readonly<Record<string, number>> = {
  ...assignDigits("BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF", 0),
  ...assignDigits("BHD IQD JOD KWD LYD OMR TND", 3),
  ...assignDigits("CLF UYW", 4),
};

/** ISO 4217 codes for funds and units of account, which `Intl` omits. */
const FUND_CODES = "BOV CHE CHW CLF COU MXV USN UYI UYW VED".split(" ");
export const CURRENCIES: ReadonlySet<string> = new Set([...Intl.supportedValuesOf("currency"), ...FUND_CODES].toSorted());

export function isCurrency(code: string): boolean {
  return CURRENCIES.has(code);
}

export function fractionDigits(currency: string): number {
  return FRACTION_DIGITS[currency] ?? 2;
}

/** Formats minor units as a decimal, such as `1234.50`. */
export function formatAmount(units: number, currency: string): string {
  const minorDigits = fractionDigits(currency);
  const digits = String(units).padStart(minorDigits + 1, "0");
  return minorDigits === 0 ? digits : `${digits.slice(0, -minorDigits)}.${digits.slice(-minorDigits)}`;
}

export function readableAmount(units: number, currency: string): string {
  const amount = formatAmount(units, currency);
  const digits = fractionDigits(currency);
  const wholeLength = digits === 0 ? amount.length : amount.length - digits - 1;
  if (wholeLength <= 3) return amount;
  return amount.slice(0, wholeLength).replaceAll(/\B(?=(?:\d{3})+$)/g, ",") + amount.slice(wholeLength);
}

/** Formats minor units, omitting zero decimals: `1,234` or `1,234.50`. */
export function wholeAmount(units: number, currency: string): string {
  const text = readableAmount(units, currency);
  return isWholeAmount(units, currency) ? text.replace(/\.0+$/, "") : text;
}

/** Formats minor units rounded to whole units, such as `1,235`. */
export function roundedAmount(units: number, currency: string): string {
  const unit = 10 ** fractionDigits(currency);
  return wholeAmount(Math.round(units / unit) * unit, currency);
}

export function isWholeAmount(units: number, currency: string): boolean {
  return units % 10 ** fractionDigits(currency) === 0;
}

function assignDigits(codes: string, digits: number): Record<string, number> {
  return Object.fromEntries(codes.split(" ").map((code) => [code, digits]));
}
