import type { Preset } from "../preset.ts";

export const weekendesk: Preset = {
  name: "weekendesk",
  about: "Weekendesk: stay limits apply to every night of a stay.",
  settings: { stayLimits: "through" },
};
