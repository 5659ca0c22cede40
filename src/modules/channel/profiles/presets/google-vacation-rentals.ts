import type { Preset } from "../preset.ts";

export const googleVacationRentals: Preset = {
  name: "google-vacation-rentals",
  about: "Google vacation rentals: stay limits apply to every night of a stay.",
  settings: { stayLimits: "through" },
};
