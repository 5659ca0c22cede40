import type { Preset } from "../preset.ts";

export const cubilis: Preset = {
  name: "cubilis",
  about: "Cubilis: End is the day after the last night, prices come in BestAvailableRate, and the credentials name the property.",
  settings: {
    end: "excluded",
    stayLimits: "through",
    noMinStay: ["0", "-1"],
    noMaxStay: ["0", "-1"],
    noMinAdvance: ["-1"],
    noMaxAdvance: ["0", "-1"],
    maxAdvance0: "clears",
    price: "BestAvailableRate",
    hotelCode: "credential",
    closedWord: "Closed",
  },
  signs: [
    { element: "BestAvailableRate", knob: "price", has: { Amount: /./ } },
    { element: "RestrictionStatus", knob: "closedWord", has: { Status: /^closed$/i } },
  ],
};
