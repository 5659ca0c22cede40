import type { Example } from "../example.ts";
import type { KnobName, Settings } from "./knobs.ts";

/** Settings for the senders of one vendor. What it does not set is as in the standard profile. */
export type Preset = {
  name: string;
  /** One sentence about which senders it is for and how they differ. */
  about: string;
  settings: Partial<Settings>;
  /** By any of these a message looks as if it came from such a sender. */
  signs?: readonly Sign[];
  /** A message that shows the difference. Absent if all of its messages are in a dialect of their own, which has examples. */
  example?: Omit<Example, "profile">;
};

export type Sign =
  | { namespace: RegExp }
  /** An element with attributes whose values match, and without others. A sender whose `knob` is set reads it already. */
  | { element: string; knob: KnobName; has: Readonly<Record<string, RegExp>>; lacks?: readonly string[] };
