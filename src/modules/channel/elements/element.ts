import type { Profile } from "../profiles/profile.ts";

/** How an attribute or element is handled. `notStored` means that it may carry stock, a price or a restriction, but is not stored. */
export type AttributeKind = "read" | "harmless" | "narrowing" | "notStored";

/** Space-separated names and their meaning. */
type AttributeMeanings = readonly (readonly [names: string, meaning: string])[];

/** An element of a message. Determines what readers receive, which warnings the response contains, and the tables in docs/channel.md. */
export type ElementReference = {
  element: string;
  meaning: string;
  /** Default: `read`. `stored` means that the element is stored as sent, with its content. */
  is?: Exclude<AttributeKind, "read"> | "stored";
  /** The element is read only if the sender's profile has these settings. */
  readWith?: Partial<Profile>;
  attributes?: AttributeMeanings;
  /**
   * Attributes that may restrict a line. If this is set, even to an empty list, unknown attributes whose names suggest a limit may restrict
   * it too.
   */
  narrowing?: AttributeMeanings;
  /** Names of attributes that may carry stock, a price or a restriction. */
  notStored?: string;
  /** Names of attributes that have no effect on what is stored. */
  harmless?: string;
};
