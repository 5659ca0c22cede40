import type { Preset } from "../preset.ts";

export const bookingjini: Preset = {
  name: "bookingjini",
  about: "Bookingjini: messages have a namespace of their own.",
  settings: { namespace: "any" },
  signs: [{ namespace: /bookingjini/i }],
};
