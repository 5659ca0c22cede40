import type { Preset } from "../preset.ts";

export const ctrip2: Preset = {
  name: "ctrip-2",
  about: "Ctrip and Trip.com before version 4: RatePlanCode is the room product and RatePlanCategory is the plan.",
  settings: { category: "RatePlanCode", plan: "RatePlanCategory", noMinAdvance: ["-P7D"], noMaxAdvance: ["P23988D"] },
  signs: [
    {
      element: "StatusApplicationControl",
      knob: "category",
      has: { RatePlanCode: /./, RatePlanCategory: /./ },
      lacks: ["InvTypeCode", "InvCode"],
    },
  ],
};
