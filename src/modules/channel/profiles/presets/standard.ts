import type { Preset } from "../preset.ts";

export const standard: Preset = {
  name: "standard",
  about: "Plain OpenTravel, read as its specification says.",
  settings: {},
};
