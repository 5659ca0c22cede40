import type { Settings } from "./knobs.ts";

/** Settings for the senders of one vendor. What it does not set is as in the standard profile. */
export type Preset = {
  name: string;
  /** One sentence about which senders it is for and how they differ. */
  about: string;
  settings: Partial<Settings>;
};
