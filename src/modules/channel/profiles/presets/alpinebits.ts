import type { Preset } from "../preset.ts";

export const alpineBits: Preset = {
  name: "alpinebits",
  about: "AlpineBits HotelData: the protocol version in the message sets all rules, so nothing else differs.",
  settings: {},
};
