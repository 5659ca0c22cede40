import type { AlpineBitsVersion } from "./dialects.ts";

/** Codes and dates to write an example with; dates are `YYYY-MM-DD`. */
export type ExampleCodes = {
  hotel: string;
  category: string;
  plan: string;
  currency: string;
  /** The date `days` after today; negative: before. */
  day(days: number): string;
};

export type Transport = "raw" | "soap11" | "soap12" | "alpinebits";

/** One message to try, which is also a test and a piece of documentation. */
export type Example = {
  /** Short and unique, such as `counts-of-a-week`. */
  name: string;
  /** One sentence on what it does or what is wrong with it. */
  description: string;
  /** The bare document when absent. */
  transport?: Transport;
  /** With transport `alpinebits`: the form field and the protocol version. */
  action?: string;
  version?: AlpineBitsVersion;
  /** Success without warnings when absent. */
  expect?: ExampleOutcome;
  xml(codes: ExampleCodes): string;
};

/**
 * The outcome of an example at a hotel with the given currency and plan, whose categories have 50 rooms for up to 4 guests.
 * `refused` names the code of the first error.
 */
type ExampleOutcome = "warnings" | { refused: number };
