import { availLine, availXml } from "../example-xml.ts";
import type { Preset } from "../preset.ts";

export const siteMinder: Preset = {
  name: "siteminder",
  about: "SiteMinder SiteConnect, one credential for each channel. Set distribution to the channel's code if lines name several.",
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
