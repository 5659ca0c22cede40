import { availLine, availXml } from "../example-xml.ts";
import type { Preset } from "../preset.ts";

export const bookVisit: Preset = {
  name: "bookvisit",
  about: "BookVisit: BrandCode contains the property code.",
  settings: { hotelCode: "BrandCode" },
  signs: ["AvailStatusMessages", "RateAmountMessages", "Inventories", "RatePlans"].map((element) => ({
    element,
    knob: "hotelCode",
    has: { BrandCode: /./ },
    lacks: ["HotelCode"],
  })),
  example: {
    name: "bookvisit-stop-sell",
    description: "Closes a rate plan for the property identified by BrandCode.",
    stored: "master closed",
    xml: (codes) =>
      availXml(
        { hotel: `BrandCode="${codes.hotel}"` },
        availLine(
          `Start="${codes.day(0)}" End="${codes.day(1)}" InvTypeCode="${codes.category}" RatePlanCode="${codes.plan}"`,
          '<RestrictionStatus Status="Close"/>',
        ),
      ),
  },
};
