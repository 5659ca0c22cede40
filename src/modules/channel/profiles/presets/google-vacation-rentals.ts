import { availLine, availXml } from "../example-xml.ts";
import type { Preset } from "../preset.ts";

export const googleVacationRentals: Preset = {
  name: "google-vacation-rentals",
  about: "Google vacation rentals: stay limits apply to every stay that includes the night.",
  settings: { stayLimits: "through" },
  example: {
    name: "vacation-rental-stays",
    description: "Sets a maximum stay for every stay that includes one of the nights.",
    xml: (codes) =>
      availXml(
        { hotel: `HotelCode="${codes.hotel}"` },
        availLine(
          `Start="${codes.day(0)}" End="${codes.day(2)}" InvTypeCode="${codes.category}" RatePlanCode="${codes.plan}"`,
          '<LengthsOfStay><LengthOfStay MinMaxMessageType="SetMaxLOS" Time="14" TimeUnit="Day"/></LengthsOfStay>',
        ),
      ),
  },
};
