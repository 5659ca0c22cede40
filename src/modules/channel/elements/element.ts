import type { Profile } from "../profiles/profile.ts";

/** How an attribute or element is handled. `notStored`: may carry stock, a price or a restriction. */
export type Kind = "read" | "harmless" | "narrowing" | "notStored";

/** Names, separated by spaces, and their meaning. */
type Meaning = readonly (readonly [names: string, meaning: string])[];

/** An element of a message. Controls what readers receive, which warnings the answer contains, and the tables in docs/channel.md. */
export type ElementReference = {
  element: string;
  meaning: string;
  /** `read` if absent. `stored`: kept as sent, with its content. */
  is?: Exclude<Kind, "read"> | "stored";
  /** The element is read if the sender has these settings. */
  readWith?: Partial<Profile>;
  /** Attributes that are read. */
  attributes?: Meaning;
  /**
   * Attributes that may restrict a line to part of what can be stored. If this is set, even to an empty list, unknown attributes with
   * similar names are treated alike.
   */
  narrowing?: Meaning;
  /** Names of attributes that may carry stock, price or a restriction. */
  notStored?: string;
  /** Names of attributes that change nothing. */
  harmless?: string;
};
