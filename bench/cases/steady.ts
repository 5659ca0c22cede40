import type { Bench } from "../bench.ts";
import { limitRow } from "../support/figures.ts";
import { type Headers, measure } from "../support/load.ts";
import { channelPost, deltaMessage, linesMessage, STORED } from "../support/messages.ts";
import { inOwnProcess } from "../support/own-process.ts";
import { addSender, CREDENTIAL, residentMegabytes, startService } from "../support/service.ts";

const MEMORY_MB = 200;
const WAIT_MS = 50;
const PROPERTIES = 50;

/** Measures the longest wait for a page while large messages arrive, and memory use after a mixed load. */
export const steady: Bench = {
  name: "steady",
  engines: ["SQLite", "PostgreSQL"],
  quick: ["SQLite"],
  async run({ pace, engine, seeded }) {
    const store = await seeded({ properties: PROPERTIES, categories: 10, plans: 3, nights: 60 });
    const headers = addSender(store);
    await using service = await startService(store);
    const large = Array.from({ length: 16 }, (_, turn) => channelPost(linesMessage(turn, turn), headers));
    const load = { ...STORED, url: service.url, requests: large, connections: 1 };
    await measure({ ...load, seconds: pace.warmUpSeconds });
    const [wait] = await Promise.all([
      longestWait({ url: `${service.url}/property`, headers: CREDENTIAL, seconds: pace.seconds }),
      measure({ ...load, seconds: pace.seconds }),
    ]);
    await mixedLoad(service.url, headers, pace.seconds);
    const memory = residentMegabytes(service.pid) ?? Number.NaN;
    return [
      limitRow("longest wait for a page during 3,650-line messages", engine, {
        spread: undefined,
        median: wait,
        limit: WAIT_MS,
        unit: "ms",
      }),
      limitRow("resident memory after mixed load", engine, { spread: undefined, median: memory, limit: MEMORY_MB, unit: "MB" }),
    ];
  },
};

export type Visit = { url: string; headers: Headers; seconds: number };

/**
 * Returns the longest wait in milliseconds. Measures in another process, because the load generator would distort measurements in this one.
 */
function longestWait(visit: Visit): Promise<number> {
  return inOwnProcess(new URL("../support/wait-process.ts", import.meta.url), visit);
}

async function mixedLoad(url: string, headers: Headers, seconds: number): Promise<void> {
  const deltas = Array.from({ length: 200 }, (_, turn) => channelPost(deltaMessage(turn % PROPERTIES, turn), headers));
  const pages = ["/property", "/inventories?property=SEED00007", "/rates?property=SEED00007"].map((path) => ({
    method: "GET" as const,
    path,
    headers: CREDENTIAL,
  }));
  await Promise.all([
    measure({ ...STORED, url, requests: deltas, connections: 8, seconds }),
    measure({ url, requests: pages, connections: 4, seconds, status: 200, contains: "</html>" }),
  ]);
}
