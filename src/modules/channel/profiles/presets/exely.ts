import { availLine, availXml } from "../example-xml.ts";
import type { Preset } from "../preset.ts";

export const exely: Preset = {
  name: "exely",
  about: "Exely and TravelLine: stay limits apply to every stay that includes the night, and 0, -1 or -P7D removes a limit.",
  settings: {
    stayLimits: "through",
    noMinStay: ["0", "-1"],
    noMaxStay: ["0", "-1"],
    noMinAdvance: ["-1", "-P7D"],
    noMaxAdvance: ["0", "-1", "-P7D"],
    maxAdvance0: "clears",
  },
  signs: [{ element: "LengthOfStay", knob: "noMinStay", has: { Time: /^-1$/ } }],
  example: {
    name: "exely-no-minimum",
    description: "Opens a rate plan and removes its minimum stay.",
    stored: "master open",
    xml: (codes) =>
      availXml(
        { hotel: `HotelCode="${codes.hotel}"` },
        availLine(
          `Start="${codes.day(0)}" End="${codes.day(1)}" InvTypeCode="${codes.category}" RatePlanCode="${codes.plan}"`,
          `<LengthsOfStay><LengthOfStay MinMaxMessageType="SetMinLOS" Time="-1" TimeUnit="Day"/></LengthsOfStay>
  <RestrictionStatus Status="Open"/>`,
        ),
      ),
  },
};
