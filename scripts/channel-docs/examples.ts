import { formatNight, parseNight } from "../../src/calendar/night.ts";
import type { Example, ExampleCodes } from "../../src/modules/channel/example.ts";
import { messages } from "../../src/modules/channel/messages/index.ts";

/** Today in all generated examples; a Monday. */
export const TODAY = "2026-03-02";

export const CODES: ExampleCodes = {
  hotel: "ALP",
  category: "DBL",
  plan: "BAR",
  currency: "EUR",
  day: (days) => formatNight(parseNight(TODAY)! + days),
};

export const examples: readonly Example[] = messages.flatMap((message) => message.examples);
