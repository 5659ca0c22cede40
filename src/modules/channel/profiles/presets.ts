import type { Example } from "../example.ts";
import type { StoredProfile } from "./knobs.ts";
import type { Preset } from "./preset.ts";
import { alpineBits } from "./presets/alpinebits.ts";
import { bookingjini } from "./presets/bookingjini.ts";
import { bookVisit } from "./presets/bookvisit.ts";
import { channex } from "./presets/channex.ts";
import { ctrip2 } from "./presets/ctrip-2.ts";
import { ctrip4 } from "./presets/ctrip-4.ts";
import { cubilis } from "./presets/cubilis.ts";
import { despegar } from "./presets/despegar.ts";
import { exely } from "./presets/exely.ts";
import { expedia } from "./presets/expedia.ts";
import { googleVacationRentals } from "./presets/google-vacation-rentals.ts";
import { google } from "./presets/google.ts";
import { siteMinder } from "./presets/siteminder.ts";
import { standard } from "./presets/standard.ts";
import { synXis } from "./presets/synxis.ts";
import { weekendesk } from "./presets/weekendesk.ts";
import { type Profile, DEFAULT_PROFILE } from "./profile.ts";

/** Stored senders refer to a preset by name, so presets must never be removed or renamed. */
export const PRESETS: readonly Preset[] = [
  standard,
  alpineBits,
  google,
  googleVacationRentals,
  siteMinder,
  ctrip2,
  ctrip4,
  exely,
  cubilis,
  despegar,
  expedia,
  synXis,
  weekendesk,
  bookVisit,
  bookingjini,
  channex,
];

/** The presets' examples with their profiles. */
export const presetExamples: readonly Example[] = PRESETS.map(({ name, example }) => ({
  ...example,
  profile: { preset: name, settings: {} },
}));

export const STANDARD_PRESET = standard.name;

export const STANDARD_PROFILE: StoredProfile = { preset: STANDARD_PRESET, settings: {} };

export function findPreset(name: string): Preset | undefined {
  return PRESETS.find((preset) => preset.name === name);
}

/** Throws if the preset doesn't exist, because a different preset would misread messages. */
export function profileFrom({ preset, settings }: StoredProfile): Profile {
  const presetFound = findPreset(preset);
  if (!presetFound) throw new Error(`Unknown profile ${preset}; allowed: ${PRESETS.map(({ name }) => name).join(", ")}`);
  return { ...DEFAULT_PROFILE, ...presetFound.settings, ...settings, preset };
}
