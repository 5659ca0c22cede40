import type { Bench } from "../bench.ts";
import { compareLarge, type LargeMessages } from "../support/large-messages.ts";
import { ANSWER, channelPost, DELTAS, linesMessage, STORED, yearMessage } from "../support/messages.ts";
import { measureSaxes } from "../support/parse.ts";
import { checkReadBack } from "../support/read-back.ts";
import { startReference } from "../support/reference.ts";
import { addSender, startService } from "../support/service.ts";
import { compare } from "../support/versus.ts";

/** Short messages, 1 category and 1 to 3 nights, of 200 properties on 32 connections. */
export const delta: Bench = {
  name: "delta",
  engines: ["SQLite"],
  async run({ pace, engine, seeded }) {
    const store = await seeded({ properties: DELTAS.properties, categories: 10, nights: 0 });
    const headers = addSender(store);
    await using service = await startService(store);
    await using reference = await startReference({ status: 200, type: "application/xml", body: ANSWER });
    const requests = DELTAS.bodies.map((body) => channelPost(body, headers));
    const load = { ...STORED, requests, connections: DELTAS.connections };
    const versus = { name: "POST /channel, 1-3 nights", engine, service: service.url, reference: reference.url, load, target: 0.35 };
    const rows = await compare(versus, pace);
    await checkReadBack(service.url, headers);
    return rows;
  },
};

/** A whole year of 10 categories, as 10 ranges. */
export const year = againstSaxes("year", { label: "POST /channel, 10 ranges x 365 nights", message: yearMessage, target: 0.1 });

/** The same nights, a line each. */
export const lines = againstSaxes("lines", { label: "POST /channel, 3,650 lines of a night", message: linesMessage, target: 0.7 });

/** Messages against parsing the same one with saxes alone. */
function againstSaxes(name: string, message: Pick<LargeMessages, "label" | "message" | "target">): Bench {
  const large: LargeMessages = {
    ...message,
    connections: 4,
    reference: (seconds) => measureSaxes(message.message(0, 0), seconds),
    tell: (perSecond) => `${perSecond.toFixed(0)} messages/s`,
    against: " parsed",
  };
  return { name, engines: ["SQLite"], run: async (context) => [await compareLarge(large, context)] };
}
