import { fileURLToPath } from "node:url";
import type { Bench, Context } from "../bench.ts";
import { type Server, startServer } from "../support/child.ts";
import type { Row } from "../support/figures.ts";
import { measure } from "../support/load.ts";
import { ANSWER, channelPost, DELTAS, STORED, type Turns, YEARS, yearMessage } from "../support/messages.ts";
import { measureSaxes } from "../support/parse.ts";
import { startReference } from "../support/reference.ts";
import { measureRounds, ratioRow } from "../support/rounds.ts";

const SCRIPT = fileURLToPath(new URL("../support/storing-server.ts", import.meta.url));
const HEADERS = { "content-type": "application/xml" };

/**
 * How near to their targets short messages and years could come on SQLite, if it took no time to read, check, decide, apply and answer them:
 * raw node:http that only stores what the service stores for them, held against what they are held against.
 */
export const storing: Bench = {
  name: "storing",
  engines: ["SQLite"],
  quick: [],
  async run(context) {
    await using reference = await startReference({ status: 200, type: "application/xml", body: ANSWER });
    const deltas = await measureStoring(context, "delta", {
      turns: DELTAS,
      label: "only storing 1-3 nights",
      reference: (seconds) => measureTurns(DELTAS, reference, seconds),
      tell: (perSecond) => `${perSecond.toFixed(0)} req/s`,
    });
    const years = await measureStoring(context, "year", {
      turns: YEARS,
      label: "only storing 10 ranges x 365 nights",
      reference: (seconds) => measureSaxes(yearMessage(0, 0), seconds),
      tell: (perSecond) => `${perSecond.toFixed(0)} messages/s`,
      against: " parsed",
    });
    return [deltas, years];
  },
};

type Storing = {
  turns: Turns;
  label: string;
  reference(seconds: number): Promise<number>;
  tell(perSecond: number): string;
  against?: string;
};

async function measureStoring({ pace, engine, seeded }: Context, kind: string, { turns, label, ...against }: Storing): Promise<Row> {
  const store = await seeded({ properties: turns.properties, categories: 10, nights: 0 });
  await using server = await startServer(["--max-semi-space-size=4", SCRIPT, kind], store.env);
  const measured = (seconds: number) => measureTurns(turns, server, seconds);
  await measured(pace.warmUpSeconds);
  const rounds = await measureRounds(pace, { measured, reference: against.reference });
  return ratioRow(rounds, { name: label, engine, target: undefined, ...against });
}

async function measureTurns({ bodies, connections }: Turns, { url }: Server, seconds: number): Promise<number> {
  const requests = bodies.map((body) => channelPost(body, HEADERS));
  return (await measure({ ...STORED, url, requests, connections, seconds })).perSecond;
}
