import { parseNight } from "../../../src/calendar/night.ts";
import { moveDates, readCodes } from "../../../src/cli/conformance/requests.ts";
import { readSamples } from "../../../src/cli/conformance/samples.ts";
import { messages, publishedMessages } from "../../../src/modules/channel/messages/index.ts";
import { day } from "../channel.ts";

export type Seed = { text: string; isJson: boolean; action: string | undefined; version: string | undefined };

const CODES = { hotel: "ALP", category: "DBL", plan: "BAR", currency: "EUR", day };

/** Returns all examples and the messages in a folder. */
export function seedsOf(folder: string | undefined): Seed[] {
  const own = publishedMessages.flatMap(({ examples, actions }) =>
    examples.map((example) => ({
      text: example.xml(CODES),
      isJson: example.transport === "json",
      action: example.action ?? actions[0]?.action,
      version: example.version,
    })),
  );
  if (folder === undefined) return own;
  const tomorrow = parseNight(day(1))!;
  const others = readSamples(folder).map(({ read, version }) => {
    const { text, root } = readCodes(moveDates(read(), tomorrow));
    return { text, isJson: false, action: messages.find((message) => message.root === root)?.actions[0]?.action, version };
  });
  return [...own, ...others];
}

/** Returns the hotels and categories in the seeds. */
export function hotelsOf(seeds: readonly Seed[]): ReadonlyMap<string, ReadonlySet<string>> {
  const hotels = new Map([["ALP", new Set(["DBL", "SGL"])]]);
  for (const { text } of seeds) {
    const { hotel, categories } = readCodes(Buffer.from(text));
    if (hotel === undefined || hotel.length > 64 || hotel === "ALP-UNKNOWN") continue;
    const known = hotels.get(hotel) ?? new Set<string>();
    hotels.set(hotel, known);
    for (const category of categories) known.add(category);
  }
  return hotels;
}
