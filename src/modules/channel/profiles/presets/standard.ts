import { availLine, availXml } from "../example-xml.ts";
import type { Preset } from "../preset.ts";

export const standard: Preset = {
  name: "standard",
  about: "Plain OpenTravel, as specified.",
  settings: {},
  example: {
    name: "standard-stop-sell",
    description: "Closes a category under a rate plan for two nights.",
    stored: "master closed",
    xml: (codes) =>
      availXml(
        { hotel: `HotelCode="${codes.hotel}"` },
        availLine(
          `Start="${codes.day(0)}" End="${codes.day(1)}" InvTypeCode="${codes.category}" RatePlanCode="${codes.plan}"`,
          '<RestrictionStatus Status="Close"/>',
        ),
      ),
  },
};
