import type { Profile } from "../profiles/profile.ts";

/** How an attribute or element is handled. `notStored` means that it may carry stock, a price or a restriction. */
export type AttributeKind = "read" | "harmless" | "narrowing" | "notStored";

/** Names, separated by spaces, with their meaning. */
type AttributeMeanings = readonly (readonly [names: string, meaning: string])[];

/** An element of a message. Controls what readers receive, which warnings the answer contains, and the tables in docs/channel.md. */
export type ElementReference = {
  element: string;
  meaning: string;
  /** Default: `read`. `stored` elements are kept as sent, with their content. */
  is?: Exclude<AttributeKind, "read"> | "stored";
  /** The element is read only if the sender's profile has these settings. */
  readWith?: Partial<Profile>;
  attributes?: AttributeMeanings;
  /** Attributes that may restrict a line. If this is set, even to an empty list, unknown attributes with similar names also do. */
  narrowing?: AttributeMeanings;
  /** Names of attributes that may carry stock, price or a restriction. */
  notStored?: string;
  /** Names of attributes that change nothing. */
  harmless?: string;
};
