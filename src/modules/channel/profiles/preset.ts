import type { Example } from "../example.ts";
import type { KnobName, Settings } from "./knobs.ts";

/** Settings for one vendor's senders. Other settings are as in the standard profile. */
export type Preset = {
  name: string;
  /** One sentence about which senders it is for and how they differ. */
  about: string;
  settings: Partial<Settings>;
  /** A message with any of these looks like the vendor's. */
  signs?: readonly Sign[];
  /** A message that shows the difference. */
  example: Omit<Example, "profile">;
};

export type Sign =
  | { namespace: RegExp }
  /** An element with attributes that match and without those in `lacks`. Ignored if the sender's profile sets `knob`. */
  | { element: string; knob: KnobName; has: Readonly<Record<string, RegExp>>; lacks?: readonly string[] };
