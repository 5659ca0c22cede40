import type { Preset } from "../preset.ts";

export const synXis: Preset = {
  name: "synxis",
  about: "SynXis: a rate message replaces all amounts from its first night to its last; set distribution to our code.",
  settings: { rates: "range" },
  signs: [{ element: "UniqueID", knob: "rates", has: { Instance: /^(?:Full|Delta)Load$/i } }],
};
