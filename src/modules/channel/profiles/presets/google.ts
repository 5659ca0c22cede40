import { rateLine, ratesXml } from "../example-xml.ts";
import type { Preset } from "../preset.ts";

export const google: Preset = {
  name: "google",
  about: "Google Hotel ARI feeds.",
  settings: {},
  example: {
    name: "google-amount",
    description: "Sets the room price for three nights.",
    stored: "per-room rate 110.00",
    xml: (codes) =>
      ratesXml(
        { hotel: `HotelCode="${codes.hotel}"` },
        rateLine(`Start="${codes.day(0)}" End="${codes.day(2)}" InvTypeCode="${codes.category}" RatePlanCode="${codes.plan}"`, "110.00"),
      ),
  },
};
