import type { Example } from "../example.ts";
import type { KnobName, ProfileSettings } from "./knobs.ts";

/** Settings for one vendor's senders. All other settings come from the standard profile. */
export type Preset = {
  name: string;
  /** One sentence about the senders that use it and how they differ. */
  about: string;
  settings: Partial<ProfileSettings>;
  /** Any one of these signs is enough to suggest that a message comes from the vendor. */
  signs?: readonly VendorSign[];
  /** A message that shows how the vendor differs from the standard. */
  example: Omit<Example, "profile">;
};

export type VendorSign =
  | { namespace: RegExp }
  /** An element that has matching attributes and none of those in `lacks`. Ignored if the sender's profile sets `knob`. */
  | { element: string; knob: KnobName; has: Readonly<Record<string, RegExp>>; lacks?: readonly string[] };
