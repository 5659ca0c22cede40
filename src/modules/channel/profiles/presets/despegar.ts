import type { Preset } from "../preset.ts";

export const despegar: Preset = {
  name: "despegar",
  about: "Despegar: messages have a namespace of their own.",
  settings: { namespace: "any" },
  signs: [{ namespace: /despegar/i }],
};
