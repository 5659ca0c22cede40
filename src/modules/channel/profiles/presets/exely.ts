import type { Preset } from "../preset.ts";

export const exely: Preset = {
  name: "exely",
  about: "Exely and TravelLine: stay limits apply to every night of a stay, and 0, -1 or -P7D removes a limit.",
  settings: {
    stayLimits: "through",
    noMinStay: ["0", "-1"],
    noMaxStay: ["0", "-1"],
    noMinAdvance: ["-1", "-P7D"],
    noMaxAdvance: ["0", "-1", "-P7D"],
    maxAdvance0: "clears",
  },
  signs: [{ element: "LengthOfStay", knob: "noMinStay", has: { Time: /^-1$/ } }],
};
