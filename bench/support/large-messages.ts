import type { Context } from "../bench.ts";
import type { Row } from "./figures.ts";
import { measure } from "./load.ts";
import { channelPost, checkReadBack, messagesInTurn, STORED } from "./messages.ts";
import { measureRounds, ratioRow } from "./rounds.ts";
import { addSender, startService } from "./service.ts";

const PROPERTIES = 8;
const REQUESTS = 16;

/** Messages that each set a year of 10 categories, and a reference to compare with. */
export type LargeMessages = {
  label: string;
  message(property: number, turn: number): string;
  connections: number;
  target: number;
  /** Measures the reference for `seconds` and returns messages per second. */
  reference(seconds: number): Promise<number>;
  format(perSecond: number): string;
  referenceSuffix: string;
};

export async function compareLarge(large: LargeMessages, { pace, engine, seeded }: Context): Promise<Row> {
  const { label, message, connections, target, reference, ...text } = large;
  const store = await seeded({ properties: PROPERTIES, categories: 10, nights: 0 });
  const headers = addSender(store);
  await using service = await startService(store);
  const requests = messagesInTurn(message, { properties: PROPERTIES, count: REQUESTS }).map((body) => channelPost(body, headers));
  const load = { ...STORED, url: service.url, requests, connections };
  const measured = async (seconds: number) => (await measure({ ...load, seconds })).perSecond;
  await measured(pace.warmUpSeconds);
  const rounds = await measureRounds(pace, { measured, reference });
  await checkReadBack(service.url, headers);
  return ratioRow(rounds, { name: label, engine, target: { at: "least", value: target }, ...text });
}
