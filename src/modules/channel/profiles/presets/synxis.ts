import { rateLine, ratesXml } from "../example-xml.ts";
import type { Preset } from "../preset.ts";

export const synXis: Preset = {
  name: "synxis",
  about:
    "SynXis: a rate message replaces all amounts from its first night to its last. Enter this channel's code in the setting “distribution”.",
  settings: { rates: "range" },
  signs: [{ element: "UniqueID", knob: "rates", has: { Instance: /^(?:Full|Delta)Load$/i } }],
  example: {
    name: "synxis-full-load",
    description: "Replaces all of the plan's amounts from the first night to the last.",
    stored: "replaces every stored amount",
    xml: (codes) =>
      ratesXml(
        { hotel: `HotelCode="${codes.hotel}"` },
        rateLine(`Start="${codes.day(0)}" End="${codes.day(3)}" InvTypeCode="${codes.category}" RatePlanCode="${codes.plan}"`, "120.00"),
      ),
  },
};
