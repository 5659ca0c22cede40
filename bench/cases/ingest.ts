import type { Bench } from "../bench.ts";
import { compareLarge, type LargeMessages } from "../support/large-messages.ts";
import {
  channelPost,
  checkReadBack,
  deltaMessage,
  linesMessage,
  messagesInTurn,
  RESPONSE,
  STORED,
  yearMessage,
} from "../support/messages.ts";
import { inOwnProcess } from "../support/own-process.ts";
import { startReference } from "../support/reference.ts";
import { compare } from "../support/rounds.ts";
import { addSender, startService } from "../support/service.ts";

const PROPERTIES = 200;

export const delta: Bench = {
  name: "delta",
  engines: ["SQLite"],
  async run({ pace, engine, seeded }) {
    const store = await seeded({ properties: PROPERTIES, categories: 10, nights: 0 });
    const headers = addSender(store);
    await using service = await startService(store);
    await using reference = await startReference({ status: 200, type: "application/xml", body: RESPONSE });
    const bodies = messagesInTurn(deltaMessage, { properties: PROPERTIES, count: 2 * PROPERTIES });
    const load = { ...STORED, requests: bodies.map((body) => channelPost(body, headers)), connections: 32 };
    const name = "POST /channel, 1-3 nights";
    const row = await compare({ name, engine, service: service.url, reference: reference.url, load, target: 0.35 }, pace);
    await checkReadBack(service.url, headers);
    return [row];
  },
};

export const year = comparedWithSaxes("year", { label: "POST /channel, 10 ranges x 365 nights", message: yearMessage, target: 0.1 });

export const lines = comparedWithSaxes("lines", { label: "POST /channel, 3,650 lines of one night", message: linesMessage, target: 0.7 });

/** Compares the number of messages stored per second with how many saxes parses. */
function comparedWithSaxes(name: string, message: Pick<LargeMessages, "label" | "message" | "target">): Bench {
  const script = new URL("../support/parse-process.ts", import.meta.url);
  const text = message.message(0, 0);
  const large: LargeMessages = {
    ...message,
    connections: 4,
    reference: (seconds) => inOwnProcess<number>(script, { text, seconds }),
    format: (perSecond) => `${perSecond.toFixed(0)} messages/s`,
    referenceSuffix: " parsed",
  };
  return { name, engines: ["SQLite"], run: async (context) => [await compareLarge(large, context)] };
}
