import type { Preset } from "../preset.ts";

export const siteMinder: Preset = {
  name: "siteminder",
  about: "SiteMinder SiteConnect, one credential for each channel. Set distribution to the channel's code if lines name several.",
  settings: {},
};
