import { systemClock } from "../../src/clock.ts";
import type { Batch, Database, Statement } from "../../src/db/database.ts";
import { handleMessage } from "../../src/modules/channel/handle.ts";
import { messages } from "../../src/modules/channel/messages/index.ts";
import { Traffic } from "../../src/modules/channel/traffic.ts";
import { STORED } from "./messages.ts";

type Recorded = Pick<Batch<unknown>, "lock" | "read"> & { write: readonly Statement[]; id: number };

/**
 * What the service has the database do for these messages once their nights are there, as batches that may be committed again and again:
 * each time with an id of their own.
 */
export async function recordBatches(database: Database, bodies: readonly string[]): Promise<Batch<void>[]> {
  const recorded: Recorded[] = [];
  for (const body of bodies) await send(database, body);
  for (const body of bodies) await send({ ...database, commit: (batch) => database.commit(recording(batch, recorded)) }, body);
  return recorded.map(repeatable);
}

async function send(database: Database, body: string): Promise<void> {
  const deps = {
    database,
    clock: systemClock,
    messages,
    traffic: new Traffic(),
    recordError: () => Promise.reject(new Error("a message to record failed")),
  };
  const headers = { "content-type": "application/xml" };
  const incoming = { headers, body: Buffer.from(body), who: { state: "open" }, remote: undefined, via: "channel" } as const;
  const { body: answer } = await handleMessage(deps, incoming);
  if (!String(answer).includes(STORED.contains)) throw new Error(`a message to record was refused: ${String(answer)}`);
}

function recording<T>(batch: Batch<T>, recorded: Recorded[]): Batch<T> {
  const { lock, read } = batch;
  return {
    ...batch,
    decide(rows, id) {
      const decision = batch.decide(rows, id);
      recorded.push({ lock, read, write: decision.write, id });
      return decision;
    },
  };
}

function repeatable({ lock, read, write, id: old }: Recorded): Batch<void> {
  return { lock, read, decide: (_rows, id) => ({ write: write.map((statement) => renumbered(statement, old, id)), result: undefined }) };
}

function renumbered(statement: Statement, old: number, id: number): Statement {
  if (!statement.values.includes(old)) return statement;
  return { ...statement, values: statement.values.map((value) => (value === old ? id : value)) };
}
