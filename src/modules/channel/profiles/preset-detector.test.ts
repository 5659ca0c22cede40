import assert from "node:assert/strict";
import { test } from "node:test";
import { day, eachChannel } from "../../../../test/support/channel.ts";
import type { StoredProfile } from "./knobs.ts";
import { PRESETS } from "./presets.ts";

const message = ({ control = 'InvTypeCode="DBL"', content = '<RestrictionStatus Status="Open"/>', hotel = "" }) =>
  `<OTA_HotelAvailNotifRQ xmlns="http://www.opentravel.org/OTA/2003/05"><AvailStatusMessages ${hotel}><AvailStatusMessage><StatusApplicationControl Start="${day(1)}" End="${day(2)}" ${control}/>${content}</AvailStatusMessage></AvailStatusMessages></OTA_HotelAvailNotifRQ>`;
const stay = '<LengthsOfStay><LengthOfStay MinMaxMessageType="SetMinLOS" Time="-1"/></LengthsOfStay>';
const hotelOf = (code: string) => `HotelCode="${code}"`;

/** A message that looks like each preset's. */
const MESSAGES: Readonly<Record<string, (code: string) => string>> = {
  "ctrip-2": (code) => message({ control: 'RatePlanCode="DBL" RatePlanCategory="501"', hotel: hotelOf(code) }),
  "ctrip-4": (code) => message({ content: '<RestrictionStatus MaxAdvancedBookingOffset="P23988D"/>', hotel: hotelOf(code) }),
  exely: (code) => message({ content: stay, hotel: hotelOf(code) }),
  cubilis: (code) => message({ content: '<RestrictionStatus Status="Closed"/>', hotel: hotelOf(code) }),
  despegar: (code) => message({ hotel: hotelOf(code) }).replace(/xmlns="[^"]*"/, 'xmlns="http://services.despegar.com/hotels"'),
  bookingjini: (code) => message({ hotel: hotelOf(code) }).replace(/xmlns="[^"]*"/, 'xmlns="urn:bookingjini"'),
  synxis: (code) =>
    message({ hotel: hotelOf(code) }).replace(
      "<AvailStatusMessages",
      '<UniqueID Type="16" ID="1" Instance="FullLoad"/><AvailStatusMessages',
    ),
  bookvisit: (code) => message({ hotel: `BrandCode="${code}"` }),
};

eachChannel("A message that looks like another profile's", (channel) => {
  const advisories = async (profile: StoredProfile, xml: string, hotels?: readonly string[]) => {
    const { receipt } = await (await channel.as(profile, hotels))(xml);
    return receipt!.verdict.notes.advisories.filter((text) => text.includes("npm run sender"));
  };

  for (const { name, signs } of PRESETS.filter((preset) => preset.signs)) {
    test(`logs a hint about a message for the ${name} profile unless the sender has that profile`, async () => {
      const { code } = await channel.hotel();
      const xml = MESSAGES[name]!(code);
      assert.ok(signs!.length > 0);
      assert.deepEqual(await advisories({ preset: "standard", settings: {} }, xml), [
        `this looks like a message for the ${name} profile: npm run sender -- set NAME --profile ${name}`,
      ]);
      assert.deepEqual(await advisories({ preset: name, settings: {} }, xml, [code]), []);
    });
  }

  test("logs no hint about another profile if the sender's settings already cover the message", async () => {
    const { code } = await channel.hotel();
    const { settings } = PRESETS.find(({ name }) => name === "ctrip-2")!;
    assert.deepEqual(await advisories({ preset: "standard", settings }, MESSAGES["ctrip-2"]!(code)), []);
    assert.deepEqual(await advisories({ preset: "cubilis", settings: {} }, MESSAGES["exely"]!(code), [code]), []);
  });

  test("logs a hint about the setting to use if no preset has the message's namespace", async () => {
    const { code } = await channel.hotel();
    const xml = message({ hotel: hotelOf(code) }).replace(/xmlns="[^"]*"/, 'xmlns="urn:other"');
    assert.deepEqual(await advisories({ preset: "standard", settings: {} }, xml), [
      "to accept other namespaces: npm run sender -- set NAME --set namespace=any",
    ]);
  });

  test("logs no hint about another profile for a standard message", async () => {
    const { code } = await channel.hotel();
    const plain = message({ control: 'InvTypeCode="DBL" RatePlanCode="BAR" RatePlanCategory="PROMO"', hotel: hotelOf(code) });
    assert.deepEqual(await advisories({ preset: "standard", settings: {} }, plain), []);
  });
});
