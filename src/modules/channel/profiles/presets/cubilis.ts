import { availLine, availXml } from "../example-xml.ts";
import type { Preset } from "../preset.ts";

export const cubilis: Preset = {
  name: "cubilis",
  about: "Cubilis: End is the day after the last night, prices are in BestAvailableRate, and the credentials identify the property.",
  settings: {
    end: "excluded",
    stayLimits: "through",
    noMinStay: ["0", "-1"],
    noMaxStay: ["0", "-1"],
    noMinAdvance: ["-1"],
    noMaxAdvance: ["0", "-1"],
    maxAdvance0: "clears",
    price: "BestAvailableRate",
    hotelCode: "credential",
    closedWord: "Closed",
  },
  signs: [
    { element: "BestAvailableRate", knob: "price", has: { Amount: /./ } },
    { element: "RestrictionStatus", knob: "closedWord", has: { Status: /^closed$/i } },
  ],
  example: {
    name: "cubilis-price",
    description: "Three rooms for sale at 95.00 on two nights; End is the day after the last night.",
    stored: "count 3, per-room rate 95.00 for 2 nights",
    xml: (codes) =>
      availXml(
        { hotel: "" },
        availLine(
          `Start="${codes.day(0)}" End="${codes.day(2)}" InvTypeCode="${codes.category}" RatePlanCode="${codes.plan}"`,
          '<BestAvailableRates><BestAvailableRate Amount="95.00"/></BestAvailableRates>',
          'BookingLimit="3"',
        ),
      ),
  },
};
