import type { Preset } from "../preset.ts";

export const channex: Preset = {
  name: "channex",
  about: "JSON in Channex format. Its fields are unambiguous, so this profile changes no settings.",
  settings: {},
  example: {
    name: "channex-availability",
    description: "Three rooms of a category for sale on two nights.",
    stored: "count 3",
    transport: "json",
    xml: (codes) => {
      const value = {
        property_id: codes.hotel,
        room_type_id: codes.category,
        date_from: codes.day(0),
        date_to: codes.day(1),
        availability: 3,
      };
      return `${JSON.stringify({ values: [value] }, undefined, 2)}\n`;
    },
  },
};
