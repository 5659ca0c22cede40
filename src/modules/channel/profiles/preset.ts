import type { Example } from "../example.ts";
import type { KnobName, ProfileSettings } from "./knobs.ts";

/** Settings for one vendor's senders. All other settings are those of the standard profile. */
export type Preset = {
  name: string;
  /** One sentence about the senders that use it and how they differ. */
  about: string;
  settings: Partial<ProfileSettings>;
  /** Any of these signs shows that a message is probably the vendor's. */
  signs?: readonly VendorSign[];
  /** A message that shows the difference. */
  example: Omit<Example, "profile">;
};

export type VendorSign =
  | { namespace: RegExp }
  /** An element with matching attributes and without those in `lacks`. Ignored if the sender's profile sets `knob`. */
  | { element: string; knob: KnobName; has: Readonly<Record<string, RegExp>>; lacks?: readonly string[] };
