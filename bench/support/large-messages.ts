import type { Context } from "../bench.ts";
import type { Row } from "./figures.ts";
import { measure } from "./load.ts";
import { channelPost, inTurns, STORED } from "./messages.ts";
import { checkReadBack } from "./read-back.ts";
import { measureRounds, ratioRow } from "./rounds.ts";
import { addSender, startService } from "./service.ts";

const PROPERTIES = 8;
const REQUESTS = 16;

/** Messages that each set a year of 10 categories, and what their rate is held against. */
export type LargeMessages = {
  label: string;
  message(property: number, turn: number): string;
  connections: number;
  /** Smallest ratio to the reference. */
  target: number;
  /** Messages a second, as the service's own. */
  reference(seconds: number): Promise<number>;
  tell(perSecond: number): string;
  against: string;
};

/** Sends them for the rounds of the context, and reads back what was said to be stored. */
export async function compareLarge(large: LargeMessages, { pace, engine, seeded }: Context): Promise<Row> {
  const { label, message, connections, target, ...against } = large;
  const store = await seeded({ properties: PROPERTIES, categories: 10, nights: 0 });
  const headers = addSender(store);
  await using service = await startService(store);
  const requests = inTurns(message, { properties: PROPERTIES, count: REQUESTS }).map((body) => channelPost(body, headers));
  const load = { ...STORED, url: service.url, requests, connections };
  const measured = async (seconds: number) => (await measure({ ...load, seconds })).perSecond;
  await measured(pace.warmUpSeconds);
  const rounds = await measureRounds(pace, { measured, reference: against.reference });
  await checkReadBack(service.url, headers);
  return ratioRow(rounds, { name: label, engine, target: { at: "least", value: target }, ...against });
}
