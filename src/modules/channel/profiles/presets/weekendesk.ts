import { availLine, availXml } from "../example-xml.ts";
import type { Preset } from "../preset.ts";

export const weekendesk: Preset = {
  name: "weekendesk",
  about: "Weekendesk: stay limits apply to every stay that includes the night.",
  settings: { stayLimits: "through" },
  example: {
    name: "weekendesk-stays",
    description: "Sets a maximum stay for every stay that includes one of the nights.",
    xml: (codes) =>
      availXml(
        { hotel: `HotelCode="${codes.hotel}"` },
        availLine(
          `Start="${codes.day(0)}" End="${codes.day(2)}" InvTypeCode="${codes.category}" RatePlanCode="${codes.plan}"`,
          '<LengthsOfStay><LengthOfStay MinMaxMessageType="SetMaxLOS" Time="5" TimeUnit="Day"/></LengthsOfStay>',
        ),
      ),
  },
};
