import { formatNight, parseNight } from "../../src/calendar/night.ts";
import type { Example, ExampleCodes } from "../../src/modules/channel/example.ts";
import { publishedMessages } from "../../src/modules/channel/messages/index.ts";

/** The current date in every example. It is a Monday. */
export const TODAY = "2026-03-02";

/** The property, category, rate plan and currency in the examples. */
export const CODES: ExampleCodes = {
  hotel: "ALP",
  category: "DBL",
  plan: "BAR",
  currency: "EUR",
  day: (days) => formatNight(parseNight(TODAY)! + days),
};

const examples: readonly Example[] = publishedMessages.flatMap((message) => message.examples);

export function findExample(name: string | undefined): Example {
  const example = examples.find((one) => one.name === name);
  if (!example) throw new Error(`There is no example ${name}.`);
  return example;
}
