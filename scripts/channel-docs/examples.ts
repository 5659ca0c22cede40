import { formatNight, parseNight } from "../../src/calendar/night.ts";
import type { Example, ExampleCodes } from "../../src/modules/channel/example.ts";
import { messages } from "../../src/modules/channel/messages/index.ts";

/** "Today" in every example that is written down; a Monday. */
export const TODAY = "2026-03-02";

/** The hotel of the examples. */
export const CODES: ExampleCodes = {
  hotel: "ALP",
  category: "DBL",
  plan: "BAR",
  currency: "EUR",
  day: (days) => formatNight(parseNight(TODAY)! + days),
};

/** Every example of every message. */
export const examples: readonly Example[] = messages.flatMap((message) => message.examples);
