import type { Preset } from "../preset.ts";

export const expedia: Preset = {
  name: "expedia",
  about: "Expedia's AvailRateUpdateRQ: stay limits apply to guests who arrive on the night.",
  settings: { expediaStays: "arrival" },
};
