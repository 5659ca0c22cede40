import type { Preset } from "../preset.ts";

export const channex: Preset = {
  name: "channex",
  about: "JSON in the shape of Channex: the fields say what they mean, so nothing else differs.",
  settings: {},
};
