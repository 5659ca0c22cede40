import { availLine, availXml } from "../example-xml.ts";
import type { Preset } from "../preset.ts";

export const siteMinder: Preset = {
  name: "siteminder",
  about:
    "SiteMinder SiteConnect: each channel has its own credentials. If a line can apply to several channels, enter this channel's code in the setting “distribution”.",
  settings: {},
  example: {
    name: "siteminder-stop-sell",
    description: "Closes a rate plan, in a SOAP 1.1 envelope.",
    transport: "soap11",
    stored: "master closed",
    xml: (codes) =>
      availXml(
        { hotel: `HotelCode="${codes.hotel}"` },
        availLine(
          `Start="${codes.day(0)}" End="${codes.day(2)}" InvTypeCode="${codes.category}" RatePlanCode="${codes.plan}"`,
          '<RestrictionStatus Status="Close"/>',
        ),
      ),
  },
};
