import type { Envelope } from "./transports/soap.ts";

/** AlpineBits HotelData versions that are spoken. */
export const ALPINEBITS_VERSIONS = ["2018-10", "2020-10", "2022-10", "2024-10"] as const;
export type AlpineBitsVersion = (typeof ALPINEBITS_VERSIONS)[number];

/** No code of a category in AlpineBits has more characters. */
export const ALPINEBITS_LONGEST_CODE = 8;

/**
 * The dialect of a request, in which it is answered.
 *
 * - `plain`: OpenTravel as it is, bare or in a SOAP envelope; read tolerantly.
 * - `alpinebits`: sent as a form; `strict` when it named its protocol version, then the rules of that standard hold.
 */
export type Dialect = { name: "plain"; envelope: Envelope } | { name: "alpinebits"; version: AlpineBitsVersion; strict: boolean };

/** AlpineBits wants the code of a hotel since 2024-10; before, and elsewhere, a name will do. */
export function isHotelCodeRequired(dialect: Dialect): boolean {
  return dialect.name === "alpinebits" && dialect.strict && dialect.version === "2024-10";
}

/** Whether the rules of AlpineBits hold to the letter. */
export function isStrict(dialect: Dialect): boolean {
  return dialect.name === "alpinebits" && dialect.strict;
}
