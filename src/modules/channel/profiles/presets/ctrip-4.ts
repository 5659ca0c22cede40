import { availLine, availXml } from "../example-xml.ts";
import type { Preset } from "../preset.ts";

export const ctrip4: Preset = {
  name: "ctrip-4",
  about: "Ctrip and Trip.com from version 4.x: codes are standard, and special values mean no booking window.",
  settings: { noMinAdvance: ["-P7D"], noMaxAdvance: ["P23988D"] },
  signs: [
    { element: "RestrictionStatus", knob: "noMaxAdvance", has: { MaxAdvancedBookingOffset: /^P23988D$/ } },
    { element: "BookingRule", knob: "noMaxAdvance", has: { MaxAdvancedBookingOffset: /^P23988D$/ } },
  ],
  example: {
    name: "ctrip-no-window",
    description: "Removes both booking window limits.",
    xml: (codes) =>
      availXml(
        { hotel: `HotelCode="${codes.hotel}"` },
        availLine(
          `Start="${codes.day(0)}" End="${codes.day(1)}" InvTypeCode="${codes.category}" RatePlanCode="${codes.plan}"`,
          '<RestrictionStatus MinAdvancedBookingOffset="-P7D" MaxAdvancedBookingOffset="P23988D"/>',
        ),
      ),
  },
};
