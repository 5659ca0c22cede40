import type { Preset } from "../preset.ts";

export const ctrip4: Preset = {
  name: "ctrip-4",
  about: "Ctrip and Trip.com from version 4.x: standard codes, and advance limits that stand for none.",
  settings: { noMinAdvance: ["-P7D"], noMaxAdvance: ["P23988D"] },
  signs: [
    { element: "RestrictionStatus", knob: "noMaxAdvance", has: { MaxAdvancedBookingOffset: /^P23988D$/ } },
    { element: "BookingRule", knob: "noMaxAdvance", has: { MaxAdvancedBookingOffset: /^P23988D$/ } },
  ],
};
