import type { Preset } from "../preset.ts";

export const expedia: Preset = {
  name: "expedia",
  about: "Expedia's AvailRateUpdateRQ: stay limits apply to guests who arrive on the night.",
  settings: { expediaStays: "arrival" },
  example: {
    name: "expedia-minimum-stay",
    description: "Sets a minimum stay of two nights for guests who arrive on any of three nights.",
    stored: "min arrival 2",
    xml: (codes) => `<?xml version="1.0" encoding="UTF-8"?>
<AvailRateUpdateRQ xmlns="http://www.expediaconnect.com/EQC/AR/2011/06">
  <Hotel id="${codes.hotel}"/>
  <AvailRateUpdate>
    <DateRange from="${codes.day(0)}" to="${codes.day(2)}"/>
    <RoomType id="${codes.category}"><RatePlan id="${codes.plan}"><Restrictions minLOS="2"/></RatePlan></RoomType>
  </AvailRateUpdate>
</AvailRateUpdateRQ>
`,
  },
};
