import type { Envelope } from "./document/envelope.ts";

/** The AlpineBits HotelData versions we speak. */
export const ALPINEBITS_VERSIONS = ["2018-10", "2020-10", "2022-10", "2024-10"] as const;
export type AlpineBitsVersion = (typeof ALPINEBITS_VERSIONS)[number];

/**
 * The dialect of a request and of its answer.
 *
 * - `plain`: plain OpenTravel, bare or in a SOAP envelope; read tolerantly.
 * - `alpinebits`: sent as a form; `strict` when it names its protocol version, whose rules then hold.
 */
export type Dialect = { name: "plain"; envelope: Envelope } | { name: "alpinebits"; version: AlpineBitsVersion; strict: boolean };

/** The dialect of a form, which only AlpineBits sends; `version` is as its header says. */
export function dialectOfForm(version: string | undefined): Dialect {
  return { name: "alpinebits", version: knownVersion(version) ?? "2024-10", strict: version !== undefined };
}

/** The version that a header names, if we speak it. */
export function knownVersion(version: string | undefined): AlpineBitsVersion | undefined {
  return ALPINEBITS_VERSIONS.find((one) => one === version?.trim());
}

/** The envelope around a message and its answer; AlpineBits has none. */
export function envelopeIn(dialect: Dialect): Envelope {
  return dialect.name === "plain" ? dialect.envelope : "none";
}

/** AlpineBits requires the hotel's code since 2024-10; elsewhere its name is enough. */
export function isHotelCodeRequired(dialect: Dialect): boolean {
  return dialect.name === "alpinebits" && dialect.strict && dialect.version === "2024-10";
}

/** Whether every rule of AlpineBits holds. */
export function isStrict(dialect: Dialect): boolean {
  return dialect.name === "alpinebits" && dialect.strict;
}
