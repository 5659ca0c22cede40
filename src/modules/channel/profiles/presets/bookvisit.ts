import type { Preset } from "../preset.ts";

export const bookVisit: Preset = {
  name: "bookvisit",
  about: "BookVisit: BrandCode names the property.",
  settings: { hotelCode: "BrandCode" },
  signs: ["AvailStatusMessages", "RateAmountMessages", "Inventories", "RatePlans"].map((element) => ({
    element,
    knob: "hotelCode",
    has: { BrandCode: /./ },
    lacks: ["HotelCode"],
  })),
};
