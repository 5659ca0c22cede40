import type { Preset } from "../preset.ts";

export const google: Preset = {
  name: "google",
  about: "Google Hotel ARI feeds of hotels.",
  settings: {},
};
