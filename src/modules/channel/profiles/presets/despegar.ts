import { availLine, availXml } from "../example-xml.ts";
import type { Preset } from "../preset.ts";

export const despegar: Preset = {
  name: "despegar",
  about: "Despegar: messages use the vendor's own namespace.",
  settings: { namespace: "any" },
  signs: [{ namespace: /despegar/i }],
  example: {
    name: "despegar-stop-sell",
    description: "Closes a rate plan, in the vendor's own namespace.",
    stored: "master closed",
    xml: (codes) =>
      availXml(
        { hotel: `HotelCode="${codes.hotel}"`, namespace: "http://despegar.example/hotels" },
        availLine(
          `Start="${codes.day(0)}" End="${codes.day(1)}" InvTypeCode="${codes.category}" RatePlanCode="${codes.plan}"`,
          '<RestrictionStatus Status="Close"/>',
        ),
      ),
  },
};
