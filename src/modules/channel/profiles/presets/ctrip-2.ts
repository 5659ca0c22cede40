import { availLine, availXml } from "../example-xml.ts";
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
  example: {
    name: "ctrip-product-closed",
    description: "Closes one category, which Ctrip calls a product, for one rate plan.",
    stored: "master closed",
    xml: (codes) =>
      availXml(
        { hotel: `HotelCode="${codes.hotel}"` },
        availLine(
          `Start="${codes.day(0)}" End="${codes.day(1)}" RatePlanCode="${codes.category}" RatePlanCategory="${codes.plan}"`,
          '<RestrictionStatus Status="Close"/>',
        ),
      ),
  },
};
